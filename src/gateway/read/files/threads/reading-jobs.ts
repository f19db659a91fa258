/** What the threads that read are told, and what they answer. */
import type { FormerWord } from '../../../../../packages/vocabularies/src/words.ts';
import type { Locale } from '../../../locale/table.ts';
import type { Catalogue } from '../../../model/catalogue.ts';
import type { RowSummary } from '../../../model/import.ts';
import { Problem } from '../../../texts/problem.ts';
import type { Members } from '../../body/members.ts';
import type { ReadingOptions } from '../file-reader.ts';

/** What the threads are started with. */
export interface ReadingData {
  readonly catalogue: Catalogue;
  readonly locales: readonly Locale[];
  readonly defaultLanguage: string;
}

interface Job {
  /** The tag of the language whose words it has. */
  readonly tag: string;
  readonly collection: string;
}

/** A file to read, or a body that is a JSON array, as plain data. */
export interface FileJob extends Job {
  /** The name of a format that can be imported. */
  readonly format: string;
  readonly options: ReadingOptions;
  readonly rejectsMissing: boolean;
}

/** A body of JSON that is an item. */
export interface BodyJob extends Job {
  readonly purpose: 'create' | 'update';
}

export interface ReadingOrder {
  readonly job: FileJob | BodyJob;
  /** The descriptor of a file, or a body. */
  readonly source: number | Uint8Array;
  /** The descriptor of the file that keeps the rows of a file. */
  readonly spool?: number;
}

/** A problem as plain data, which is what threads send. */
type PlainProblem = Pick<Problem, 'code' | 'detail' | 'errors' | 'suggestion'>;
type PlainMembers =
  | Extract<Members, { readonly problem: undefined }>
  | { readonly cells: undefined; readonly problem: PlainProblem };

/** What was read, or why it could not be, and the former words that it has. */
export type ReadingResult = (
  | { readonly rows: RowSummary }
  | { readonly members: PlainMembers }
  | { readonly problem: PlainProblem }
  | { readonly fault: unknown }
) & { readonly former: readonly FormerWord[] };

export const plainProblem = ({ code, detail, errors, suggestion }: Problem): PlainProblem => ({
  code,
  detail,
  errors,
  suggestion,
});

export const problemFrom = ({ code, detail, ...extras }: PlainProblem): Problem => new Problem(code, detail, extras);

export const plainMembers = (members: Members): PlainMembers =>
  members.problem ? { ...members, problem: plainProblem(members.problem) } : members;

export const membersFrom = (plain: PlainMembers): Members =>
  plain.problem ? { ...plain, problem: problemFrom(plain.problem) } : plain;
