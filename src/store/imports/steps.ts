/** The last step of an import: what it works on, and how it is written once for every database. */
import type { Catalogue, Collection } from '../../gateway/model/catalogue.ts';
import type { Idempotency } from '../../gateway/model/precondition.ts';
import type { MaybePromise } from '../../util/maybe-promise.ts';
import type { TransactionRows } from '../apply.ts';
import type { FindRecord } from '../idempotency.ts';
import type { Statement } from '../sql/statement.ts';
import type { ImportRequest } from './apply-row.ts';
import type { Plan } from './plan.ts';
import type { StageTables } from './stage-tables.ts';

/** An import whose rows are planned. */
export interface PlannedImport {
  readonly catalogue: Catalogue;
  readonly collection: Collection;
  readonly request: ImportRequest;
  readonly idempotency: Idempotency | undefined;
  readonly plan: Plan;
  readonly tables: StageTables;
  /** The last change number before anything was read. */
  readonly since: number;
}

/** A transaction, which holds the lock of all writers unless nothing is to be written. */
export interface ImportTransaction {
  readonly record: FindRecord;
  readonly rows: <R>(statement: Statement) => MaybePromise<R[]>;
  /** Adds the keys that a statement reads to those that others have changed. */
  readonly addChanged: (keys: Statement) => MaybePromise<void>;
  /** Adds the keys that the file lacks to the staging tables. @returns how many items there are, and how many of them it lacks */
  readonly findObsolete: () => MaybePromise<readonly [items: number, obsolete: number]>;
  /** Applies work to items with these keys as they are now. */
  readonly change: (
    keys: readonly string[],
    work: (rows: TransactionRows) => void,
    isDeletion?: true,
  ) => MaybePromise<void>;
  /** Writes the planned items. @param base the change number before the first one. @param size how many change numbers they take */
  readonly write: (base: number, size: number) => MaybePromise<void>;
}

/** Work that is written once for databases that return everything at once, and those that return it later. */
export type Steps<T> = Generator<unknown, T, unknown>;

export function* step<T>(value: MaybePromise<T>): Steps<T> {
  return (yield value) as T;
}
