import { describe, expect, test } from 'vitest';
import type { TestResponse } from '../support/app/app.ts';
import { localesFolder } from '../support/app/app.ts';
import { onServer } from '../support/database/database.ts';
import { leakSearch } from '../support/language/leaks.ts';
import { tagsIn, translatorsIn } from '../support/language/translate.ts';
import { foreignTo, proseOf, tableWords, wordSearch } from '../support/language/vocabulary.ts';
import { languageSuite } from '../support/scenarios/language-suite.ts';
import type { Step } from '../support/scenarios/scenario.ts';
import { scenarioSuite, scenarios, shareOf } from '../support/scenarios/scenarios.ts';

const tags = tagsIn(localesFolder);

// What a server must do does not depend on the language: there each scenario runs in one, by turns.
for (const tag of tags) {
  if (onServer) scenarioSuite(localesFolder, tag, shareOf(tag, tags));
  else languageSuite(localesFolder, tag);
}

const tables = translatorsIn(localesFolder).map(({ table }) => table);

const textsOf = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [String(value)];

/** What a step sends as data: everything but names. */
const dataOf = ({ target, query = {}, body }: Step): readonly string[] => {
  const { sort_by: _, order: __, ...filters } = query;
  return [...target.keys, ...textsOf(filters), ...textsOf(body)];
};

test('the data of the scenarios hold no word of any language', () => {
  const search = wordSearch(tables.flatMap(tableWords));
  const data = [...new Set(scenarios.flatMap(({ steps }) => steps.flatMap(dataOf)))];
  expect(data.filter((text) => search(text).length > 0)).toEqual([]);
});

test('no scenario has the name of another', () => {
  const names = scenarios.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});

describe('the search for leaks', () => {
  const [english, spanish] = ['en', 'es'].map((tag) => translatorsIn(localesFolder).find((each) => each.tag === tag));
  const own = spanish?.table;
  const others = english ? [english.table] : [];
  const problem = { type: '/api/problems/not-found', code: 'not-found', title: 'x', detail: 'x' };

  const answerOf = (json: unknown, headers: Readonly<Record<string, string>> = {}): TestResponse => ({
    status: 200,
    headers: new Headers(headers),
    text: JSON.stringify(json),
    json,
  });
  const leaks = own ? leakSearch(own, others) : () => ['no Spanish table'];

  test.each([
    ['a member', answerOf({ brand: 'Seat' })],
    ['a member of a list', answerOf([{ marca: 'Seat' }, { type: '5W-30' }])],
    ['a value', answerOf({ marca: 'the Brand!' })],
    ['a header', answerOf([], { location: '/api/cars/a-1' })],
    ['a link of a page', answerOf([], { link: '</api/coches?page=1>; rel="first"' })],
    ['an alternate of another kind', answerOf([], { link: '</api/cars>; rel="canonical"; hreflang="en"' })],
    ['an encoded header', answerOf([], { location: '/api/%63ars/a-1' })],
    ['a sentence of a problem', answerOf({ ...problem, detail: '«otherInfo» es obligatorio.' })],
    ['a suggestion', answerOf({ ...problem, errors: [{ code: 'unknown-field', suggestion: 'doors' }] })],
    ['a pointer', answerOf({ ...problem, errors: [{ code: 'invalid-value', pointer: '/year' }] })],
    ['a member of a problem that no standard names', answerOf({ ...problem, page: 1 })],
    ['a type that is no problem’s', answerOf({ tipo: 'type', code: 'x' })],
  ])('finds a word in %s', (_, answer) => {
    expect(leaks(answer)).toHaveLength(1);
  });

  test.each([
    ['words that both languages have', answerOf({ version: '1', ac: true, fuel: '' })],
    ['parts of longer words', answerOf({ marca: 'Pages, scars and yearly' })],
    ['names of headers', answerOf({ ...problem, detail: 'Indique «Content-Type».' })],
    ['alternates', answerOf([], { link: '</api/cars?page=1>; rel="alternate"; hreflang="en"' })],
    ['members that the standard names', answerOf({ ...problem, errors: [] })],
  ])('lets %s pass', (_, answer) => {
    expect(leaks(answer)).toEqual([]);
  });

  test('lets the word that was sent pass, and no other', () => {
    const errors = [{ code: 'unknown-field', pointer: '/brand', detail: '«brand», «doors»', suggestion: 'marca' }];
    expect(leaks(answerOf({ ...problem, errors }), 'brand')).toEqual(['doors: «», «doors»']);
    expect(leaks(answerOf({ ...problem, suggestion: 'brand' }), 'brand')).toEqual(['brand: brand']);
  });

  test('may search every sentence of English and Spanish for every word of the other', () => {
    const pairs = [english, spanish].map((each) => each?.table).filter((table) => table !== undefined);
    expect(pairs).toHaveLength(2);
    for (const table of pairs) {
      const rest = pairs.filter((each) => each !== table);
      expect(wordSearch(foreignTo(table, rest))(proseOf(table))).toEqual([]);
    }
  });
});
