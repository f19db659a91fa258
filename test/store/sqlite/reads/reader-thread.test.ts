/** Reads that take long, on the thread that does slow reads. */
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { ListSql } from '../../../../src/store/sql/lists.ts';
import { statement } from '../../../../src/store/sql/statement.ts';
import { connect } from '../../../../src/store/sqlite/connection.ts';
import { ReaderThread } from '../../../../src/store/sqlite/long-reads.ts';
import { NO_ROWS } from '../../../../src/store/sqlite/reads.ts';
import { temporaryFolder } from '../../../support/process/folder.ts';

const ROWS = 600;
const CHUNK = 500;
const EVERYTHING = { offset: 0, limit: Infinity };

/** Counts numbers for some tenths of a second. */
const SLOW = `(WITH RECURSIVE "all" ("n") AS (SELECT 1 UNION ALL SELECT "n" + 1 FROM "all" WHERE "n" < 1000000) SELECT count(*) FROM "all")`;

/** A list whose first chunk is there at once, and whose second later. */
const plan = (total: string): ListSql => ({
  table: '"numbers"',
  columns: ['"number"'],
  position: [],
  parent: undefined,
  total: statement(total),
  size: statement(total),
  change: statement('SELECT 1'),
  present: undefined,
  chunk: CHUNK,
  ranges: [{ where: statement(` WHERE "number" <= ${CHUNK} OR ${SLOW} > 0`), order: ['"number"'] }],
});
const quick = plan(`SELECT ${ROWS}`);
const slow = plan(`SELECT ${SLOW}`);

let thread: ReaderThread;
beforeEach(() => {
  const file = join(temporaryFolder(), 'some.db');
  const connection = connect(file);
  connection.exec('CREATE TABLE "numbers" ("number" INTEGER PRIMARY KEY)');
  for (let number = 1; number <= ROWS; number++) connection.run('INSERT INTO "numbers" VALUES (?)', [number]);
  connection.close();
  thread = new ReaderThread(file);
  onTestFinished(() => thread.close());
});

const abandoned = { code: 'unavailable', reason: 'database' };

test('a client that goes away while it waits is not read for, and the others are answered', async () => {
  const leaving = new AbortController();
  const first = thread.read({ sql: slow, window: NO_ROWS });
  const second = thread.read({ sql: slow, window: NO_ROWS }, { signal: leaving.signal, client: undefined });
  const last = thread.read({ sql: quick, window: NO_ROWS });
  leaving.abort();
  await expect(second).rejects.toMatchObject(abandoned);
  expect(await first).toMatchObject({ total: 1_000_000 });
  expect(await last).toMatchObject({ total: ROWS, change: 1 });
});

test('a list that is returned while its next chunk is looked for ends there', async () => {
  const found = await thread.read({ sql: quick, window: EVERYTHING });
  expect(found?.rows).toHaveLength(CHUNK);
  const next = found?.rest?.next();
  await found?.rest?.return?.();
  await next;
  await expect(found?.rest?.next()).rejects.toMatchObject({ code: 'unavailable' });
  expect(await thread.read({ sql: quick, window: NO_ROWS })).toMatchObject({ total: ROWS, change: 1 });
  const again = await thread.read({ sql: quick, window: EVERYTHING });
  expect(again?.rows).toHaveLength(CHUNK);
  await again?.rest?.return?.();
});

test('closing ends what is asked', async () => {
  const found = await thread.read({ sql: quick, window: EVERYTHING });
  const asked = [
    found?.rest?.next(),
    thread.read({ sql: slow, window: NO_ROWS }),
    thread.read({ sql: quick, window: NO_ROWS }),
  ];
  const closed = thread.close();
  for (const each of asked) await expect(each).rejects.toMatchObject({ code: 'unavailable' });
  await closed;
});
