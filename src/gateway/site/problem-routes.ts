import type { Routes } from '../dispatch/methods.ts';
import type { Exchange } from '../http/context.ts';
import { problemPath, URLS } from '../http/urls.ts';
import { sentence } from '../texts/phrase.ts';
import { Problem, type ProblemCode, problems } from '../texts/problem.ts';
import { explanationOf, explanationsIn } from './content/service.ts';
import { constantOf, data, json, page, type SiteOptions, shown } from './shown.ts';

const isCode = (code: string): code is ProblemCode => Object.hasOwn(problems, code);

const codeIn = (c: Exchange): ProblemCode => {
  const code = c.req.param('code') ?? '';
  if (!isCode(code)) throw new Problem('not-found', sentence('problem-unknown', { code }));
  return code;
};

const loaded = () => import('./pages/problem-page.ts');

/** Explanations of problem codes, to which the `type` of a problem leads: pages for people, JSON for programs. */
export const problemRoutes = (options: SiteOptions): Routes => ({
  [URLS.problems]: {
    GET: shown(options, [
      data((language) => json(constantOf(explanationsIn(language)), language.tag)),
      page(async (language) => (await loaded()).problemsPage(options, language)),
    ]),
  },
  [problemPath(':code')]: {
    GET: shown(options, [
      data((language, c) => json(constantOf(explanationOf(language, codeIn(c))), language.tag)),
      page(async (language, c) => (await loaded()).problemPage(options, language, codeIn(c))),
    ]),
    OPTIONS: (c) => void codeIn(c),
  },
});
