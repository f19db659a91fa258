import type { Cell, Field } from 'car-dealer-catalogue/model/field';
import { foldCell } from 'car-dealer-catalogue/model/query';
import type { Collection } from 'car-dealer-catalogue/schema';
import type { Keys, Row } from 'car-dealer-catalogue/stores/port';

/** An item in memory. */
export interface Item {
  readonly keys: Keys;
  /** The number of its creation, greater for each later one. */
  readonly created: number;
  readonly row: Row;
  /** @returns what filters, sorts and groups compare */
  readonly value: (field: Field) => Cell;
}

export const cellOf = ({ fields }: Collection, [, ...cells]: Row, { name }: Field): Cell =>
  cells[fields.findIndex((field) => field.name === name)] ?? null;

export const itemOf = (collection: Collection, keys: Keys, created: number, row: Row): Item => ({
  keys,
  created,
  row,
  value: (field) => foldCell(cellOf(collection, row, field)),
});
