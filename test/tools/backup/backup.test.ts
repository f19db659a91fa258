/** Copies of a database that is in use. */
import { existsSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { openStore } from '../../../src/host/service/open-store.ts';
import { copyDatabase } from '../../../src/store/sqlite/connection.ts';
import { backUp } from '../../../src/tools/backup/backup.ts';
import { withPartialFile } from '../../../src/tools/commands/files.ts';
import { catalogue } from '../../support/cars/catalogue.ts';
import { givenOn, refusal, runCommand, runHere } from '../../support/commands/given.ts';
import { carsListed, fillFile } from '../../support/conformance/fixtures.ts';
import { inFile, pathOf, sqliteUrl } from '../../support/database/files.ts';
import { temporaryFolder } from '../../support/process/folder.ts';
import { serveHere } from '../../support/process/service-here.ts';

const MAIN = 'src/tools/backup/backup-main.ts';

const carsIn = async (path: string): Promise<readonly string[]> => {
  const store = await openStore(sqliteUrl(path), catalogue, { report: (line) => expect(line).toBe('') });
  const cars = await carsListed(store);
  await store.close();
  return cars;
};

const small = () => fillFile(sqliteUrl(), 'a');

test('a copy taken while clients write has all that was acknowledged before it began', async () => {
  const url = sqliteUrl();
  const { send } = await serveHere({ DATABASE_URL: url });
  const acknowledged: string[] = [];
  let isOver = false;
  const write = async (client: string): Promise<void> => {
    for (let at = 0; !isOver; at += 1) {
      const car = { identificador: `${client}${at}`, marca: 'Seat', modelo: 'Ibiza' };
      const { status } = await send('POST', '/api/coches', car);
      expect(status).toBe(201);
      acknowledged.push(`${client}${at}`);
      if (acknowledged.length === 20) begun.resolve();
    }
  };
  const begun = Promise.withResolvers<void>();
  const writing = Promise.all(['x', 'y'].map(write));
  await begun.promise;
  const before = [...acknowledged];
  const copy = join(dirname(pathOf(url)), 'copy.db');
  const env = { DATABASE_URL: url, LANG: 'es_ES.UTF-8' };
  expect(await runCommand(MAIN, [copy], env)).toEqual([0, `${copy}: copied, 1 MiB.\n`]);
  isOver = true;
  await writing;
  const found = new Set(await carsIn(copy));
  expect(before.filter((key) => !found.has(key))).toEqual([]);
  expect(acknowledged.length).toBeGreaterThan(before.length);

  expect(await runHere(MAIN, [copy], env)).toEqual([2, `${copy} exists already; --replace replaces it.\n`, '']);
  expect((await runHere(MAIN, [copy, '--replace'], env))[0]).toBe(0);
  expect(await carsIn(copy)).toEqual(expect.arrayContaining(acknowledged));
  expect(readdirSync(dirname(copy)).filter((file) => file.endsWith('.part'))).toEqual([]);
});

test('a copy comes to its end although others write between its steps, and has nothing of it', async () => {
  const [file, copy] = ['cars.db', 'copy.db'].map((name) => join(temporaryFolder(), name)) as [string, string];
  const writer = new DatabaseSync(file);
  writer.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; CREATE TABLE t (x)');
  writer.exec(
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) INSERT INTO t SELECT zeroblob(4000) FROM n',
  );
  let steps = 0;
  await copyDatabase(file, copy, () => {
    steps += 1;
    if (steps > 20) throw new Error('it begins again and again');
    writer.exec("INSERT INTO t VALUES ('later')");
  });
  writer.close();
  expect(steps).toBeGreaterThan(0);
  expect(inFile(copy, 'SELECT count(*) AS count FROM t')).toEqual([{ count: 2000 }]);
});

describe('refuses', () => {
  test.each([
    ['a database in memory', 'in-memory', 'sqlite::memory:'],
    ['a server', 'server-backup', 'postgres://user:secret@127.0.0.1:1/cars'],
  ])('%s', async (_, reason, url) => expect(await refusal(backUp(givenOn(url, 'copy.db')))).toBe(reason));

  const beside = (file: string): string => join(dirname(file), 'copy.db');
  /** What is done to the database before, and where the copy is meant to be. */
  type Refused = readonly [what: string, reason: string, prepare: (file: string) => unknown, copy: typeof beside];
  const spoilt: readonly Refused[] = [
    ['a database that is not there', 'file-missing', (file) => rmSync(file), beside],
    ['another program’s', 'file-foreign', (file) => inFile(file, 'PRAGMA application_id = 7'), beside],
    ['a text', 'file-damaged', (file) => writeFileSync(file, 'hello, this is no database at all'.repeat(100)), beside],
    ['a file that exists', 'file-exists', (file) => writeFileSync(beside(file), ''), beside],
    [
      'a link, as /dev/stdout is one',
      'file-unusable',
      (file) => symlinkSync('copy of somewhere else', beside(file)),
      beside,
    ],
    ['a folder that does not exist', 'folder-missing', () => {}, (file) => join(dirname(file), 'none', 'copy.db')],
    ['a folder that is a file', 'copy-failed', () => {}, (file) => join(file, 'copy.db')],
  ];
  test.each(spoilt)('%s', async (_, reason, prepare, copy) => {
    const url = await small();
    prepare(pathOf(url));
    expect(await refusal(backUp(givenOn(url, copy(pathOf(url)))))).toBe(reason);
  });

  test('the database itself, whatever is said', async () => {
    const url = await small();
    expect(await refusal(backUp(givenOn(url, pathOf(url), ['replace'])))).toBe('file-same');
    expect(await carsIn(pathOf(url))).toEqual(['a']);
  });
});

test('what fails leaves nothing behind', async () => {
  const folder = temporaryFolder();
  const work = withPartialFile(join(folder, 'copy.db'), (part) => {
    for (const end of ['', '-wal', '-shm', '-journal']) writeFileSync(part + end, '');
    expect(existsSync(part)).toBe(true);
    throw new Error('no');
  });
  await expect(work).rejects.toThrow('no');
  expect(readdirSync(folder)).toEqual([]);
});

test('a copy that is interrupted leaves nothing behind', async () => {
  const url = await small();
  const database = new DatabaseSync(pathOf(url));
  database.exec('CREATE TABLE "large" AS SELECT zeroblob(20000000) AS "blob"');
  database.close();
  const folder = temporaryFolder();
  const given = givenOn(url, join(folder, 'copy.db'));
  const interrupt = (): void => void process.emit('SIGINT');
  expect(await refusal(backUp({ ...given, progress: { ...given.progress, show: interrupt } }))).toBe(
    'work-interrupted',
  );
  expect(readdirSync(folder)).toEqual([]);
});

test('each fault of the command line is reported, in English in every terminal', async () => {
  const env = { DATABASE_URL: 'sqlite::memory:', LANG: 'es_ES.UTF-8' };
  expect(await runHere(MAIN, ['--zap', '--replace=1', '--language=es'], env)).toEqual([
    2,
    '“--zap” is not an option of this command.\n--replace takes no value.\n“--language” is not an option of this command.\nName one file.\n“npm run backup -- --help” explains the command.\n',
    '',
  ]);
  const [code, printed] = await runHere(MAIN, ['--help'], { LC_ALL: 'es' });
  expect([code, printed]).toEqual([0, expect.stringContaining('Exit code: 0 copied, 1 copied with errors')]);
});
