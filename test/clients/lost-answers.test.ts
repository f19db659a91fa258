/** Before the service stands a proxy that breaks connections once it was answered. */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { connect } from '../../clients/en/index.js';
import { openServer } from '../support/app/server.ts';
import { openRelay, type Relay } from '../support/faults/relay.ts';

let server: Awaited<ReturnType<typeof openServer>>;
let relay: Relay;
const cleanUps: (() => void)[] = [];
beforeAll(async () => {
  server = await openServer();
  relay = await openRelay(server.port, (cleanUp) => cleanUps.push(cleanUp));
  // No pause is longer than none.
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterAll(async () => {
  vi.restoreAllMocks();
  for (const cleanUp of cleanUps) cleanUp();
  await server.close();
});

/** What others do, who have no proxy. */
const others = () => connect(server.origin).cars;
const cars = () => connect(`http://127.0.0.1:${relay.port}`).cars;

/** Loses the next answer, once `meanwhile` is done. */
const loseOne = (meanwhile?: () => Promise<unknown>): void => {
  let isLost = false;
  relay.inspect({
    answered: async () => {
      if (isLost) return 'pass';
      isLost = true;
      await meanwhile?.();
      return 'cut';
    },
  });
};

beforeEach(async () => {
  relay.inspect({});
  for await (const { identifier } of others().iterate()) await others().delete(identifier);
});

const ibiza = { identifier: 'ibiza', brand: 'Seat', model: 'Ibiza' };

test('an item is created once, and the answer is that of the first try', async () => {
  loseOne();
  const { item } = await cars().create({ brand: 'Seat', model: 'Ibiza' });
  expect((await others().list()).items).toEqual([item]);
});

describe('a change with the tag', () => {
  test('is no conflict with itself', async () => {
    const { tag } = await others().create({ ...ibiza, year: 2008 });
    loseOne();
    const changed = await cars().update('ibiza', { doors: 5, year: null, fuel: undefined }, { tag });
    expect(changed).toEqual(await others().read('ibiza'));
    expect(changed.item).toEqual({ ...ibiza, doors: 5 });
  });

  test('was made where others then changed something else', async () => {
    const { tag } = await others().create(ibiza);
    loseOne(() => others().update('ibiza', { year: 2010 }));
    const { item } = await cars().update('ibiza', { doors: 5 }, { tag });
    expect(item).toEqual({ ...ibiza, year: 2010, doors: 5 });
  });

  test('is a conflict where others then changed the same', async () => {
    const { tag } = await others().create(ibiza);
    loseOne(() => others().update('ibiza', { doors: 3 }));
    await expect(cars().update('ibiza', { doors: 5 }, { tag })).rejects.toMatchObject({ code: 'precondition-failed' });
    expect((await others().read('ibiza')).item).toEqual({ ...ibiza, doors: 3 });
  });

  test('is a conflict where others changed the item before, whatever they changed', async () => {
    const { tag } = await others().create(ibiza);
    await others().update('ibiza', { doors: 5 });
    await expect(cars().update('ibiza', { doors: 5 }, { tag })).rejects.toMatchObject({ code: 'precondition-failed' });
  });
});

test('a deleted item is gone, and is no error; one that was never there is', async () => {
  const { tag } = await others().create(ibiza);
  loseOne();
  await cars().delete('ibiza', { tag });
  await expect(cars().delete('ibiza', { tag })).rejects.toMatchObject({ code: 'not-found', tries: 1 });
});

test('a file is imported once, and its report is the first', async () => {
  loseOne();
  const report = await cars().import('brand,model\nSeat,Ibiza\nSeat,León\n');
  expect(report).toMatchObject({ created: 2 });
  expect((await others().list()).total).toBe(2);
});

describe('of many cars', () => {
  const models = Array.from({ length: 40 }, (_, at) => `Model ${at}`);
  beforeEach(async () => {
    await others().import(
      `brand,model,version\n${models.map((model) => `Seat,${model},${'x'.repeat(190)}\n`).join('')}`,
    );
  });

  test('all are read, though every second answer is lost', async () => {
    let pieces = 0;
    relay.inspect({ answered: () => (pieces++ % 2 === 0 ? 'cut' : 'pass') });
    const read: string[] = [];
    for await (const { model } of cars().iterate({ number_of_elements: 7 })) read.push(model);
    expect(read).toEqual(models);
  });

  test('a list that breaks off is asked for again', async () => {
    let sent = 0;
    relay.inspect({
      answered: (piece) => {
        // The end of the first answer.
        const isEnd = piece.includes('Model 39');
        return isEnd && sent++ === 0 ? 'cut' : 'pass';
      },
    });
    const { items } = await cars().list();
    expect([items.length, sent]).toEqual([40, 2]);
  });

  test('the changes of all are told', async () => {
    const { position } = await others().list();
    for await (const { identifier } of others().iterate()) await others().update(identifier, { doors: 5 });
    loseOne();
    const told: string[] = [];
    for await (const { items } of cars().follow(position, { number_of_elements: 15 }))
      told.push(...items.map(({ model = '' }) => model));
    expect(told).toEqual(models);
  });
});
