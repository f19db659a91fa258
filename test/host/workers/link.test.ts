import { describe, expect, test } from 'vitest';
import type { Intent } from '../../../src/gateway/port/port.ts';
import { Unavailable, unavailable } from '../../../src/gateway/port/unavailable.ts';
import { IMPORTS_AT_ONCE, importQueue } from '../../../src/store/imports/queue.ts';
import type { Store } from '../../../src/store/store.ts';
import { linked } from '../../support/workers/linked.ts';

const INTENT: Intent = { kind: 'create', collection: 'cars', parents: [], cells: ['a', 'Seat', 'Ibiza', 1, null] };

interface Options {
  readonly write?: Store['write'];
  readonly ready?: Store['ready'];
  readonly share?: number;
  readonly workers?: number;
}

/** @returns workers of one primary, each with what ends it */
const open = ({ write = () => new Promise(() => {}), ready = () => true, share = 1, workers }: Options = {}) => {
  const shared = { store: { write, ready }, importQueue: importQueue(share), limits: { most: 4, mostOfClient: 2 } };
  return linked(shared, workers);
};

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

describe('imports of all workers stand in one line', () => {
  const { signal } = new AbortController();
  /** An import that goes on until it is told to end. */
  const begin = (worker: ReturnType<typeof open>[number] | undefined, client = 'a') => {
    const over = Promise.withResolvers<string>();
    const begun = Promise.withResolvers<void>();
    const result = worker?.importQueue.run(
      () => {
        begun.resolve();
        return over.promise;
      },
      { signal, client },
    );
    result?.catch(() => {});
    return { begun: begun.promise, end: () => over.resolve('imported'), result };
  };
  /** As many as may be worked on, by turns. */
  const fill = async (workers: ReturnType<typeof open>) => {
    const imports = Array.from({ length: IMPORTS_AT_ONCE }, (_, at) =>
      begin(workers[at % workers.length], `client ${at}`),
    );
    await Promise.all(imports.map(({ begun }) => begun));
    return imports;
  };

  test('the ninth begins when another has ended', async () => {
    const workers = open();
    const [first] = await fill(workers);
    let hasBegun = false;
    const ninth = begin(workers[1]);
    void ninth.begun.then(() => {
      hasBegun = true;
    });
    expect(await workers[1]?.ready()).toBe(true);
    expect(hasBegun).toBe(false);
    first?.end();
    expect(await first?.result).toBe('imported');
    await ninth.begun;
  });

  test('those of a worker that has ended take no place', async () => {
    const workers = open();
    await fill(workers);
    const waiting = begin(workers[1]);
    workers[0]?.end();
    await waiting.begun;
  });

  test('one client has its share of all', async () => {
    const workers = open({ share: 0.02 });
    const two = [begin(workers[0]), begin(workers[1])];
    await Promise.all(two.map(({ begun }) => begun));
    await expect(begin(workers[0]).result).rejects.toMatchObject({ reason: 'client' });
    await begin(workers[0], 'b').begun;
  });

  test('a client that has gone away waits no more', async () => {
    const workers = open({ share: 0.01 });
    const imports = await fill(workers);
    const leaving = new AbortController();
    const left = workers[0]?.importQueue.run(() => Promise.resolve(), { signal: leaving.signal, client: 'a' });
    expect(await workers[0]?.ready()).toBe(true);
    leaving.abort();
    await expect(left).rejects.toBeInstanceOf(Unavailable);
    // Of the one place in the line that this client may have.
    const next = begin(workers[1]);
    imports[0]?.end();
    await next.begun;
    // Long before the line would give it up.
  }, 30_000);
});

test('a worker closes a connection where all together have too many', async () => {
  const workers = open();
  const closed: (string | undefined)[] = [];
  for (const { sharedPort } of workers) sharedPort.onCrowd((address) => closed.push(address));
  for (const { sharedPort } of [...workers, ...workers]) sharedPort.opened(undefined);
  workers[0]?.sharedPort.opened(undefined);
  workers[1]?.sharedPort.closed(undefined);
  workers[1]?.sharedPort.closed(undefined);
  for (const { sharedPort } of workers) sharedPort.opened('192.0.2.1');
  workers[0]?.sharedPort.opened('192.0.2.1');
  for (const { ready } of workers) await ready();
  expect(closed.filter((address) => address === '192.0.2.1')).toHaveLength(1);
  expect(closed.filter((address) => address === undefined)).not.toEqual([]);
});

describe('workers wait for each other', () => {
  test('until the last has come', async () => {
    const [first, second] = open();
    const seen: string[] = [];
    const early = first?.sharedPort.together().then(() => seen.push('together'));
    expect(await second?.ready()).toBe(true);
    seen.push('the second comes');
    await Promise.all([early, second?.sharedPort.together()]);
    expect(seen).toEqual(['the second comes', 'together']);
  });

  test('but not for one that has ended', async () => {
    const [first, second] = open();
    const met = first?.sharedPort.together();
    expect(await second?.ready()).toBe(true);
    second?.end();
    await met;
    await first?.sharedPort.together();
  });
});
