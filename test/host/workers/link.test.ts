import { describe, expect, test } from 'vitest';
import type { Intent } from '../../../src/gateway/port/port.ts';
import { Unavailable, unavailable } from '../../../src/gateway/port/unavailable.ts';
import type { Store } from '../../../src/store/store.ts';
import { linked } from '../../support/workers/linked.ts';

const INTENT: Intent = { kind: 'create', collection: 'cars', parents: [], cells: ['a', 'Seat', 'Ibiza', 1, null] };

interface Options {
  readonly write?: Store['write'];
  readonly ready?: Store['ready'];
}

/** @returns workers of one primary, each with what ends it */
const open = ({ write = () => new Promise(() => {}), ready = () => true }: Options = {}) => linked({ write, ready });

test('a write has its outcome, whatever the primary writes meanwhile', async () => {
  const seen: Intent[] = [];
  const workers = open({
    write: async (intent) => {
      seen.push(intent);
      return { kind: 'written', row: [seen.length, 'a'] };
    },
  });
  const outcomes = await Promise.all([...workers, ...workers].map(({ write }) => write(INTENT)));
  // What a worker sends in one turn comes together.
  expect(outcomes).toEqual([1, 3, 2, 4].map((revision) => ({ kind: 'written', row: [revision, 'a'] })));
  expect(seen).toEqual(Array(4).fill(INTENT));
});

test.each([
  ['unavailable', unavailable(new Error('the database is locked')), Unavailable, 'the database is locked'],
  ['a fault', new TypeError('no such field'), Error, 'no such field'],
])('a write that fails tells why: %s', async (_, error, kind, reason) => {
  const [worker] = open({ write: () => Promise.reject(error) });
  const found = await worker?.write(INTENT).catch((failure: unknown) => failure);
  expect(found).toBeInstanceOf(kind);
  const { cause, message } = found as Error;
  expect(cause instanceof Error ? cause.message : message).toBe(reason);
});

test.each([true, false])('a worker is ready as its primary is: %s', async (isReady) => {
  const [worker] = open({ ready: async () => isReady });
  expect(await worker?.ready()).toBe(isReady);
});

describe('workers wait for each other', () => {
  test('until the last has come', async () => {
    const [first, second] = open();
    const seen: string[] = [];
    const early = first?.together().then(() => seen.push('together'));
    expect(await second?.ready()).toBe(true);
    seen.push('the second comes');
    await Promise.all([early, second?.together()]);
    expect(seen).toEqual(['the second comes', 'together']);
  });

  test('but not for one that has ended', async () => {
    const [first, second] = open();
    const met = first?.together();
    expect(await second?.ready()).toBe(true);
    second?.end();
    await met;
    await first?.together();
  });
});
