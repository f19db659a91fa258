import type { Collection } from '../../model/catalogue.ts';
import type { FileRow, ImportOptions } from '../../model/import.ts';
import type { MaybePromise } from '../../model/maybe-promise.ts';
import type { Idempotency } from '../../model/precondition.ts';
import { abandoned } from '../unavailable.ts';
import type { ImportRequest } from './apply-row.ts';
import { type Packed, pack } from './stage-tables.ts';

/** @throws Unavailable where the client has gone away */
export const throwIfAborted = (signal: AbortSignal | undefined): void => {
  if (signal?.aborted) throw abandoned();
};

/** Assigns a key to a row without one, where the service assigns keys. */
const withKey =
  ({ key }: Collection, assignKey: () => string) =>
  (row: FileRow): FileRow => {
    const [first, ...others] = row.cells;
    if (!key.assigned || (first ?? null) !== null || row.errors.length > 0) return row;
    return { ...row, cells: [assignKey(), ...others] };
  };

/** Reads all rows. @param add receives each chunk, also packed */
export const stage = async (
  collection: Collection,
  rows: AsyncIterable<readonly FileRow[]>,
  { assignKey, signal, onProgress }: ImportOptions,
  add: (bytes: Packed, rows: readonly FileRow[]) => MaybePromise<void>,
): Promise<void> => {
  const complete = withKey(collection, assignKey);
  let read = 0;
  for await (const chunk of rows) {
    throwIfAborted(signal);
    const whole = chunk.map(complete);
    await add(pack(whole), whole);
    read += chunk.length;
    onProgress?.('reading', read);
  }
  throwIfAborted(signal);
};

/** @returns the options of an import as plain data */
export const requestOf = (
  { name }: Collection,
  { parents, onDuplicate, isLenient, isCheck, deletionShare }: ImportOptions,
): ImportRequest => ({ collection: name, parents, onDuplicate, isLenient, isCheck, deletionShare });

/** @returns the idempotency record, known once all rows are read; none for a check, which stores nothing */
export const idempotencyOf = ({ isCheck, idempotency }: ImportOptions): Idempotency | undefined =>
  isCheck ? undefined : idempotency?.();
