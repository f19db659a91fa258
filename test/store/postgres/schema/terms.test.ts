/** The index of words beside programs that know nothing of it, and over starts of other versions and catalogues. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { collection, defineCatalogue } from '../../../../src/gateway/model/catalogue.ts';
import { openStore } from '../../../../src/host/service/open-store.ts';
import { listTermIndexes } from '../../../../src/store/postgres/schema/search.ts';
import { catalogue } from '../../../support/cars/catalogue.ts';
import { cars, carsListed, createCar, createMany, oils, readList } from '../../../support/conformance/fixtures.ts';
import { emptyDatabase, openForTest, preparedDatabase } from '../../../support/database/database.ts';
import { codesBetween, expectTerms, textWith } from '../../../support/database/index-words.ts';
import { query } from '../../../support/database/postgres.ts';

/** Rows as another program writes them. */
const inserted = (from: number, to: number, version = `'v' || n`): string =>
  `INSERT INTO cars (_created, _revision, identifier, brand, _brand, model, _model, version, _version)
   SELECT n, n, 'other-' || n, 'B', 'b', 'M', 'm', ${version}, ${version} FROM generate_series(${from}, ${to}) AS n`;

const open = (url: string, lines: string[] = []) => openForTest(url, { report: (line) => lines.push(line) });

const INDEXES = `SELECT indexname AS name FROM pg_indexes WHERE indexdef LIKE '%USING gin%' ORDER BY 1`;
const [{ name, columns: [vector = ''] = [] } = { name: '' }] = listTermIndexes(cars);

describe('the index of words', () => {
  test('is made for the rows of an older version, which is told, and only once', async () => {
    const url = await preparedDatabase();
    const before = await openStore(url, catalogue);
    await createMany(before, 5);
    await before.close();
    await query(url, `DROP INDEX "${name}"; ${inserted(1, 5_000)}`);
    const lines: string[] = [];
    const store = await open(url, lines);
    const told = `the upgrade makes the index "${name}", while others read and write`;
    expect(lines).toEqual([told]);
    expect(await carsListed(store, { search: 'v7' })).toEqual(
      ['other-7', ...Array.from({ length: 10 }, (_, at) => `other-${70 + at}`)].concat(
        Array.from({ length: 100 }, (_, at) => `other-${700 + at}`),
      ),
    );
    const page = await readList(store, cars, [], { search: 'm b', size: 2, page: 2_500 });
    expect([page?.total, page?.rows.map((row) => row[1])]).toEqual([5_000, ['other-4999', 'other-5000']]);
    await open(url, lines);
    expect(lines).toEqual([told]);
  });

  test('is made anew for a catalogue that searches other fields, and the old one is dropped', async () => {
    const url = await preparedDatabase();
    const store = await openStore(url, catalogue);
    await createCar(store, 'a', { version: 'tdi', fuel: 'diesel' });
    await store.close();
    const specsOf = (fields: typeof cars.fields) =>
      Object.fromEntries(fields.map(({ name, ...spec }) => [name, { ...spec, searchable: name === 'version' }]));
    const other = defineCatalogue(collection('cars', specsOf(cars.fields), collection('oils', specsOf(oils.fields))));
    const [otherCars = cars] = other;
    const changed = await openStore(url, other);
    onTestFinished(async () => changed.close());
    const found = async (search: string) => (await readList(changed, otherCars, [], { search }))?.total;
    expect([await found('tdi'), await found('diesel'), await found('seat')]).toEqual([1, 0, 0]);
    expect(await query(url, INDEXES)).toEqual(listTermIndexes(otherCars).map((index) => ({ name: index.name })));
  });

  test('is right after whatever another program writes', async () => {
    const url = await preparedDatabase();
    const store = await open(url);
    await query(url, inserted(1, 3));
    await query(url, `UPDATE cars SET version = 'Élan', _version = 'elan v1' WHERE _created = 2`);
    await query(url, 'DELETE FROM cars WHERE _created = 1');
    expect([await carsListed(store, { search: 'v1' }), await carsListed(store, { search: 'elan' })]).toEqual([
      ['other-2'],
      ['other-2'],
    ]);
    expect(await carsListed(store, { search: 'v' })).toEqual(['other-2', 'other-3']);
    await query(url, 'TRUNCATE cars CASCADE');
    expect(await carsListed(store, { search: 'v' })).toEqual([]);
    await query(url, inserted(4, 4));
    expect(await carsListed(store, { search: 'v' })).toEqual(['other-4']);
  });

  test('cuts words as they are cut everywhere, whatever stands between two letters', async () => {
    const url = await preparedDatabase();
    const codes = codesBetween(3, 997);
    const texts = codes.map((code) => `(${code},'${textWith(code).replaceAll("'", "''")}')`);
    const rows = (await query(
      url,
      `INSERT INTO cars (_created, _revision, identifier, _brand) SELECT n, n, n::text, t FROM (VALUES ${texts.join(',')}) AS v (n, t)`,
      `SELECT _created::int AS code, tsvector_to_array(${vector}) AS words FROM cars`,
    )) as readonly { readonly code: number; readonly words: readonly string[] }[];
    const found = new Map(rows.map(({ code, words }) => [code, words.flatMap((word) => word.slice(1) || [])]));
    expectTerms(codes, (code) => found.get(code));
  });
});

test('a new database has one, and nothing else of it', async () => {
  const url = await emptyDatabase();
  const lines: string[] = [];
  await open(url, lines);
  expect([lines, await query(url, INDEXES)]).toEqual([[], [{ name }]]);
});
