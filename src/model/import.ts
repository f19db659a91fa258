/** Rows of a file on their way into a collection. */
import type { Sentence } from '../texts/phrase.ts';
import type { ProblemCode } from '../texts/problem.ts';
import type { Cell } from './field.ts';

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
