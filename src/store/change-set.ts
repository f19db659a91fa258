import type { Collection } from '../model/catalogue.ts';
import type { Cell } from '../model/field.ts';
import { totalKeys } from './totals.ts';

/** By how much a transaction changes one total: the values of a row of `_totals`. */
type TotalChange = readonly [collection: string, field: string, value: string, by: number];

/** What one transaction changes beside its rows; written once, at its end. */
export interface ChangeSet {
  /** Takes the next change number. An update that changes nothing takes none. */
  readonly nextChange: () => number;
  /** Adds an item to the totals (1), or takes it off them (-1). */
  readonly count: (collection: Collection, cells: readonly Cell[], by: 1 | -1) => void;
  /** The last number taken, or `undefined` where none was. */
  readonly lastChange: () => number | undefined;
  readonly totals: () => readonly TotalChange[];
}

/** @param last the last change number that was taken before */
export const openChangeSet = (last: number): ChangeSet => {
  let change = last;
  const totals = new Map<string, TotalChange>();
  return {
    nextChange: () => ++change,
    count: (collection, cells, by) => {
      for (const [field, value] of totalKeys(collection, cells)) {
        const name = `${collection.name}\0${field}\0${value}`;
        totals.set(name, [collection.name, field, value, (totals.get(name)?.[3] ?? 0) + by]);
      }
    },
    lastChange: () => (change === last ? undefined : change),
    totals: () => [...totals.values()].filter(([, , , by]) => by !== 0),
  };
};
