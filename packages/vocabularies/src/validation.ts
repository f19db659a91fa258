/** Answers what a validator finds, in the language of the request's vocabulary: a hook for `@hono/zod-validator` and Standard Schema. */
import type { Context } from 'hono';
import { tagFinder } from './accept-language.ts';
import { findContext } from './canonical-request.ts';
import { placeWithin } from './document.ts';
import { exchangeSent, findOwnSentence, readStep } from './problems.ts';
import { valueAt } from './words.ts';

/** An issue of zod, or of any Standard Schema. */
export interface Issue {
  readonly message: string;
  readonly code?: string | undefined;
  /** What Valibot has instead of a code. */
  readonly type?: string | undefined;
  /** The values that could stand there. */
  readonly values?: readonly unknown[] | undefined;
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
    const context = findContext(c.req.raw);
    const words = context?.vocabulary.words;
    const say = locales[findLocale(words?.tag ?? '') ?? ''];
    const title = words && findOwnSentence(words, 'invalid-request').title;
    let isTranslated = title !== undefined;
    const { error = [] } = result;
    const issues = 'issues' in error ? (error.issues ?? []) : (error as Issues);
    const errors = issues.map((issue) => {
      const { code = issue.type ?? 'invalid' } = issue;
      const path = (issue.path ?? []).map(readStep);
      const input = valueAt(result.data, ...path);
      const values = issue.values?.map((value) =>
        context && typeof value === 'string' ? exchangeSent(context, value, { path }) : value,
      );
      // A locale of zod knows nothing of other validators, whose issues have no code.
      const own = issue.code === undefined ? undefined : say?.({ ...issue, values, input } as never);
      const sentence = words?.findSentence(code)?.detail ?? own;
      isTranslated &&= sentence !== undefined && sentence !== null;
      const detail = typeof sentence === 'string' ? sentence : (sentence?.message ?? issue.message);
      const isBody = result.target === undefined || result.target === 'json' || result.target === 'form';
      const place = isBody ? { pointer: placeWithin('', ...path) } : { parameter: path.join('.') };
      // A sentence of a table may name them: `{minimum}`.
      const numbers = Object.entries(issue).filter(([, value]) => typeof value === 'number');
      return { ...Object.fromEntries(numbers), ...place, code, detail };
    });
    const head = { type: 'about:blank', title: title ?? 'Invalid request', status: 400, code: 'invalid-request' };
    const language = words && isTranslated ? { 'content-language': words.tag } : {};
    const headers = { 'content-type': 'application/problem+json', ...language };
    return c.body(JSON.stringify({ ...head, errors }), 400, headers);
  };
}
