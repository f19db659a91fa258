/** The stored result of an import: its report and its note. */

import type { ImportOutcome, ImportReport } from '../../gateway/model/import.ts';
import type { Idempotency } from '../../gateway/model/precondition.ts';
import type { ChangeSet } from '../change-set.ts';
import { type FindRecord, findKnown } from '../idempotency.ts';

interface Result {
  readonly report: ImportReport;
  readonly note: string;
}

/** @returns the outcome of the first import with the same key, where there was one */
export const knownImport = (idempotency: Idempotency | undefined, record: FindRecord): ImportOutcome | undefined => {
  const known = idempotency && findKnown(idempotency, record);
  if (!known) return undefined;
  if (!known.isSame) return { kind: 'idempotency-mismatch' };
  return { kind: 'imported', ...(JSON.parse(known.result) as Result) };
};

export const keepImport = (changeSet: ChangeSet, idempotency: Idempotency, result: Result): void =>
  changeSet.keep({ ...idempotency, result: JSON.stringify(result) });
