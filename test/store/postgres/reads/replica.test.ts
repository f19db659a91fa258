import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../../../src/host/service/open-store.ts';
import { openApp } from '../../../support/app/app.ts';
import { catalogue } from '../../../support/cars/catalogue.ts';
import { cars, cellOf, createCar, createMany, createOil, readList } from '../../../support/conformance/fixtures.ts';
import { preparedDatabase } from '../../../support/database/database.ts';
import { query } from '../../../support/database/postgres.ts';
import { getItem } from '../../../support/database/reads.ts';
import { openRelay, type Relay } from '../../../support/faults/relay.ts';

/** Two databases that differ, so that each answer tells which of them was asked. */
const makeBoth = async () => {
  const [database, readUrl] = [await preparedDatabase(), await preparedDatabase()];
  const [primary, replica] = await Promise.all(
    [database, readUrl].map((url) => openStore(url, catalogue, { pool: 2 })),
  );
  if (!primary || !replica) throw new TypeError('no store');
  for (const [store, name] of [
    [primary, 'primary'],
    [replica, 'replica'],
  ] as const) {
    await createCar(store, 'a', { version: name });
    await createOil(store, 'a', '5W-30', { otherInfo: name });
  }
  await createCar(primary, 'new', { version: 'primary' });
  onTestFinished(async () => {
    for (const each of [primary, replica]) await each.close();
  });
  return { database, readUrl, replica };
};

const open = async () => {
  const { database, readUrl, replica } = await makeBoth();
  const { send, close } = await openApp({ database, readUrl });
  onTestFinished(close);
  return { send, replica, readUrl };
};

test('lists, and items without a condition, are read from the replica', async () => {
  const { send } = await open();
  expect((await send('GET', '/api/cars/a')).json.version).toBe('replica');
  expect((await send('GET', '/api/coches/a/aceites/5W-30')).json.otros_datos).toBe('replica');
  expect((await send('GET', '/api/cars')).json).toHaveLength(1);
  expect((await send('GET', '/api/coches?marca=seat&ordenar_por=version')).json[0].version).toBe('replica');
  expect((await send('HEAD', '/api/cars')).headers.get('x-total-count')).toBe('1');
  expect((await send('GET', '/api/cars/a/oils')).json[0].otherInfo).toBe('replica');
});

test('an item with a condition, and all that writes ask for, is read where it is written', async () => {
  const { send } = await open();
  const conditional = await send('GET', '/api/cars/a', undefined, { 'if-none-match': '"99.en"' });
  expect(conditional.json.version).toBe('primary');
  expect((await send('PUT', '/api/coches/new', { puertas: 5 })).json.version).toBe('primary');
  expect((await send('PUT', '/api/cars/new', { doors: '5' })).status).toBe(400);
  expect((await send('POST', '/api/cars', { identifier: 'new', brand: 'x', model: 'y' })).status).toBe(409);
});

test('an item that the replica does not have yet is not missing', async () => {
  const { send } = await open();
  const found = await send('GET', '/api/cars/new');
  expect([found.status, found.json.version]).toEqual([200, 'primary']);
  expect((await send('GET', '/api/cars/none')).status).toBe(404);
});

test('long lists come from it too', async () => {
  const { send, replica } = await open();
  await createMany(replica, 700);
  expect((await send('GET', '/api/cars')).json).toHaveLength(701);
});

test('where the replica cannot answer the primary does', async () => {
  const { send, readUrl } = await open();
  await query(readUrl, 'DROP TABLE "oils", "cars", "_change"');
  const paths = ['/api/cars', '/api/coches/a', '/api/cars/a/oils', '/readyz'];
  const answers = await Promise.all(paths.map((path) => send('GET', path)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(answers.slice(0, 3).map(({ json }) => json)).toMatchObject([
    [{ version: 'primary' }, { version: 'primary' }],
    { version: 'primary' },
    [{ otherInfo: 'primary' }],
  ]);
  expect((await send('PUT', '/api/cars/a', { doors: 5 })).status).toBe(200);
});

test.each([
  ['cannot be reached', (relay: Relay, isGone: boolean) => relay.setReachable(!isGone)],
  ['is cut off without a word', (relay: Relay, isGone: boolean) => relay.setSilent(isGone)],
])('while the replica %s the primary is asked, until the replica answers again', async (_, set) => {
  const { database, readUrl } = await makeBoth();
  const through = new URL(readUrl);
  const relay = await openRelay(Number(through.port));
  through.port = String(relay.port);
  const lines: string[] = [];
  const report = (line: string): void => void lines.push(line);
  const store = await openStore(database, catalogue, { readUrl: through.href, pool: 2, timeout: 1_000, report });
  onTestFinished(() => store.close());
  /** Item and list at once, more often than there are connections. */
  const sources = async () => {
    const read = Array.from({ length: 4 }, async () => [
      cellOf(cars, await getItem(store, cars, ['a'], 'any'), 'version'),
      (await readList(store, cars, []))?.total === 1 ? 'replica' : 'primary',
    ]);
    return new Set((await Promise.all(read)).flat());
  };
  expect(await sources()).toEqual(new Set(['replica']));
  set(relay, true);
  expect(await sources()).toEqual(new Set(['primary']));
  expect(await store.ready()).toBe(true);
  expect(lines).toEqual([
    expect.stringMatching(/^DATABASE_READ_URL: the replica does not answer \(.+\): the primary is asked instead$/),
  ]);
  set(relay, false);
  await expect
    .poll(() => lines.slice(1), { timeout: 30_000, interval: 20 })
    .toEqual(['DATABASE_READ_URL: the replica answers again']);
  expect(await sources()).toEqual(new Set(['replica']));
});

test('a list in an item that the replica does not have yet is read on the primary', async () => {
  const { send } = await open();
  expect((await send('POST', '/api/cars/new/oils', { type: '10W/40' })).status).toBe(201);
  const oils = await send('GET', '/api/coches/new/aceites');
  expect([oils.status, oils.json]).toEqual([200, [{ tipo: '10W/40' }]]);
  expect((await send('HEAD', '/api/cars/new/oils')).headers.get('x-total-count')).toBe('1');
  expect((await send('GET', '/api/cars/none/oils')).status).toBe(404);
});
