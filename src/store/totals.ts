/**
 * Which totals are kept beside the rows: one for each collection at the top, one for each value of its indexed fields, and
 * one for each way in which a value is written.
 * Counting a million rows would take longer than reading a page of them.
 */
import type { Collection } from '../model/catalogue.ts';
import type { Cell, Field } from '../model/field.ts';
import { fold, foldCell } from '../model/search/fold.ts';

/** Identifies a total within its collection. */
export type TotalKey = readonly [field: string, value: string];

/** All rows. */
export const ALL: TotalKey = ['', ''];
/** Whether rows are counted by the field's values. Few rows have the same key. */
export const isCounted = (field: Field): boolean => field.indexed && !field.isKey;
/** Rows in which the field is present; no field's name can begin with a plus sign. */
export const presentKey = (field: Field): TotalKey => [`+${field.name}`, ''];
/** How often each writing of a folded value occurs; no field's name can begin with an equals sign. */
export const writingField = (field: Field, folded: string): string => `=${field.name}=${folded}`;
const writingKeys = (field: Field, cell: Cell): readonly TotalKey[] =>
  typeof cell === 'string' ? [[writingField(field, fold(cell)), cell]] : [];

export const valueKey = (field: Field, cell: Cell): TotalKey => [field.name, String(foldCell(cell))];

export const hasTotals = ({ parent }: Collection): boolean => parent === undefined;

const keysOf = (field: Field, cell: Cell): readonly TotalKey[] => [
  presentKey(field),
  valueKey(field, cell),
  ...writingKeys(field, cell),
];

/** Counts rows by their values; the totals of a value are determined once, however many rows have it. */
interface ValueCounter {
  readonly count: (cells: readonly Cell[], by: number) => void;
  /** Totals may come several times. */
  readonly totals: () => Iterable<readonly [...TotalKey, by: number]>;
}

export const valueCounter = (collection: Collection): ValueCounter => {
  const fields = collection.fields.flatMap((field, at) =>
    isCounted(field) ? [{ field, at, counts: new Map<Cell, number>() }] : [],
  );
  let all = 0;
  return {
    count: (cells, by) => {
      all += by;
      for (const { at, counts } of fields) {
        const cell = cells[at] ?? null;
        if (cell !== null) counts.set(cell, (counts.get(cell) ?? 0) + by);
      }
    },
    totals: function* () {
      yield [...ALL, all];
      for (const { field, counts } of fields) {
        for (const [cell, by] of counts) for (const key of keysOf(field, cell)) yield [...key, by];
      }
    },
  };
};
