import { PROBLEM_TYPE } from '../http/exchange.ts';
import { problemPath } from '../http/urls.ts';
import type { Language } from '../locale/language.ts';
import { truncate } from '../texts/phrase.ts';
import { type Problem, problems, type RequestError } from '../texts/problem.ts';

/** Seconds after which a client may try again after a 503. */
const RETRY_AFTER = '1';

const writeError = (
  { say, remedy: remedyOf }: Language,
  { place, code, name, value, detail, suggestion, remedy }: RequestError,
) => ({
  ...place,
  code,
  name: 'header' in place ? place.header : name,
  value: value && truncate(value),
  detail: say(detail),
  suggestion,
  remedy: remedy ? say(remedy) : remedyOf(code),
});

/**
 * Writes a problem (RFC 9457) in one language.
 *
 * @param requestId as in the log
 */
export const writeProblem = (language: Language, problem: Problem, requestId: string) => {
  const { code, errors } = problem;
  const status = problems[code];
  const listed = errors.map((error) => writeError(language, error));
  const body = JSON.stringify({
    type: problemPath(code),
    title: language.problem(code).title,
    status,
    code,
    detail: language.say(problem.detail),
    suggestion: problem.suggestion,
    remedy: listed.length > 0 ? undefined : language.remedy(code),
    requestId,
    errors: listed.length > 0 ? listed : undefined,
    report: problem.report,
  });
  const headers = {
    'Content-Type': PROBLEM_TYPE,
    'Content-Language': language.tag,
    ...(status === 503 ? { 'Retry-After': RETRY_AFTER } : {}),
    ...problem.headers,
  };
  return { status, headers, body };
};
