import type { Asked } from '../http/context.ts';
import { type HeaderRecord, VARY_LANGUAGE, VARY_TYPE, VARY_TYPE_AND_LANGUAGE } from '../http/headers.ts';
import { targetOf } from '../http/request.ts';
import { idsOf, type RequestIds, respond } from '../http/respond.ts';
import type { Language } from '../locale/language.ts';
import { type Reason, Unavailable } from '../port/unavailable.ts';
import type { LanguageOf } from '../read/response-language.ts';
import { type PhraseName, sentence } from '../texts/phrase.ts';
import { Problem } from '../texts/problem.ts';
import { writeProblem } from '../write/problem.ts';

const unavailablePhrases = {
  database: 'store-unavailable',
  full: 'store-full',
  'read-only': 'store-read-only',
  lists: 'streams-exhausted',
  reads: 'reads-exhausted',
  imports: 'imports-exhausted',
  client: 'client-exhausted',
} as const satisfies Record<Reason, PhraseName>;

const asProblem = (error: unknown): Problem => {
  if (error instanceof Problem) return error;
  if (error instanceof Unavailable) {
    return new Problem('unavailable', sentence(unavailablePhrases[error.reason], {}), { cause: error.cause });
  }
  return new Problem('internal', sentence('internal', {}), { cause: error });
};

/** @returns `Vary`: only a route negotiates by `Accept`, and inside a tree the path alone decides the language */
const varyOf = (isInTree: boolean, isRouted: boolean): HeaderRecord => {
  if (isInTree) return isRouted ? VARY_TYPE : {};
  return isRouted ? VARY_TYPE_AND_LANGUAGE : VARY_LANGUAGE;
};

/**
 * The one place where an error becomes a response.
 *
 * @param languages select the language of the response
 * @param onFault called with every cause that the response does not reveal
 * @param onProblem called with every problem and the language of its response
 * @returns a function that responds to an error; `isRouted` says whether the path matched a route, and `otherwise` is the
 *   language where the request names none
 */
export const problemHandler =
  (
    languages: LanguageOf,
    onFault: (error: unknown, request: RequestIds) => void,
    onProblem?: (problem: Problem, language: Language, c: Asked) => void,
  ) =>
  (error: unknown, c: Asked, isRouted: boolean, otherwise?: Language): Response => {
    const problem = asProblem(error);
    const ids = idsOf(c.req.raw);
    if (problem.cause !== undefined) onFault(problem.cause, ids);
    const own = languages.tree(targetOf(c.req.raw, c.env));
    const language = own ?? languages.asked(c) ?? otherwise ?? languages.neutral(c);
    onProblem?.(problem, language, c);
    const { status, headers, body } = writeProblem(language, problem, ids.id);
    return respond(c, status, body, { ...headers, ...varyOf(own !== undefined, isRouted) }, ids.id);
  };
