import { describe, expect, test } from 'vitest';
import type { Store } from '../../../../src/store/store.ts';
import { summarize } from '../../database/reads.ts';
import { carsListed, createCar, oils, queryOf } from '../fixtures.ts';

/** What neither any list (`any-list.ts`) nor any writes (`any-writes.ts`) have. */
export const changedLists = (store: () => Store): void => {
  describe('lists that change', () => {
    test('texts sort by code point where folding leaves them alone', async () => {
      for (const version of ['🚗', '\uff5e', 'z', '汽']) await createCar(store(), version, { version });
      expect(await carsListed(store(), { sort: 'version' })).toEqual(['z', '汽', '\uff5e', '🚗']);
    });

    test('a list in a parent that is missing has no total', async () => {
      expect(await summarize(store(), oils, ['none'], queryOf(oils, {}))).toBeUndefined();
    });
  });
};
