import type { MaybePromise } from '../../util/maybe-promise.ts';
import type { Choices } from '../formats/representation.ts';
import type { HeaderRecord, RequestContext } from '../http/context.ts';
import { isSafe, type RequestIds, readRequestIds, requestTarget, respond } from '../http/exchange.ts';
import { problemPath, writeRemedy } from '../http/urls.ts';
import { type Language, trackLanguages } from '../locale/language.ts';
import { OutcomeUnknown, type Reason, Unavailable } from '../port/unavailable.ts';
import { findAcceptable } from '../read/accept.ts';
import type { LanguageSelector } from '../read/response-language.ts';
import { type PhraseName, sentence, truncate } from '../texts/phrase.ts';
import { Problem, problems } from '../texts/problem.ts';

const unavailablePhrases = {
  database: 'store-unavailable',
  full: 'store-full',
  'read-only': 'store-read-only',
  lists: 'streams-exhausted',
  reads: 'reads-exhausted',
  imports: 'imports-exhausted',
  files: 'files-unwritable',
  client: 'client-exhausted',
} as const satisfies Record<Reason, PhraseName>;

function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof Unavailable) {
    const { cause, reason } = error;
    // A client that has its share already must not hold connections in its place.
    const headers = reason === 'client' ? { Connection: 'close' } : undefined;
    return new Problem('unavailable', sentence(unavailablePhrases[reason], {}), { cause, headers });
  }
  if (error instanceof OutcomeUnknown) {
    return new Problem('outcome-unknown', sentence('write-unknown', {}), { cause: error.cause });
  }
  return new Problem('internal', sentence('internal', {}), { cause: error });
}

/** @returns `Vary`: only a route negotiates by `Accept`, and reads units, and inside a tree the path alone decides the language */
function varyHeaders({ headers }: Request, isInTree: boolean, isRouted: boolean): HeaderRecord {
  const prefersUnits = headers.get('Prefer')?.toLowerCase().includes('units') === true;
  if (isInTree && prefersUnits && isRouted) return { Vary: 'Accept, Prefer' };
  if (isInTree) return isRouted ? { Vary: 'Accept' } : {};
  return isRouted ? { Vary: 'Accept, Accept-Language' } : { Vary: 'Accept-Language' };
}

/** The media types of problems. A client that accepts any gets the first. */
const FORMS: Choices<{ readonly type: string }> = [
  { type: 'application/problem+json' },
  { type: 'application/json' },
  { type: 'text/html' },
];

/** The statuses that people meet who follow a link or type an address; what else fails outside the trees is a matter of programs. */
const MET = [401, 403, 404];

function isForPeople({ req }: RequestContext, status: number): boolean {
  const type = findAcceptable(req.raw.headers.get('accept'), FORMS)?.type;
  return type === 'text/html' && MET.includes(status) && isSafe(req.method);
}

/** Seconds after which a client may try again after a 503. */
const RETRY_AFTER = '1';

/** @returns the status, headers and body of a problem (RFC 9457) in one language */
function writeProblem(own: Language, problem: Problem, requestId: string) {
  const [language, contentLanguage] = trackLanguages(own);
  const { code, report } = problem;
  const status = problems[code];
  const errors = problem.errors.map(({ place, name, value, detail, remedy, ...error }) => ({
    ...place,
    code: error.code,
    name: 'header' in place ? place.header : name,
    value: value && truncate(value),
    detail: language.format(detail),
    suggestion: error.suggestion,
    remedy: remedy ? language.format(remedy) : writeRemedy(language, error.code),
  }));
  const isListed = errors.length > 0;
  const body = JSON.stringify({
    type: language.base + problemPath(code),
    title: language.problem(code).title,
    status,
    code,
    detail: language.format(problem.detail),
    suggestion: problem.suggestion,
    remedy: isListed ? undefined : writeRemedy(language, code),
    requestId,
    errors: isListed ? errors : undefined,
    report,
  });
  const headers = {
    'Content-Type': 'application/problem+json',
    'Content-Language': contentLanguage(),
    ...(status === 503 ? { 'Retry-After': RETRY_AFTER } : {}),
    ...problem.headers,
  };
  return { status, headers, body };
}

export type ShowProblem = (
  language: Language,
  problem: Problem,
) => Promise<{ readonly html: string; readonly headers: HeaderRecord }>;

/**
 * Creates the one place where an error becomes a response.
 *
 * @param onFault called with every cause that the response does not reveal
 * @param show makes the page of a problem for browsers, which ask for one outside the trees
 * @returns a function of an error, of whether its path has a route, and of the language if the request names none
 */
export const createProblemHandler =
  (languages: LanguageSelector, onFault: (error: unknown, request: RequestIds) => void, show: ShowProblem) =>
  (error: unknown, c: RequestContext, isRouted: boolean, otherwise?: Language): MaybePromise<Response> => {
    const problem = asProblem(error);
    const ids = readRequestIds(c.req.raw);
    if (problem.cause !== undefined) onFault(problem.cause, ids);
    const own = languages.tree(requestTarget(c.req.raw, c.env));
    const usual = own ?? languages.requested(c) ?? otherwise ?? languages.neutral(c);
    const language = c.env?.base === undefined ? usual : { ...usual, base: c.env.base };
    const { status, headers, body } = writeProblem(language, problem, ids.id);
    if (own === undefined && isForPeople(c, status)) {
      return show(language, problem).then((page) =>
        respond(c, status, page.html, { ...headers, ...page.headers, Vary: 'Accept, Accept-Language' }, ids.id),
      );
    }
    return respond(c, status, body, { ...headers, ...varyHeaders(c.req.raw, own !== undefined, isRouted) }, ids.id);
  };
