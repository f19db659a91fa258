/** What is broken on purpose is found, and an index of words is made anew. */
import { readFileSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../../../src/host/service/open-store.ts';
import { verify } from '../../../src/tools/verify/verify.ts';
import { catalogue } from '../../support/cars/catalogue.ts';
import { givenOn, refusal, runCommand } from '../../support/commands/given.ts';
import { cars, carsListed, createCar, createOil, remove, update } from '../../support/conformance/fixtures.ts';
import { inFile, pathOf, sqliteUrl } from '../../support/database/files.ts';
import { serveHere } from '../../support/process/service-here.ts';

let url: string;

const run = (...statements: readonly string[]): readonly unknown[] => inFile(pathOf(url), ...statements);

/** Of every kind of thing that a catalogue has. */
const fill = async (): Promise<void> => {
  const store = await openStore(url, catalogue);
  await createCar(store, 'a', { brand: 'Citroën', model: 'C4 «Été»', year: 2008, version: 'HDi 1.6', fuel: 'GASÓLEO' });
  await createCar(store, 'b', { brand: 'CITROEN', model: 'x'.repeat(70), year: 2008, version: null });
  await createCar(store, 'c', { brand: 'Seat' }, { key: 'k', payload: 'p', receivedAt: 1, expires: 2_100_000_000_001 });
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
  url = sqliteUrl();
  if (filled) return writeFileSync(pathOf(url), filled);
  await fill();
  filled = readFileSync(pathOf(url));
});

/** @returns the exit code, and the texts that were printed, without their values */
const verified = (...switches: readonly string[]): readonly [number, readonly string[]] => {
  const given = givenOn(url, undefined, switches);
  const code = verify(given);
  return [code, given.printed.map((line) => line.split(' ')[0] ?? '')];
};

const refused = (database: string): Promise<string> => refusal((async () => verify(givenOn(database)))());

test('a database that the service has written is sound', () => {
  expect(verified()).toEqual([0, ['verify-sound']]);
});

describe('an index of words is found, and made anew:', () => {
  test.each([
    [
      'without a word',
      [
        `INSERT INTO cars_search (cars_search, rowid, _brand, _model, _version, _fuel) SELECT 'delete', _created, _brand, _model, _version, _fuel FROM cars WHERE identifier = 'c'`,
      ],
    ],
    [
      'that is not there',
      ['DROP TABLE cars_search', ...['insert', 'update', 'delete'].map((end) => `DROP TRIGGER cars_search_${end}`)],
    ],
  ])('one %s', async (_, sql) => {
    run(...sql);
    expect(verified()).toEqual([1, ['verify-words', 'repair-hint']]);
    expect(verified('repair')).toEqual([0, ['verify-words', 'repair-begun', 'verify-sound']]);
    expect(verified()).toEqual([0, ['verify-sound']]);
    const store = await openStore(url, catalogue);
    expect(await carsListed(store, { search: 'skod' })).toEqual(['c']);
    await store.close();
  });
});

describe('is found, and cannot be mended', () => {
  test('an oil of no car', () => {
    run('PRAGMA foreign_keys = OFF', `UPDATE oils SET _parent = 'none'`);
    expect(verified('repair')).toEqual([1, ['verify-orphans', 'repair-impossible']]);
  });

  test('a page that is no page', () => {
    const bytes = readFileSync(pathOf(url));
    const [{ rootpage }] = run(`SELECT rootpage FROM sqlite_schema WHERE name = 'oils'`) as [
      { readonly rootpage: number },
    ];
    bytes.fill(0x55, (rootpage - 1) * 4_096, (rootpage - 1) * 4_096 + 200);
    writeFileSync(pathOf(url), bytes);
    const [code, printed] = verified();
    expect([code, new Set(printed)]).toEqual([1, new Set(['verify-own', 'repair-impossible'])]);
  });
});

test('a service that serves follows what is mended, at once', async () => {
  const { origin } = await serveHere({ DATABASE_URL: url });
  run(`INSERT INTO cars_search (cars_search) VALUES ('delete-all')`);
  const list = (headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${origin}/api/coches?buscar=citroen`, { headers });
  const before = await list();
  expect(await before.json()).toEqual([]);
  expect(verified('repair')[0]).toBe(0);
  const after = await list({ 'if-none-match': before.headers.get('etag') ?? '' });
  expect([after.status, ((await after.json()) as unknown[]).length]).toEqual([200, 2]);
});

test('the program says it in English, whatever the terminal speaks', async () => {
  run(`INSERT INTO cars_search (cars_search) VALUES ('delete-all')`);
  const env = { DATABASE_URL: url, LANG: 'es_ES.UTF-8' };
  expect(await runCommand('src/tools/verify/main.ts', [], env)).toEqual([
    1,
    'cars: the index of words is not what the items contain; searches find too little or too much.\n--repair mends this.\n',
  ]);
});

test.each([
  ['a database in memory', 'sqlite::memory:', 'in-memory'],
  ['a file that is not there', sqliteUrl('/none/catalogue.db'), 'file-missing'],
  ['a server', 'postgres://user:password@host/catalogue', 'server-verify'],
])('refuses %s', async (_, database, reason) => {
  expect(await refused(database)).toBe(reason);
});

test('of a database that an earlier version wrote last it says that a service must be started on it first', async () => {
  run('PRAGMA user_version = 1');
  expect(await refused(url)).toBe('database-old');
});
