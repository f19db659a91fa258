import { expect, test } from 'vitest';
import type { ImportOptions, RowSource } from '../../../src/gateway/model/import.ts';
import { Unavailable } from '../../../src/gateway/port/unavailable.ts';
import { IMPORTS_AT_ONCE, ImportQueue, MOST_IMPORTS } from '../../../src/store/imports/import-rows.ts';
import type { Store } from '../../../src/store/store.ts';
import { cars } from '../../support/conformance/fixtures.ts';

const REPORT = { created: 0, updated: 0, unchanged: 0, skipped: 0, deleted: 0, rejected: 0, cleared: 0 };
/** A file that nobody reads. */
const aFile = (arrived = Promise.resolve()): RowSource => ({
  receive: () => arrived,
  read: () => Promise.reject(new Error('a file was read')),
});

/** Imports that end when they are told to. */
const openLine = (share = 1) => {
  const running: (() => void)[] = [];
  const importRows: Store['importRows'] = async () => {
    await new Promise<void>((resolve) => running.push(resolve));
    return { kind: 'imported', report: REPORT };
  };
  const line = new ImportQueue(share).wrap(importRows);
  const begin = (more: Partial<ImportOptions> = {}, arrived?: Promise<void>) => {
    const outcome = line(cars, aFile(arrived), {
      parents: [],
      assignKey: () => 'a',
      onDuplicate: 'error',
      isLenient: false,
      isCheck: false,
      deletionShare: undefined,
      ...more,
    });
    return outcome.then(
      ({ kind }) => kind,
      (error: unknown) => (error instanceof Unavailable ? error.reason : error),
    );
  };
  return { running, begin };
};

test('slow clients whose files have not arrived do not hold up others, and have no more than their share', async () => {
  const { running, begin } = openLine(0.5);
  const arrived = new Promise<never>(() => {});
  for (let at = 0; at < MOST_IMPORTS / 2; at++) void begin({ client: 'a' }, arrived);
  expect(await begin({ client: 'a' }, arrived)).toBe('client');
  const outcome = begin({ client: 'b' });
  await expect.poll(() => running.length).toBe(1);
  running[0]?.();
  expect(await outcome).toBe('imported');
});

test('a file that fails before it has arrived takes no place', async () => {
  const { running, begin } = openLine();
  const failure = new Error('no file');
  expect(await begin({}, Promise.reject(failure))).toBe(failure);
  expect(running).toEqual([]);
});

test('more than may wait are told to come again, and so is a client that has its share', async () => {
  const { running, begin } = openLine(0.5);
  const own = Array.from({ length: MOST_IMPORTS / 2 }, () => begin({ client: 'a' }));
  await expect.poll(() => running.length).toBe(IMPORTS_AT_ONCE);
  expect(await begin({ client: 'a' })).toBe('client');
  const others = Array.from({ length: MOST_IMPORTS / 2 }, (_, at) => begin({ client: `b${at}` }));
  expect(await begin({ client: 'c' })).toBe('imports');
  for (let at = 0; at < MOST_IMPORTS; at++) {
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
  const outcome = begin({ signal: leaving.signal });
  await new Promise((resolve) => setImmediate(resolve));
  leaving.abort();
  expect(await outcome).toBe('database');
});
