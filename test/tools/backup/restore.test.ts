/** A copy in the place of a database. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statfsSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { createChangesReader } from '../../../src/host/hooks/changes.ts';
import { openStore } from '../../../src/host/service/open-store.ts';
import { loadLocales } from '../../../src/host/tables/load.ts';
import { backUp } from '../../../src/tools/backup/backup.ts';
import { restore } from '../../../src/tools/backup/restore.ts';
import { localesFolder, openApp } from '../../support/app/app.ts';
import { catalogue } from '../../support/cars/catalogue.ts';
import { givenOn, refusal, runCommand } from '../../support/commands/given.ts';
import { HOOK, LATER } from '../../support/conformance/client-keys.ts';
import { AHEAD, createCar, fillFile } from '../../support/conformance/fixtures.ts';
import { inFile, pathOf, sqliteUrl } from '../../support/database/files.ts';
import { smallDisk } from '../../support/faults/small-disk.ts';
import { type Serving, serve } from '../../support/process/service.ts';

const MAIN = 'src/tools/backup/restore-main.ts';

const carsIn = (path: string): readonly unknown[] =>
  inFile(path, 'SELECT identifier FROM cars ORDER BY _created').map((row) => Object.values(row as object)[0]);

let templates: Promise<readonly Buffer[]> | undefined;

const makeTemplates = async (): Promise<readonly Buffer[]> => {
  const url = await fillFile(sqliteUrl(), 'a');
  const copy = join(dirname(pathOf(url)), 'copy.db');
  await backUp(givenOn(url, copy));
  await fillFile(url, 'b');
  return [pathOf(url), copy].map((file) => readFileSync(file));
};

/** A database with the cars `a` and `b`, and a copy that was taken before `b`. */
const copied = async (): Promise<readonly [url: string, copy: string]> => {
  templates ??= makeTemplates();
  const [bytes, bytesOfCopy] = (await templates) as [Buffer, Buffer];
  const url = sqliteUrl();
  const copy = join(dirname(pathOf(url)), 'copy.db');
  writeFileSync(pathOf(url), bytes);
  writeFileSync(copy, bytesOfCopy);
  return [url, copy];
};

const keptBeside = (path: string): readonly string[] =>
  readdirSync(dirname(path))
    .filter((file) => file.includes('.replaced-'))
    .map((file) => join(dirname(path), file));

const post = async ({ send }: Serving, identificador: string): Promise<number> =>
  (await send('POST', '/api/coches', { identificador, marca: 'Seat', modelo: 'Ibiza' })).status;

test('a database in use is left alone; once the service is killed its copy takes its place, and nothing of its log', async () => {
  const [url, copy] = await copied();
  const env = { DATABASE_URL: url, LANG: 'es_ES.UTF-8' };
  const service = await serve({ env });
  expect(await post(service, 'c')).toBe(201);
  const path = pathOf(url);
  expect(await runCommand(MAIN, [copy], env)).toEqual([
    2,
    `${path} is in use: stop every service and program that has it open. Nothing was changed.\n`,
  ]);
  expect(await post(service, 'd')).toBe(201);

  await service.end('SIGKILL');
  expect(existsSync(`${path}-wal`)).toBe(true);
  const [code, printed] = await runCommand(MAIN, [copy], env);
  const [kept = ''] = keptBeside(path);
  expect([code, printed]).toEqual([
    0,
    `${path} now contains what ${copy} contains. You can start a service on it.\nThe old database is kept as ${kept}.\n`,
  ]);
  const restored = await serve({ env });
  expect(await post(restored, 'a')).toBe(409);
  expect(await post(restored, 'b')).toBe(201);
  expect(carsIn(kept)).toEqual(['a', 'b', 'c', 'd']);
});

test('no number that was given out after the copy is given again, although the clock is behind', async () => {
  const [url, copy] = await copied();
  for (const file of [pathOf(url), copy]) inFile(file, `UPDATE _change SET number = ${AHEAD}`);
  const before = await openApp({ database: url });
  await before.send('PUT', '/api/coches/a', { puertas: 3 });
  const tags = async ({ send }: typeof before) =>
    Promise.all(
      ['/api/coches/a', '/api/cars', '/api/cars?page=1'].map(async (path) =>
        (await send('GET', path)).headers.get('etag'),
      ),
    );
  const lost = await tags(before);
  await before.close();

  await restore(givenOn(url, copy));
  const after = await openApp({ database: url });
  const restored = await tags(after);
  expect(restored.filter((tag) => lost.includes(tag))).toEqual([]);
  await after.send('PUT', '/api/coches/a', { puertas: 5 });
  const changed = await tags(after);
  expect(changed.filter((tag) => lost.includes(tag) || restored.includes(tag))).toEqual([]);
  await after.close();
});

test('a damaged database is kept with its log, and its log does not come into the new one', async () => {
  const [url, copy] = await copied();
  const path = pathOf(url);
  writeFileSync(path, 'no database at all '.repeat(1_000));
  writeFileSync(`${path}-wal`, 'its log');
  writeFileSync(`${path}-shm`, 'its index');
  await restore(givenOn(url, copy));
  expect(carsIn(path)).toEqual(['a']);
  const [kept = '', keptLog = ''] = keptBeside(path).toSorted();
  expect([readFileSync(kept, 'utf8').slice(0, 11), readFileSync(keptLog, 'utf8')]).toEqual(['no database', 'its log']);
});

test('positions of what is lost are gone, before and after the next change, and hooks are told so', async () => {
  const url = sqliteUrl();
  const copy = join(dirname(pathOf(url)), 'copy.db');
  const write = async (key: string): Promise<string> => {
    const { send, close } = await openApp({ database: url });
    const { headers } = await send('POST', '/api/coches', { identificador: key, marca: 'Seat', modelo: 'Ibiza' });
    await close();
    return headers.get('x-change') ?? '';
  };
  const known = await write('a');
  const store = await openStore(url, catalogue);
  await store.hooks.add({ ...HOOK, list: '/api/coches', state: { ...LATER, position: known } });
  await store.hooks.take(HOOK.id, 'a process that is gone', 1, Number.MAX_SAFE_INTEGER);
  await store.close();
  await backUp(givenOn(url, copy));
  const lost = await write('b');
  await restore(givenOn(url, copy));

  const statuses = async (): Promise<readonly number[]> => {
    const { send, close } = await openApp({ database: url });
    const answers = [];
    for (const each of [known, lost]) answers.push((await send('GET', `/api/coches?cambiado_desde=${each}`)).status);
    await close();
    return answers;
  };
  expect(await statuses()).toEqual([200, 410]);
  await write('c');
  expect(await statuses()).toEqual([200, 410]);

  const restored = await openStore(url, catalogue);
  const hook = await restored.hooks.take(HOOK.id, 'me', 1, 2);
  expect(hook?.state).toEqual({ ...LATER, position: expect.any(String), batch: undefined });
  const read = createChangesReader(catalogue, loadLocales(catalogue, localesFolder, 'en'), 'en', restored);
  expect(hook && (await read(hook, hook.state.position))).toEqual({ kind: 'gone' });
  await restored.close();
});

test('a database that is gone is restored, too, whatever it has left behind', async () => {
  const [url, copy] = await copied();
  const other = sqliteUrl(join(dirname(pathOf(url)), 'new', 'cars.db'));
  await restore(givenOn(other, copy));
  expect(carsIn(pathOf(other))).toEqual(['a']);
  expect(keptBeside(pathOf(other))).toEqual([]);
});

test('a copy together with its log is restored whole, and stays as it is', async () => {
  const [url, copy] = await copied();
  const store = await openStore(url, catalogue);
  // The first write is folded in at once.
  for (const key of ['c', 'in the log']) await createCar(store, key);
  // In another process: this one would lose its locks on what it opens.
  execFileSync('cp', [pathOf(url), copy]);
  execFileSync('cp', [`${pathOf(url)}-wal`, `${copy}-wal`]);
  await store.close();
  const bytes = () =>
    ['', '-wal'].map((end) =>
      createHash('sha256')
        .update(readFileSync(copy + end))
        .digest('hex'),
    );
  const before = bytes();
  await restore(givenOn(url, copy));
  expect(carsIn(pathOf(url))).toEqual(['a', 'b', 'c', 'in the log']);
  expect(bytes()).toEqual(before);
});

test('a service that has opened the old file at that very moment cannot write', async () => {
  const [url, copy] = await copied();
  const late = new DatabaseSync(pathOf(url), { timeout: 0 });
  await restore(givenOn(url, copy));
  expect(() => late.exec('PRAGMA journal_mode = WAL')).toThrow('readonly');
  late.close();
  expect(carsIn(pathOf(url))).toEqual(['a']);
});

test('is not interrupted in the middle', async () => {
  const [url, copy] = await copied();
  const given = givenOn(url, copy);
  const caught: boolean[] = [];
  const show = (): void => void caught.push(...(['SIGINT', 'SIGTERM'] as const).map((signal) => process.emit(signal)));
  expect(await refusal(restore({ ...given, progress: { ...given.progress, show } }))).toBe('done');
  expect(caught).toEqual([true, true]);
  expect(carsIn(pathOf(url))).toEqual(['a']);
  expect(readdirSync(dirname(pathOf(url))).filter((name) => name.includes('.part'))).toEqual([]);
});

describe('refuses, and leaves all as it was', () => {
  const changed = (sql: string) => (copy: string) => void inFile(copy, sql);
  test.each<[what: string, reason: string, spoil: (copy: string) => void]>([
    ['a text', 'file-damaged', (copy) => writeFileSync(copy, 'hello '.repeat(1_000))],
    ['a file that is cut off', 'file-damaged', (copy) => truncateSync(copy, 40_960)],
    [
      'a file whose pages are exchanged',
      'file-damaged',
      (copy) => {
        const bytes = readFileSync(copy);
        bytes.copy(bytes, 4_096 * 4, 4_096 * 9, 4_096 * 12);
        writeFileSync(copy, bytes);
      },
    ],
    ['an empty file', 'file-empty', (copy) => writeFileSync(copy, '')],
    ['another program’s', 'file-foreign', changed('PRAGMA application_id = 7')],
    ['a newer version’s', 'file-newer', changed('PRAGMA user_version = 999')],
    ['one in use', 'file-with-index', (copy) => writeFileSync(`${copy}-shm`, '')],
    [
      'one with an oil of no car',
      'file-damaged',
      (copy) =>
        void inFile(
          copy,
          'PRAGMA foreign_keys = OFF',
          "INSERT INTO oils (_created, _revision, _parent, type, _type) VALUES (1, 1, 'none', 'x', 'x')",
        ),
    ],
  ])('%s', async (_, reason, spoil) => {
    const [url, copy] = await copied();
    spoil(copy);
    const folder = dirname(copy);
    const before = readdirSync(folder);
    expect(await refusal(restore(givenOn(url, copy)))).toBe(reason);
    expect(readdirSync(folder)).toEqual(before);
    expect(carsIn(pathOf(url))).toEqual(['a', 'b']);
  });

  test('a copy for which there is just room, which is not called damaged', async (context) => {
    const disk = smallDisk(context, '3m');
    const [, copy] = await copied();
    const { bavail, bsize } = statfsSync(disk.folder);
    writeFileSync(join(disk.folder, 'filler'), Buffer.alloc(bavail * bsize - statSync(copy).size));
    const database = sqliteUrl(join(disk.folder, 'cars.db'));
    expect(await refusal(restore(givenOn(database, copy)))).toBe('file-unusable');
    expect(readdirSync(disk.folder)).toEqual(['filler']);
  });

  test.each([
    ['a database in memory', 'in-memory', 'sqlite::memory:'],
    ['a server', 'server-restore', 'postgres://user:secret@127.0.0.1:1/cars'],
  ])('%s', async (_, reason, url) => {
    expect(await refusal(restore(givenOn(url, 'copy.db')))).toBe(reason);
  });

  test('the database itself, and another program’s in its place', async () => {
    const [url, copy] = await copied();
    expect(await refusal(restore(givenOn(url, pathOf(url))))).toBe('file-same');
    const other = `${copy}.other`;
    copyFileSync(copy, other);
    inFile(other, 'PRAGMA application_id = 7');
    expect(await refusal(restore(givenOn(sqliteUrl(other), copy)))).toBe('file-foreign');
  });
});
