/** What threads that read are told, and what they answer. */
import type { FormerWord } from '../../../locale/former.ts';
import type { Locale } from '../../../locale/table.ts';
import type { Catalogue } from '../../../model/catalogue.ts';
import type { RowBatch } from '../../../model/row-batch.ts';
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

/** A file to read, as plain data. */
export interface FileJob extends Job {
  /** The name of one that can be imported. */
  readonly format: string;
  readonly options: ReadingOptions;
  /** The most errors of one reason that somebody sees; all by default. */
  readonly mostErrors?: number | undefined;
}

/** A body of JSON to read. */
export interface BodyJob extends Job {
  readonly purpose: 'create' | 'update';
  /** Whether its items are rows where it is an array. */
  readonly takesArray: boolean;
}

export type ReadingJob = FileJob | BodyJob;

/** After a job come its blocks, each when it is asked for, and `wants`, each of which asks for another batch. */
export type ReadingOrder =
  | { readonly job: ReadingJob; readonly file: number | undefined }
  | { readonly block: Uint8Array | undefined }
  | { readonly wants: 'batch' };

type PlainProblem = Pick<Problem, 'code' | 'detail' | 'errors' | 'suggestion'>;

export const plainProblem = ({ code, detail, errors, suggestion }: Problem): PlainProblem => ({
  code,
  detail,
  errors,
  suggestion,
});

export const problemFrom = ({ code, detail, ...extras }: PlainProblem): Problem => new Problem(code, detail, extras);

/** The members of a body, as plain data. */
type PlainMembers =
  | Extract<Members, { readonly problem: undefined }>
  | { readonly cells: undefined; readonly problem: PlainProblem };

export const plainMembers = (members: Members): PlainMembers =>
  members.problem ? { ...members, problem: plainProblem(members.problem) } : members;

export const membersFrom = (plain: PlainMembers): Members =>
  plain.problem ? { ...plain, problem: problemFrom(plain.problem) } : plain;

/** The last message of a job is `end`, `problem` or `fault`; before it come the former words that were read, if any. */
export type ReadingMessage =
  | { readonly wants: 'block' }
  | { readonly batch: RowBatch }
  | { readonly members: PlainMembers }
  | { readonly former: readonly FormerWord[] }
  | { readonly end: true }
  | { readonly problem: PlainProblem }
  | { readonly fault: unknown };

/** Batches that a thread may be ahead of who takes them. */
export const AHEAD = 2;
