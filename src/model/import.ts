/** Rows of a file on their way into a collection. */
import type { Sentence } from '../texts/phrase.ts';
import type { ProblemCode } from '../texts/problem.ts';
import type { Cell } from './field.ts';
import type { Idempotency } from './precondition.ts';

/** What is wrong with a row as the file has it. */
export interface RowError {
  /** The column's word in the language of the file, or what the file has instead; `undefined` where the whole row is wrong. */
  readonly column?: string | undefined;
  readonly code: ProblemCode;
  readonly detail: Sentence;
  /** The word to use instead. */
  readonly suggestion?: string | undefined;
}

/** What is wrong with a row as far as only the database tells, which knows no words. */
export type RowConflict =
  /** A required field is absent where the row would be created. */
  | { readonly code: 'missing-field'; readonly field: string }
  | { readonly code: 'already-exists'; readonly key: string };

/** One row of a file. Its values are checked; what needs the database is not. */
export interface FileRow {
  /** As a spreadsheet program counts rows: a table's header is row 1. Lines of NDJSON and items of a JSON array count from 1. */
  readonly number: number;
  /** One for each field: `undefined` where the file has nothing, `null` where JSON clears it. */
  readonly cells: readonly (Cell | undefined)[];
  /** What is wrong with its values; where there is anything, no cell is used but the key, whose item `replace-all` leaves. */
  readonly errors: readonly RowError[];
}

/**
 * What becomes of a row whose key exists already: it is an error, it is skipped, or its values are merged into the item.
 * `replace-all` merges too, and then deletes what the file does not have.
 */
export type OnDuplicate = 'error' | 'ignore' | 'merge' | 'replace-all';

/** What an import does with a row; `deleted` are the items that the file does not have. */
export const rowCounts = ['created', 'updated', 'unchanged', 'skipped', 'deleted', 'rejected'] as const;

/** What the report of an import has, in its order: of each item of `errors`, the last ones. */
export const reportMembers = [...rowCounts, 'detail', 'errors', 'row', 'column', 'code', 'suggestion'] as const;
export type ReportMember = (typeof reportMembers)[number];

/** How many rows each thing was done with, or would be done. */
export type ImportReport = Readonly<Record<(typeof rowCounts)[number], number>>;

/** How rows are imported. */
export interface ImportOptions {
  /** Keys of the parent. */
  readonly parents: readonly string[];
  /** Makes a key for a row without one. */
  readonly assignKey: () => string;
  readonly onDuplicate: OnDuplicate;
  /** Whether good rows are stored although others are rejected. */
  readonly isLenient: boolean;
  /** Whether it is only told what would happen. */
  readonly isCheck: boolean;
  /** The greatest share of the collection (0–1) that `replace-all` may delete; `undefined`: any. */
  readonly deletionShare: number | undefined;
  /** Asked when all rows are read, because only then it is known what was sent. */
  readonly idempotency?: (() => Idempotency) | undefined;
  /** What the caller wants to know, beside the report, where it is sent again. Asked when all errors are told. */
  readonly note?: (() => string) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The address of the client, which may not have all imports for itself; `undefined` where it is not known. */
  readonly client?: string | undefined;
  /** Told of every error, in the order of the rows, last of those whose items others have changed meanwhile; a row may have several. */
  readonly onRejected: (row: number, error: RowError | RowConflict) => void;
  /** Told now and then how many rows are done with, of all that were read; `applying` begins when all are read. */
  readonly onProgress?: ((step: 'reading' | 'applying', rows: number) => void) | undefined;
}

/** What became of an import. Nothing is stored unless it is `imported`. */
export type ImportOutcome =
  /** With a note: nothing is done, because it was done already for the same idempotency key; the report and the note are of that. */
  | { readonly kind: 'imported'; readonly report: ImportReport; readonly note?: string | undefined }
  /**
   * `rejected-rows`: one that is not lenient has rejected some; the report tells what it would have been without them, but for
   * deletions. `checked` may have rejected some, too.
   */
  | { readonly kind: 'checked' | 'rejected-rows'; readonly report: ImportReport }
  /** `replace-all` would delete more than the share that it may. */
  | { readonly kind: 'too-many-deletions'; readonly report: ImportReport; readonly total: number }
  /** The parent does not exist. */
  | { readonly kind: 'missing'; readonly collection: string }
  | { readonly kind: 'idempotency-mismatch' };
