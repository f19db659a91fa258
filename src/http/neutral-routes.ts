import type { Language } from '../locale/language.ts';
import { andThen } from '../model/maybe-promise.ts';
import { sentence } from '../model/phrase.ts';
import { Problem, type ProblemCode, problems } from '../model/problem.ts';
import { dictionaryRoutes } from './dictionary-routes.ts';
import { docsRoutes } from './docs-routes.ts';
import type { Exchange } from './env.ts';
import { indexRoutes } from './index-routes.ts';
import type { Methods } from './methods.ts';
import { checkAccept, JSON_TYPE } from './negotiate.ts';
import type { NeutralOptions } from './neutral.ts';
import { refuseQuery } from './read-pairs.ts';
import { EVERYWHERE, NEUTRAL, requestIdOf, respond } from './respond.ts';
import { searchOf, targetOf } from './target.ts';
import { problemPath } from './write-problem.ts';

const isCode = (code: string): code is ProblemCode => Object.hasOwn(problems, code);

/** The addresses that belong to no language, by route pattern. */
export const neutralRoutes = (options: NeutralOptions): Readonly<Record<string, Methods>> => {
  const { store } = options;
  const languageOf = options.answersIn.header;
  const json = (c: Exchange, language: Language, value: unknown): Response =>
    respond(c, 200, JSON.stringify(value), {
      'Content-Type': JSON_TYPE,
      'Content-Language': language.tag,
      ...NEUTRAL,
      ...EVERYWHERE,
      'X-Request-Id': requestIdOf(c.req.raw),
    });
  const read = (c: Exchange): void => {
    checkAccept(c.req.raw.headers);
    refuseQuery(searchOf(targetOf(c.req.raw, c.env)));
  };

  return {
    ...indexRoutes(options),
    ...dictionaryRoutes(options),
    ...docsRoutes(options),
    [problemPath(':code')]: {
      GET: (c) => {
        read(c);
        const code = c.req.param('code') ?? '';
        if (!isCode(code)) throw new Problem('not-found', sentence('problem-unknown', { code }));
        const language = languageOf(c);
        const { title, explanation } = language.problem(code);
        return json(c, language, { type: problemPath(code), title, status: problems[code], code, detail: explanation });
      },
    },
    // Whoever asks is a machine: no word of a language in them, no condition on them.
    '/livez': { GET: (c) => json(c, languageOf(c), { status: 'ok' }) },
    '/readyz': {
      GET: (c) =>
        andThen(store.ready(), (ready) => {
          if (!ready) throw new Problem('unavailable', sentence('store-unavailable', {}));
          return json(c, languageOf(c), { status: 'ok' });
        }),
    },
  };
};
