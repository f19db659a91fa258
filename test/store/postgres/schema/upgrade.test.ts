/** Instances of a newer version start beside older ones, which serve meanwhile. */
import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { collection, defineCatalogue } from '../../../../src/gateway/model/catalogue.ts';
import { integer, text } from '../../../../src/gateway/model/fields.ts';
import { openStore } from '../../../../src/host/service/open-store.ts';
import { openApp } from '../../../support/app/app.ts';
import { catalogue } from '../../../support/cars/catalogue.ts';
import { cars, createCar, createMany, oils, readList } from '../../../support/conformance/fixtures.ts';
import { emptyDatabase } from '../../../support/database/database.ts';
import { openSession } from '../../../support/database/own-postgres.ts';
import { query } from '../../../support/database/postgres.ts';
import { getItem } from '../../../support/database/reads.ts';

const specsOf = (fields: typeof cars.fields) => Object.fromEntries(fields.map(({ name, ...spec }) => [name, spec]));

/** Two fields more, and a collection in the cars. */
const grown = defineCatalogue(
  collection(
    'cars',
    { ...specsOf(cars.fields), colour: text({ max: 30, indexed: true }), seats: integer({ min: 1, max: 9 }) },
    collection('oils', specsOf(oils.fields)),
  ),
);

const openOld = async (url: string) => {
  const store = await openStore(url, catalogue, { pool: 4, timeout: 10_000 });
  onTestFinished(async () => store.close());
  return store;
};

/** Clients that read, list and write through two instances all the time. @returns what was refused, once they are stopped */
const load = (stores: readonly Awaited<ReturnType<typeof openOld>>[]) => {
  let isOver = false;
  let done = 0;
  const refused: unknown[] = [];
  const clients = stores.flatMap((store, at) =>
    [0, 1, 2].map(async (client) => {
      for (let turn = 0; !isOver; turn++) {
        const key = `new-${at}-${client}-${turn}`;
        const asked = [
          createCar(store, key),
          Promise.resolve(getItem(store, cars, ['car-1'])),
          readList(store, cars, [], { size: 20 }),
        ];
        for (const end of await Promise.allSettled(asked)) if (end.status === 'rejected') refused.push(end.reason);
        done += asked.length;
        await setTimeout(5);
      }
    }),
  );
  return {
    more: () => {
      const enough = done + 300;
      return expect.poll(() => done, { timeout: 60_000, interval: 20 }).toBeGreaterThan(enough);
    },
    stop: async () => {
      isOver = true;
      await Promise.all(clients);
      return refused;
    },
  };
};

describe('an upgrade that adds a field', () => {
  test('waits for whoever reads for long, and nobody waits for it', async () => {
    const url = await emptyDatabase();
    const stores = await Promise.all([openOld(url), openOld(url)]);
    const [first] = stores;
    if (!first) throw new TypeError('no store');
    await createMany(first, 600);
    const { more, stop } = load(stores);
    // As pg_dump does.
    const { run } = await openSession(url);
    await run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const count = 'SELECT count(*) AS n FROM "cars"';
    const before = await run(count);
    const lines: string[] = [];
    let isOpen = false;
    const opening = openStore(url, grown, { report: (line) => lines.push(line) }).then((store) => {
      isOpen = true;
      return store;
    });
    await expect
      .poll(() => lines, { timeout: 60_000 })
      .toContain('the upgrade waits for whoever reads the table "cars", such as a backup: pg_stat_activity tells who');
    await more();
    expect([isOpen, await run(count)]).toEqual([false, before]);
    await run('COMMIT');
    const upgraded = await opening;
    await more();
    expect(await stop()).toEqual([]);
    await upgraded.close();
    expect(lines.slice(1)).toEqual(['the upgrade makes the index "cars_colour", while others read and write']);
  });

  test('makes an index again whose making was broken off', async () => {
    const url = await emptyDatabase();
    await (await openStore(url, grown)).close();
    await query(url, `UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'cars_colour'::regclass`);
    await (await openStore(url, grown)).close();
    const valid = `SELECT indisvalid FROM pg_index WHERE indexrelid = 'cars_colour'::regclass`;
    expect(await query(url, valid)).toEqual([{ indisvalid: true }]);
  });

  test('drops the indexes of version 0.1.0 that no list uses', async () => {
    const url = await emptyDatabase();
    await (await openStore(url, catalogue)).close();
    await query(url, 'CREATE INDEX "cars_brand_sorted" ON "cars" ("_brand", "brand", "_created")');
    await (await openStore(url, catalogue)).close();
    const names = `SELECT indexname FROM pg_indexes WHERE tablename = 'cars' AND indexname NOT LIKE 'cars_search%' ORDER BY 1`;
    expect(await query(url, names)).toEqual(
      ['cars__created', 'cars_brand', 'cars_identifier', 'cars_model', 'cars_pkey', 'cars_revision', 'cars_year'].map(
        (indexname) => ({ indexname }),
      ),
    );
  });

  test('counts what a field holds already that is indexed from now on', async () => {
    const url = await emptyDatabase();
    const store = await openOld(url);
    for (const [key, doors] of [
      ['a', 3],
      ['b', 5],
      ['c', 5],
    ] as const)
      await createCar(store, key, { doors });
    const indexed = defineCatalogue(
      collection(
        'cars',
        { ...specsOf(cars.fields), doors: integer({ min: 0, max: 20, indexed: true }) },
        collection('oils', specsOf(oils.fields)),
      ),
    );
    const { send, close } = await openApp({ database: url, catalogue: indexed });
    onTestFinished(close);
    expect((await send('HEAD', '/api/cars?doors=5')).headers.get('x-total-count')).toBe('2');
  });
});
