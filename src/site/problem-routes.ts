import type { Exchange } from '../http/context.ts';
import type { Methods } from '../http/dispatch/methods.ts';
import { JSON_TYPE, VARY_TYPE_AND_LANGUAGE } from '../http/headers.ts';
import { get } from '../http/read/get.ts';
import { JSON_ONLY } from '../http/read/negotiate.ts';
import { refuseQuery } from '../http/read/query-string.ts';
import { problemPath } from '../http/urls.ts';
import { constant, respondConstant } from '../http/write/static.ts';
import { sentence } from '../texts/phrase.ts';
import { Problem, type ProblemCode, problems } from '../texts/problem.ts';
import type { SiteOptions } from './options.ts';

const isCode = (code: string): code is ProblemCode => Object.hasOwn(problems, code);

const codeIn = (c: Exchange): ProblemCode => {
  const code = c.req.param('code') ?? '';
  if (!isCode(code)) throw new Problem('not-found', sentence('problem-unknown', { code }));
  return code;
};

/** Each problem code, explained: where the `type` of a problem leads. */
export const problemRoutes = ({ answersIn }: SiteOptions): Readonly<Record<string, Methods>> => ({
  [problemPath(':code')]: {
    GET: get(JSON_ONLY, refuseQuery, (c) => {
      const code = codeIn(c);
      const language = answersIn.neutral(c);
      const { title, explanation } = language.problem(code);
      const problem = { type: problemPath(code), title, status: problems[code], code, detail: explanation };
      const headers = { 'Content-Type': JSON_TYPE, 'Content-Language': language.tag };
      return respondConstant(c, constant(JSON.stringify(problem)), headers, VARY_TYPE_AND_LANGUAGE);
    }),
    OPTIONS: (c) => void codeIn(c),
  },
});
