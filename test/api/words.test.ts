import { expect, test } from 'vitest';
import { localesFolder } from '../support/app/app.ts';
import { languageSuite } from '../support/language/suites.ts';
import { foreignTo, proseOf, tagsIn, translatorsIn, wordSearch } from '../support/language/translate.ts';

for (const tag of tagsIn(localesFolder)) languageSuite(localesFolder, tag);

test('the sentences in English and Spanish hold no word of the other', () => {
  const tables = translatorsIn(localesFolder).map(({ table }) => table);
  expect(tables).toHaveLength(2);
  for (const table of tables) {
    const rest = tables.filter((each) => each !== table);
    expect(wordSearch(foreignTo(table, rest))(proseOf(table))).toEqual([]);
  }
});
