import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Node, parseSync, Visitor } from 'oxc-parser';
import { expect, test } from 'vitest';
import { commandTexts, pageTexts, phrases, subjectTexts } from '../../../src/gateway/texts/phrase.ts';
import { problems } from '../../../src/gateway/texts/problem.ts';
import { project } from '../../support/process/service.ts';

/** The documents repeat what others do. */
const DOCUMENTS = 'gateway/openapi/';
/** A line of the list of problems itself, which promises nothing. */
const LISTED = /^ {2}'[\w-]+': \d+,$/gm;

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
  [/^(.+)-(?:unknown|suggested)$/, 'unknownIn('],
  [/^(?:item|nested)-(.+)$/, 'itemProblem(resource, '],
  [/^filter-(.+)$/, 'comparison === '],
  [/^(.+)-unknown$/, 'createParameter(language, '],
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

test('every text of the pages is shown by some source file', () => {
  expect(Object.keys({ ...pageTexts, ...subjectTexts }).filter((name) => !isUsed(name))).toEqual([]);
});

test('every text of the commands is printed by some source file', () => {
  // The state of a sentence is part of the name of its text.
  const isState = (name: string): boolean =>
    code.includes('say(`words-${state}`') && isUsed(name.replace('words-', ''));
  expect(Object.keys(commandTexts).filter((name) => !isUsed(name) && !isState(name))).toEqual([]);
});

type Said = readonly [text: string, values: readonly string[]];

/** @returns the texts that an argument names: one, or either of two */
const namesIn = (node: Node | undefined): readonly string[] => {
  if (node?.type === 'ConditionalExpression') return [...namesIn(node.consequent), ...namesIn(node.alternate)];
  return node?.type === 'Literal' && typeof node.value === 'string' ? [node.value] : [];
};

/**
 * @param speaker the function that is called; by default any
 * @returns each call with the name of a text, and the names of the values beside it where they are written out
 */
const saidIn = (texts: object, speaker: string | undefined, file: string): readonly Said[] => {
  const said: Said[] = [];
  const { program } = parseSync(file, readFileSync(join(source, file), 'utf8'));
  new Visitor({
    CallExpression: ({ callee, arguments: [text, values] }) => {
      if (speaker !== undefined && !(callee.type === 'Identifier' && callee.name === speaker)) return;
      const written = values?.type === 'ObjectExpression' ? values.properties : [];
      const names = written.flatMap((each) =>
        each.type === 'Property' && each.key.type === 'Identifier' ? [each.key.name] : [],
      );
      const isWhole = values === undefined || (values.type === 'ObjectExpression' && names.length === written.length);
      const known = namesIn(text).filter((name) => name in texts);
      if (isWhole) said.push(...known.map((name) => [name, names] as const));
    },
  }).visit(program);
  return said;
};

/** What fills a text may be left out of one of its plural forms. */
const placeholdersOf = (texts: object, text: string): readonly string[] =>
  [...JSON.stringify(Reflect.get(texts, text)).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

test.each([
  ['the commands', commandTexts, undefined, 'tools/', 25],
  ['the responses', phrases, 'sentence', '', 100],
] as const)(
  'every text of %s is said with a value for each of its placeholders, and no other',
  (_, texts, speaker, folder, most) => {
    const said = files.filter((file) => file.startsWith(folder)).flatMap((file) => saidIn(texts, speaker, file));
    expect(said.length).toBeGreaterThan(most);
    const wrong = said.filter(([text, values]) => {
      const wanted = new Set(placeholdersOf(texts, text));
      return wanted.symmetricDifference(new Set(values)).size > 0;
    });
    expect(wrong).toEqual([]);
  },
);
