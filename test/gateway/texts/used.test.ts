import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandTexts } from '../../../src/gateway/texts/command-text.ts';
import { phrases } from '../../../src/gateway/texts/phrase.ts';
import { problems } from '../../../src/gateway/texts/problem.ts';
import { pageTexts } from '../../../src/gateway/texts/shown-text.ts';
import { project } from '../../support/process/service.ts';

/** The documents repeat what others do. */
const DOCUMENTS = 'gateway/openapi/';
/** A line of the lists themselves, which promises nothing. */
const LISTED = /^ {2}'[\w-]+': (?:\d+|\[[^\]]*\]),$/gm;

const source = join(project, 'src');
const code = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /\.[jt]s$/.test(file) && !file.startsWith(DOCUMENTS))
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
