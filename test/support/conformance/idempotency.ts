import { beforeEach, describe, expect, test } from 'vitest';
import type { Idempotency } from '../../../src/gateway/model/precondition.ts';
import type { Outcome } from '../../../src/gateway/port/port.ts';
import type { Store } from '../../../src/store/store.ts';
import { toCells } from '../database/cells.ts';
import { getItem } from '../database/reads.ts';
import { cars, carsListed, createCar, createOil, oils, remove, revisionOf, rowOf, update } from './fixtures.ts';

const DAY = 86_400_000;
/** The clock of a test. */
let now = 2_000_000_000_000;

const request = (key: string, payload = 'p', received = now): Idempotency => ({
  key,
  payload,
  received,
  expires: received + DAY,
});

const mismatch: Outcome = { kind: 'idempotency-mismatch' };

/** Requests that are sent again with the same idempotency key. */
export const idempotencyKeys = (store: () => Store): void => {
  describe('of requests with one idempotency key', () => {
    // What tests before it have sent has expired.
    beforeEach(() => {
      now += 2 * DAY;
    });

    test('the first is carried out, and the others have its row', async () => {
      const first = await createCar(store(), 'a', { year: 2008, version: '', clima: 0 }, request('k'));
      const again = await createCar(store(), 'b', {}, request('k', 'p', now + DAY - 1));
      expect(again).toEqual({ ...first, isUnchanged: true });
      expect(rowOf(again).slice(1)).toEqual(rowOf(first).slice(1));
      expect(await carsListed(store())).toEqual(['a']);
    });

    test('those that arrive together have the row of the first', async () => {
      const all = await Promise.all(
        Array.from({ length: 20 }, (_, at) => createCar(store(), `car-${at}`, {}, request('k'))),
      );
      expect(new Set(all.map((each) => JSON.stringify(rowOf(each)))).size).toBe(1);
      expect(await carsListed(store())).toEqual(['car-0']);
      expect((await getItem(store(), cars, ['car-0']))?.[0]).toBe(revisionOf(all[19] as Outcome));
    });

    test('one with another payload is refused, whether it arrives later or together with the first', async () => {
      const [first, second] = await Promise.all([
        createCar(store(), 'a', {}, request('k')),
        createCar(store(), 'b', {}, request('k', 'q')),
      ]);
      expect([first?.kind, second]).toEqual(['written', mismatch]);
      expect(await createCar(store(), 'c', {}, request('k', 'r'))).toEqual(mismatch);
      expect(await carsListed(store())).toEqual(['a']);
    });

    test('the row is that of the moment of creation, whatever became of the item', async () => {
      const first = await createCar(store(), 'a', { doors: 5 }, request('k'));
      await update(store(), cars, ['a'], { doors: 3 });
      expect(await createCar(store(), 'a', {}, request('k'))).toEqual({ ...first, isUnchanged: true });
      await remove(store(), cars, ['a']);
      expect(await createCar(store(), 'a', {}, request('k'))).toEqual({ ...first, isUnchanged: true });
      expect(await carsListed(store())).toEqual([]);
    });

    test('a nested item is told even where its parent is gone', async () => {
      await createCar(store(), 'a');
      const intent = {
        kind: 'create',
        collection: 'oils',
        parents: ['a'],
        cells: toCells(oils, { type: '5W-30', otherInfo: 'ñ' }),
        idempotency: request('k'),
      } as const;
      const first = await store().write(intent);
      expect(rowOf(first).slice(1)).toEqual(['5W-30', 'ñ']);
      expect(await createOil(store(), 'a', '5W-30')).toEqual({ kind: 'already-exists' });
      await remove(store(), cars, ['a']);
      expect(await store().write(intent)).toEqual({ ...first, isUnchanged: true });
    });

    test('one that was refused is as if it had not been sent', async () => {
      await createCar(store(), 'a');
      expect(await createCar(store(), 'a', {}, request('k'))).toEqual({ kind: 'already-exists' });
      expect((await createCar(store(), 'b', {}, request('k', 'q'))).kind).toBe('written');
      expect(await createCar(store(), 'a', {}, request('k'))).toEqual(mismatch);
    });

    test('one that comes when the key has expired is a new one', async () => {
      await createCar(store(), 'a', {}, request('k'));
      expect((await createCar(store(), 'b', {}, request('k', 'q', now + DAY))).kind).toBe('written');
      expect(await createCar(store(), 'c', {}, request('k', 'p', now + DAY + 1))).toEqual(mismatch);
      expect(await carsListed(store())).toEqual(['a', 'b']);
    });
  });
};

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
