/** The stored result of an import: its report, and the rejected rows that it lists. */

import type { ImportOutcome, ImportReport, Rejection } from '../../gateway/model/import.ts';
import type { Idempotency } from '../../gateway/model/precondition.ts';
import type { ChangeSet } from '../change-set.ts';
import { type FindRecord, findKnown } from '../idempotency.ts';
import type { Tally } from './apply-row.ts';

interface Result {
  readonly report: ImportReport;
  /** Rows in JSON. */
  readonly note: string;
}

/** @returns the outcome of the first import with the same key, where there was one */
export const knownImport = (idempotency: Idempotency | undefined, record: FindRecord): ImportOutcome | undefined => {
  const known = idempotency && findKnown(idempotency, record);
  if (!known) return undefined;
  if (!known.isSame) return { kind: 'idempotency-mismatch' };
  const { report, note } = JSON.parse(known.result) as Result;
  return { kind: 'imported', report, earlier: JSON.parse(note) as readonly Rejection[] };
};

export const keepImport = (changeSet: ChangeSet, idempotency: Idempotency, { report, listed }: Tally): void => {
  const result: Result = { report: report(), note: JSON.stringify(listed()) };
  changeSet.keep({ ...idempotency, result: JSON.stringify(result) });
};
