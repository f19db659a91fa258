/** What the routes outside the trees have in common. */
import type { MaybePromise } from '../../util/maybe-promise.ts';
import { memoized } from '../../util/memoized.ts';
import type { Exchange, Handler, HeaderRecord } from '../http/context.ts';
import { CONTENT_POLICY, HTML_TYPE, JSON_TYPE, VARY_TYPE_AND_LANGUAGE } from '../http/respond.ts';
import type { Tree } from '../http/urls.ts';
import type { Language } from '../locale/language.ts';
import type { DocumentOptions } from '../openapi/shared/context.ts';
import type { Items } from '../port/port.ts';
import { type Choices, get } from '../read/accept.ts';
import { refuseQuery } from '../read/query/query.ts';
import type { LanguageSelector } from '../read/response-language.ts';
import { type Constant, constant, respondConstant } from '../write/static.ts';
import { treeIn } from './content/service.ts';

/** Options of the routes outside the trees. */
export interface SiteOptions extends DocumentOptions {
  readonly store: Items;
  /** @returns whether the service is about to end */
  readonly isStopping: () => boolean;
  readonly responseLanguage: LanguageSelector;
  readonly countHooks?: (() => MaybePromise<number>) | undefined;
}

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

export const pageHeaders = ({ pages }: Language): HeaderRecord => ({
  'Content-Type': `${HTML_TYPE}; charset=utf-8`,
  'Content-Language': pages.tag,
  [CONTENT_POLICY]: POLICY,
  'Referrer-Policy': 'no-referrer',
});

/** One form of a resource outside the trees. */
interface Form {
  readonly type: string;
  readonly headers: (language: Language) => HeaderRecord;
  readonly write: (language: Language, c: Exchange) => Constant | Promise<Constant>;
}

export function writeJson(value: unknown): Constant {
  return constant(JSON.stringify(value));
}

/** @returns data for programs. @param findTag finds the language that its texts are in */
export function data(write: Form['write'], findTag = ({ tag }: Language): string => tag): Form {
  return {
    type: JSON_TYPE,
    headers: (language) => ({ 'Content-Type': JSON_TYPE, 'Content-Language': findTag(language) }),
    write,
  };
}

/** @returns a page for people */
export function page(html: (language: Language, c: Exchange) => Promise<string>): Form {
  return { type: HTML_TYPE, headers: pageHeaders, write: async (language, c) => constant(await html(language, c)) };
}

/** @returns what is made for a language when it is first asked for */
export const oncePerTree = <T>(options: SiteOptions, make: (tree: Tree) => T): ((language: Language) => T) => {
  const made = memoized((tag: string) => make(treeIn(options, { tag })));
  return ({ tag }) => made(tag);
};

/** What a resource has beside its forms. */
interface Extras {
  /** By default the language that is asked for. */
  readonly languageOf?: (c: Exchange) => Language;
  readonly headers?: (language: Language) => HeaderRecord;
  /** Headers of a 304, too. */
  readonly varying?: (language: Language) => HeaderRecord;
}

/**
 * @param forms the first for clients that accept any; where there is a page, the query may name its language
 * @returns the handler of a GET
 */
export const shown = (
  { responseLanguage }: SiteOptions,
  forms: Choices<Form>,
  { languageOf = responseLanguage.neutral, headers, varying }: Extras = {},
): Handler => {
  const hasPage = forms.some(({ type }) => type === HTML_TYPE);
  const readQuery = hasPage ? responseLanguage.checkQuery : refuseQuery;
  return get(forms, readQuery, async (c, form) => {
    const language = languageOf(c);
    const content = await form.write(language, c);
    const always = { ...varying?.(language), ...VARY_TYPE_AND_LANGUAGE };
    return respondConstant(c, content, { ...form.headers(language), ...headers?.(language) }, always);
  });
};
