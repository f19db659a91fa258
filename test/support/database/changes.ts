import type { Outcome } from '../../../src/gateway/port/port.ts';
import type { Store } from '../../../src/store/store.ts';
import { cars, createCar, createOil, oils, remove, update } from '../conformance/fixtures.ts';

/** One write, as it can be sent to another process. `keys` of a car, or of a car and an oil. */
export interface Change {
  readonly kind: 'create' | 'update' | 'remove';
  readonly keys: readonly [car: string, oil?: string];
  /** What the item says from then on. */
  readonly mark: string;
}

/** Writes a mark into a car's version or an oil's information. */
export const changeIn = (store: Store, { kind, keys, mark }: Change): Promise<Outcome> => {
  const [car, oil] = keys;
  const collection = oil === undefined ? cars : oils;
  const path = oil === undefined ? [car] : [car, oil];
  switch (kind) {
    case 'create':
      return oil === undefined
        ? createCar(store, car, { version: mark })
        : createOil(store, car, oil, { otherInfo: mark });
    case 'update':
      return update(store, collection, path, oil === undefined ? { version: mark } : { otherInfo: mark });
    case 'remove':
      return remove(store, collection, path);
  }
};
