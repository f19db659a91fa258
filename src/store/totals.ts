/** Counts rows by their values, for the totals that are kept. */
import type { Collection } from '../gateway/model/catalogue.ts';
import type { Cell, Field, Value } from '../gateway/model/field.ts';
import { ALL, isCounted, presentKey, type TotalKey, valueKey, writingKeys } from './sql/totals.ts';

export type ValueTotal = readonly [...TotalKey, by: number];

/** Counts rows by their values; the totals of a value are determined once, however many rows have it. */
export type ValueCounter = ReturnType<typeof valueCounter>;

type Count = readonly [field: number, value: Value, by: number];

/** Takes counts that are too many for memory. */
export interface CountStore {
  readonly add: (...count: Count) => void;
  readonly sums: () => Iterable<Count>;
}

/** The most values of a field that are counted in memory, where there is a store. */
const MOST = 4_096;

/** @param store by default there is none, and all counts stay in memory */
export const valueCounter = (collection: Collection, store?: CountStore) => {
  const counted = collection.fields.flatMap((field, at) =>
    isCounted(field) ? [{ field, at, present: 0, counts: new Map<Value, number>() }] : [],
  );
  let all = 0;
  function* sums(): Generator<readonly [field: Field, value: Value, by: number]> {
    for (const { field, counts } of counted) for (const [value, by] of counts) yield [field, value, by];
    for (const [at, value, by] of store?.sums() ?? []) {
      const field = collection.fields[at];
      if (field) yield [field, value, by];
    }
  }
  return {
    count: (cells: readonly Cell[], by: number): void => {
      all += by;
      for (const each of counted) {
        const { at, counts } = each;
        const cell = cells[at] ?? null;
        if (cell === null) continue;
        each.present += by;
        counts.set(cell, (counts.get(cell) ?? 0) + by);
        if (!store || counts.size < MOST) continue;
        for (const [value, sum] of counts) store.add(at, value, sum);
        counts.clear();
      }
    },
    /** Totals may come several times. */
    totals: function* (): Iterable<ValueTotal> {
      yield [...ALL, all];
      for (const { field, present } of counted) yield [...presentKey(field), present];
      for (const [field, value, by] of sums()) {
        if (by === 0) continue;
        yield [...valueKey(field, value), by];
        for (const key of writingKeys(field, value)) yield [...key, by];
      }
    },
  };
};
