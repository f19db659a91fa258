import type { Methods } from '../dispatch/methods.ts';
import type { Exchange } from '../http/context.ts';
import { HTML_TYPE, JSON_TYPE, VARY_TYPE_AND_LANGUAGE } from '../http/headers.ts';
import { problemPath, URLS } from '../http/urls.ts';
import type { Language } from '../locale/language.ts';
import { get } from '../read/get.ts';
import { pageQueryCheck } from '../read/query/page-query.ts';
import { sentence } from '../texts/phrase.ts';
import { Problem, type ProblemCode, problems } from '../texts/problem.ts';
import { constant, respondConstant } from '../write/static.ts';
import type { SiteOptions } from './options.ts';
import { frameOf, originOf, pageHeaders } from './page.ts';

const isCode = (code: string): code is ProblemCode => Object.hasOwn(problems, code);

const codeIn = (c: Exchange): ProblemCode => {
  const code = c.req.param('code') ?? '';
  if (!isCode(code)) throw new Problem('not-found', sentence('problem-unknown', { code }));
  return code;
};

const explanationIn = (language: Language, code: ProblemCode) => {
  const { title, explanation } = language.problem(code);
  return { type: problemPath(code), title, status: problems[code], code, detail: explanation };
};

/** Explanations of problem codes, to which the `type` of a problem leads: pages for people, JSON for programs. */
export const problemRoutes = (options: SiteOptions): Readonly<Record<string, Methods>> => {
  const { catalogue, trees, responseLanguage } = options;
  const checkQuery = pageQueryCheck(trees.map(({ language }) => language.tag));

  const allPage = async (language: Language): Promise<string> => {
    const { problemsPage } = await import('./pages/problem-page.ts');
    const all = (Object.keys(problems) as ProblemCode[]).map((code) => explanationIn(language, code));
    return problemsPage(frameOf(options, URLS.problems, language), language.tag, all);
  };
  const onePage = async (language: Language, code: ProblemCode, origin: string): Promise<string> => {
    const [{ problemPage }, { exampleIn }] = await Promise.all([
      import('./pages/problem-page.ts'),
      import('./content/problem-example.ts'),
    ]);
    return problemPage(frameOf(options, problemPath(code), language), {
      ...explanationIn(language, code),
      tag: language.tag,
      remedy: language.pages.remedy(code),
      example: exampleIn(code, language, trees, catalogue, origin),
    });
  };
  /** @param codeIn throws a Problem where the path has no known code */
  const explain = <Code>(
    codeIn: (c: Exchange) => Code,
    json: (language: Language, code: Code) => unknown,
    page: (language: Language, code: Code, c: Exchange) => Promise<string>,
  ) =>
    get([{ type: JSON_TYPE }, { type: HTML_TYPE }], checkQuery, async (c, { type }) => {
      const code = codeIn(c);
      const language = responseLanguage.neutral(c);
      const isPage = type === HTML_TYPE;
      const content = isPage ? await page(language, code, c) : JSON.stringify(json(language, code));
      const headers = isPage ? pageHeaders(language) : { 'Content-Type': JSON_TYPE, 'Content-Language': language.tag };
      return respondConstant(c, constant(content), headers, VARY_TYPE_AND_LANGUAGE);
    });
  return {
    [URLS.problems]: {
      GET: explain(
        () => undefined,
        (language) => (Object.keys(problems) as ProblemCode[]).map((code) => explanationIn(language, code)),
        (language) => allPage(language),
      ),
    },
    [problemPath(':code')]: {
      GET: explain(codeIn, explanationIn, (language, code, c) => onePage(language, code, originOf(c))),
      OPTIONS: (c) => void codeIn(c),
    },
  };
};
