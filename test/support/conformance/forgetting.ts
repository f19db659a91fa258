import { describe, expect, test } from 'vitest';
import type { Idempotency } from '../../../src/gateway/model/precondition.ts';
import { NEVER } from '../../../src/gateway/model/query.ts';
import type { Outcome } from '../../../src/gateway/port/port.ts';
import type { Store } from '../../../src/store/store.ts';
import { openList } from '../database/reads.ts';
import { cars, carsListed, createCar, queryOf, remove, revisionOf } from './fixtures.ts';

/** @returns the keys that were deleted after a change; `undefined` where that is not known any more */
export const deletedSince = async (store: Store, change: number): Promise<readonly unknown[] | undefined> => {
  const since = { token: String(change), change };
  const found = await openList(store, cars, [], { ...queryOf(cars, {}), changesAfter: since });
  if (!found || found.change < change) return undefined;
  return ((await found.chunks.next()).value ?? []).map(([, key]) => key);
};

export const forgetting = (store: () => Store): void => {
  describe('forgetting deletions', () => {
    test('what is old is forgotten, some at a time; positions before are gone, the newest never', async () => {
      const first = revisionOf(await createCar(store(), 'a'));
      for (const key of ['b', 'c', 'd']) await createCar(store(), key);
      const removed = [];
      for (const key of ['a', 'b', 'c']) {
        const outcome = await remove(store(), cars, [key]);
        if (outcome.kind === 'removed') removed.push(outcome.change);
      }
      const [one = 0, two = 0, three = 0] = removed;
      await store().forgetDeletions(one);
      expect(await deletedSince(store(), first)).toEqual(['d', 'a', 'b', 'c']);
      await store().forgetDeletions(two);
      expect(await deletedSince(store(), first)).toBeUndefined();
      expect(await deletedSince(store(), one)).toEqual(['b', 'c']);
      await store().forgetDeletions(NEVER);
      expect(await deletedSince(store(), one)).toBeUndefined();
      expect(await deletedSince(store(), two)).toBeUndefined();
      expect(await deletedSince(store(), three)).toEqual([]);
      await store().forgetDeletions(NEVER);
      expect(await deletedSince(store(), three)).toEqual([]);
    });

    test('of thousands that are old a thousand are forgotten in one step', async () => {
      const { change } = (await openList(store(), cars, [], queryOf(cars, {}))) ?? { change: 0 };
      const keys = Array.from({ length: 1_200 }, (_, at) => `k${at}`);
      await Promise.all(keys.map((key) => createCar(store(), key)));
      const removed = await Promise.all(keys.map((key) => remove(store(), cars, [key])));
      const changes = removed.flatMap((each) => (each.kind === 'removed' ? [each.change] : []));
      expect(await deletedSince(store(), change)).not.toEqual([]);
      await store().forgetDeletions(NEVER);
      expect(await deletedSince(store(), changes[990] ?? 0)).toBeUndefined();
      expect((await deletedSince(store(), changes[1_000] ?? 0))?.length).toBe(199);
      await store().forgetDeletions(NEVER);
      expect(await deletedSince(store(), changes[1_000] ?? 0)).toBeUndefined();
    });
  });
};

const DAY = 86_400_000;
const now = 2_000_000_000_000;

const request = (key: string, payload = 'p', receivedAt = now): Idempotency => ({
  key,
  payload,
  receivedAt,
  expires: receivedAt + DAY,
});

/** They are counted, so nobody may have left any. */
export const expiredKeys = (store: () => Store): void =>
  test('requests with different idempotency keys are different, and expired keys are forgotten a few at a time', async () => {
    for (let at = 0; at < 6; at++) await createCar(store(), `old-${at}`, {}, request(`old-${at}`));
    for (let at = 0; at < 2; at++) await createCar(store(), `new-${at}`, {}, request(`new-${at}`, 'p', now + DAY));
    // Seen by a clock that is set back: four of the six are forgotten, and new again.
    const outcomes: Outcome[] = [];
    for (let at = 0; at < 6; at++) outcomes.push(await createCar(store(), `again-${at}`, {}, request(`old-${at}`)));
    const made = await carsListed(store());
    expect(made.filter((key) => key.startsWith('again-'))).toHaveLength(4);
    expect(outcomes.map(({ kind }) => kind)).toEqual(Array(6).fill('written'));
  });
