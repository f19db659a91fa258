import { expect, test } from 'vitest';
import { localesFolder } from '../../../support/app/app.ts';
import { warningsOf } from '../../../support/language/locale-faults.ts';
import { apart, folderOf, tableOf } from '../../../support/language/locale-folder.ts';
import { allTags, temporaryFolderWith } from '../../../support/language/new-languages.ts';

test('nothing is said of the project’s tables, nor of those that tests add', () => {
  expect(warningsOf(localesFolder)).toEqual([]);
  expect(warningsOf(temporaryFolderWith(...allTags))).toEqual([]);
});

test('other files are none of our business', () => {
  const others = {
    'locale.schema.json': '{',
    'package.json': { name: 'x' },
    'notes.json': '[]',
    'french.json': tableOf('es'),
  };
  expect(warningsOf(folderOf(apart({ 'en.json': tableOf('en'), ...others })))).toEqual([]);
});
