/** Reads that would never end by themselves, on the thread that does slow reads. */
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { gateOf } from '../../../../src/store/gate.ts';
import type { ListSql } from '../../../../src/store/sql/lists/list-sql.ts';
import { statement } from '../../../../src/store/sql/statement.ts';
import { connect } from '../../../../src/store/sqlite/connection/connection.ts';
import { INTERRUPTIBLE } from '../../../../src/store/sqlite/connection/interrupt.ts';
import { SQLITE_LIMITS } from '../../../../src/store/sqlite/connection/options.ts';
import { readerThread } from '../../../../src/store/sqlite/reads/reader-thread.ts';
import { NO_ROWS } from '../../../../src/store/sqlite/reads/reads.ts';
import { temporaryFolder } from '../../../support/process/folder.ts';

const ROWS = 600;
const CHUNK = 500;
const EVERYTHING = { offset: 0, limit: Infinity };

/** Counts numbers without end. */
const ENDLESS = `(WITH RECURSIVE "all" ("_created") AS (SELECT 1 UNION ALL SELECT "_created" + 1 FROM "all" WHERE ${INTERRUPTIBLE}) SELECT count(*) FROM "all")`;

/** A list whose first chunk is there at once, and whose second never. */
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
  ranges: [{ where: statement(` WHERE "number" <= ${CHUNK} OR ${ENDLESS} > 0`), order: ['"number"'] }],
});
const quick = plan(`SELECT ${ROWS}`);
const never = plan(`SELECT ${ENDLESS}`);

let thread: ReturnType<typeof readerThread>;
beforeEach(() => {
  const file = join(temporaryFolder(), 'some.db');
  const connection = connect(file);
  connection.exec('CREATE TABLE "numbers" ("number" INTEGER PRIMARY KEY)');
  for (let number = 1; number <= ROWS; number++) connection.run('INSERT INTO "numbers" VALUES (?)', [number]);
  connection.close();
  thread = readerThread(file, gateOf(SQLITE_LIMITS.thread, 1));
  onTestFinished(() => thread.close());
});

const abandoned = { code: 'unavailable', reason: 'database' };

test('a client that goes away ends its read, whether it waits or is being done, and the next one is answered', async () => {
  const clients = Array.from({ length: 3 }, () => new AbortController());
  const [first, second, third] = clients.map(({ signal }) =>
    thread.read(never, NO_ROWS, { signal, client: undefined }),
  );
  const last = thread.read(quick, NO_ROWS);
  clients[1]?.abort();
  await expect(second).rejects.toMatchObject(abandoned);
  clients[0]?.abort();
  await expect(first).rejects.toMatchObject(abandoned);
  clients[2]?.abort();
  await expect(third).rejects.toMatchObject(abandoned);
  expect(await last).toMatchObject({ total: ROWS, change: 1 });
});

test('a client that goes away before the first chunk of a list ends it', async () => {
  const client = new AbortController();
  const list = thread.read(never, EVERYTHING, { signal: client.signal, client: undefined });
  client.abort();
  await expect(list).rejects.toMatchObject(abandoned);
  expect(await thread.read(quick, NO_ROWS)).toMatchObject({ total: ROWS, change: 1 });
});

test('a list that is returned while its next chunk is looked for ends there', async () => {
  const found = await thread.read(quick, EVERYTHING);
  expect(found?.rows).toHaveLength(CHUNK);
  const next = found?.rest?.next();
  await found?.rest?.return?.();
  await expect(next).rejects.toMatchObject(abandoned);
  expect(await thread.read(quick, NO_ROWS)).toMatchObject({ total: ROWS, change: 1 });
  const again = await thread.read(quick, EVERYTHING);
  expect(again?.rows).toHaveLength(CHUNK);
  await again?.rest?.return?.();
});

test('closing ends what would never end', async () => {
  const found = await thread.read(quick, EVERYTHING);
  const asked = [found?.rest?.next(), thread.read(never, NO_ROWS), thread.read(quick, NO_ROWS)];
  const closed = thread.close();
  for (const each of asked) await expect(each).rejects.toMatchObject({ code: 'unavailable' });
  await closed;
});
