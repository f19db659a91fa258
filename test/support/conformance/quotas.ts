import { describe, expect, test } from 'vitest';
import type { Store } from '../../../src/store/store.ts';

/** What clients may ask for, counted for all processes. */
export const quotas = (store: () => Store): void => {
  describe('quotas', () => {
    const take = (client: string, window: number, count: number) =>
      store().takeQuota({ client, window, count, quota: 10 });

    test('are granted as far as they reach, to each client', async () => {
      expect(await take('a', 7, 4)).toEqual({ granted: 4, left: 6 });
      expect(await take('b', 7, 1)).toEqual({ granted: 1, left: 9 });
      expect(await take('a', 7, 5)).toEqual({ granted: 5, left: 1 });
      expect(await take('a', 7, 4)).toEqual({ granted: 1, left: 0 });
      expect(await take('a', 7, 4)).toEqual({ granted: 0, left: 0 });
    });

    test('begin anew with each window, and a clock that is late gains nothing', async () => {
      expect(await take('c', 7, 10)).toEqual({ granted: 10, left: 0 });
      expect(await take('c', 8, 9)).toEqual({ granted: 9, left: 1 });
      expect(await take('c', 7, 4)).toEqual({ granted: 1, left: 0 });
    });

    test('of many who ask at the same time are granted once', async () => {
      const taken = await Promise.all(Array.from({ length: 20 }, () => take('d', 7, 1)));
      expect(taken.filter(({ granted }) => granted === 1)).toHaveLength(10);
    });
  });
};
