import type { Exchange } from '../http/context.ts';
import type { HeaderRecord } from '../http/headers.ts';
import { CONTENT_POLICY, HTML_TYPE } from '../http/headers.ts';
import { inLanguage, urlsIn } from '../http/urls.ts';
import type { Language } from '../locale/language.ts';
import { autonymOf, directionOf } from '../locale/names.ts';
import type { SiteOptions } from './options.ts';
import type { Frame } from './pages/frame.ts';

/**
 * A Content Security Policy (level 3) that allows nothing from other origins, nothing inline, and no embedding in other sites.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // Swagger UI's style sheet contains its icons.
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  // Without scripts, the filter is a form that leads to the API.
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** @returns the headers of a page */
export const pageHeaders = ({ pages }: Language): HeaderRecord => ({
  'Content-Type': `${HTML_TYPE}; charset=utf-8`,
  'Content-Language': pages.tag,
  [CONTENT_POLICY]: POLICY,
  'Referrer-Policy': 'no-referrer',
});

/** @param path the page's own, to which the switch of languages leads */
export const frameOf = ({ trees }: SiteOptions, path: string, language: Language): Frame => ({
  tag: language.pages.tag,
  direction: directionOf(language.pages.tag),
  service: language.pages.say('title'),
  say: language.pages.say,
  choices: trees.map(({ language: { tag, pages } }) => ({
    tag,
    name: autonymOf(tag),
    address: inLanguage(path, tag),
    isCurrent: tag === language.tag,
    isTranslated: tag === pages.tag,
  })),
  start: inLanguage('/', language.tag),
  documentation: urlsIn(language).documentation,
  inTag: (url) => inLanguage(url, language.tag),
});

/** Replaces an origin that is not safe to paste into a shell. */
const DEFAULT_ORIGIN = 'http://localhost:3000';

/**
 * @returns the origin for the commands of a page, from the request's URL; behind a proxy the scheme is a guess, which a script
 *   corrects
 */
export const originOf = (c: Exchange): string => {
  const { origin } = new URL(c.req.raw.url);
  return /^https?:\/\/[\w.:[\]-]+$/.test(origin) ? origin : DEFAULT_ORIGIN;
};
