/// <reference types="node" preserve="true" />
/** Rows of a file on their way into a collection. */

import { fold } from '../../../packages/vocabularies/src/words.ts';
import type { UnnamedFile } from '../../util/unnamed-file.ts';
import type { Sentence } from '../texts/phrase.ts';
import { LISTED, type ProblemCode } from '../texts/problem.ts';
import { type Collection, keyIds } from './catalogue.ts';
import type { Cell, Field, Value } from './field.ts';
import type { Idempotency } from './precondition.ts';
import { keyId } from './query.ts';
import type { NestedCounts, reportCounts } from './report.ts';

/** An error of a row that the file alone shows. */
export interface RowError {
  /** The column's word in the language of the file, or what the file has instead; `undefined` if the error concerns the whole row. */
  readonly column?: string | undefined;
  readonly code: ProblemCode;
  readonly detail: Sentence;
  readonly value?: string | undefined;
  readonly suggestion?: string | undefined;
  /** The members that differ in a stale row: `before` as the item has them, `after` as the row does. */
  readonly before?: Readonly<Record<string, unknown>> | undefined;
  readonly after?: Readonly<Record<string, unknown>> | undefined;
}

export type FieldConflict =
  /** Another item has the value already. `key` is the key of that item; if both are in one file, that of the item which does not get the value. */
  | {
      readonly code: 'already-exists';
      readonly field: string;
      readonly value: Value;
      readonly key: string;
      readonly row?: number | undefined;
    }
  /** The value is the key of no item of the collection that the field refers to. */
  | { readonly code: 'invalid-value'; readonly field: string; readonly value: Value };

/** An item cannot be deleted, as so many of a collection refer to it; or more, if they are more than `MOST_REFERRING`. */
export interface InUse {
  readonly kind: 'in-use';
  readonly key: string;
  readonly collection: string;
  readonly count: number;
}
export const MOST_REFERRING = 1_000;

/** An error of a row that only the database shows; it has no words yet. */
export type RowConflict =
  /** A required field is absent, and the row would be created. */
  | { readonly code: 'missing-field'; readonly field: string }
  /** The row may only update an item; or the item would have no parent, whose key the field has. */
  | { readonly code: 'not-found'; readonly key: string; readonly field?: string; readonly row?: undefined }
  /** `row` has the same key, if that is a row of the file. */
  | { readonly code: 'already-exists'; readonly key: string; readonly row?: number | undefined }
  /** The item has changed since the table was made that has the row. Both have the cells that differ; none if it was deleted, or is to be. */
  | {
      readonly code: 'stale';
      readonly key: string;
      readonly before: readonly Cell[] | undefined;
      readonly after: readonly Cell[] | undefined;
      readonly row?: undefined;
    }
  | FieldConflict;

/** A row of a file. Its values are checked, except for what needs the database. */
export interface FileRow {
  /** As in spreadsheet programs: a table's header is row 1. Lines of NDJSON and items of a JSON array count from 1. */
  readonly number: number;
  /** A cell for each field: `undefined` if the file has no value, `null` if JSON clears it. */
  readonly cells: readonly (Cell | undefined)[];
  /** If there are any, only the key is used: `replace-all` does not delete its item, nor any if the key is absent. */
  readonly errors: readonly RowError[];
  readonly isDeletion?: boolean | undefined;
  /** The revision of the item that the row was made from, if its table has tags. */
  readonly revision?: number | undefined;
  readonly nested?: readonly NestedItems[] | undefined;
}

/** All that a row says of a list that is nested in its item: the list's `routeId`, and the cells of its items, in their order. */
export type NestedItems = readonly [list: string, items: readonly FileRow['cells'][]];

/** Separates the keys in the id of an item of a list across parents. No key contains a control character. */
export const BETWEEN_KEYS = '\u001f';

/** @returns the id of a row's item within its list; `undefined` if the row does not say it */
export function identifyRow(
  { flattens, key: itemKey, fields }: Collection,
  cells: FileRow['cells'],
): string | undefined {
  const [key] = cells;
  if (typeof key !== 'string') return undefined;
  const id = keyId(itemKey, key);
  if (!flattens) return id;
  const owner = cells[fields.length - 1];
  return typeof owner === 'string' ? keyId(fields.at(-1) ?? {}, owner) + BETWEEN_KEYS + id : undefined;
}

/** @returns the id of a stored item, as `identifyRow` returns that of a row */
export function identifyKeys(list: Collection, keys: readonly string[]): string {
  return list.flattens ? keyIds(list.flattens, keys).join(BETWEEN_KEYS) : keyId(list.key, keys.at(-1) ?? '');
}

export function missingFields({ fields }: Collection, cells: FileRow['cells'], isNeeded: (field: Field) => boolean) {
  const missing = fields.filter((field, at) => isNeeded(field) && (cells[at] ?? null) === null);
  return missing.map(({ name: field }): RowConflict => ({ code: 'missing-field', field }));
}

export type SpooledRow = readonly [
  number: number,
  cells: FileRow['cells'],
  kind?: 'rejected' | 'deletion' | null,
  revision?: number | undefined,
  nested?: FileRow['nested'],
];

/** If several rows have one key: the number of the last row without errors, and of the last one that could be a new item. */
export type LaterRows = readonly [id: string, any: number, complete: number];

export interface RowSummary {
  readonly rows: number;
  /** Rows that have a key, and other rows that may be stored, of which so many get a new key. */
  readonly keyed: number;
  readonly unkeyed: number;
  readonly assigned: number;
  readonly deletions: number;
  readonly rejected: number;
  /** The nested lists that rows feed. */
  readonly nested: readonly string[];
  /** Whether a rejected row does not say which item it is about. */
  readonly hasUnreadKey: boolean;
  /** Bytes of the rows in their file; behind them are `LaterRows` for each key that several of them have. */
  readonly size: number;
  readonly reasons: readonly Reason[];
  readonly warnings: readonly ImportWarning[];
}

export interface SpooledRows extends RowSummary {
  readonly file: UnnamedFile;
}

export interface RowSource {
  readonly receive?: (() => Promise<unknown>) | undefined;
  readonly read: () => Promise<SpooledRows>;
}

/** What to do with a row whose key exists: `replace-all` merges, too, and then deletes items that the file lacks. */
export type OnDuplicate = 'error' | 'ignore' | 'merge' | 'replace-all';

export interface RepeatedRow {
  readonly row: number;
  readonly key: string;
  readonly usedRow: number;
}

/** The change of one item by an import. A created item has no `before`, a deleted one no `after`. */
export interface ItemChange {
  /** The row that says so; `null` if the file lacks the item. */
  readonly row: number | null;
  readonly before: readonly Cell[] | undefined;
  readonly after: readonly Cell[] | undefined;
}

/** Values of a column to look at: `odd` of its `total`, beyond the `most` that is usual, or read in a time zone. */
export interface ImportWarning {
  readonly phrase: 'keys-damaged' | 'keys-new' | 'values-unusual' | 'zone-assumed';
  readonly field: string;
  readonly odd: number;
  readonly total: number;
  readonly most: number;
  readonly zone?: string;
  readonly cells: readonly { readonly row: number; readonly value: string }[];
}

export interface Rejection {
  readonly row: number;
  readonly error: RowError | RowConflict;
}

/** Errors of one column that say the same: how many there are, and some of them, the first always. */
export interface Reason {
  readonly count: number;
  readonly rows: readonly [Rejection, ...(readonly Rejection[])];
}

export interface ImportReport extends Readonly<Record<(typeof reportCounts)[number], number>> {
  /** What became of the items of nested lists, by the names of these. */
  readonly nested?: Readonly<Record<string, NestedCounts>>;
  readonly repeated?: readonly RepeatedRow[];
  readonly warnings?: readonly ImportWarning[];
  readonly reasons?: readonly Reason[];
}

export const hasChanges = ({ nested = {}, ...own }: ImportReport): boolean =>
  [own, ...Object.values(nested)].some(({ created, updated, deleted }) => created + updated + deleted > 0);

export interface ImportRules {
  readonly parents: readonly string[];
  readonly onDuplicate: OnDuplicate;
  /** Whether a row whose key does not exist, or is absent, is an error: nothing is created. */
  readonly rejectsMissing?: boolean | undefined;
  /** Whether rows are written although their items have changed since the table was made. */
  readonly overwritesStale?: boolean | undefined;
  /** Whether valid rows are stored although others are rejected, and how many these may be; any number by default. */
  readonly isLenient: boolean;
  readonly mostRejected?: number | undefined;
  readonly isCheck: boolean;
  /** The greatest share of the collection (0–1) that `replace-all` may delete; `undefined` means any. */
  readonly deletionShare: number | undefined;
}

export interface ImportOptions extends ImportRules {
  /** Files to which what is done with each item, and every rejection, is written in batches. */
  readonly changes?: UnnamedFile | undefined;
  readonly rejections?: UnnamedFile | undefined;
  readonly assignKey: () => string;
  /** The error to throw if no row has a key. By default each row gets a key, or is an error. */
  readonly unkeyed?: Error | undefined;
  /** Called when all rows are read, because the payload is known only then. */
  readonly idempotency?: (() => Idempotency) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly client?: string | undefined;
  readonly onProgress?: ((rows: number) => void) | undefined;
}

/** The outcome of an import. Nothing is stored unless it is `imported`. */
export type ImportOutcome =
  | {
      readonly kind: 'imported';
      readonly report: ImportReport;
      /** Whether an earlier request with the same idempotency key did it. */
      readonly isRepeated?: true;
      readonly change?: number;
    }
  | { readonly kind: 'checked'; readonly report: ImportReport }
  /** Rows were rejected and the import is not lenient; the report counts what would have been done with the others, without deletions. */
  | { readonly kind: 'rejected-rows'; readonly report: ImportReport }
  | { readonly kind: 'too-many-deletions'; readonly report: ImportReport; readonly total: number }
  | { readonly kind: 'missing'; readonly collection: string }
  | InUse
  | { readonly kind: 'idempotency-mismatch' };

/** The most reasons that are counted separately. Beyond them, errors are counted by their code alone. */
const MOST = 100;

function nameReason(error: RowError | RowConflict): string {
  if ('detail' in error) {
    const { code, column, detail, value } = error;
    const isChoice = detail.phrase === 'choice-unknown' || detail.phrase === 'choice-suggested';
    return [code, detail.phrase, column, isChoice ? fold(String(value)) : ''].join(' ');
  }
  return [error.code, 'field' in error ? error.field : ''].join(' ');
}

export class ReasonCounter {
  readonly #reasons: Map<string, { count: number; readonly rows: [Rejection, ...Rejection[]] }>;

  constructor(earlierReasons: readonly Reason[] = []) {
    this.#reasons = new Map(
      earlierReasons.map(({ count, rows }) => [nameReason(rows[0].error), { count, rows: [...rows] }]),
    );
  }

  add(rejection: Rejection): void {
    const exact = nameReason(rejection.error);
    const name = this.#reasons.size < MOST || this.#reasons.has(exact) ? exact : rejection.error.code;
    const reason = this.#reasons.get(name);
    if (!reason) this.#reasons.set(name, { count: 1, rows: [rejection] });
    else {
      reason.count++;
      if (reason.rows.length < LISTED) reason.rows.push(rejection);
    }
  }

  /** @returns the reasons by their first rows. At most `LISTED` rows are named, of each reason as many as of any other */
  all(): readonly Reason[] {
    const reasons = [...this.#reasons.values()];
    const listedRejections = new Set(listRejections(reasons));
    return reasons
      .map(({ count, rows: [first, ...others] }): Reason => {
        return { count, rows: [first, ...others.filter((rejection) => listedRejections.has(rejection))] };
      })
      .sort((one, other) => one.rows[0].row - other.rows[0].row);
  }
}

/** @returns the first row of each reason, then the second, and so on, up to so many, in their order */
export function listRejections(reasons: readonly Reason[], most = LISTED): readonly Rejection[] {
  return reasons
    .flatMap(({ rows }) => rows.map((rejection, place) => ({ rejection, place })))
    .sort((one, other) => one.place - other.place)
    .slice(0, most)
    .map(({ rejection }) => rejection)
    .sort((one, other) => one.row - other.row);
}
