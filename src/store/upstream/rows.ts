/** Items as they are there, as rows. */
import { hash } from 'node:crypto';
import type { Cell } from '../../gateway/model/field.ts';
import type { Row } from '../../gateway/port/port.ts';
import { badGateway } from './mapping/faults.ts';
import type { MappedCollection } from './mapping/mapping.ts';
import type { MappedField } from './mapping/values.ts';

export type Json = Readonly<Record<string, unknown>>;

/** Hexadecimal digits, 4 bits each, of a number that is exact. */
const DIGITS = 13;

/** @returns what takes the place of a number of a change: the same for the same values only */
const revisionOf = (cells: readonly Cell[]): number =>
  Number.parseInt(hash('sha256', JSON.stringify(cells)).slice(0, DIGITS), 16);

const isObject = (item: unknown): item is Json => typeof item === 'object' && item !== null && !Array.isArray(item);

const cellsOf = (fields: readonly MappedField[], item: unknown, name: string): Cell[] => {
  if (!isObject(item)) throw badGateway(`an item of ${name} is no object`);
  const cells = fields.map((field) => field.read(item[field.name]));
  if (cells[0] === null) throw badGateway(`an item of ${name} has no "${fields[0]?.name}"`);
  return cells;
};

/** @returns a row of a list, which has no revision: only items have tags */
export const listedRow = ({ fields, collection }: MappedCollection, item: unknown): Row => [
  0,
  ...cellsOf(fields, item, collection.name),
];

export const itemRow = ({ fields, collection }: MappedCollection, item: unknown): Row => {
  const cells = cellsOf(fields, item, collection.name);
  return [revisionOf(cells), ...cells];
};

/** @returns the row of a group, which has a value, or lacks it, and how many items have it */
export const groupRow = (field: MappedField, total: string, item: unknown): Row => {
  const { [field.name]: value, [total]: count } = isObject(item) ? item : {};
  if (!Number.isSafeInteger(count)) throw badGateway(`a group has no "${total}"`);
  return [0, field.read(value), Number(count)];
};
