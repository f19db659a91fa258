/** Requests with words that others have replaced: they are read with the new ones, and their responses say so. */
import type { Hono } from 'hono';
import { endOfUse, type FormerWord } from '../../../packages/vocabularies/src/words.ts';
import type { Env } from '../http/context.ts';
import { requestTarget, splitPath, targetPath } from '../http/request.ts';
import { ROOT, urlsIn } from '../http/urls.ts';
import { FormerUses } from '../locale/history.ts';
import { type Language, viewWords } from '../locale/language.ts';
import type { Catalogue } from '../model/catalogue.ts';
import { correctPath } from './no-such-path.ts';

/** RFC 9745, RFC 8594: since when the first word is former, and until when the first one is accepted. */
const addHeaders = ({ headers }: Response, languages: readonly Language[], uses: readonly FormerWord[]): void => {
  headers.set('Deprecation', `@${Math.min(...uses.map(({ since }) => Date.parse(since))) / 1_000}`);
  headers.set('Sunset', new Date(Math.min(...uses.map(endOfUse)) - 1_000).toUTCString());
  const tags = new Set(uses.map(({ language }) => language));
  for (const language of languages.filter(({ tag }) => tags.has(tag)))
    headers.append('Link', `<${urlsIn(language).dictionary}>; rel="deprecation"; type="application/json"`);
};

/** Makes the function that replaces the former words of a path. @returns `undefined` if no table lists any */
export const targetReader = (
  catalogue: Catalogue,
  all: readonly Language[],
): ((target: string) => string) | undefined => {
  const languages = all.filter(({ former }) => former.length > 0);
  if (languages.length === 0) return undefined;
  const views = viewWords(languages);
  return (target) => {
    const path = targetPath(target);
    if (!path.startsWith(`${ROOT}/`)) return target;
    const segments = splitPath(path.replace(/\/$/, ''), views).slice(2);
    if (segments.includes(undefined)) return target;
    const sent = segments.map((segment) => segment ?? '');
    const [found] = languages.flatMap((each) => correctPath(catalogue, each, sent, true, true) ?? []);
    return found === undefined ? target : found + target.slice(path.length);
  };
};

/**
 * Has the app read what requests have by former words, and say so in its responses. Where no table lists any, nothing is done.
 *
 * @param onUse called with each former word of a request, once
 */
export const acceptFormerWords = (
  app: Hono<Env>,
  languages: readonly Language[],
  current: ((target: string) => string) | undefined,
  onUse: (former: FormerWord) => void = () => {},
): void => {
  const log = languages[0]?.formerLog;
  if (!current || !log) return;
  app.use(async (c, next) => {
    const formerWords = new FormerUses(log);
    const target = formerWords.during(() => current(requestTarget(c.req.raw, c.env)));
    c.env = { ...c.env, target, formerWords };
    await next();
    const { words } = formerWords;
    if (words.length === 0) return;
    for (const each of words) onUse(each);
    addHeaders(c.res, languages, words);
  });
};
