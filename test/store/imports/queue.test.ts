import { expect, test } from 'vitest';
import type { ImportOptions } from '../../../src/gateway/model/import.ts';
import { Unavailable } from '../../../src/gateway/port/unavailable.ts';
import { IMPORTS_AT_ONCE, importQueue, MOST_WAITING, withImportQueue } from '../../../src/store/imports/queue.ts';
import type { Store } from '../../../src/store/store.ts';
import { cars } from '../../support/conformance/fixtures.ts';

const REPORT = { created: 0, updated: 0, unchanged: 0, skipped: 0, deleted: 0, rejected: 0, cleared: 0 };
const batchOf = (count: number) => ({ bytes: new Uint8Array(), count, keyed: count, unkeyed: 0 });

async function* someRows() {
  yield batchOf(1);
  yield batchOf(2);
}
async function* noRows() {}

/** Imports that end when they are told to. */
const openLine = (share = 1) => {
  const running: (() => void)[] = [];
  const read: number[] = [];
  const importRows: Store['importRows'] = async (_, rows) => {
    await new Promise<void>((resolve) => running.push(resolve));
    let count = 0;
    for await (const chunk of rows) count += chunk.count;
    read.push(count);
    return { kind: 'imported', report: REPORT };
  };
  const line = withImportQueue(importRows, importQueue(share));
  const begin = (rows: Parameters<Store['importRows']>[1] = someRows(), more: Partial<ImportOptions> = {}) => {
    const outcome = line(cars, rows, {
      parents: [],
      assignKey: () => 'a',
      onDuplicate: 'error',
      isLenient: false,
      isCheck: false,
      deletionShare: undefined,
      onRejected: () => {},
      ...more,
    });
    return outcome.then(
      ({ kind }) => kind,
      (error: unknown) => (error instanceof Unavailable ? error.reason : error),
    );
  };
  return { running, read, begin };
};

test('so many imports run at one time, and the others when it is their turn', async () => {
  const { running, read, begin } = openLine();
  const outcomes = Array.from({ length: IMPORTS_AT_ONCE + 3 }, () => begin());
  await expect.poll(() => running.length).toBe(IMPORTS_AT_ONCE);
  for (let at = 0; at < IMPORTS_AT_ONCE + 3; at++) {
    await expect.poll(() => running.length).toBeGreaterThan(at);
    running[at]?.();
  }
  expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['imported']));
  expect(read).toEqual(Array(IMPORTS_AT_ONCE + 3).fill(3));
});

test('one whose rows have not begun takes no place', async () => {
  const { running, begin } = openLine();
  const arrived = new Promise<never>(() => {});
  for (let at = 0; at < 2 * MOST_WAITING; at++) void begin(someRows(), { arrived });
  const outcome = begin();
  await expect.poll(() => running.length).toBe(1);
  running[0]?.();
  expect(await outcome).toBe('imported');
});

test('a file without rows is imported, and one that fails at once gives nothing back', async () => {
  const { running, read, begin } = openLine();
  const empty = begin(noRows());
  await expect.poll(() => running.length).toBe(1);
  running[0]?.();
  expect([await empty, read]).toEqual(['imported', [0]]);
  const failure = new Error('no file');
  expect(await begin(someRows(), { arrived: Promise.reject(failure) })).toBe(failure);
});

test('more than may wait are told to come again, and so is a client that has its share', async () => {
  const { running, begin } = openLine(0.5);
  const own = Array.from({ length: MOST_WAITING / 2 }, () => begin(someRows(), { client: 'a' }));
  await expect.poll(() => running.length).toBe(IMPORTS_AT_ONCE);
  expect(await begin(someRows(), { client: 'a' })).toBe('client');
  const others = Array.from({ length: MOST_WAITING / 2 }, (_, at) => begin(someRows(), { client: `b${at}` }));
  expect(await begin(someRows(), { client: 'c' })).toBe('imports');
  for (let at = 0; at < MOST_WAITING; at++) {
    await expect.poll(() => running.length).toBeGreaterThan(at);
    running[at]?.();
  }
  expect(new Set(await Promise.all([...own, ...others]))).toEqual(new Set(['imported']));
});

test('one whose client leaves while it waits is over', async () => {
  const { running, begin } = openLine();
  for (let at = 0; at < IMPORTS_AT_ONCE; at++) void begin();
  await expect.poll(() => running.length).toBe(IMPORTS_AT_ONCE);
  const leaving = new AbortController();
  const outcome = begin(someRows(), { signal: leaving.signal });
  await new Promise((resolve) => setImmediate(resolve));
  leaving.abort();
  expect(await outcome).toBe('database');
});
