/** How much work on lists one turn of the event loop does, by a clock that each piece of work moves on. */
import { setImmediate } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import type { Row } from '../../../src/gateway/port/port.ts';
import { Scheduler, streamList, writeWhole } from '../../../src/gateway/write/list.ts';
import type { Store } from '../../../src/store/store.ts';
import { openApp } from '../../support/app/app.ts';
import { chunked, spoilLists } from '../../support/database/reads.ts';

let time = 0;
beforeEach(() => {
  time = 0;
});
const worked = (duration: number): void => {
  time += duration;
};

/** @returns how much was done in each of the next turns */
const turns = async (count: number, done: () => number): Promise<readonly number[]> => {
  const seen: number[] = [];
  for (let at = 0; at < count; at++) {
    const before = done();
    await setImmediate();
    seen.push(done() - before);
  }
  return seen;
};

test.each([
  ['a millisecond each: five in a turn', 1, [5, 5, 5, 5]],
  ['two milliseconds each: a third begins within the time', 2, [3, 3, 3, 3]],
  ['longer than a turn: one', 40, [1, 1, 1, 1]],
  ['no time at all: all of them', 0, [20, 0, 0, 0]],
])('work of %s', async (_, duration, expected) => {
  const scheduler = new Scheduler(() => time);
  let done = 0;
  const all = Array.from({ length: 20 }, (_, at) =>
    scheduler.run(() => {
      worked(duration);
      done += 1;
      return at;
    }),
  );
  expect(done).toBe(0);
  expect(await turns(4, () => done)).toEqual(expected);
  expect(await Promise.all(all)).toEqual(Array.from({ length: 20 }, (_, at) => at));
});

test.each([
  ['nothing', 0, 1],
  ['a little', 0.1, 16],
])('between two turns the event loop goes round while there is other work to do: %s', async (_, other, expected) => {
  const scheduler = new Scheduler(() => time);
  const begun: number[] = [];
  let iteration = 0;
  for (let at = 0; at < 3; at++) {
    void scheduler.run(() => {
      begun.push(iteration);
      worked(40);
    });
  }
  for (; iteration < 50; iteration++) {
    await setImmediate();
    worked(other);
  }
  const [first = 0, second = 0, third = 0] = begun;
  expect([second - first, third - second]).toEqual([expected, expected]);
});

/** Longer than any turn's budget. */
const burn = (): void => {
  const end = performance.now() + 6;
  while (performance.now() < end);
};

const LISTS = 6;
const CHUNKS = 3;

test('however many long lists are sent, a turn reads one slow chunk', async () => {
  let read = 0;
  function* chunks(): Generator<readonly Row[], undefined> {
    for (let at = 0; at < CHUNKS; at++) {
      burn();
      read += 1;
      yield [[at]];
    }
  }
  const fault = (error: unknown): void => {
    throw error;
  };
  const lists = Array.from({ length: LISTS }, () =>
    new Response(streamList(chunked(chunks()), { start: '[', row: String, separator: ',', end: ']' }, fault)).text(),
  );
  const seen = await turns(LISTS * CHUNKS, () => read);
  expect(Math.max(...seen)).toBe(1);
  expect(await Promise.all(lists)).toEqual(lists.map(() => '[0,1,2]'));
});

test('however many lists are asked for, a turn begins one that is slow, and health checks are answered in between', async () => {
  let begun = 0;
  const spoil = (store: Store): Partial<Store> =>
    spoilLists(store, (read) => {
      burn();
      begun += 1;
      return read();
    });
  const { app, close } = await openApp({ database: 'sqlite::memory:', spoil });
  const paths = ['/api/cars', '/api/coches?numero_de_elementos=200'];
  const answers = paths.flatMap((path) => Array.from({ length: LISTS }, () => app.request(path)));
  expect(begun).toBe(0);
  expect(Math.max(...(await turns(answers.length, () => begun)))).toBe(1);
  for (const answer of await Promise.all(answers)) expect([answer.status, await answer.text()]).toEqual([200, '[]']);
  const order: string[] = [];
  const later = async (path: string): Promise<void> => {
    expect((await app.request(path)).status).toBe(200);
    order.push(path);
  };
  await Promise.all([...Array.from({ length: LISTS }, () => later('/api/cars')), later('/livez')]);
  expect(order.indexOf('/livez')).toBeLessThan(LISTS / 2);
  await close();
});

test('a format says how a list without rows is written; chunks without any add nothing', async () => {
  const items = { start: '', row: () => '- item\n', separator: '', end: '' };
  const written = (list: typeof items & { readonly empty?: string }, rows: readonly Row[]) =>
    Promise.all([writeWhole(list, rows), new Response(streamList({ rows }, list, () => {})).text()]);
  expect(await written({ ...items, empty: '[]\n' }, [])).toEqual(['[]\n', '[]\n']);
  expect(await written({ ...items, empty: '[]\n' }, [[1, 'a']])).toEqual(['- item\n', '- item\n']);
  expect(await written({ ...items, start: '[', end: ']' }, [])).toEqual(['[]', '[]']);
  const chunks = chunked([[[1]], [], [[2], [3]]]);
  const list = { start: '[', row: String, separator: ',', end: ']' };
  expect(await new Response(streamList(chunks, list, () => {})).text()).toBe('[1,2,3]');
});
