import type { Collection } from '../../gateway/model/catalogue.ts';
import type { ImportOptions, ImportOutcome, ItemChange } from '../../gateway/model/import.ts';
import type { Idempotency } from '../../gateway/model/precondition.ts';
import type { Packed, RowBatch } from '../../gateway/model/row-batch.ts';
import { abandoned } from '../../gateway/port/unavailable.ts';
import type { MaybePromise } from '../../util/maybe-promise.ts';
import type { ImportRequest } from './apply-row.ts';

/** A batch of a file. */
export interface StagedBatch {
  readonly bytes: Packed;
  /** New keys for its rows that have none. */
  readonly keys: readonly string[];
}

/** @throws Unavailable where the client has gone away */
export const throwIfAborted = (signal: AbortSignal | undefined): void => {
  if (signal?.aborted) throw abandoned();
};

/** Reads all rows. @param add receives each batch, with keys where the service assigns them */
export const stage = async (
  collection: Collection,
  batches: AsyncIterable<RowBatch>,
  { assignKey, rejectsMissing, unkeyed, signal, onProgress }: ImportOptions,
  add: (batch: StagedBatch) => MaybePromise<void>,
): Promise<void> => {
  const assigns = collection.key.assigned && !rejectsMissing;
  let [read, keyed, others] = [0, 0, 0];
  for await (const batch of batches) {
    throwIfAborted(signal);
    await add({ bytes: batch.bytes, keys: assigns ? Array.from({ length: batch.unkeyed }, assignKey) : [] });
    read += batch.count;
    keyed += batch.keyed;
    others += batch.unkeyed;
    onProgress?.('reading', read);
  }
  if (unkeyed && others > 0 && keyed === 0) throw unkeyed;
  throwIfAborted(signal);
};

/** @returns the options of an import as plain data */
export const requestOf = ({ id }: Collection, options: ImportOptions): ImportRequest => {
  const { parents, onDuplicate, rejectsMissing, isLenient, mostRejected, isCheck, deletionShare, mostErrors } = options;
  const rules = { onDuplicate, rejectsMissing, isLenient, mostRejected, isCheck, deletionShare, mostErrors };
  return { collection: id, parents, ...rules, listsChanges: options.onChanges !== undefined };
};

/** @returns whether an import did what it lists, or would do it. An earlier one may have done it */
export const hasChanges = (outcome: ImportOutcome): boolean =>
  outcome.kind === 'checked' || (outcome.kind === 'imported' && !outcome.earlier);

/** Passes on what an import does with items, if somebody asks. @param next returns some changes, none at the end */
export const listChanges = async (
  outcome: ImportOutcome,
  { onChanges }: Pick<ImportOptions, 'onChanges'>,
  next: () => MaybePromise<readonly ItemChange[]>,
): Promise<void> => {
  let isOver = !onChanges || !hasChanges(outcome);
  while (!isOver) {
    const changes = await next();
    await onChanges?.(changes);
    isOver = changes.length === 0;
  }
};

/** @returns the idempotency record, known once all rows are read; none for a check, which stores nothing */
export const idempotencyOf = ({ isCheck, idempotency }: ImportOptions): Idempotency | undefined =>
  isCheck ? undefined : idempotency?.();
