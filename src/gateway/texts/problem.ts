import { byteSize, type Sentence, sentence } from './phrase.ts';

/** Every problem code, with its HTTP status. This list is closed: `problems` in a locale table has exactly these. */
export const problems = {
  'bad-request': 400,
  'malformed-json': 400,
  'malformed-file': 400,
  'malformed-path': 400,
  'unknown-parameter': 400,
  'invalid-parameter': 400,
  'invalid-query': 400,
  'invalid-header': 400,
  'unknown-field': 400,
  'missing-field': 400,
  'invalid-value': 400,
  'invalid-body': 400,
  unauthorized: 401,
  forbidden: 403,
  'not-found': 404,
  'no-such-path': 404,
  'method-not-allowed': 405,
  'not-acceptable': 406,
  'already-exists': 409,
  'in-use': 409,
  'key-mismatch': 409,
  gone: 410,
  stale: 409,
  'precondition-failed': 412,
  'body-too-large': 413,
  'uri-too-long': 414,
  'unsupported-media-type': 415,
  'expectation-failed': 417,
  'idempotency-mismatch': 422,
  'rejected-rows': 422,
  'rate-limited': 429,
  internal: 500,
  unavailable: 503,
  'outcome-unknown': 504,
} as const;

export type ProblemCode = keyof typeof problems;

export interface RequestError {
  /** The part of a request that is invalid: a JSON pointer into the body (RFC 6901), a query parameter or a header. */
  readonly place: { readonly pointer: string } | { readonly parameter: string } | { readonly header: string };
  readonly name?: string | undefined;
  /** The value that was sent; of a body, as JSON. */
  readonly value?: string | undefined;
  readonly code: ProblemCode;
  readonly detail: Sentence;
  readonly suggestion?: string | undefined;
  /** Advice that is more exact than that of the code. */
  readonly remedy?: Sentence | undefined;
}

interface Extras {
  readonly cause?: unknown;
  readonly errors?: readonly RequestError[];
  /** The report of an import that is refused, in the words of its tree. */
  readonly report?: Readonly<Record<string, unknown>> | undefined;
  readonly suggestion?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Ends a request with an error response. Any stage may throw it; one place writes the response. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly detail: Sentence;
  readonly errors: readonly RequestError[];
  readonly suggestion: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly report: Extras['report'];

  constructor(code: ProblemCode, detail: Sentence, extras: Extras = {}) {
    super(code, { cause: extras.cause });
    this.code = code;
    this.detail = detail;
    this.errors = extras.errors ?? [];
    this.suggestion = extras.suggestion;
    this.headers = extras.headers ?? {};
    this.report = extras.report;
  }
}

/** @param heap MiB. @returns the problem of a file whose thread has run out of them; `undefined` for another error of a thread */
export const memoryProblem = (error: unknown, heap: number): Problem | undefined =>
  (error as Partial<NodeJS.ErrnoException> | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new Problem('body-too-large', sentence('file-memory', { limit: byteSize(heap * 1_048_576) }))
    : undefined;

/** At most this many errors of a request are listed; `detail` counts all of them. */
export const LISTED = 100;

/** An error that is computed only if it is listed: a body may have a hundred thousand. */
export type LazyError = () => RequestError;

export function newErrors() {
  const listed: LazyError[] = [];
  let count = 0;
  return {
    add: (error: LazyError): void => {
      count++;
      if (listed.length < LISTED) listed.push(error);
    },
    count: (): number => count,
    listed,
  };
}

/** Combines at least one error. A single one keeps its own code and sentence. */
export function combineErrors(errors: readonly LazyError[], several: Pick<RequestError, 'code' | 'detail'>): Problem {
  const listed = errors.slice(0, LISTED).map((error) => error());
  const [first] = listed;
  const { code, detail } = errors.length === 1 && first ? first : several;
  return new Problem(code, detail, { errors: listed });
}

/** A problem whose cause is one header, which it names. @param more.headers of the response */
export const headerProblem = (
  header: string,
  code: ProblemCode,
  detail: Sentence,
  { headers, ...more }: Pick<RequestError, 'value' | 'suggestion'> & Pick<Extras, 'headers'> = {},
): Problem => new Problem(code, detail, { errors: [{ place: { header }, code, detail, ...more }], headers });
