/** No regular expression goes back over a text: the time that it takes grows with the length of what it reads, not faster. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Node, parseSync, Visitor } from 'oxc-parser';
import { check, type VulnerableDiagnostics } from 'recheck';
import { expect, test } from 'vitest';
import { project } from './support/process/service.ts';

type Pattern = readonly [source: string, flags: string];

/** @returns the regular expressions in a file; a part that is known only where it runs stands as a letter */
const patternsIn = (file: string, text: string): readonly Pattern[] => {
  const found: Pattern[] = [];
  const texts = new Map<string, string>();
  const textOf = (node: Node | null | undefined): string => {
    if (node?.type === 'Literal') return String(node.value);
    if (node?.type === 'Identifier') return texts.get(node.name) ?? 'a';
    if (node?.type !== 'TemplateLiteral') return 'a';
    const parts = node.expressions.map(textOf);
    return node.quasis.map(({ value }, at) => `${value.cooked}${parts[at] ?? ''}`).join('');
  };
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      if (id.type === 'Identifier') texts.set(id.name, textOf(init));
    },
    Literal: (node) => {
      if ('regex' in node) found.push([node.regex.pattern, node.regex.flags]);
    },
    NewExpression: ({ callee, arguments: [source, flags] }) => {
      if (callee.type === 'Identifier' && callee.name === 'RegExp')
        found.push([textOf(source), flags ? textOf(flags) : '']);
    },
  }).visit(program);
  return found;
};

/** Milliseconds of CPU that no text of some 25,000 units takes, unless the pattern goes back over it. */
const LINEAR = 30;

/** @param attack the text that costs most, of which a quarter costs enough to tell: recheck's own takes seconds */
const costOf = ([source, flags]: Pattern, { pumps, suffix, base }: VulnerableDiagnostics['attack']): number => {
  const text = pumps.map(({ prefix, pump, bias }) => prefix + pump.repeat(base / 4 + bias)).join('') + suffix;
  const before = process.threadCpuUsage();
  new RegExp(source, flags).exec(text);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
};

/** @returns how the time grows at worst; `undefined` where it does not grow faster than the text */
const growthOf = async (pattern: Pattern): Promise<string | undefined> => {
  const found = await check(...pattern, { timeout: 20_000 });
  if (found.status === 'safe') return undefined;
  if (found.status === 'unknown') return found.error.kind;
  // Patterns that look around are tried by its own matcher, where some take longer than here; of others it has a proof.
  const isProved = found.checker === 'automaton' || costOf(pattern, found.attack) > LINEAR;
  return isProved ? found.complexity.summary : undefined;
};

const source = join(project, 'src');
const ofSources = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.[jt]s$/.test(file))
  .flatMap((file) =>
    patternsIn(file, readFileSync(join(source, file), 'utf8')).map((pattern) => [file, pattern] as const),
  );

const PROVED = join(project, 'test/data/patterns.txt');
const named = ([text, flags]: Pattern): string => `/${text}/${flags}`;

test('of the sources', async () => {
  // A proof takes 60 ms, and lasts.
  const proved = new Set(readFileSync(PROVED, 'utf8').split('\n'));
  const faults: string[] = [];
  for (const [file, pattern] of ofSources) {
    const growth = proved.has(named(pattern)) ? undefined : await growthOf(pattern);
    if (growth !== undefined) faults.push(`${file}: ${named(pattern)}: ${growth}`);
  }
  expect(faults).toEqual([]);
  // Written by `vitest -u`, once nothing is wrong.
  const all = [...new Set(ofSources.map(([, pattern]) => named(pattern)))].toSorted();
  await expect(`${all.join('\n')}\n`).toMatchFileSnapshot(PROVED);
});
