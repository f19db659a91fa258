import type { Sentence } from '../../texts/phrase.ts';
import { Problem, type ProblemCode } from '../../texts/problem.ts';
import type { HeaderRecord } from '../headers.ts';

/** A problem whose cause is one header, which it names. */
export const headerProblem = (
  header: string,
  code: ProblemCode,
  detail: Sentence,
  headers: HeaderRecord = {},
): Problem => new Problem(code, detail, { errors: [{ place: { header }, code, detail }], headers });
