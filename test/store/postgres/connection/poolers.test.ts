/** A pooler between the service and PostgreSQL, whose connections are anybody's after each transaction. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../../../src/host/service/open-store.ts';
import { Pool } from '../../../../src/store/postgres/connection/pool.ts';
import type { PostgresOptions } from '../../../../src/store/postgres/store.ts';
import { catalogue } from '../../../support/cars/catalogue.ts';
import {
  cars,
  carsListed,
  createCar,
  createMany,
  keyOf,
  type ListRequest,
  MANY,
  readList,
  update,
} from '../../../support/conformance/fixtures.ts';
import { openForTest, preparedDatabase } from '../../../support/database/database.ts';
import { openSession } from '../../../support/database/own-postgres.ts';
import { getItem } from '../../../support/database/reads.ts';
import { openRelay } from '../../../support/faults/relay.ts';
import { noPgbouncer, type PoolMode, startPgbouncer } from '../../../support/process/pgbouncer.ts';

const open = (url: string, options?: PostgresOptions) => openForTest(url, options);

const MODES: readonly (readonly [PoolMode, 'on' | 'off'])[] = [
  ['session', 'on'],
  ['transaction', 'off'],
];
const suite = `behind pgbouncer${noPgbouncer ? `: ${noPgbouncer}` : ''}`;

/** Each with the cars that it lists, of those that `fill` makes. */
const asks: readonly (readonly [ListRequest, readonly string[]])[] = [
  [{ filters: { brand: ['seat'] } }, ['a', 'b']],
  [{ filters: { brand: ['fiat'] } }, ['c']],
  [{ filters: { doors: ['3'] } }, ['b', 'c']],
  [{ filters: { doors: ['3'], brand: ['seat'] } }, ['b']],
  [{ filters: { doors: ['3', '5'] } }, ['a', 'b', 'c']],
  [{ sort: 'brand' }, ['c', 'a', 'b']],
  [{ sort: 'doors', order: 'desc' }, ['a', 'c', 'b']],
  [{ order: 'desc' }, ['c', 'b', 'a']],
  [{ size: 1, page: 2 }, ['b']],
];
const fill = async (store: Awaited<ReturnType<typeof open>>): Promise<void> => {
  await createCar(store, 'a', { doors: 5 });
  await createCar(store, 'b', { doors: 3 });
  await createCar(store, 'c', { doors: 3, brand: 'Fiat' });
};

describe.skipIf(noPgbouncer)(suite, () => {
  describe.each(MODES)('in %s mode, statements prepared: %s', (mode, prepare) => {
    test('two instances are each answered what they asked', async () => {
      const url = await startPgbouncer(await preparedDatabase(), { mode, connections: 12 });
      const stores = await Promise.all([1, 2].map(() => open(url, { pool: 3, prepare })));
      for (const store of stores.slice(1)) await fill(store);
      for (let round = 0; round < 3; round++) {
        const asked = stores.flatMap((store, at) => {
          // Each in an order of its own, so that what one prepares first is not the other's first.
          const order = at === 0 ? asks : asks.toReversed();
          return order.map(async ([ask, keys]) => expect([ask, await carsListed(store, ask)]).toEqual([ask, keys]));
        });
        const read = stores.flatMap((store) =>
          ['a', 'b', 'c'].map(async (key) => expect((await getItem(store, cars, [key]))?.[1]).toBe(key)),
        );
        await Promise.all([...asked, ...read]);
      }
    });
  });

  const TRANSACTION = { mode: 'transaction', connections: 12 } as const;
  const prepare = 'off';

  test('a long list comes whole from one snapshot', async () => {
    const store = await open(await startPgbouncer(await preparedDatabase(), TRANSACTION), { pool: 3, prepare });
    await createMany(store);
    const lists = await Promise.all([1, 2, 3].map(() => readList(store, cars, [])));
    for (const list of lists) expect(new Set(list?.rows.map(keyOf)).size).toBe(MANY);
  });

  test('a statement that waits for too long is ended', async () => {
    const direct = await preparedDatabase();
    await createCar(await open(direct), 'a');
    const store = await open(await startPgbouncer(direct, TRANSACTION), { pool: 1, timeout: 500, prepare });
    // Connected: from now on it is the statement that takes long.
    await expect.poll(async () => (await getItem(store, cars, ['a']))?.[1]).toBe('a');
    const { run } = await openSession(direct);
    await run('BEGIN; LOCK TABLE "cars" IN ACCESS EXCLUSIVE MODE');
    for (const ask of [async () => getItem(store, cars, ['a']), () => readList(store, cars, [])]) {
      await expect(ask()).rejects.toMatchObject({ code: 'unavailable', cause: { code: '57014' } });
    }
    const cause = { message: 'the database is locked' };
    await expect(createCar(store, 'b')).rejects.toMatchObject({ code: 'unavailable', cause });
  });
});

const ways: readonly (readonly [name: string, through: (url: string) => Promise<string>])[] = [
  ['no pooler', async (url) => url],
  ...(noPgbouncer ? [] : [['a pooler', (url: string) => startPgbouncer(url)] as const]),
];
test.each(ways)(
  'behind %s an instance that is silent in mid-write does not keep others from it',
  async (_, through) => {
    const direct = await preparedDatabase();
    const pooled = new URL(await through(direct));
    const relay = await openRelay(Number(pooled.port));
    const options = { pool: 1, timeout: 500, prepare: 'off' } as const;
    const other = await open(pooled.href, options);
    pooled.port = String(relay.port);
    const silent = await open(pooled.href, options);
    await createCar(silent, 'a');
    relay.inspect({
      answered: () => {
        relay.setSilent(true);
        return 'pass';
      },
    });
    // A change takes two round trips; a create only one, in which nobody can fall silent.
    const lost = update(silent, cars, ['a'], { doors: 3 });
    lost.catch(() => {});
    const { run } = await openSession(direct);
    const held = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'`;
    await expect.poll(() => run(held), { timeout: 30_000, interval: 5 }).toHaveLength(1);
    const write = () => createCar(other, 'b').then(({ kind }) => kind, String);
    // Longer than the silent one may keep its lock, and much shorter than it stays silent.
    await expect.poll(write, { timeout: 30_000, interval: 5 }).toBe('written');
    // It may have fallen silent before it sent the commit, or after.
    await expect(lost).rejects.toMatchObject({ code: expect.stringMatching(/^(?:outcome-unknown|unavailable)$/) });
  },
);

describe.skipIf(noPgbouncer)(`a start ${suite}`, () => {
  test('in statement mode is refused, with the name of the setting', async () => {
    const url = await startPgbouncer(await preparedDatabase(), { mode: 'statement' });
    await expect(openStore(url, catalogue)).rejects.toThrow(
      /^postgres:\S+: transaction blocks not allowed in statement pooling mode/,
    );
  });

  test('that loses what is prepared is unavailable, and the cause names the setting', async () => {
    const url = await startPgbouncer(await preparedDatabase(), { connections: 1 });
    const [one, other] = [1, 2].map(() => new Pool(url, { size: 1, timeout: 5_000 })) as [Pool, Pool];
    onTestFinished(async () => void (await Promise.all([one.end(), other.end()])));
    const ask = () => one.rows({ sql: 'SELECT 7 WHERE 1 = ?', values: [1] });
    for (let times = 0; times < 3; times++) expect(await ask()).toEqual([[7]]);
    // As if the pooler had given the other one's connection to the first.
    await other.use((connection) => connection.exec('DEALLOCATE ALL'));
    const message =
      'a pooler in transaction mode stands before PostgreSQL, and loses prepared statements: DATABASE_PREPARE=off';
    await expect(ask()).rejects.toMatchObject({ code: 'unavailable', cause: { message } });
  });
});
