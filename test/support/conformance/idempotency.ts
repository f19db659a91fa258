import { expect, test } from 'vitest';
import type { Idempotency } from '../../../src/gateway/model/precondition.ts';
import type { Outcome } from '../../../src/gateway/port/port.ts';
import type { Store } from '../../../src/store/store.ts';
import { carsListed, createCar } from './fixtures.ts';

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
