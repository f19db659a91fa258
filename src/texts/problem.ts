import type { Sentence } from './phrase.ts';

/** The closed list of error codes with their statuses. Words: `problems` in each locale table. */
export const problems = {
  'bad-request': 400,
  'malformed-json': 400,
  'malformed-path': 400,
  'unknown-parameter': 400,
  'invalid-parameter': 400,
  'invalid-query': 400,
  'unknown-field': 400,
  'missing-field': 400,
  'invalid-value': 400,
  'invalid-body': 400,
  forbidden: 403,
  'not-found': 404,
  'no-such-path': 404,
  'method-not-allowed': 405,
  'not-acceptable': 406,
  'request-timeout': 408,
  'already-exists': 409,
  'key-mismatch': 409,
  'precondition-failed': 412,
  'body-too-large': 413,
  'uri-too-long': 414,
  'unsupported-media-type': 415,
  'expectation-failed': 417,
  'headers-too-large': 431,
  internal: 500,
  'not-implemented': 501,
  unavailable: 503,
  'version-not-supported': 505,
} as const;

export type ProblemCode = keyof typeof problems;

/** Where in a request an error is: a JSON pointer into the body (RFC 6901), a query parameter or a header. */
type Place = { readonly pointer: string } | { readonly parameter: string } | { readonly header: string };

/** One error of a request that may have several. */
export interface RequestError {
  readonly place: Place;
  readonly code: ProblemCode;
  readonly detail: Sentence;
  /** The word to use instead. */
  readonly suggestion?: string | undefined;
}

interface Extras {
  /** For the log, never for the client. */
  readonly cause?: unknown;
  readonly errors?: readonly RequestError[];
  readonly suggestion?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What ends a request early: a code of the table, and its sentence. Thrown at any stage, written by one place. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly detail: Sentence;
  readonly errors: readonly RequestError[];
  readonly suggestion: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ProblemCode, detail: Sentence, { cause, errors = [], suggestion, headers = {} }: Extras = {}) {
    super(code, { cause });
    this.code = code;
    this.detail = detail;
    this.errors = errors;
    this.suggestion = suggestion;
    this.headers = headers;
  }
}

/** Errors of one request that are listed; the sentence of the problem counts all of them. */
const LISTED = 100;

/** An error that is worked out only where it is listed: a body may hold a hundred thousand. */
export type LazyError = () => RequestError;

/**
 * All errors of one part of a request as one problem: a single error lends it its own code and sentence.
 *
 * @param errors at least one
 * @param several code and sentence where there are more
 */
export const problemOf = (
  errors: readonly LazyError[],
  several: { readonly code: ProblemCode; readonly detail: Sentence },
): Problem => {
  const listed = errors.slice(0, LISTED).map((error) => error());
  const [first] = listed;
  const { code, detail } = errors.length === 1 && first ? first : several;
  return new Problem(code, detail, { errors: listed });
};
