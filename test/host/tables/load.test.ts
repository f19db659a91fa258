import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { catalogue as dealerCatalogue } from '../../../examples/dealer/catalogue.ts';
import { loadLocales } from '../../../src/host/tables/load.ts';
import { localesFolder } from '../../support/app/app.ts';
import {
  edited,
  load,
  localeFaults,
  summaryOf,
  warningsOf,
  withSpanish,
} from '../../support/language/locale-faults.ts';
import { apart, folderOf, type LooseTable, tableOf } from '../../support/language/locale-folder.ts';
import { tableIn } from '../../support/language/new-languages.ts';
import { temporaryFolder } from '../../support/process/folder.ts';
import { project } from '../../support/process/service.ts';

/** What is set in the Spanish table, by its key: `undefined` takes it away; then the key that is told, and the reason. */
type Fault = readonly [edits: Readonly<Record<string, unknown>>, key: string, reason: string];

const spoilt = (edits: Fault[0]): string =>
  withSpanish((table) => {
    for (const [path, value] of Object.entries(edits)) {
      const names = path.split('.');
      const last = names.pop() ?? '';
      const part = names.reduce((node, name) => node[name], table);
      if (value === undefined) delete part[last];
      else part[last] = value;
    }
  });

const lacks = (key: string): Fault => [{ [key]: undefined }, key, 'missing'];
const missingKeys: readonly Fault[] = [
  ...['values', 'paths.oils', 'fields.cars.brand', 'parameters.page', 'values.desc', 'suffixes.to', 'report.usedRow'],
  'phrases.body-errors.other',
].map(lacks);

const missingSentences = [
  ...['nouns.cars.of', 'problems.internal', 'problems.internal.title', 'phrases.internal', 'pages.texts.filter'],
  ...['subject.title', 'descriptions.collections.oils.name', 'phrases.query-errors', 'problems', 'subject', 'nouns'],
  'commands.row-error',
];

const holds = (key: string, value: unknown): Fault => [{ [key]: value }, key, 'unknown'];
const unknownKeys: readonly Fault[] = [
  holds('notes', {}),
  holds('paths.vans', 'furgonetas'),
  holds('fields.vans', {}),
  holds('fields.cars.colour', 'color'),
  holds('parameters.limit', 'límite'),
  holds('values.random', 'azar'),
  holds('problems.teapot', { title: 'a', explanation: 'b' }),
  holds('phrases.hello', 'hola'),
  holds('descriptions.fields.cars.colour', { label: 'Color' }),
  holds('phrases.query-errors.some', '{count}'),
  // A name of every object.
  holds('paths.constructor', 'x'),
];

const SCHEMAS = 'descriptions.collections';
const doubles: readonly Fault[] = [
  [{ 'fields.cars.model': 'marca' }, 'fields.cars.model', 'marca'],
  [{ 'fields.oils.type': 'pagina' }, 'fields.oils.type', 'pagina'],
  [{ 'parameters.page': 'orden' }, 'parameters.page', 'orden'],
  [{ [`${SCHEMAS}.cars.schema-new`]: 'Coche' }, `${SCHEMAS}.cars.schema-new`, `${SCHEMAS}.cars.schema`],
  [{ [`${SCHEMAS}.oils.schema`]: 'CocheNuevo' }, `${SCHEMAS}.oils.schema`, `${SCHEMAS}.cars.schema-new`],
  [{ [`${SCHEMAS}.oils.schema`]: 'Problem' }, `${SCHEMAS}.oils.schema`, 'the service itself'],
  [{ 'suffixes.to': 'desde' }, 'suffixes.to', 'from'],
  // A range and a field, a range and a parameter, a nested collection and a field, two ranges.
  [
    { 'fields.cars.version': 'anio_desde' },
    'suffixes.from of fields.cars.year',
    '"anio_desde" is already the word of fields.cars.version',
  ],
  [
    { 'parameters.page': 'puertas_hasta' },
    'suffixes.to of fields.cars.doors',
    '"puertas_hasta" is already the word of parameters.page',
  ],
  [{ 'paths.oils': 'marca' }, 'paths.oils', '"marca" is already the word of fields.cars.brand'],
  [
    { 'suffixes.from': 'de', 'suffixes.to': 'a_de', 'fields.cars.doors': 'anio_a' },
    'suffixes.from of fields.cars.doors',
    '"anio_a_de" is already the word of suffixes.to of fields.cars.year',
  ],
  [{ 'values.desc': 'ascendente' }, 'values.desc', 'ascendente'],
];

const has = (key: string, value: unknown, reason = ''): Fault => [{ [key]: value }, key, reason];
const wrongTypes: readonly Fault[] = [
  has('fields.cars.brand', 5),
  has('paths.cars', null),
  has('values', ['ascendente']),
  has('phrases', 'hola'),
  has('phrases.internal', { other: 'x' }),
  has('phrases.query-errors', 1),
  has('nouns.cars.the', ' '),
];

const placeholders: readonly Fault[] = [
  has('phrases.field-missing', 'Falta.', '{word}'),
  has('phrases.internal', 'Error {code}', '{code}'),
  has('phrases.value-flag', '{wrod}', '{wrod}'),
  [{ 'phrases.body-errors.one': 'Error' }, 'phrases.body-errors', '{of}'],
  has('phrases.body-errors', '{count}', '{of}'),
  has('phrases.internal', '{constructor}', '{constructor}'),
];

const groups: readonly (readonly [group: string, faults: readonly Fault[]])[] = [
  ['that lacks something', missingKeys],
  ['that has one word for two things', doubles],
  ['that holds a wrong type', wrongTypes],
  ['with placeholders that are missing, or that nobody fills', placeholders],
];

describe.each(groups)('a table %s', (_, faults) => {
  test.each(faults)('is refused: %j', (edits, key, reason) => {
    const found = localeFaults(spoilt(edits));
    expect(found).toContainEqual(expect.stringMatching(new RegExp(`^es\\.json: ${key}[:.]`)));
    expect(found.join()).toContain(reason);
    for (const fault of found) expect(fault).toMatch(/^es\.json: [^\n]+$/);
    if (faults === missingKeys || faults === doubles) expect(found).toEqual([expect.stringContaining(`${key}: `)]);
  });
});

test.each(unknownKeys)(
  'a table with a key that nothing uses is served without it, and the start says so: %j',
  (edits, key) => {
    const folder = spoilt(edits);
    expect(warningsOf(folder).filter((line) => !line.includes('belong in'))).toEqual([
      `es.json: ${key}: unknown key, which nothing uses`,
    ]);
    const own = load(folder).find(({ tag }) => tag === 'es')?.table;
    expect(own).toEqual(load(localesFolder).find(({ tag }) => tag === 'es')?.table);
  },
);

test.each(missingSentences)('a table that lacks the sentence %s has that of English, and the start says so', (path) => {
  const [english, own] = load(spoilt({ [path]: undefined }));
  const at = (locale: typeof own): unknown =>
    path.split('.').reduce<LooseTable>((node, name) => node[name], locale?.table);
  expect(at(own)).toEqual(at(english));
  expect(summaryOf(spoilt({ [path]: undefined }))).toEqual([
    expect.stringMatching(/^es: \d+ sentences of its own, \d+ in en$/),
  ]);
});

test.each<readonly [edits: Fault[0], count: number]>([
  [{ 'phrases.internal': 'Error {code}' }, 1],
  [{ 'phrases.body-errors.one': 'Error', 'phrases.value-flag': 5 }, 2],
  [{ 'report.action': 'una acción', 'suffixes.to': 5 }, 2],
  [{ 'report.action': undefined, 'members.total': undefined, 'phrases.internal': '{code}, {other}' }, 3],
  [{ problems: 'hola' }, 1],
])('a sentence or a general word that is wrong is that of English until it is right: %j', (edits, count) => {
  const [english, own] = load(spoilt(edits));
  for (const path of Object.keys(edits)) {
    const [part = '', name = ''] = path.split('.');
    expect([part, name, own?.table[part as 'phrases'][name as 'internal']]).toEqual([
      part,
      name,
      english?.table[part as 'phrases'][name as 'internal'],
    ]);
  }
  expect(summaryOf(spoilt(edits))).toEqual([
    expect.stringMatching(
      `^es: \\d+ sentences of its own, \\d+ in en, ${count} to mend \\(npm run words -- check es\\)$`,
    ),
  ]);
});

test('English that lacks a sentence has that of the package', () => {
  const [english] = load(folderOf({ 'en.json': edited('en', ({ phrases }) => delete phrases.internal) }));
  expect(english?.table.phrases.internal).toBe(tableOf('en').phrases.internal);
  expect([...(english?.borrowed?.keys() ?? [])]).toEqual(['phrases.internal']);
});

test('a collection that is not there is named', () => {
  const without = withSpanish(({ fields, nouns, descriptions }) => {
    for (const part of [fields, nouns, descriptions.fields]) delete part.oils;
  });
  expect(localeFaults(without)).toEqual(['es.json: fields.oils: missing']);
});

test('a plural form may leave the count out, because it says it in words', () => {
  expect(
    localeFaults(withSpanish((table) => Object.assign(table.phrases['query-errors'], { one: 'Un error.' }))),
  ).toEqual([]);
});

describe('a folder', () => {
  test('of the project is without fault', () => {
    expect(localeFaults(localesFolder)).toEqual([]);
    expect(warningsOf(localesFolder)).toEqual([]);
    expect(load(localesFolder).map(({ tag }) => tag)).toEqual(expect.arrayContaining(['en', 'es']));
  });

  test.each([
    ['is missing', () => join(folderOf({}), 'none')],
    ['is a file', () => join(folderOf({ file: 'text' }), 'file')],
    ['has no table', () => folderOf({ 'README.md': '# Words' })],
  ])('that %s is named', (_, make) => {
    const folder = make();
    expect(localeFaults(folder)).toEqual([expect.stringContaining(folder)]);
  });

  test.each(['qaa', 'en-GB'])('without the default language %s says which file is missing', (tag) => {
    expect(localeFaults(localesFolder, tag)).toEqual([`DEFAULT_LANGUAGE=${tag}: there is no table ${tag}.json`]);
  });

  test('may hold other files beside its tables', () => {
    const others = [
      'locale.schema.json',
      'notes.txt',
      'README.md',
      'es.json.bak',
      'es_ES.json',
      'package.json',
      '.json',
    ];
    const folder = folderOf({ ...Object.fromEntries(others.map((name) => [name, '{'])), 'en.json': tableOf('en') });
    expect(load(folder).map(({ tag }) => tag)).toEqual(['en']);
  });

  test('may name a table’s schema, or not', () => {
    const { $schema: _, ...bare } = tableOf('en');
    expect(localeFaults(folderOf({ 'en.json': bare }))).toEqual([]);
    expect(localeFaults(folderOf({ 'en.json': { ...bare, $schema: './other.json' } }))).toEqual([]);
  });

  test('cannot hold two tables of one language', () => {
    const other = { ...tableOf('es'), paths: { ...tableOf('es').paths, cars: 'motos' } };
    const folder = folderOf({ 'en.json': tableOf('en'), 'es.json': tableOf('es'), 'ES.json': other });
    expect(localeFaults(folder)).toEqual([expect.stringMatching(/^es\.json: es is already the language of ES\.json$/)]);
  });

  test('gives each language its canonical tag', () => {
    const folder = folderOf({ 'en.json': tableOf('en'), 'ES-mx.json': tableOf('es') });
    expect(load(folder).map(({ tag }) => tag)).toEqual(expect.arrayContaining(['en', 'es-MX']));
  });
});

describe('a file that is no table', () => {
  test.each([
    ['invalid JSON', '{"paths": ', /^es\.json: is not JSON/],
    ['nothing', '', /^es\.json: is not JSON/],
    ['a list', '[]', /^es\.json: .*object/],
    ['null', 'null', /^es\.json: .*object/],
    ['a text', '"hola"', /^es\.json: .*object/],
  ])('but %s is refused in one line', (_, content, reason) => {
    const found = localeFaults(folderOf({ 'en.json': tableOf('en'), 'es.json': content }));
    expect(found).toEqual([expect.stringMatching(reason)]);
    expect(found[0]).not.toContain('\n');
  });

  test.each(['latin1', 'utf16le'] as const)('but one in %s is refused', (encoding) => {
    const folder = folderOf({ 'en.json': tableOf('en') });
    writeFileSync(join(folder, 'es.json'), JSON.stringify(tableOf('es')), encoding);
    expect(localeFaults(folder)).toEqual(['es.json: is not UTF-8']);
  });
});

describe('words and sentences in two files', () => {
  const split = (edit: (es: LooseTable) => void = () => {}) =>
    apart({ 'en.json': tableOf('en'), 'es.json': edited('es', edit) });

  test('are one table', () => {
    expect(load(folderOf(split()))).toEqual(load(withSpanish(() => {})));
    const others = { 'locale.schema.json': '{', 'package.json': { name: 'x' }, 'notes.json': '[]' };
    expect(warningsOf(folderOf({ ...split(), ...others }))).toEqual([]);
  });

  test('in one file are read, and the start says where the sentences belong', () => {
    expect(
      warningsOf(folderOf({ ...split(), ...apart({ 'en.json': tableOf('en') }), 'ca.json': tableIn('ca') })),
    ).toEqual([
      'ca.json: has words and sentences; the sentences (nouns, subject, problems, phrases, commands, pages, descriptions, derived) belong in messages/ca.json',
    ]);
  });

  test.each<readonly [what: string, edit: (table: LooseTable) => void, fault: string]>([
    ['a word', (table) => delete table.fields.cars.brand, 'es.json: fields.cars.brand: missing'],
    [
      'a sentence',
      ({ phrases }) => Object.assign(phrases, { internal: '{code}' }),
      'messages/es.json: phrases.internal: has a placeholder {code} that nothing fills',
    ],
    [
      'all sentences of a kind',
      (table) => Object.assign(table, { problems: [] }),
      'messages/es.json: problems: must be of type object',
    ],
  ])('a fault names the file: %s', (_, edit, fault) => {
    expect(localeFaults(folderOf(split(edit)))).toEqual([fault]);
  });

  test.each<readonly [what: string, files: (all: LooseTable) => object, faults: readonly string[]]>([
    [
      'a word among the sentences',
      (all) => ({ 'messages/es.json': { ...all['messages/es.json'], paths: {} } }),
      ['messages/es.json: paths: unknown key, which nothing uses'],
    ],
    [
      'a part in both files',
      (all) => ({ 'es.json': { ...all['es.json'], nouns: {} } }),
      ['messages/es.json: nouns: stands in es.json, too'],
    ],
    [
      'sentences that are no JSON',
      () => ({ 'messages/es.json': '{' }),
      [expect.stringMatching(/^messages\/es\.json: is not JSON/)],
    ],
    ['sentences that are a list', () => ({ 'messages/es.json': '[]' }), ['messages/es.json: must be of type object']],
  ])('%s is refused', (_, files, faults) => {
    expect(localeFaults(folderOf({ ...split(), ...files(split()) }))).toEqual(faults);
  });

  test('sentences alone are no table', () => {
    const folder = folderOf({ ...split(), 'messages/pt.json': {} });
    expect(load(folder).map(({ tag }) => tag)).toEqual(['en', 'es']);
  });

  test('words alone have the sentences of English', () => {
    const { 'messages/es.json': _, ...files } = split();
    const [english, own] = load(folderOf(files));
    expect(own?.table.phrases).toEqual(english?.table.phrases);
  });
});

test('a list that a table of another catalogue does not name has its name in English', () => {
  const dealer = join(project, 'examples/dealer');
  const folder = temporaryFolder();
  cpSync(join(dealer, 'locales'), folder, { recursive: true });
  const file = join(folder, 'messages/es.json');
  const table = JSON.parse(readFileSync(file, 'utf8'));
  const english = JSON.parse(readFileSync(join(folder, 'messages/en.json'), 'utf8')).descriptions.collections;
  delete table.descriptions.collections.allPhotos;
  delete table.descriptions.collections.branches.name;
  writeFileSync(file, JSON.stringify(table));
  const locales = loadLocales(dealerCatalogue, folder, 'es', { base: join(project, 'locales') });
  const own = locales.find(({ tag }) => tag === 'es');
  expect(own?.table.descriptions?.collections).toMatchObject({
    allPhotos: { name: english.allPhotos.name, schema: english.allPhotos.schema },
    branches: { name: english.branches.name },
  });
  expect([...(own?.borrowed?.keys() ?? [])]).toEqual(
    ['allPhotos.name', 'allPhotos.schema', 'branches.name'].map((text) => `descriptions.collections.${text}`),
  );
});
