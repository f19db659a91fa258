import { describe, expect, test } from 'vitest';
import type { Caller, Listing, Row } from '../../src/store/port.ts';
import { inSlot, type Slots, slots } from '../../src/store/slots.ts';

const callerAt = (client: string | undefined): Caller => ({ client, signal: new AbortController().signal });
const refusal = (reason: string) => ({ code: 'unavailable', reason });

/** @returns what gives each slot back */
const takeMany = (from: Slots, count: number, caller?: Caller): readonly (() => void)[] =>
  Array.from({ length: count }, () => from.take(caller));

const caught = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

describe('slots', () => {
  test('are refused when all are taken, until one is given back', () => {
    const lists = slots(3, 1, 'lists');
    const [first] = takeMany(lists, 3);
    expect(caught(() => lists.take())).toMatchObject(refusal('lists'));
    first?.();
    first?.();
    lists.take();
    expect(caught(() => lists.take())).toMatchObject(refusal('lists'));
  });

  test.each([
    [10, 0.5, 5],
    [10, 0.25, 2],
    [10, 0.01, 1],
    [1, 0.5, 1],
    [32, 1, 32],
  ])('of %i, a share of %d is %i for one client', (all, share, limit) => {
    const lists = slots(all, share, 'lists');
    const taken = takeMany(lists, limit, callerAt('10.0.0.1'));
    const expected = limit === all ? refusal('lists') : refusal('client');
    expect(caught(() => lists.take(callerAt('10.0.0.1')))).toMatchObject(expected);
    taken[0]?.();
    lists.take(callerAt('10.0.0.1'));
  });

  test('are shared by all clients, and those without an address have no share of their own', () => {
    const lists = slots(6, 0.5, 'reads');
    takeMany(lists, 3, callerAt('10.0.0.1'));
    takeMany(lists, 3, callerAt(undefined));
    expect(caught(() => lists.take(callerAt('10.0.0.2')))).toMatchObject(refusal('reads'));
    const others = slots(6, 0.5, 'reads');
    takeMany(others, 6, callerAt(undefined));
  });

  test('are not taken for a client that has gone away', () => {
    const lists = slots(1, 1, 'lists');
    expect(caught(() => lists.take({ client: 'a', signal: AbortSignal.abort() }))).toMatchObject({
      code: 'unavailable',
      reason: 'database',
    });
    lists.take();
  });
});

const listing = (long: boolean, chunks: Listing['chunks']): Listing => ({ total: 2, change: 1, long, chunks });
function* two(): Generator<readonly Row[], undefined> {
  yield [[1, 'a']];
  yield [[2, 'b']];
}
function* broken(): Generator<readonly Row[], undefined> {
  yield [[1, 'a']];
  throw new Error('broken');
}

describe('a list in its slot', () => {
  const lists = slots(1, 1, 'lists');
  const isFree = (): boolean => {
    try {
      lists.take()();
      return true;
    } catch {
      return false;
    }
  };
  const open = async (made: Listing): Promise<Listing> => (await inSlot(lists, undefined, () => made)) as Listing;

  test('that is long keeps it until its end', async () => {
    const { chunks } = await open(listing(true, two()));
    for (const key of ['a', 'b']) {
      expect((await chunks.next()).value?.[0]?.[1]).toBe(key);
      expect(isFree()).toBe(false);
    }
    expect((await chunks.next()).done).toBe(true);
    expect(isFree()).toBe(true);
  });

  test('that is long gives it back when it is returned, even if it was never begun, or breaks off', async () => {
    await (await open(listing(true, two()))).chunks.return?.();
    expect(isFree()).toBe(true);
    const { chunks } = await open(listing(true, broken()));
    await chunks.next();
    expect(isFree()).toBe(false);
    await expect(async () => chunks.next()).rejects.toThrow('broken');
    expect(isFree()).toBe(true);
  });

  test('that is short, missing or cannot be opened gives it back at once', async () => {
    await open(listing(false, two()));
    expect(isFree()).toBe(true);
    expect(await inSlot(lists, undefined, async () => undefined)).toBe(undefined);
    expect(isFree()).toBe(true);
    const fault = (): never => {
      throw new Error('no');
    };
    expect(() => inSlot(lists, undefined, fault)).toThrow('no');
    await expect(inSlot(lists, undefined, async () => fault())).rejects.toThrow('no');
    expect(isFree()).toBe(true);
  });
});
