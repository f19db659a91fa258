/** What is delivered, and when, by a clock of the tests. */
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Answer } from '../../../src/host/hooks/attempt.ts';
import { createChangesReader } from '../../../src/host/hooks/changes.ts';
import { Deliverer } from '../../../src/host/hooks/delivery.ts';
import { openStore } from '../../../src/host/service/open-store.ts';
import { loadLocales } from '../../../src/host/tables/load.ts';
import type { HookBatch, StoredHook } from '../../../src/store/clients.ts';
import type { Store } from '../../../src/store/store.ts';
import { localesFolder } from '../../support/app/app.ts';
import { catalogue } from '../../support/cars/catalogue.ts';
import { cars, createCar, remove } from '../../support/conformance/fixtures.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const SECOND = 1_000;
const locales = loadLocales(catalogue, localesFolder, 'en');

const hook: StoredHook = {
  id: 'a',
  url: 'https://shop.example/secret',
  list: '/api/coches?marca=Seat',
  language: 'es',
  collection: 'cars',
  secret: 'whsec_AAAA',
  created: 0,
  state: { position: '0', failures: 0, next: 0, isSuspended: false },
};

let store: Store;
let time: number;
let sent: HookBatch[];
let lines: string[];
beforeEach(async () => {
  store = await openStore('sqlite::memory:', catalogue);
  onTestFinished(() => store.close());
  [time, sent, lines] = [Date.UTC(2026, 10, 24), [], []];
  await createCar(store, 'ibiza', { brand: 'Seat', model: 'Ibiza' });
});

const ok: Answer = { status: 200, retryAfter: undefined };
/** Answers by turns; the last one from then on. */
const newDelivery = (...answers: readonly (Answer | Error)[]) => {
  const left = [...answers];
  return new Deliverer({
    hooks: store.hooks,
    read: createChangesReader(catalogue, locales, 'en', store),
    send: async (_, batch) => {
      sent.push(batch);
      const answer = left.length > 1 ? left.shift() : left[0];
      if (answer instanceof Error) throw answer;
      return answer ?? ok;
    },
    patience: 7 * DAY,
    log: (level, line) => void lines.push(`${level}: ${line}`),
    now: () => time,
  });
};
/** Looks, and waits until all that was begun is done. */
const look = async (deliverer: Deliverer): Promise<void> => {
  await deliverer.look();
  await deliverer.settle();
};
const data = (): unknown[] => sent.map(({ body }) => JSON.parse(body).data);
const stateOf = async () => (await store.hooks.all())[0]?.state;

test('changes are sent in the words of the hook’s language, each once, and deletions', async () => {
  await store.hooks.add(hook);
  const delivery = newDelivery(ok);
  await look(delivery);
  await look(delivery);
  expect(JSON.parse(sent[0]?.body ?? '')).toEqual({
    type: 'cars.changed',
    timestamp: '2026-11-24T00:00:00.000Z',
    position: (await stateOf())?.position,
    data: [{ identificador: 'ibiza', marca: 'Seat', modelo: 'Ibiza' }],
  });
  expect(sent).toHaveLength(1);
  await remove(store, cars, ['ibiza']);
  await look(delivery);
  expect(data()[1]).toEqual([{ identificador: 'ibiza', eliminado: true }]);
  expect(lines).toEqual([]);
});

test('more changes than a batch has come in several, in order', async () => {
  for (let at = 0; at < 240; at++) await createCar(store, `k${at}`, { brand: 'Seat', model: 'León' });
  await store.hooks.add(hook);
  await look(newDelivery(ok));
  expect(data().map((each) => (each as unknown[]).length)).toEqual([100, 100, 41]);
  const keys = data().flatMap((each) =>
    (each as { identificador: string }[]).map(({ identificador }) => identificador),
  );
  expect(keys).toEqual(['ibiza', ...Array.from({ length: 240 }, (_, at) => `k${at}`)]);
});

test('what has failed is sent again as it was, whatever has changed meanwhile, ever later, and then what comes next', async () => {
  await store.hooks.add(hook);
  const delivery = newDelivery({ status: 500, retryAfter: undefined }, new Error('connect ECONNREFUSED'), ok);
  await look(delivery);
  await remove(store, cars, ['ibiza']);
  time += 4 * SECOND;
  await look(delivery);
  expect(sent).toHaveLength(1);
  expect(await stateOf()).toMatchObject({ failures: 1, fault: 'HTTP 500', since: Date.UTC(2026, 10, 24) });
  time += 6 * SECOND;
  await look(delivery);
  expect(sent).toHaveLength(2);
  expect(await stateOf()).toMatchObject({ failures: 2, fault: 'connect ECONNREFUSED' });
  time += 20 * SECOND;
  await look(delivery);
  expect(sent.map(({ id }) => id === sent[0]?.id)).toEqual([true, true, true, false]);
  expect(new Set(sent.slice(0, 3).map(({ body }) => body)).size).toBe(1);
  expect(data().at(-1)).toEqual([{ identificador: 'ibiza', eliminado: true }]);
  expect(lines).toEqual([
    'warn: hook a (shop.example): HTTP 500; it is tried again',
    'info: hook a (shop.example): delivered again',
  ]);
});

test.each([
  [{ status: 429, retryAfter: 600 * SECOND }, 599 * SECOND, 601 * SECOND],
  [{ status: 503, retryAfter: 9 * HOUR }, HOUR - SECOND, HOUR + SECOND],
  [{ status: 302, retryAfter: undefined }, 4 * SECOND, 10 * SECOND],
] as const)('after %j the next try is so late', async (answer, early, late) => {
  await store.hooks.add(hook);
  const delivery = newDelivery(answer, ok);
  await look(delivery);
  time += early;
  await look(delivery);
  expect(sent).toHaveLength(1);
  time += late - early;
  await look(delivery);
  expect(sent).toHaveLength(2);
});

test('what fails for seven days is suspended, loudly, and nothing is skipped: it goes on where it stopped', async () => {
  await store.hooks.add(hook);
  const delivery = newDelivery({ status: 404, retryAfter: undefined });
  for (const end = time + 7 * DAY; time <= end; time += HOUR) await look(delivery);
  const tries = sent.length;
  expect(tries).toBeGreaterThan(7 * 24 - 2);
  expect(await stateOf()).toMatchObject({ isSuspended: true, fault: 'HTTP 404' });
  expect(lines.at(-1)).toBe('error: hook a (shop.example) is suspended: HTTP 404; npm run hook -- resume a');
  time += DAY;
  await look(delivery);
  expect(sent).toHaveLength(tries);

  await delivery.close();
  const suspended = await stateOf();
  if (suspended) await store.hooks.save('a', suspended, { ...suspended, failures: 0, next: 0, isSuspended: false });
  await look(newDelivery(ok));
  expect(sent.at(-1)).toEqual(sent[0]);
});

test('a receiver that never answers holds up no other one', async () => {
  await store.hooks.add(hook);
  await store.hooks.add({ ...hook, id: 'b' });
  const asked: string[] = [];
  const deliverer = new Deliverer({
    hooks: store.hooks,
    read: createChangesReader(catalogue, locales, 'en', store),
    send: (to) => {
      asked.push(to.id);
      return to.id === 'a' ? new Promise<never>(() => {}) : Promise.resolve(ok);
    },
    patience: 7 * DAY,
    log: () => {},
    now: () => time,
  });
  await deliverer.look();
  await expect.poll(() => asked).toContain('a');
  await createCar(store, 'leon', { brand: 'Seat', model: 'León' });
  const deliver = async (): Promise<number> => {
    await deliverer.look();
    return asked.filter((id) => id === 'b').length;
  };
  await expect.poll(deliver).toBe(2);
});

test('410 removes the hook', async () => {
  await store.hooks.add(hook);
  await look(newDelivery({ status: 410, retryAfter: undefined }));
  expect(await store.hooks.all()).toEqual([]);
  expect(lines).toEqual(['warn: hook a (shop.example) is removed: HTTP 410']);
});

test('a position that is gone is told as such, and what comes after it is sent', async () => {
  await store.hooks.add({ ...hook, list: '/api/coches', state: { ...hook.state, position: 'zzzzzzzzz' } });
  const delivery = newDelivery(ok);
  await look(delivery);
  expect(sent.map(({ body }) => JSON.parse(body))).toMatchObject([{ type: 'cars.gone', data: [] }]);
  await createCar(store, 'leon', { brand: 'Seat', model: 'León' });
  await look(delivery);
  expect(data()[1]).toEqual([{ identificador: 'leon', marca: 'Seat', modelo: 'León' }]);
});

test.each([
  ['a table that is not there any more', { language: 'ca' }, 'there is no table ca.json'],
  ['a word that its table has no more', { list: '/api/coches?marca_vieja=Seat' }, /^HTTP 400: .*marca_vieja/],
] as const)('%s is a failure', async (_, changed, fault) => {
  await store.hooks.add({ ...hook, ...changed });
  await look(newDelivery(ok));
  expect(sent).toEqual([]);
  expect((await stateOf())?.fault).toMatch(fault);
});

test('one process at a time has a hook; where it ended without a word, another one goes on after a minute', async () => {
  await store.hooks.add(hook);
  await store.hooks.take('a', 'somebody else', time, time + 60 * SECOND);
  const delivery = newDelivery(ok);
  await look(delivery);
  expect(sent).toEqual([]);
  time += 61 * SECOND;
  await look(delivery);
  expect(sent).toHaveLength(1);
  await delivery.close();
  expect(await store.hooks.take('a', 'somebody else', time, time)).toMatchObject({ id: 'a' });
});
