import type { HeaderRecord } from '../http/headers.ts';
import type { Sentence } from '../texts/phrase.ts';
import { Problem, type ProblemCode, type RequestError } from '../texts/problem.ts';

interface More extends Pick<RequestError, 'value' | 'suggestion'> {
  /** Of the response. */
  readonly headers?: HeaderRecord;
}

/** A problem whose cause is one header, which it names. */
export const headerProblem = (
  header: string,
  code: ProblemCode,
  detail: Sentence,
  { headers, ...more }: More = {},
): Problem => new Problem(code, detail, { errors: [{ place: { header }, code, detail, ...more }], headers });
