import type { Collection } from '../../model/catalogue.ts';
import type { FileRow } from '../../model/import.ts';
import type { MaybePromise } from '../../model/maybe-promise.ts';
import type { ImportOptions } from '../port.ts';
import { abandoned } from '../unavailable.ts';
import type { ImportRequest } from './apply-row.ts';
import { type Packed, pack } from './spool.ts';

/** @throws Unavailable where the client has gone away */
export const throwIfAborted = (signal: AbortSignal | undefined): void => {
  if (signal?.aborted) throw abandoned();
};

/** Gives a key to a row without one, where the service assigns keys. */
const withKey =
  ({ key }: Collection, assignKey: () => string) =>
  (row: FileRow): FileRow => {
    const [first, ...others] = row.cells;
    if (!key.assigned || (first ?? null) !== null || row.errors.length > 0) return row;
    return { ...row, cells: [assignKey(), ...others] };
  };

/** Reads all rows. @param add puts a chunk of them where they wait */
export const stage = async (
  collection: Collection,
  rows: AsyncIterable<readonly FileRow[]>,
  { onDuplicate, assignKey, signal, onProgress }: ImportOptions,
  add: (packed: Packed) => MaybePromise<void>,
): Promise<void> => {
  const complete = withKey(collection, assignKey);
  let read = 0;
  for await (const chunk of rows) {
    throwIfAborted(signal);
    await add(pack(chunk.map(complete), onDuplicate === 'replace-all'));
    read += chunk.length;
    onProgress?.('reading', read);
  }
  throwIfAborted(signal);
};

/** @returns what an import asks for, once all rows are read */
export const requestOf = (
  { name }: Collection,
  { parents, onDuplicate, isLenient, isCheck, deletionShare, idempotency }: ImportOptions,
): ImportRequest => ({
  collection: name,
  parents,
  onDuplicate,
  isLenient,
  isCheck,
  deletionShare,
  idempotency: isCheck ? undefined : idempotency?.(),
});
