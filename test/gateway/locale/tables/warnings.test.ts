import { expect, test } from 'vitest';
import { localesFolder } from '../../../support/app/app.ts';
import { edited, localeFaults, warningsOf } from '../../../support/language/locale-faults.ts';
import { apart, folderOf, type LooseTable, tableOf } from '../../../support/language/locale-folder.ts';
import { allTags, temporaryFolderWith } from '../../../support/language/new-languages.ts';

/** The project's English beside another table. */
const beside = (files: Readonly<Record<string, unknown>>): string =>
  folderOf(apart({ 'en.json': tableOf('en'), ...files }));

test('nothing is said of the project’s tables, nor of those that tests add', () => {
  expect(warningsOf(localesFolder)).toEqual([]);
  expect(warningsOf(temporaryFolderWith(...allTags))).toEqual([]);
});

/** A table in which nothing is as in another one. */
const rewritten = (value: unknown): unknown => {
  if (typeof value === 'string') return `${value}X`;
  return Object.fromEntries(Object.entries(value as object).map(([name, each]) => [name, rewritten(each)]));
};

const copies: readonly (readonly [what: string, edit: (table: LooseTable) => void, parts: readonly string[]])[] = [
  ['a copy', () => {}, ['phrases', 'problems', 'commands', 'pages', 'descriptions']],
  [
    'half a copy',
    (table) => Object.assign(table, { phrases: rewritten(table.phrases), pages: rewritten(table.pages) }),
    ['problems', 'commands', 'descriptions'],
  ],
  [
    'a copy without the parts that may be left out',
    (table) => {
      delete table.commands;
      delete table.pages;
      delete table.descriptions;
    },
    ['phrases', 'problems'],
  ],
  [
    'a copy of a few sentences',
    (table) => {
      const { internal } = table.phrases;
      for (const part of ['phrases', 'problems', 'commands', 'pages', 'descriptions'])
        table[part] = rewritten(table[part]);
      table.phrases.internal = internal;
    },
    [],
  ],
];

test.each(copies)('%s of another language’s table is noticed where it matters', (_, edit, parts) => {
  const copy = edited('en', (table) => {
    table.paths.cars = 'voitures';
    const sentences = [...Object.values<LooseTable>(table.phrases), ...Object.values<LooseTable>(table.commands)];
    for (const counted of [...sentences, table.pages.totals.cars]) {
      if (typeof counted === 'object') counted.many = counted.other;
    }
    edit(table);
  });
  const found = warningsOf(beside({ 'fr.json': copy }));
  expect(found.map((line) => line.replace(/: \d+ of \d+ .*/, ''))).toEqual(
    parts.map((part) => `messages/fr.json: ${part}`),
  );
  for (const line of found)
    expect(line).toMatch(/ \d+ of \d+ sentences are the same as in messages\/en\.json: not translated\?$/);
});

test('two tables of one language may say the same', () => {
  expect(
    warningsOf(beside({ 'en-GB.json': edited('en', (table) => Object.assign(table.paths, { cars: 'motors' })) })),
  ).toEqual([]);
});

test.each(['french.json', 'es_ES.json', 'Spanish.json', '.json'])('a table that is named %s is noticed', (file) => {
  expect(warningsOf(beside({ [file]: tableOf('es') }))).toEqual([
    `${file}: is not used as a table, because its name is not a language tag (BCP 47) such as "fr"`,
  ]);
});

test('other files are none of our business', () => {
  const others = { 'locale.schema.json': '{', 'package.json': { name: 'x' }, 'notes.json': '[]', 'null.json': 'null' };
  expect(warningsOf(beside(others))).toEqual([]);
});

test('warnings are told behind the faults, so that a translator reads all at once', () => {
  const folder = folderOf({ 'french.json': tableOf('es') });
  expect(localeFaults(folder)).toEqual([
    expect.stringContaining('contains no table'),
    expect.stringContaining('french.json'),
  ]);
});

test('sentences that speak of other collections than the catalogue has are named', () => {
  const about = edited('es', (table) => {
    table.subject.collections = ['cars', 'tyres'];
  });
  expect(warningsOf(beside({ 'es.json': about }))).toEqual([
    'messages/es.json: subject: its sentences speak of cars, tyres, but the catalogue has cars, oils: check them, and those of descriptions.collections, then "collections"',
  ]);
});
