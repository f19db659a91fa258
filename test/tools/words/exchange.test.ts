/** `npm run words -- export` and `import`: a table to somebody who translates it, and back. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { expect, test } from 'vitest';
import { catalogue } from '../../../src/catalogue.ts';
import { loadLocales } from '../../../src/host/tables/load.ts';
import { editJson } from '../../../src/tools/words/edit-json.ts';
import { changeFiles, compareRows, listUnits, type Row, type Unit } from '../../../src/tools/words/exchange.ts';
import { readSheet, writeSheet } from '../../../src/tools/words/sheets.ts';
import { readXliff, writeXliff } from '../../../src/tools/words/xliff.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { runHere } from '../../support/commands/given.ts';
import { tags as allTags, tableFrom } from '../../support/language/locale-folder.ts';
import { temporaryFolder } from '../../support/process/folder.ts';
import { project } from '../../support/process/service.ts';
import { workbook } from '../../support/workbooks.ts';

const locales = join(project, 'locales');
const formats = ['xliff', 'csv', 'xlsx'] as const;
const FILES = ['es.json', 'messages/es.json'];

/** A copy of the project's tables, and a command on it. */
const open = () => {
  const folder = temporaryFolder();
  cpSync(locales, folder, { recursive: true });
  const run = (args: readonly string[], LANG = 'en_GB.UTF-8') =>
    runHere('src/tools/words/main.ts', args, {
      CATALOGUE: '',
      LOCALES_DIR: folder,
      DATABASE_URL: 'sqlite::memory:',
      LANG,
    });
  return {
    folder,
    run,
    file: (name: string) => join(folder, name),
    read: () => FILES.map((name) => readFileSync(join(folder, name), 'utf8')),
  };
};

const target = (tag: string) => ({
  tag,
  own: allTags.includes(tag) ? tableFrom(locales, tag) : {},
  file: `${tag}.json`,
  messages: `messages/${tag}.json`,
});
const units = (tag = 'es') => listUnits(tableFrom(locales, 'en'), target(tag));
const unitOf = (key: string): Unit => units().find((unit) => unit.key === key) as Unit;
const rowOf = (key: string, changed: Partial<Row> = {}): Row => {
  const { source, present } = unitOf(key);
  return { key, source, present, text: present, ...changed };
};
/** The lines that two texts do not share. */
const changedLines = (before: string, after: string): readonly string[] =>
  after.split('\n').filter((line) => !before.split('\n').includes(line));

const columns = ['translation', 'present', 'key', 'source'] as const;
const news = {
  'problems.not-found.title': 'No está & «aquí» <b>',
  'nouns.cars.the': 'el automóvil',
  'phrases.query-errors.other': 'La consulta tiene {count} fallos.',
};
const edited = Object.entries(news).map(([key, translation]) => ({ ...unitOf(key), translation }));
const xml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const returned: Readonly<Record<(typeof formats)[number], () => Promise<string | Buffer>>> = {
  xliff: async () => {
    const text = writeXliff(edited, 'en', 'es');
    return edited.reduce((all, { present, translation }, at) => {
      // A tool may write CDATA, and split a text.
      const target = at === 0 ? `<![CDATA[${translation}]]>` : xml(translation);
      return all.replace(`<target>${xml(present)}</target>`, `<target>${target}</target>`);
    }, text);
  },
  csv: async () =>
    [columns, ...edited.map((unit) => columns.map((name) => unit[name]))]
      .map((row) => `${row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(';')}\r\n`)
      .join(''),
  xlsx: async () => {
    const rows = [columns, ...edited.map((unit) => columns.map((name) => unit[name]))];
    const cells = rows.map(
      (row, at) =>
        `<row r="${at + 1}">${row.map((cell, column) => `<c r="${'ABCD'[column]}${at + 1}" t="inlineStr"><is><t xml:space="preserve">${xml(cell)}</t></is></c>`).join('')}</row>`,
    );
    return workbook({ 'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${cells.join('')}</sheetData></worksheet>` });
  },
};

test.each(formats)(
  '%s: what is exported comes back as it was, what was translated is written, and nothing else',
  async (format) => {
    const { run, file, read } = open();
    const [words = '', messages = ''] = read();
    const [code, printed] = await run(['export', 'es', `--${format}`, '--out', file('out')]);
    const said = expect.stringMatching(/^“.*out”: \d+ texts, \d+ of them without translation\n$/);
    expect([code, printed]).toEqual([0, said]);
    const again = await run(['import', 'es', file('out'), `--${format}`]);
    expect([...again.slice(0, 2), ...read()]).toEqual([0, `“${file('out')}”: 0 texts are new\n`, words, messages]);

    writeFileSync(file(`back.${format}`), await returned[format]());
    expect((await run(['import', 'es', file(`back.${format}`)])).slice(0, 2)).toEqual([
      0,
      `“${file(`back.${format}`)}”: 3 texts are new\n`,
    ]);
    const [newWords = '', newMessages = ''] = read();
    expect(newWords).toBe(words);
    expect(newMessages.split('\n')).toHaveLength(messages.split('\n').length);
    expect(changedLines(messages, newMessages)).toHaveLength(3);
    const table = JSON.parse(newMessages);
    expect([table.problems['not-found'].title, table.nouns.cars.the, table.phrases['query-errors'].other]).toEqual(
      Object.values(news),
    );
    // What they were translated from is known from now on.
    expect(Object.keys(JSON.parse(readFileSync(file('messages/es.sources.json'), 'utf8')))).toEqual(
      expect.arrayContaining(['nouns.cars.the', 'phrases.query-errors', 'problems.not-found.title']),
    );
    const listStale = async () => (await run(['status', 'es']))[1].match(/\S+(?=: the source has changed)/g) ?? [];
    const stale: readonly string[] = await listStale();
    const english = readFileSync(file('messages/en.json'), 'utf8');
    writeFileSync(file('messages/en.json'), english.replace('"the car"', '"the vehicle"'));
    expect((await listStale()).filter((place) => !stale.includes(place))).toEqual(['nouns.cars.the']);
  },
);

const faults: readonly (readonly [name: string, row: Row, fault: string, values: object])[] = [
  ['an unknown key', { ...rowOf('paths.cars'), key: 'paths.boats' }, 'words-unknown', {}],
  [
    'another source',
    rowOf('nouns.cars.the', { source: 'the vehicle', text: 'el auto' }),
    'words-source',
    { source: 'the car' },
  ],
  [
    'a table that changed',
    rowOf('nouns.cars.the', { present: 'el bólido', text: 'el auto' }),
    'words-conflict',
    { present: 'el coche' },
  ],
  [
    'another placeholder',
    rowOf('phrases.query-errors.other', { text: '{cuenta} fallos' }),
    'words-placeholders',
    { fault: 'has a placeholder {cuenta} that nothing fills' },
  ],
  [
    'a lost placeholder',
    rowOf('derived.collection.about', { text: 'Nombre.' }),
    'words-placeholders',
    { fault: 'is missing the placeholder {name}' },
  ],
  ['a space', rowOf('nouns.cars.the', { text: 'el auto ' }), 'words-spaces', {}],
  ['two spaces', rowOf('nouns.cars.the', { text: 'el  auto' }), 'words-spaces', {}],
  ['a truth', rowOf('subject.browse', { text: 'VERDADERO' }), 'words-cell', { text: 'VERDADERO' }],
  ['a cell that is a truth', rowOf('subject.browse', { text: 'true', cell: 'TRUE' }), 'words-cell', { text: 'TRUE' }],
  ['a date', rowOf('subject.browse', { text: '03/01/2026' }), 'words-cell', { text: '03/01/2026' }],
  ['a short date', rowOf('subject.browse', { text: '3-ene' }), 'words-cell', { text: '3-ene' }],
  ['an error of a formula', rowOf('subject.browse', { text: '#¿NOMBRE?' }), 'words-cell', { text: '#¿NOMBRE?' }],
  ['a number', rowOf('subject.browse', { text: '1,5E+10' }), 'words-cell', { text: '1,5E+10' }],
  ['no word', rowOf('paths.cars', { text: 'mis coches' }), 'words-word', { text: 'mis coches' }],
];

test.each(faults)('%s is named', (_, row, text, values) => {
  const result = compareRows(units(), [row], []);
  expect(result).toMatchObject({ faults: [{ text, values: { key: row.key, ...values } }] });
  expect(result.texts.size).toBe(0);
});

test('quotation marks of code are compared with those of the source', () => {
  const unit = { ...unitOf('subject.browse'), source: 'Send `"a"`.', present: '' };
  const row = { key: unit.key, source: unit.source, present: '', text: 'Envíe `“a”`.' };
  expect(compareRows([unit], [row], []).faults).toEqual([
    { text: 'words-quotes', values: { key: unit.key, text: row.text } },
  ]);
  expect(compareRows([unit], [{ ...row, text: 'Envíe «`"a"`», l’a.' }], []).faults).toEqual([]);
});

test('a value, a field or a path that is called “other” is a word, and no plural form', () => {
  const table = {
    paths: { other: 'otros', cars: { word: 'coches', former: [{ word: 'autos' }] } },
    choices: { cars: { fuel: { other: 'Otro', petrol: 'Gasolina' } } },
    phrases: { some: { one: 'uno', other: 'varios' } },
  };
  const keys = listUnits(table, { tag: 'en', own: {}, file: 'en.json' }).map(({ key }) => key);
  expect(keys).toEqual([
    ...['paths.other', 'paths.cars', 'choices.cars.fuel.other', 'choices.cars.fuel.petrol'],
    ...['phrases.some.one', 'phrases.some.other'],
  ]);
});

test('a text whose name has dots is written where it belongs', () => {
  const source = { pages: { labels: { 'Try again.': 'Try again.' } } };
  const all = listUnits(source, { tag: 'es', own: {}, file: 'es.json' });
  const texts = new Map([['pages.labels.Try again.', 'Repita.']]);
  expect(JSON.parse(changeFiles({ 'es.json': '{}' }, all, texts)['es.json'] ?? '')).toEqual({
    pages: { labels: { 'Try again.': 'Repita.' } },
  });
  const own = { pages: { labels: { 'Try again.': 'Repita.' } } };
  expect(listUnits(source, { tag: 'es', own, file: 'es.json' })).toMatchObject([{ present: 'Repita.' }]);
});

test('a key that comes twice must have one text', () => {
  const rows = ['el auto', 'el carro'].map((text) => rowOf('nouns.cars.the', { text }));
  expect(compareRows(units(), rows, []).faults).toEqual([
    { text: 'words-repeated', values: { key: 'nouns.cars.the' } },
  ]);
});

test.each([
  ['en_GB.UTF-8', /^subject\.browse: a spreadsheet program .*\n1 text is wrong, so nothing was written\./],
  ['es_ES.UTF-8', /^subject\.browse: una hoja de cálculo .*\n1 texto está mal, así que no se ha escrito nada\./],
])('nothing is written before all is well, unless --partial asks for it (%s)', async (lang, said) => {
  const { run, file, read } = open();
  const before = read();
  const rows = [
    ['subject.browse', 'VERDADERO'],
    ['nouns.cars.the', 'el auto'],
  ].map(([key = '', text]) => ({ ...unitOf(key), text }));
  const line = ({ key, source, present, text }: (typeof rows)[number]) => `${key},"${source}","${present}","${text}"\n`;
  writeFileSync(file('back.csv'), `key,source,present,translation\n${rows.map(line).join('')}`);
  const [code, printed] = await run(['import', 'es', file('back.csv')], lang);
  expect([code, printed]).toEqual([1, expect.stringMatching(said)]);
  expect(read()).toEqual(before);
  const [again] = await run(['import', 'es', file('back.csv'), '--partial'], lang);
  expect(again).toBe(1);
  expect(changedLines(before[1] ?? '', read()[1] ?? '')).toEqual([expect.stringContaining('"the": "el auto"')]);
});

test('what would stop a start is refused with what it would say', async () => {
  const { run, file, read } = open();
  const before = read();
  writeFileSync(file('back.csv'), 'key,source,present,translation\npaths.cars,cars,coches,cars\n');
  const [code, printed] = await run(['import', 'es', file('back.csv'), '--partial']);
  expect([code, printed]).toEqual([
    1,
    expect.stringMatching(
      /^es\.json: .*"cars" is already the word of .*\n(?:.*\n)*The service would not start with these texts, so nothing was written/,
    ),
  ]);
  expect(read()).toEqual(before);
});

test.each([
  [['import', 'es', 'FILE.xlf'], '<xliff version="1.2"/>', /is not XLIFF 2 \(no XLIFF 2\)/],
  [
    ['import', 'es', 'FILE.xlf'],
    '<!DOCTYPE a [<!ENTITY b "c">]><xliff version="2.0"/>',
    /is not XLIFF 2 \(a document type\)/,
  ],
  [
    ['import', 'es', 'FILE.xlf'],
    '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.1" trgLang="pt"/>',
    /is in “pt”, not in “es”/,
  ],
  [['import', 'es', 'FILE.csv'], 'key,text\na,b\n', /must have the columns key, source, present, translation/],
  [['import', 'es', 'FILE.csv'], Buffer.from('key;source;present;translation\nä\n', 'latin1'), /not valid UTF-8/],
  [['import', 'es', 'FILE.xlsx'], 'key', /is not an Excel workbook/],
  [['import', 'es', '/none/a.csv'], '', /“\/none\/a\.csv” cannot be used \(ENOENT\)/],
  [['export', 'es', '--csv', '--out', '/none/a.csv'], '', /“\/none\/a\.csv” cannot be used \(ENOENT\)/],
  [['import', 'es', 'FILE.txt'], '', /Say “export TAG/],
  [['export', 'es'], '', /Say “export TAG/],
  [['export', '../es', '--csv', '--out', 'FILE'], '', /Say “export TAG/],
  [['translate'], '', /“translate” is not a whole command: it is one of status, .*import/],
  [
    ['export', 'es', '--csv', '--out', 'FILE', '--from', 'xx'],
    '',
    /“xx” is not a language of the service; there are: /,
  ],
])('%j is refused', async (args, content, said) => {
  const { run, file } = open();
  const named = args.map((arg) => (arg.startsWith('FILE') ? file(arg) : arg));
  for (const name of args.filter((arg) => arg.startsWith('FILE.'))) writeFileSync(file(name), content);
  expect(await run(named)).toEqual([2, expect.stringMatching(said), '']);
});

test('a language without a table has every plural form, and gets a table in the order of the source', () => {
  const polish = units('pl');
  expect(polish.flatMap(({ key }) => /^phrases\.query-errors\.(\w+)$/.exec(key)?.[1] ?? [])).toEqual([
    ...['one', 'few', 'many', 'other'],
  ]);
  const rows = polish.map(({ key, source, path }) => ({
    key,
    source,
    present: '',
    text: path[0] === 'paths' || path[0] === 'fields' ? `${source}-pl` : source,
  }));
  const { texts, faults: none } = compareRows(polish, rows, []);
  expect(none).toEqual([]);
  const empty = (schema: string) => `{\n  "$schema": "./${schema}.schema.json"\n}\n`;
  const files = changeFiles({ 'pl.json': empty('locale'), 'messages/pl.json': empty('messages') }, polish, texts);
  const folder = temporaryFolder();
  cpSync(locales, folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  expect(loadLocales(catalogue, folder, 'en').map(({ tag }) => tag)).toContain('pl');
  const table = JSON.parse(files['messages/pl.json'] ?? '');
  expect(Object.keys(table.phrases['query-errors'])).toEqual(['one', 'few', 'many', 'other']);
  expect(Object.keys(table.problems)).toEqual(
    Object.keys(JSON.parse(readFileSync(join(locales, 'messages/en.json'), 'utf8')).problems),
  );
  expect(files['pl.json']).toMatch(
    /^\{\n {2}"\$schema": "\.\/locale\.schema\.json",\n {2}"paths": \{\n {4}"cars": "cars-pl",/,
  );
});

const anyText = fc.string({ unit: anyCharacter, maxLength: 20 }).map((text) => text.normalize());
const anyUnit = fc.record({
  key: fc.string({ minLength: 1, maxLength: 9 }),
  source: anyText,
  present: anyText.filter((text) => text !== ''),
});
const toUnit = (some: { key: string; source: string; present: string }, at: number): Unit => ({
  ...some,
  key: `${at}.${some.key}`,
  place: `${at}`,
  file: 'a.json',
  path: [],
  note: 'n',
  seen: 's',
});

test('XLIFF returns any text as it was, but for characters that XML forbids', () => {
  const clean = (text: string) => text.replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '\ufffd');
  fc.assert(
    fc.property(fc.array(anyUnit, { maxLength: 4 }), (some) => {
      const all = some.map(toUnit);
      const { rows } = readXliff(writeXliff(all, 'en', 'es'));
      expect(rows.map(({ key, source, text }) => [key, source, text])).toEqual(
        all.map(({ key, source, present }) => [key, clean(source), clean(present)]),
      );
    }),
  );
});

test.each(['csv', 'xlsx'] as const)('%s returns any text as it was', async (format) => {
  const file = join(temporaryFolder(), 'a');
  await fc.assert(
    fc.asyncProperty(fc.array(anyUnit, { maxLength: 4 }), async (some) => {
      const all = some.map(toUnit);
      await writeFile(file, writeSheet(all, format));
      const rows = await readSheet(file, format);
      const lines = (text: string | undefined) => text?.replaceAll(/\r\n?/g, '\n');
      expect(rows.map(({ key, source, present }) => [key, source, present].map(lines))).toEqual(
        all.map(({ key, source, present }) => [key, source, present].map(lines)),
      );
    }),
    { numRuns: 40 },
  );
});

test('XLIFF has the structure that its schema demands', () => {
  const parser = new SaxesParser({ xmlns: true });
  const inside: Record<string, Set<string>> = {};
  const path: string[] = [];
  const ids: string[] = [];
  parser.on('error', (error) => expect.fail(error.message));
  parser.on('opentag', ({ uri, local, attributes }) => {
    expect(uri).toBe('urn:oasis:names:tc:xliff:document:2.0');
    const parent = path.at(-1) ?? '';
    inside[parent] = (inside[parent] ?? new Set()).add(local);
    if (local === 'unit') ids.push(`${attributes.id?.value}`);
    path.push(local);
  });
  parser.on('closetag', () => path.pop());
  parser.write(writeXliff(units('ar'), 'en', 'ar')).close();
  expect(Object.fromEntries(Object.entries(inside).map(([name, all]) => [name, [...all]]))).toEqual({
    '': ['xliff'],
    ...{ xliff: ['file'], file: ['unit'], unit: ['notes', 'segment'], notes: ['note'], segment: ['source'] },
  });
  // NMTOKEN, and each once.
  expect(ids.filter((id) => !/^[\w.-]+$/.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});

test('a text that a tool has split is one again, and candidates of a memory are not read', () => {
  const text = writeXliff([toUnit({ key: 'a', source: 'One. Two.', present: 'Uno. Dos.' }, 0)], 'en', 'es')
    .replace(
      '<notes>',
      '<m:matches xmlns:m="urn:m"><m:match><source>x</source><target>y</target></m:match></m:matches><notes>',
    )
    .replace(
      /<source>One.*<\/target>/s,
      '<source>One.</source><target>Uno.</target></segment><ignorable><source> </source></ignorable><segment><source>Two.</source><target><mrk id="1">Dos</mrk>.</target>',
    );
  expect(readXliff(text).rows).toMatchObject([
    { key: '0.a', source: 'One. Two.', present: 'Uno. Dos.', text: 'Uno. Dos.' },
  ]);
  expect(readXliff(text.replace('<target>Uno.</target>', '')).rows).toMatchObject([{ text: undefined }]);
});

const anyJson = fc.dictionary(
  fc.string({ minLength: 1, maxLength: 4 }),
  fc.oneof(
    fc.string(),
    fc.integer(),
    fc.array(fc.string(), { maxLength: 2 }),
    fc.dictionary(fc.string({ minLength: 1, maxLength: 4 }), fc.string(), { noNullPrototype: true, maxKeys: 3 }),
  ),
  { noNullPrototype: true, maxKeys: 5 },
);

test('JSON keeps its order and form but for what is changed', () => {
  fc.assert(
    fc.property(
      anyJson,
      fc.constantFrom(undefined, 2),
      fc.string({ minLength: 1, maxLength: 4 }).map((name) => `k${name}`),
      fc.string(),
      (json, space, name, value) => {
        const text = JSON.stringify(json, undefined, space);
        expect(editJson(text, [])).toBe(text);
        const changed = editJson(text, [
          [[name], value],
          [['new-one', name], value],
        ]);
        expect(JSON.parse(changed)).toEqual({ ...json, [name]: value, 'new-one': { [name]: value } });
        if (space && Object.keys(json).length > 0)
          expect(changed).toBe(JSON.stringify(JSON.parse(changed), undefined, 2));
      },
    ),
  );
  // What stays on its line and what is put on lines of its own.
  expect(editJson('{\n  "a": {"b": "c"}\n}', [[['a', 'b'], 'd']])).toBe('{\n  "a": {"b": "d"}\n}');
  expect(editJson('{\n  "a": {"b": "c"}\n}', [[['a', 'd'], 'e']])).toBe(
    '{\n  "a": {\n    "b": "c",\n    "d": "e"\n  }\n}',
  );
});
