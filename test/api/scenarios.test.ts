import { expect, test } from 'vitest';
import { localesFolder } from '../support/app/app.ts';
import { onServer } from '../support/database/database.ts';
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

test('the sentences in English and Spanish hold no word of the other', () => {
  expect(tables).toHaveLength(2);
  for (const table of tables) {
    const rest = tables.filter((each) => each !== table);
    expect(wordSearch(foreignTo(table, rest))(proseOf(table))).toEqual([]);
  }
});
