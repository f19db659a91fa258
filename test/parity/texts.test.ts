import { expect, test } from 'vitest';
import { command } from '../../packages/parity/src/command.ts';
import en from '../../packages/parity/src/locales/en.json' with { type: 'json' };
import es from '../../packages/parity/src/locales/es.json' with { type: 'json' };

/** @returns what the command prints on a terminal of a language */
async function print(language: string | undefined, ...args: readonly string[]): Promise<string> {
  const printed: string[] = [];
  await command(args, { language, print: (text) => printed.push(text) });
  return printed.join('\n');
}

test.each([
  [undefined, [], 'give one URL, or two; --help explains the options'],
  ['en_GB.UTF-8', ['http://a.test', '--seed', 'x', '--rate', '0'], '--rate must be a whole number from 1'],
  ['es_ES.UTF-8', [], 'indique una URL o dos; --help explica las opciones'],
  ['es', ['http://a.test', '--rate', '0'], '--rate debe ser un número entero desde 1'],
])('a terminal in %s, and %j', async (language, args, text) => {
  expect(await print(language, ...args)).toBe(text);
});

test('the help names the same options in both languages', async () => {
  const [english, spanish] = [await print('en', '--help'), await print('es', '--help')];
  expect([english, spanish]).toEqual([expect.stringContaining('It only reads'), expect.stringContaining('Solo lee')]);
  const list = (text: string) => text.match(/--[\w-]+/g);
  expect(list(spanish)).toEqual(list(english));
});

test('both tables have the same texts, with the same values', () => {
  const list = (texts: object) =>
    Object.entries(texts).map(([name, text]) => [
      name,
      String(text)
        .match(/\{\w+\}/g)
        ?.sort(),
    ]);
  expect(list(es)).toEqual(list(en));
});
