import { RE2JS } from 're2js';
import { afterAll, describe, expect, test } from 'vitest';
import { openApp } from '../../support/app/app.ts';
import { type Document, documentsOf } from '../../support/documents/documents.ts';

const { app, close } = await openApp();
const documents = await documentsOf(app);
const dictionary: Document = await (await app.request('/api/locales/es')).json();
afterAll(() => close());

const patternsIn = (part: Document): readonly string[] =>
  typeof part !== 'object' || part === null
    ? []
    : Object.entries<Document>(part).flatMap(([name, value]) =>
        name === 'pattern' && typeof value === 'string' ? [value] : patternsIn(value),
      );

const patterns = [...new Set([...documents.values(), dictionary].flatMap(patternsIn))];

/** The three ways in which clients' languages compile an expression. */
const engines: readonly (readonly [name: string, compile: (pattern: string) => (text: string) => boolean])[] = [
  ['RE2', (pattern) => (text) => RE2JS.compile(pattern).matcher(text).find()],
  ['JavaScript', (pattern) => (text) => new RegExp(pattern).test(text)],
  ['JavaScript with u', (pattern) => (text) => new RegExp(pattern, 'u').test(text)],
];

test('documents and dictionary have patterns', () => {
  expect(patterns.length).toBeGreaterThan(4);
});

test('no pattern has a character that source code cannot show', () => {
  for (const pattern of patterns) expect(pattern).toMatch(/^[\x20-\x7e]+$/);
});

describe.each(engines)('%s', (_, compile) => {
  test.each(patterns.map((pattern) => [JSON.stringify(pattern), pattern]))('compiles %s', (_, pattern) => {
    expect(() => compile(pattern)('Seat Ibiza')).not.toThrow();
  });

  const { brand, identifier, fuel } = documents.get('en').components.schemas.NewCar.properties;
  test.each([
    ['a required text', brand, 'Seat Ibiza', true],
    ['a required text', brand, ' León\n', true],
    ['a required text', brand, ' \t\n', false],
    ['a required text', brand, 'a\0b', false],
    ['a text', fuel, '', true],
    ['a text', fuel, '😀', true],
    ['a text', fuel, '\0', false],
    ['a key', identifier, 'a/b ñ', true],
    ['a key', identifier, 'a\nb', false],
    ['a key', identifier, 'a\u0085b', false],
    ['a key', identifier, '.', false],
    ['a key', identifier, '..', false],
    ['a key', identifier, '...', true],
    ['a key', identifier, '.a', true],
    ['a key', identifier, '..a', true],
    ['a key', identifier, '....', true],
    ['a key', identifier, 'a.', true],
    ['a key', identifier, '..\n', false],
    ['a key', identifier, '...\u0085', false],
  ] as const)('reads %s alike: %#', (_, { pattern }, text, isAllowed) => {
    expect(compile(pattern)(text)).toBe(isAllowed);
  });
});
