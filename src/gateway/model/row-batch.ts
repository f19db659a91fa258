/** Rows of a file as bytes: what threads and staging tables pass on without looking into it. */
import { deserialize, serialize } from 'node:v8';
import type { FileRow, RowError } from './import.ts';

export type Packed = Uint8Array<ArrayBuffer>;

export interface RowBatch {
  readonly bytes: Packed;
  /** How many rows of the file it has. */
  readonly count: number;
  /** How many of its rows have a key, and how many others may be stored. */
  readonly keyed: number;
  readonly unkeyed: number;
}

type PackedRow = readonly [
  number: number,
  cells: FileRow['cells'],
  errors?: readonly RowError[],
  times?: number,
  isDeletion?: boolean,
];

const packedRow = ({ number, cells, errors, times, isDeletion }: FileRow): PackedRow => {
  if (isDeletion) return [number, cells, errors, times ?? 1, true];
  if (times !== undefined) return [number, cells, errors, times];
  return errors.length > 0 ? [number, cells, errors] : [number, cells];
};

/** @returns whether a row needs a key to be stored */
export const isUnkeyed = ({ cells: [key], errors }: FileRow): boolean => typeof key !== 'string' && errors.length === 0;

export const pack = (rows: readonly FileRow[]): RowBatch => ({
  bytes: serialize(rows.map(packedRow)),
  count: rows.reduce((sum, { times = 1 }) => sum + times, 0),
  keyed: rows.filter(({ cells: [key] }) => typeof key === 'string').length,
  unkeyed: rows.filter(isUnkeyed).length,
});

export const unpack = (bytes: Packed): readonly FileRow[] =>
  (deserialize(bytes) as PackedRow[]).map(([number, cells, errors = [], times, isDeletion]) => ({
    number,
    cells,
    errors,
    times,
    isDeletion,
  }));
