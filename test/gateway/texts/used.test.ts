import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { expect, test } from 'vitest';
import { phrases } from '../../../src/gateway/texts/phrase.ts';
import { problems } from '../../../src/gateway/texts/problem.ts';
import { commandTexts, pageTexts } from '../../../src/gateway/texts/shown-text.ts';
import { project } from '../../support/process/service.ts';

/** The documents repeat what others do. */
const DOCUMENTS = 'gateway/openapi/';
/** A line of the lists themselves, which promises nothing. */
const LISTED = /^ {2}'[\w-]+': (?:\d+|\[[^\]]*\]),$/gm;

const source = join(project, 'src');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /\.[jt]s$/.test(file));
const code = files
  .filter((file) => !file.startsWith(DOCUMENTS))
  .map((file) => readFileSync(join(source, file), 'utf8'))
  .join('\n')
  .replaceAll(LISTED, '');

const isUsed = (name: string): boolean => code.includes(`'${name}'`);

/** What says several phrases: `unknownSentence('field', …)` both `field-unknown` and `field-suggested`. */
const FAMILIES: readonly (readonly [member: RegExp, call: string])[] = [
  [/^(.+)-(?:unknown|suggested)$/, 'unknownSentence('],
  [/^(?:item|nested)-(.+)$/, 'itemProblem(language, '],
];

const isSaid = (phrase: string): boolean =>
  isUsed(phrase) ||
  FAMILIES.some(([member, call]) => {
    const [, name] = member.exec(phrase) ?? [];
    return name !== undefined && code.includes(`${call}'${name}'`);
  });

test('every problem code is thrown by some source file', () => {
  expect(Object.keys(problems).filter((name) => !isUsed(name))).toEqual([]);
});

test('every phrase is said by some source file', () => {
  expect(Object.keys(phrases).filter((name) => !isSaid(name))).toEqual([]);
});

/** The steps of the exchange say what they show: `'create'` both `create` and `create-about`. */
const isShown = (text: string): boolean =>
  isUsed(text) || (/\bstep\}-about/.test(code) && isUsed(text.replace(/-about$/, '')));

test('every text of the pages is shown by some source file', () => {
  expect(Object.keys(pageTexts).filter((name) => !isShown(name))).toEqual([]);
});

test('every text of the commands is printed by some source file', () => {
  expect(Object.keys(commandTexts).filter((name) => !isUsed(name))).toEqual([]);
});

/** @returns each call with the name of a command's text, and the names of the values beside it where they are written out */
const printedIn = (file: string) => {
  const printed: (readonly [text: string, values: readonly string[]])[] = [];
  const { program } = parseSync(file, readFileSync(join(source, file), 'utf8'));
  new Visitor({
    CallExpression: ({ arguments: [text, values] }) => {
      if (text?.type !== 'Literal' || typeof text.value !== 'string' || !(text.value in commandTexts)) return;
      const written = values?.type === 'ObjectExpression' ? values.properties : [];
      const names = written.flatMap((each) =>
        each.type === 'Property' && each.key.type === 'Identifier' ? [each.key.name] : [],
      );
      const isWhole = values === undefined || (values.type === 'ObjectExpression' && names.length === written.length);
      if (isWhole) printed.push([text.value, names]);
    },
  }).visit(program);
  return printed;
};

/** What fills a text may be left out of one of its plural forms. */
const placeholdersOf = (text: string): readonly string[] =>
  [...JSON.stringify(Reflect.get(commandTexts, text)).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

test('every text of a command is printed with a value for each of its placeholders, and no other', () => {
  const printed = files.filter((file) => file.startsWith('tools/')).flatMap(printedIn);
  expect(printed.length).toBeGreaterThan(50);
  const wrong = printed.filter(([text, values]) => {
    const wanted = new Set(placeholdersOf(text));
    return wanted.symmetricDifference(new Set(values)).size > 0;
  });
  expect(wrong).toEqual([]);
});
