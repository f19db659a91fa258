import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Chunks, Found, Row } from '../../src/gateway/port/port.ts';
import { refuseAs } from '../../src/gateway/port/unavailable.ts';
import { ListStreams } from '../../src/store/streams.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const TIMEOUT = 900_000;
const open = (): ListStreams => new ListStreams({ limit: 1, refuse: refuseAs('lists') }, 1, TIMEOUT);

/** Two chunks, after which the list ends, or breaks off; `returned` counts how often it was given up. */
const list = (ending: 'ends' | 'breaks' = 'ends') => {
  const rows: Row[][] = [[[1, 'a']], [[2, 'b']]];
  let returned = 0;
  const rest: Chunks = {
    next: async () => {
      const value = rows.shift();
      if (value) return { done: false, value };
      if (ending === 'breaks') throw new Error('broken');
      return { done: true, value: undefined };
    },
    return: async () => {
      returned += 1;
      return { done: true, value: undefined };
    },
  };
  const found: Found = { total: 3, change: 1, rows: [[0, 'first']], rest };
  return { read: async () => found, returned: () => returned };
};

/** Expects the one place to be taken, or free. */
const expectPlace = async (streams: ListStreams, is: 'taken' | 'free'): Promise<void> => {
  const tried = streams.read(async () => undefined);
  if (is === 'free') expect(await tried).toBeUndefined();
  else await expect(tried).rejects.toMatchObject({ code: 'unavailable', reason: 'lists' });
};

describe('a list has its place', () => {
  test('until its end', async () => {
    const streams = open();
    const found = await streams.read(list().read);
    expect(found?.rows).toEqual([[0, 'first']]);
    for (const key of ['a', 'b']) {
      expect((await found?.rest?.next())?.value?.[0]?.[1]).toBe(key);
      await expectPlace(streams, 'taken');
    }
    expect((await found?.rest?.next())?.done).toBe(true);
    await expectPlace(streams, 'free');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('until it is returned, even if it was never begun, and returning it twice frees one place', async () => {
    const streams = open();
    const { read, returned } = list();
    const found = await streams.read(read);
    await found?.rest?.return?.();
    await found?.rest?.return?.();
    expect(returned()).toBeGreaterThan(0);
    await streams.read(list().read);
    await expectPlace(streams, 'taken');
  });

  test('until it breaks off', async () => {
    const streams = open();
    const found = await streams.read(list('breaks').read);
    await found?.rest?.next();
    await found?.rest?.next();
    await expect(found?.rest?.next()).rejects.toThrow('broken');
    await expectPlace(streams, 'free');
  });

  test('no longer where it is short, missing, or cannot be opened', async () => {
    const streams = open();
    const short: Found = { total: 0, change: 1, rows: [] };
    expect(await streams.read(async () => short)).toEqual(short);
    await expectPlace(streams, 'free');
    const failing = streams.read(async () => {
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await expectPlace(streams, 'free');
  });
});

describe('a list that is ended', () => {
  const ends: readonly (readonly [what: string, end: (streams: ListStreams) => unknown, why: RegExp])[] = [
    ['by its time limit', () => vi.advanceTimersByTimeAsync(TIMEOUT), /LIST_TIMEOUT/],
    ['with all others', (streams) => expect(streams.endAll('the disk is gone')).toBe(1), /the disk is gone/],
  ];
  test.each(ends)('%s gives its place back, and cannot pass for the whole', async (_, end, why) => {
    const streams = open();
    const { read, returned } = list();
    const found = await streams.read(read);
    await found?.rest?.next();
    await end(streams);
    const next = found?.rest?.next();
    await expect(next).rejects.toMatchObject({ code: 'unavailable', cause: { message: expect.stringMatching(why) } });
    expect(returned()).toBe(1);
    await expectPlace(streams, 'free');
    expect(streams.endAll('again')).toBe(0);
  });
});
