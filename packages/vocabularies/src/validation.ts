/** Answers what a validator finds, in the language of the request's vocabulary: a hook for `@hono/zod-validator` and Standard Schema. */
import type { Context } from 'hono';
import { tagFinder } from './accept-language.ts';
import { findVocabulary } from './canonical-request.ts';
import { placeWithin } from './document.ts';
import { findOwnSentence, readStep } from './problems.ts';

/** An issue of zod, or of any Standard Schema. */
export interface Issue {
  readonly message: string;
  readonly code?: string | undefined;
  readonly path?: readonly unknown[] | undefined;
}

type Issues = readonly Issue[];
type ValidatorResult = { success: boolean; data?: unknown; target?: string; error?: { issues?: Issues } | Issues };

/** Says an issue in a language, as `z.locales.es().localeError` does. */
export type Say = (issue: never) => string | { readonly message: string } | null | undefined;

/**
 * Made for one app, and asked for each request: nothing is set for the process, so that requests in different languages do not mix.
 * Places are written in the document's names; whoever translates the answer writes them in words.
 *
 * @param locales what says an issue, by tag, of which `es` serves `es-MX`, too; without one the issue's own message stays
 * @example app.post('/tasks', zValidator('json', Task, answerIssues({ es: z.locales.es().localeError })), create)
 */
export function answerIssues(locales: Readonly<Record<string, Say>> = {}) {
  const findLocale = tagFinder(Object.keys(locales));
  return (result: ValidatorResult, c: Context): Response | undefined => {
    if (result.success) return undefined;
    const words = findVocabulary(c.req.raw)?.words;
    const say = locales[findLocale(words?.tag ?? '') ?? ''];
    const title = words && findOwnSentence(words, 'invalid-request').title;
    let isTold = title !== undefined;
    const { error = [] } = result;
    const issues = 'issues' in error ? (error.issues ?? []) : (error as Issues);
    const errors = issues.map((issue) => {
      const { code = 'invalid' } = issue;
      const path = (issue.path ?? []).map(readStep);
      const input = path.reduce<unknown>((value, step) => Object(value)[step], result.data);
      const sentence = words?.findSentence(code)?.detail ?? say?.({ ...issue, input } as never);
      isTold &&= sentence !== undefined && sentence !== null;
      const detail = typeof sentence === 'string' ? sentence : (sentence?.message ?? issue.message);
      const isBody = result.target === undefined || result.target === 'json' || result.target === 'form';
      return { ...(isBody ? { pointer: placeWithin('', ...path) } : { parameter: path.join('.') }), code, detail };
    });
    const head = { type: 'about:blank', title: title ?? 'Invalid request', status: 400, code: 'invalid-request' };
    const language = words && isTold ? { 'content-language': words.tag } : {};
    const headers = { 'content-type': 'application/problem+json', ...language };
    return c.body(JSON.stringify({ ...head, errors }), 400, headers);
  };
}
