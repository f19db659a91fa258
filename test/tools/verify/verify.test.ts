/** Whatever is derived from the items is broken on purpose, found, and mended. */
import { readFileSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../../../src/host/service/open-store.ts';
import { verify } from '../../../src/tools/verify/verify.ts';
import { catalogue } from '../../support/cars/catalogue.ts';
import { givenOn, refusal, runCommand } from '../../support/commands/given.ts';
import { AHEAD, cars, carsListed, createCar, createOil, remove, update } from '../../support/conformance/fixtures.ts';
import { onServer, preparedDatabase, sharedOut } from '../../support/database/database.ts';
import { inFile, pathOf, sqliteUrl } from '../../support/database/files.ts';
import { serve } from '../../support/process/service.ts';

let url: string;

const run = async (...statements: readonly string[]): Promise<readonly unknown[]> => {
  if (!onServer) return inFile(pathOf(url), ...statements);
  const { query } = await import('../../support/database/postgres.ts');
  return query(url, ...statements);
};

/** Of every kind of thing that a catalogue has. */
const fill = async (): Promise<void> => {
  const store = await openStore(url, catalogue);
  await createCar(store, 'a', { brand: 'Citroën', model: 'C4 «Été»', year: 2008, version: 'HDi 1.6', fuel: 'GASÓLEO' });
  await createCar(store, 'b', { brand: 'CITROEN', model: 'x'.repeat(70), year: 2008, version: null });
  await createCar(store, 'c', { brand: 'Seat' }, { key: 'k', payload: 'p', received: 1, expires: 2_100_000_000_001 });
  await createOil(store, 'a', 'Aceite nº 1');
  await createOil(store, 'c', '5W-30');
  await update(store, cars, ['a'], { year: null, model: 'C5' });
  await remove(store, cars, ['c']);
  await createCar(store, 'c', { brand: 'Škoda', model: '日本 🚗 ß İ' });
  await store.close();
};

/** A file that is filled once, and copied. */
let filled: Buffer | undefined;
beforeEach(async () => {
  url = onServer ? await preparedDatabase() : sqliteUrl();
  if (filled) return writeFileSync(pathOf(url), filled);
  await fill();
  if (!onServer) filled = readFileSync(pathOf(url));
});

/** @returns the exit code, and the texts that were printed, without their values */
const verified = async (...switches: readonly string[]): Promise<readonly [number, readonly string[]]> => {
  const given = givenOn(url, undefined, switches);
  const code = await verify(given);
  const names = given.printed.map((line) => line.split(' ')[0] ?? '').filter((name) => name !== 'verify-no-amcheck');
  return [code, names];
};

test('a database that the service has written is sound', async () => {
  expect(await verified()).toEqual([0, ['verify-sound']]);
});

const foldedSearch = `UPDATE cars SET _brand = 'other', _fuel = NULL WHERE identifier = 'a'`;
/** PostgreSQL keeps its index of words itself. */
const words: readonly (readonly [what: string, found: readonly string[], sql: readonly string[]])[] = onServer
  ? []
  : [
      [
        'a word of the index',
        ['verify-words'],
        [
          `INSERT INTO cars_search (cars_search, rowid, _brand, _model, _version, _fuel) SELECT 'delete', _created, _brand, _model, _version, _fuel FROM cars WHERE identifier = 'c'`,
        ],
      ],
      [
        'an index that is not there',
        ['verify-words'],
        ['DROP TABLE cars_search', ...['insert', 'update', 'delete'].map((end) => `DROP TRIGGER cars_search_${end}`)],
      ],
    ];

const repairable: readonly (readonly [what: string, found: readonly string[], sql: readonly string[]])[] = [
  // Values are counted as they are filtered by.
  ['a folded text', ['verify-folded', 'verify-totals'], [foldedSearch]],
  ['a folded text of an oil', ['verify-folded'], [`UPDATE oils SET _type = 'x'`]],
  ['the total of all', ['verify-totals'], [`UPDATE _totals SET count = count + 1 WHERE field = ''`]],
  ['a total that is missing', ['verify-totals'], [`DELETE FROM _totals WHERE field = '+year'`]],
  ['a total of a number', ['verify-totals'], [`UPDATE _totals SET count = 7 WHERE field = 'year' AND value = '2008'`]],
  ['a total of nothing', ['verify-totals'], [`INSERT INTO _totals VALUES ('cars', 'brand', 'tesla', 3)`]],
  ...words,
  ['how a value is written', ['verify-totals'], [`UPDATE _totals SET count = 5 WHERE field = '=brand=citroen'`]],
  ['the change number', ['verify-change'], ['UPDATE _change SET number = 5']],
];

describe('is found and mended', () => {
  test.each(sharedOut(repairable, 0, 3))('%s', async (_, found, sql) => {
    await run(...sql);
    expect(await verified()).toEqual([1, [...found, 'repair-hint']]);
    const [code, printed] = await verified('repair');
    expect([code, printed]).toEqual([0, [...found, 'repair-begun', 'verify-sound']]);
    expect(await verified()).toEqual([0, ['verify-sound']]);
    const store = await openStore(url, catalogue);
    expect(await carsListed(store, { search: 'citroen', sort: 'brand' })).toEqual(['a', 'b']);
    expect(await carsListed(store, { filters: { brand: ['skoda'] } })).toEqual(['c']);
    await store.close();
  });
});

const beyondRepair: readonly (readonly [what: string, found: string, sql: readonly string[]])[] = [
  ['a revision twice', 'verify-revisions', [`UPDATE cars SET _revision = (SELECT max(_revision) FROM cars)`]],
  ['a revision from before the creation', 'verify-revisions', [`UPDATE oils SET _revision = 1`]],
  ['a deletion of what exists', 'verify-tombstones', [`UPDATE _tombstones SET key = 'a' WHERE collection = 'cars'`]],
];

describe('is found, and cannot be mended', () => {
  test.each(sharedOut(beyondRepair, 0, 3))('%s', async (_, found, sql) => {
    await run(...sql);
    expect(await verified('repair')).toEqual([1, [found, 'repair-impossible']]);
  });

  test.skipIf(onServer)('an oil of no car', async () => {
    await run('PRAGMA foreign_keys = OFF', `UPDATE oils SET _parent = 'none'`);
    expect(await verified()).toEqual([1, ['verify-orphans', 'repair-impossible']]);
  });

  test.skipIf(onServer)('a page that is no page', async () => {
    const bytes = readFileSync(pathOf(url));
    const [{ rootpage }] = (await run(`SELECT rootpage FROM sqlite_schema WHERE name = 'oils'`)) as [
      { readonly rootpage: number },
    ];
    bytes.fill(0x55, (rootpage - 1) * 4_096, (rootpage - 1) * 4_096 + 200);
    writeFileSync(pathOf(url), bytes);
    const [code, printed] = await verified();
    expect([code, new Set(printed)]).toEqual([1, new Set(['verify-own', 'repair-impossible'])]);
  });
});

test('a service that serves follows what is mended, at once', async () => {
  const { origin } = await serve({ env: { DATABASE_URL: url } });
  await run(`UPDATE _totals SET count = 7 WHERE field = ''`, foldedSearch);
  const list = () => fetch(`${origin}/api/coches?marca=citroen&numero_de_elementos=5`);
  const all = async () => (await fetch(`${origin}/api/coches?pagina=1`)).headers.get('x-total-count');
  const before = await list();
  expect([((await before.json()) as unknown[]).length, await all()]).toEqual([1, '7']);
  expect((await verified('repair'))[0]).toBe(0);
  const headers = { 'if-none-match': before.headers.get('etag') ?? '' };
  const after = await fetch(`${origin}/api/coches?marca=citroen&numero_de_elementos=5`, { headers });
  expect([after.status, ((await after.json()) as unknown[]).length, await all()]).toEqual([200, 2, '3']);
});

test.skipIf(onServer)('the program says it in the language of the terminal', async () => {
  await run(`UPDATE _totals SET count = 7 WHERE field = ''`, `UPDATE _change SET number = ${AHEAD}`);
  const env = { DATABASE_URL: url, LANG: 'es_ES.UTF-8' };
  const [code, printed] = await runCommand('src/tools/verify/main.ts', [], env);
  expect([code, printed]).toEqual([
    1,
    expect.stringContaining(
      'cars: 1 totales están mal (el primero es ["",""]: 7 en lugar de 3).\n--repair lo arregla.\n',
    ),
  ]);
});

test.skipIf(onServer)('refuses what is no database that lasts', async () => {
  expect(await refusal(verify(givenOn('sqlite::memory:')))).toBe('in-memory');
  expect(await refusal(verify(givenOn(sqliteUrl())))).toBe('file-missing');
});

test('of a database that an earlier version wrote last it says that a service must be started on it first', async () => {
  await run('DROP TABLE _idempotency');
  expect(await refusal(verify(givenOn(url)))).toBe('source-old');
});
