/** The index of words beside programs that know nothing of it, and over starts that are broken off. */
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { catalogue } from '../../../../src/catalogue.ts';
import { collection, defineCatalogue } from '../../../../src/model/catalogue.ts';
import { fold } from '../../../../src/model/search/fold.ts';
import { searchWords } from '../../../../src/model/search/words.ts';
import { openStore } from '../../../../src/service/open-store.ts';
import { beginWords, extendWords } from '../../../../src/store/postgres/search/extend.ts';
import { cars, carsListed, createCar, createMany, readList, remove } from '../../../support/conformance/fixtures.ts';
import { emptyDatabase, preparedDatabase } from '../../../support/database/database.ts';
import { openSession } from '../../../support/database/own-postgres.ts';
import { query } from '../../../support/database/postgres.ts';

const NONE = `DROP TRIGGER cars_words_insert ON cars; DROP TRIGGER cars_words_update ON cars; DROP TRIGGER cars_words_delete ON cars;
  DROP TRIGGER cars_words_truncate ON cars; DROP TABLE cars_words; DROP TABLE cars_numbers; DROP TABLE _search`;

/** Rows as another program writes them. */
const inserted = (from: number, to: number, version = `'v' || n`): string =>
  `INSERT INTO cars (_created, _revision, identifier, brand, _brand, model, _model, version, _version)
   SELECT n, n, 'other-' || n, 'B', 'b', 'M', 'm', ${version}, ${version} FROM generate_series(${from}, ${to}) AS n`;

const open = async (url: string, lines: string[] = []) => {
  const store = await openStore(url, catalogue, { report: (line) => lines.push(line) });
  onTestFinished(async () => store.close());
  return store;
};

/** Every word and row that has it, as the index says it. */
const INDEXED = `SELECT word, created::int FROM cars_words JOIN cars_numbers ON number >> 11 = chunk
  WHERE word <> '' AND get_bit(coalesce(main | rest, main, rest), (number & 2047)::int) = 1 ORDER BY 1, 2`;

describe('the index of words', () => {
  test('is made for the rows of an older version, which is told, and only once', async () => {
    const url = await preparedDatabase();
    const before = await openStore(url, catalogue);
    await createMany(before, 5);
    await before.close();
    await query(url, `${NONE}; ${inserted(1, 5_000)}`);
    const lines: string[] = [];
    const store = await open(url, lines);
    const told = 'the upgrade makes the index of words "cars_words", while others read and write: 0 rows so far';
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

  test('is made anew for a catalogue that searches other fields', async () => {
    const url = await preparedDatabase();
    const store = await openStore(url, catalogue);
    await createCar(store, 'a', { version: 'tdi', fuel: 'diesel' });
    await store.close();
    const specs = Object.fromEntries(
      cars.fields.map(({ name, ...spec }) => [name, { ...spec, searchable: name === 'version' }]),
    );
    const other = defineCatalogue(collection('cars', specs));
    const [otherCars = cars] = other;
    const changed = await openStore(url, other, { others: 'keep' });
    onTestFinished(async () => changed.close());
    const found = async (search: string) => (await readList(changed, otherCars, [], { search }))?.total;
    expect([await found('tdi'), await found('diesel'), await found('seat')]).toEqual([1, 0, 0]);
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

  test('keeps no rows of chunks whose items are all deleted', async () => {
    const url = await preparedDatabase();
    const store = await open(url);
    await query(url, inserted(1, 4_100));
    const rows = () => query(url, 'SELECT DISTINCT chunk::int FROM cars_words ORDER BY 1');
    const chunks = (...all: readonly number[]) => all.map((chunk) => ({ chunk }));
    expect(await rows()).toEqual(chunks(0, 1, 2));
    await query(url, 'DELETE FROM cars WHERE _created BETWEEN 2049 AND 4099');
    expect(await rows()).toEqual(chunks(0, 2));
    // More are added to the last one.
    await remove(store, cars, ['other-4100']);
    expect([await rows(), (await carsListed(store, { search: 'v' })).length]).toEqual([chunks(0, 2), 2_048]);
  });

  test('is right however often its making is broken off, and whatever is written meanwhile', async () => {
    const url = await preparedDatabase();
    const { run } = await openSession(url);
    const writes = fc.array(
      fc.tuple(
        fc.constantFrom('update', 'delete', 'insert'),
        fc.integer({ min: 1, max: 60 }),
        fc.constantFrom('a', 'b c', 'a b', null),
      ),
      { maxLength: 6 },
    );
    const textOf = (text: string | null): string => (text === null ? 'NULL' : `'${text}'`);
    const all = async (statements: ReturnType<typeof extendWords>) => {
      await run('BEGIN');
      for (const { sql, values } of statements) await run(sql.replace('?', `'${values[0]}'`));
      await run('COMMIT');
    };
    await fc.assert(
      fc.asyncProperty(fc.array(writes, { maxLength: 4 }), async (rounds) => {
        await run('TRUNCATE cars CASCADE');
        await run(inserted(1, 40, `'old'`));
        await all(beginWords(cars));
        let next = 100;
        for (const each of rounds) {
          for (const [kind, number, text] of each) {
            if (kind === 'update') await run(`UPDATE cars SET _version = ${textOf(text)} WHERE _created = ${number}`);
            else if (kind === 'delete') await run(`DELETE FROM cars WHERE _created = ${number}`);
            else await run(inserted(next, next++, textOf(text)));
          }
          // Steps of few rows.
          await all(extendWords(cars, 7));
        }
        for (let left = 40; left > 0; left -= 7) await all(extendWords(cars, 7));
        await all(extendWords(cars, 7));
        const rows = await run('SELECT _created::int AS created, _brand, _model, _version FROM cars');
        const wanted = rows.flatMap(({ created, _brand, _model, _version }) =>
          searchWords(`${_brand} ${_model} ${_version ?? ''}`).map((word) => ({ word, created })),
        );
        const found = (await run(INDEXED)).map(({ word, created }) => `${word} ${created}`);
        expect(found.toSorted()).toEqual(wanted.map(({ word, created }) => `${word} ${created}`).toSorted());
        expect(await run('SELECT "from"::int FROM _search')).toEqual([{ from: 0 }]);
      }),
      // The last row of a step is deleted before the next one.
      {
        numRuns: 12,
        examples: [
          [
            [
              [],
              [],
              [
                ['delete', 27, 'a'],
                ['update', 26, 'a'],
              ],
            ],
          ],
        ],
      },
    );
  });

  test('cuts words as they are cut everywhere, whatever stands between two letters', async () => {
    const url = await preparedDatabase();
    const { run } = await openSession(url);
    const codes = Array.from({ length: 0x10ffff }, (_, at) => at + 1).filter(
      (code) => (code < 0xd800 || code > 0xdfff) && (code < 0x3200 ? code % 3 === 0 || code < 0x300 : code % 997 === 0),
    );
    const textOf = (code: number): string => fold(`q${String.fromCodePoint(code)}z`);
    const texts = codes.map((code) => `(${code},'${textOf(code).replaceAll("'", "''")}')`);
    await run(
      `INSERT INTO cars (_created, _revision, identifier, _brand) SELECT n, n, n::text, t FROM (VALUES ${texts.join(',')}) AS v (n, t)`,
    );
    const found = Map.groupBy(await run(INDEXED), ({ created }) => created);
    const wrong = codes.filter(
      (code) =>
        searchWords(textOf(code)).toSorted().join(' ') !==
        found
          .get(code)
          ?.map(({ word }) => String(word))
          .toSorted()
          .join(' '),
    );
    expect(wrong.map((code) => code.toString(16))).toEqual([]);
  });
});

test('a new database has an index that is complete', async () => {
  const url = await emptyDatabase();
  const lines: string[] = [];
  await open(url, lines);
  expect([lines, await query(url, 'SELECT "from"::int FROM _search')]).toEqual([[], [{ from: 0 }]]);
});
