/** Reads that would never end by themselves, on the thread that does slow reads. */
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { ListPlan } from '../../../../src/store/sql/lists/plan.ts';
import { statement } from '../../../../src/store/sql/statement.ts';
import { connect } from '../../../../src/store/sqlite/connection/connection.ts';
import { INTERRUPTIBLE } from '../../../../src/store/sqlite/connection/interrupt.ts';
import { readerThread } from '../../../../src/store/sqlite/reads/reader-thread.ts';
import { temporaryFolder } from '../../../support/process/folder.ts';

const ROWS = 600;
const CHUNK = 500;
const EVERYTHING = { offset: 0, limit: Infinity };

/** Counts numbers without end. */
const ENDLESS = `(WITH RECURSIVE "all" ("_created") AS (SELECT 1 UNION ALL SELECT "_created" + 1 FROM "all" WHERE ${INTERRUPTIBLE}) SELECT count(*) FROM "all")`;

/** A list whose first chunk is there at once, and whose second never. */
const plan = (total: string): ListPlan => ({
  table: '"numbers"',
  columns: ['"number"'],
  parent: undefined,
  total: statement(total),
  size: statement(total),
  change: statement('SELECT 1'),
  present: undefined,
  chunk: CHUNK,
  ranges: [{ where: statement(` WHERE "number" <= ${CHUNK} OR ${ENDLESS} > 0`), order: ['"number"'] }],
  isQuick: false,
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
  thread = readerThread(file, 1);
  onTestFinished(() => thread.close());
});

const abandoned = { code: 'unavailable', reason: 'database' };

test('a client that goes away ends its read, whether it waits or is being done, and the next one is answered', async () => {
  const clients = Array.from({ length: 3 }, () => new AbortController());
  const [first, second, third] = clients.map(({ signal }) => thread.summarize(never, { signal, client: undefined }));
  const last = thread.summarize(quick);
  clients[1]?.abort();
  await expect(second).rejects.toMatchObject(abandoned);
  clients[0]?.abort();
  await expect(first).rejects.toMatchObject(abandoned);
  clients[2]?.abort();
  await expect(third).rejects.toMatchObject(abandoned);
  expect(await last).toEqual({ total: ROWS, change: 1 });
});

test('a client that goes away before the first chunk of a list ends it', async () => {
  const client = new AbortController();
  const list = thread.list(never, EVERYTHING, { signal: client.signal, client: undefined });
  client.abort();
  await expect(list).rejects.toMatchObject(abandoned);
  expect(await thread.summarize(quick)).toEqual({ total: ROWS, change: 1 });
});

test('a list that is returned while its next chunk is looked for ends there', async () => {
  const listing = await thread.list(quick, EVERYTHING);
  expect((await listing?.chunks.next())?.value).toHaveLength(CHUNK);
  const next = listing?.chunks.next();
  await listing?.chunks.return?.();
  await expect(next).rejects.toMatchObject(abandoned);
  expect(await thread.summarize(quick)).toEqual({ total: ROWS, change: 1 });
  const again = await thread.list(quick, EVERYTHING);
  expect((await again?.chunks.next())?.value).toHaveLength(CHUNK);
  await again?.chunks.return?.();
});

test('closing ends what would never end', async () => {
  const listing = await thread.list(quick, EVERYTHING);
  await listing?.chunks.next();
  const asked = [listing?.chunks.next(), thread.summarize(never), thread.summarize(quick)];
  const closed = thread.close();
  for (const each of asked) await expect(each).rejects.toMatchObject({ code: 'unavailable' });
  await closed;
});
