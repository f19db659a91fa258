import type { Collection } from '../../gateway/model/catalogue.ts';
import type { FileRow, ImportOptions } from '../../gateway/model/import.ts';
import type { Idempotency } from '../../gateway/model/precondition.ts';
import { pack, type RowBatch, unpack } from '../../gateway/model/row-batch.ts';
import { abandoned } from '../../gateway/port/unavailable.ts';
import type { MaybePromise } from '../../util/maybe-promise.ts';
import type { ImportRequest } from './apply-row.ts';

/** @throws Unavailable where the client has gone away */
export const throwIfAborted = (signal: AbortSignal | undefined): void => {
  if (signal?.aborted) throw abandoned();
};

/** Assigns a key to a row without one, where the service assigns keys. */
const withKey =
  (assignKey: () => string) =>
  (row: FileRow): FileRow => {
    const [first, ...others] = row.cells;
    if ((first ?? null) !== null || row.errors.length > 0) return row;
    return { ...row, cells: [assignKey(), ...others] };
  };

/** Reads all rows. @param add receives each batch, whose rows have keys where the service assigns them */
export const stage = async (
  collection: Collection,
  batches: AsyncIterable<RowBatch>,
  { assignKey, rejectsMissing, unkeyed, signal, onProgress }: ImportOptions,
  add: (batch: RowBatch) => MaybePromise<void>,
): Promise<void> => {
  const complete = withKey(assignKey);
  const assigns = collection.key.assigned && !rejectsMissing;
  let [read, keyed, others] = [0, 0, 0];
  for await (const batch of batches) {
    throwIfAborted(signal);
    await add(batch.unkeyed === 0 || !assigns ? batch : pack(unpack(batch.bytes).map(complete)));
    read += batch.count;
    keyed += batch.keyed;
    others += batch.unkeyed;
    onProgress?.('reading', read);
  }
  if (unkeyed && others > 0 && keyed === 0) throw unkeyed;
  throwIfAborted(signal);
};

/** @returns the options of an import as plain data */
export const requestOf = ({ name }: Collection, options: ImportOptions): ImportRequest => {
  const { parents, onDuplicate, rejectsMissing, isLenient, isCheck, deletionShare, mostErrors } = options;
  return { collection: name, parents, onDuplicate, rejectsMissing, isLenient, isCheck, deletionShare, mostErrors };
};

/** @returns the idempotency record, known once all rows are read; none for a check, which stores nothing */
export const idempotencyOf = ({ isCheck, idempotency }: ImportOptions): Idempotency | undefined =>
  isCheck ? undefined : idempotency?.();
