import type { Collection } from '../../gateway/model/catalogue.ts';
import type { Cell, Field } from '../../gateway/model/field.ts';
import { foldCell } from '../../gateway/model/search/fold.ts';
import type { Keys, Row } from '../../gateway/port/port.ts';

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
