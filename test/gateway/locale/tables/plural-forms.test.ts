import { expect, test } from 'vitest';
import { edited, localeFaults } from '../../../support/language/locale-faults.ts';
import { folderOf, type LooseTable, tableOf } from '../../../support/language/locale-folder.ts';

/** The sentences that count. */
const COUNTED = ['query-errors', 'body-errors', 'item-in-use', 'rows-rejected', 'rows-left-out', 'rows-checked'];
const PRINTED = ['rows-done', 'more-errors', 'rows-written'];

const plurals: readonly (readonly [what: string, tag: string, (table: LooseTable) => void, keys: readonly string[]])[] =
  [
    [
      'French has a form for millions',
      'fr',
      (table) => delete table.phrases['body-errors'].many,
      ['phrases.body-errors.many'],
    ],
    ['pages count too', 'fr', (table) => delete table.pages.totals.cars.many, ['pages.totals.cars.many']],
    [
      'Polish has one for a few',
      'pl',
      () => {},
      [
        ...COUNTED.map((phrase) => `phrases.${phrase}.few`),
        ...PRINTED.map((text) => `commands.${text}.few`),
        'pages.totals.cars.few',
      ],
    ],
    ['Japanese has one form', 'ja', () => {}, []],
    [
      'one sentence for every count is meant so',
      'pl',
      (table) => {
        for (const phrase of COUNTED) table.phrases[phrase] = table.phrases[phrase].other;
        for (const text of PRINTED) table.commands[text] = table.commands[text].other;
        table.pages.totals.cars = '{count}';
      },
      [],
    ],
    ['nobody knows how Klingon counts', 'tlh', () => {}, []],
  ];

test.each(plurals)('%s: a table must have each form that its language has', (_, tag, edit, keys) => {
  const other = edited('es', edit);
  const faults = localeFaults(folderOf({ 'en.json': tableOf('en'), [`${tag}.json`]: other }));
  expect(faults).toEqual(keys.map((key) => `${tag}.json: ${key}: missing, a plural form of ${tag}`));
});
