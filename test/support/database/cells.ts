import type { Collection } from '../../../src/gateway/model/catalogue.ts';
import type { Cell } from '../../../src/gateway/model/field.ts';

/** Cells by the names of their fields. */
export type CellRecord = Readonly<Record<string, Cell | undefined>>;

const checkNames = ({ name, fields }: Collection, record: CellRecord): void => {
  for (const each of Object.keys(record)) {
    if (!fields.some((field) => field.name === each)) throw new TypeError(`${name} has no field "${each}"`);
  }
};

/**
 * @returns the record's cells in the order of the collection's fields, `null` where it names none
 * @throws TypeError where it names a field that does not exist
 */
export const toCells = (collection: Collection, record: CellRecord): readonly Cell[] => {
  checkNames(collection, record);
  return collection.fields.map(({ name }) => record[name] ?? null);
};

/**
 * @returns the same for an update, where `undefined` leaves a field as it is
 * @throws TypeError where the record names a field that does not exist
 */
export const toChanges = (collection: Collection, record: CellRecord): readonly (Cell | undefined)[] => {
  checkNames(collection, record);
  return collection.fields.map(({ name }) => record[name]);
};
