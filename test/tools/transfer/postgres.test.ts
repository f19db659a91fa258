/** From a file to a server and back: what differs from one database to the other. */
import pg from 'pg';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { statement } from '../../../src/store/sql/statement.ts';
import { openRawDatabase } from '../../../src/tools/raw-database/raw-database.ts';
import { openApp } from '../../support/app/app.ts';
import { catalogue } from '../../support/cars/catalogue.ts';
import { AHEAD } from '../../support/conformance/fixtures.ts';
import { copiedDatabase, emptyDatabase, preparedDatabase } from '../../support/database/database.ts';
import { query } from '../../support/database/postgres.ts';
import {
  AWKWARD,
  dump,
  filledFile,
  fillWithAll,
  fillWithMany,
  inFile,
  launchTransfer,
  moved,
  pathOf,
  serving,
  sqliteUrl,
  transferRefusal,
} from '../../support/database/transfer.ts';

let filled: Promise<string> | undefined;
const cleanUps: (() => unknown)[] = [];
afterAll(async () => {
  for (const cleanUp of cleanUps) await cleanUp();
});

/** @returns a new database that is filled with all: a copy of the first one */
const filledServer = async (): Promise<string> => {
  filled ??= preparedDatabase((cleanUp) => void cleanUps.push(cleanUp)).then(async (url) => {
    await fillWithAll(url);
    return url;
  });
  return copiedDatabase(await filled);
};

const CHINESE = encodeURIComponent(AWKWARD[4]);
const ASKED = [
  '/api/cars',
  '/api/coches',
  '/api/cars?sort_by=brand&order=desc&number_of_elements=7&page=2',
  '/api/coches?ordenar_por=marca&orden=ascendente&numero_de_elementos=20',
  '/api/coches?marca=citroen',
  '/api/cars?year=1950&number_of_elements=2',
  `/api/cars/${CHINESE}`,
  `/api/coches/${CHINESE}`,
  `/api/coches/${CHINESE}/aceites`,
  `/api/cars/${CHINESE}/oils/5W-30`,
  '/api/cars/gone',
  '/api/coches/many-1099',
];

/** Every answer with all of its headers. */
const answersOf = async (database: string): Promise<readonly unknown[]> => {
  const { send, close } = await openApp({ database });
  const answers: unknown[] = [];
  for (const path of ASKED) {
    const { status, headers, text } = await send('GET', path, undefined, { 'x-request-id': 'r-1' });
    answers.push([path, status, [...headers], text]);
  }
  await close();
  return answers;
};

describe('to a server and back', () => {
  test('everything stays, and both trees answer as before', async () => {
    const [file, server, back] = [await filledFile(), await emptyDatabase(), sqliteUrl()];
    const [before, answers] = [await dump(file), await answersOf(file)];
    const there = await moved(file, server);
    expect(await dump(server)).toEqual(before);
    expect(await answersOf(server)).toEqual(answers);
    const home = await moved(server, back);
    expect(await dump(back)).toEqual(before);
    expect(await answersOf(back)).toEqual(answers);
    expect(home.sums).toEqual(there.sums);
  });

  test('writes go on where they were', async () => {
    const [file, server] = [await filledFile(), await emptyDatabase()];
    inFile(pathOf(file), `UPDATE _change SET number = ${AHEAD}`);
    await moved(file, server);
    const created = await Promise.all(
      [file, server].map(async (database) => {
        const { send, close } = await openApp({ database });
        const { status, headers } = await send('POST', '/api/coches', { identificador: 'n', marca: 'a', modelo: 'b' });
        await close();
        return [status, headers.get('etag')];
      }),
    );
    expect(created[0]).toEqual([201, expect.stringMatching(/^"[0-9a-z]+\.es"$/)]);
    expect(created[1]).toEqual(created[0]);
    expect(await dump(server)).toEqual(await dump(file));
  });

  test('from one server database to another', async () => {
    const [from, to] = [await filledServer(), await emptyDatabase()];
    await moved(from, to);
    expect(await dump(to)).toEqual(await dump(from));
    expect(await serving(to)).toBe('served');
  });

  test('has the indexes and the keys that a new database has', async () => {
    const [moved_, made] = [await emptyDatabase(), await emptyDatabase()];
    await moved(await filledFile(), moved_);
    expect(await serving(made)).toBe('served');
    const indexes = 'SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema() ORDER BY indexname';
    expect(await query(moved_, indexes)).toEqual(await query(made, indexes));
  });
});

test('the program, killed at any moment, leaves an empty target, and comes to its end when it is run again', async () => {
  const [from, to] = [sqliteUrl(), await emptyDatabase()];
  await fillWithMany(pathOf(from), 10_000);
  for (const line of [/^indexing cars_brand$/m, /^comparing/m]) {
    const { child, wrote, exit } = launchTransfer('--from', from, '--to', to);
    await wrote(line);
    child.kill('SIGKILL');
    expect(await exit).toBe('SIGKILL');
    expect(await serving(to)).toBe('served');
    expect((await dump(to)).cars).toEqual([]);
  }
  const { exit, output } = launchTransfer('--from', from, '--to', to);
  expect([await exit, output()]).toEqual([0, expect.stringMatching(/^cars: 10000 rows, sha256 [0-9a-f]{64}$/m)]);
  expect(await dump(to)).toEqual(await dump(from));
  expect(await serving(to)).toBe('served');
});

describe('a source on a server that is written to meanwhile', () => {
  test('is read as it was when its snapshot began', async () => {
    const url = await filledServer();
    await using link = await openRawDatabase(url, catalogue, true);
    const count = (): Promise<readonly unknown[]> => link.rows(statement('SELECT count(*) FROM oils'));
    await link.snapshot(async () => {
      expect(await count()).toEqual([[4]]);
      await query(url, 'DELETE FROM oils', 'UPDATE _change SET number = 5000');
      expect(await count()).toEqual([[4]]);
    });
    expect(await count()).toEqual([[0]]);
  });

  test('ends the transfer, and the next one succeeds', async () => {
    const [from, to] = [await filledServer(), sqliteUrl()];
    // Connected before, because on a busy machine a connection takes longer than the transfer.
    const writer = new pg.Client({ connectionString: from });
    await writer.connect();
    onTestFinished(() => writer.end());
    let writing: Promise<unknown> | undefined;
    const onLine = (line: string): void => {
      if (!line.startsWith('copying')) return;
      writing ??= writer.query(
        "UPDATE cars SET version = 'late', _version = 'late', _revision = 5000 WHERE identifier = 'many-1'; UPDATE _change SET number = 5000",
      );
    };
    const end = await transferRefusal(from, to, { onLine });
    await writing;
    expect(end).toMatch(/was written to during the transfer \(change \d+ is now 5000\)/);
    expect(await serving(to)).toBe('served');
    await moved(from, to);
    expect(await dump(to)).toEqual(await dump(from));
  });
});

/** A source and a target, and what is said of them. */
const refused: readonly (readonly [
  what: string,
  make: () => Promise<readonly [from: string, to: string]>,
  reason: RegExp,
])[] = [
  ['a source that holds nothing', async () => [await emptyDatabase(), sqliteUrl()], /contains no catalogue\.$/],
  [
    'a source of another program',
    async () => {
      const url = await emptyDatabase();
      await query(url, 'CREATE TABLE cars (id int)');
      return [url, sqliteUrl()];
    },
    /tables of another program \(cars\)$/,
  ],
  [
    'a source of an earlier catalogue',
    async () => {
      const url = await filledServer();
      await query(url, 'ALTER TABLE cars DROP COLUMN doors');
      return [url, sqliteUrl()];
    },
    /column "doors" does not exist; start the service on it once/,
  ],
  [
    'the same database',
    async () => {
      const url = await filledServer();
      return [url, `${url}?application_name=other`];
    },
    /are the same database\.$/,
  ],
  [
    'the same database by another name of its host',
    async () => {
      const url = new URL(await filledServer());
      const other = new URL(url);
      other.hostname = url.hostname === '127.0.0.1' ? '[::ffff:127.0.0.1]' : url.hostname;
      return [url.href, other.href];
    },
    /are the same database\.$/,
  ],
  [
    'a target of another program',
    async () => {
      const url = await emptyDatabase();
      await query(url, 'CREATE TABLE oils (id int)');
      return [await filledFile(), url];
    },
    /tables of another program \(oils\)$/,
  ],
  [
    'a target that is not there',
    async () => {
      const url = new URL(await emptyDatabase());
      url.pathname = '/none';
      return [await filledFile(), url.href];
    },
    /database "none" does not exist$/,
  ],
  [
    'a server that is not there',
    async () => [await filledFile(), 'postgres://user:secret@127.0.0.1:1/cars'],
    /^postgres:\/\/127\.0\.0\.1:1\/cars: .*ECONNREFUSED/,
  ],
  [
    'a host that is not there',
    async () => ['postgres://user:secret@none.invalid/cars', sqliteUrl()],
    /^postgres:\/\/none\.invalid\/cars: .*none\.invalid/,
  ],
];

describe('refuses', () => {
  test.each(refused)('%s', async (_, make, reason) => {
    const said = await transferRefusal(...(await make()));
    expect(said).toMatch(reason);
    expect(said).not.toContain('\n');
    expect(said).not.toContain('secret');
  });

  test('a target with another catalogue, and gives that one up where it is told to', async () => {
    const [from, to] = [await filledFile(), await filledServer()];
    await query(to, 'UPDATE _change SET number = number + 1');
    const before = await dump(to);
    expect(await transferRefusal(from, to)).toMatch(/is not empty \(its last change is number \d+\); --replace/);
    expect(await dump(to)).toEqual(before);
    await moved(from, to, { replace: true });
    expect(await dump(to)).toEqual(await dump(from));
    expect(await serving(to)).toBe('served');
  });

  test('two transfers into one target: one moves, the other is told', async () => {
    const [from, to] = [await filledFile(), await emptyDatabase()];
    const ends = await Promise.all([transferRefusal(from, to), transferRefusal(from, to)]);
    expect(ends.filter((end) => end === 'moved')).toHaveLength(1);
    expect(await dump(to)).toEqual(await dump(from));
    expect(await serving(to)).toBe('served');
  });
});
