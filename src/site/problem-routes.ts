import type { Methods } from '../http/dispatch/methods.ts';
import { COMMON_HEADERS, JSON_TYPE, requestIdOf, VARY_LANGUAGE } from '../http/headers.ts';
import { checkAccept } from '../http/read/negotiate.ts';
import { refuseQuery } from '../http/read/query-string.ts';
import { searchIn } from '../http/target.ts';
import { problemPath } from '../http/urls.ts';
import { respond } from '../http/write/respond.ts';
import { sentence } from '../texts/phrase.ts';
import { Problem, type ProblemCode, problems } from '../texts/problem.ts';
import type { SiteOptions } from './options.ts';

const isCode = (code: string): code is ProblemCode => Object.hasOwn(problems, code);

/** Each problem code, explained: where the `type` of a problem leads. */
export const problemRoutes = ({ answersIn }: SiteOptions): Readonly<Record<string, Methods>> => ({
  [problemPath(':code')]: {
    GET: (c) => {
      checkAccept(c.req.raw.headers);
      refuseQuery(searchIn(c));
      const code = c.req.param('code') ?? '';
      if (!isCode(code)) throw new Problem('not-found', sentence('problem-unknown', { code }));
      const language = answersIn.header(c);
      const { title, explanation } = language.problem(code);
      const problem = { type: problemPath(code), title, status: problems[code], code, detail: explanation };
      return respond(c, 200, JSON.stringify(problem), {
        'Content-Type': JSON_TYPE,
        'Content-Language': language.tag,
        ...VARY_LANGUAGE,
        ...COMMON_HEADERS,
        'X-Request-Id': requestIdOf(c.req.raw),
      });
    },
  },
});
