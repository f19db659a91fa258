/** Headers of requests and answers: addresses, conditions, cookies, and what is no longer true of a body that was exchanged. */
import { chooseLanguage, tagFinder } from './accept-language.ts';

/** What `Headers` and a map by names in lower case have in common. */
export interface SomeHeaders {
  get(name: string): string | null | undefined;
  has(name: string): boolean;
  set(name: string, value: string): unknown;
  delete(name: string): unknown;
}

/** Headers of a body that are not true of a changed one. */
const OF_BODY = ['content-length', 'content-digest', 'digest', 'content-md5', 'repr-digest'];
const NOT_SENT_ON = [...OF_BODY, 'range', 'if-range'];
const NOT_TRUE = [...OF_BODY, 'accept-ranges', 'content-range'];

/** An entity tag, weak or strong, or one that somebody writes without quotes. */
const TAG = /(W\/)?"([^"]*)"|[^\s,"]+/g;

/** @returns the tags of a condition that have the mark of a vocabulary, without it; nothing if none has */
function unmarkTags(condition: string, mark: string): string | undefined {
  if (condition.trim() === '*') return condition;
  const tags = [...condition.matchAll(TAG)].flatMap(([tag]) => {
    if (tag.endsWith(`.${mark}"`)) return `${tag.slice(0, -mark.length - 2)}"`;
    if (tag.endsWith('"')) return [];
    return tag.endsWith(`.${mark}`) ? tag.slice(0, -mark.length - 1) : tag;
  });
  return tags.length > 0 ? tags.join(', ') : undefined;
}

/**
 * Lists what is different in the headers of a canonical request; `null` takes a header away.
 *
 * @returns nothing if a write depends on a tag that no answer in this vocabulary ever had, so that it must fail
 */
export function changeRequestHeaders(headers: Headers, mark: string): Map<string, string | null> | undefined {
  const changes = new Map<string, string | null>([['accept-encoding', 'identity']]);
  for (const name of ['if-match', 'if-none-match']) {
    const condition = headers.get(name);
    const tags = condition === null ? null : (unmarkTags(condition, mark) ?? null);
    if (condition !== null) changes.set(name, tags);
    if (condition !== null && tags === null && name === 'if-match') return undefined;
  }
  for (const name of NOT_SENT_ON) if (headers.has(name)) changes.set(name, null);
  return changes;
}

export interface AnswerChanges {
  readonly mark: string;
  readonly exchangeAddress: (address: string) => string;
  /** Writes an address of this vocabulary as the document has it. */
  readonly restoreAddress: (address: string) => string;
  readonly exchangeCookie: (name: string) => string;
  readonly isBodyChanged: boolean;
  /** Tag of the document's own language, for links to the same in other languages. */
  readonly language: string | undefined;
}

/** Makes the headers of an answer in a vocabulary. */
export function changeAnswerHeaders(headers: SomeHeaders, changes: AnswerChanges): void {
  const { mark, exchangeAddress } = changes;
  const change = (name: string, write: (value: string) => string): void => {
    const value = headers.get(name);
    if (typeof value === 'string') headers.set(name, write(value));
  };
  change('etag', (tag) => tag.trimEnd().replace(/("?)$/, `.${mark}$1`));
  change('location', exchangeAddress);
  change('content-location', exchangeAddress);
  change('link', (link) => changeLinks(link, changes));
  change('link-template', (link) => changeLinks(link, changes));
  change('refresh', (refresh) =>
    refresh.replace(/(;\s*url=\s*["']?)([^"']+)/i, (_, start, url) => start + exchangeAddress(url)),
  );
  if (changes.isBodyChanged) for (const name of NOT_TRUE) if (headers.has(name)) headers.delete(name);
  if (headers instanceof Headers) changeCookies(headers, changes);
}

/** Exchanges the names of cookies that are parameters, and the paths of those that are set. */
function changeCookies(headers: Headers, { exchangeCookie, exchangeAddress }: AnswerChanges): void {
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) headers.delete('set-cookie');
  for (const cookie of cookies) {
    const [start = '', path = ''] = cookie.replace(/^[^=;]+/, exchangeCookie).split(/(?<=;\s*path=)/i);
    headers.append('set-cookie', start + path.replace(/^[^;]+/, exchangeAddress));
  }
}

const LINKS = /<([^>]*)>((?:\s*;\s*[^\s=;,]+(?:\s*=\s*(?:"[^"]*"|[^",;\s]+))?)*)/g;

/** Exchanges the addresses of `Link`; a link to this vocabulary's own version leads to the document's instead. */
function changeLinks(link: string, { mark, exchangeAddress, language, restoreAddress }: AnswerChanges): string {
  return link.replaceAll(LINKS, (_, address: string, parameters: string) => {
    const isAlternate = /;\s*rel\s*=\s*"?[^"]*\balternate\b/i.test(parameters);
    const tag = /;\s*hreflang\s*=\s*"?([^",;\s]+)"?/i.exec(parameters)?.[1];
    if (!isAlternate || tag === undefined) return `<${exchangeAddress(address)}>${parameters}`;
    if (tag.toLowerCase() !== mark.toLowerCase()) return `<${address}>${parameters}`;
    const hreflang = /;\s*hreflang\s*=\s*"?[^",;\s]+"?/i;
    const other = language === undefined ? parameters.replace(hreflang, '') : parameters.replace(tag, language);
    return `<${restoreAddress(address)}>${other}`;
  });
}

/** @returns the tag that `Accept-Language` prefers, `es-ES` for `es`, too; the first one if it says nothing about them */
export function preferredTag(accepted: string | null, tags: readonly string[]): string | undefined {
  const find = tagFinder(tags);
  const findRelated = (range: string) => find(range) ?? tags.find((tag) => tag.toLowerCase().startsWith(`${range}-`));
  return chooseLanguage(accepted, findRelated, tags) ?? tags[0];
}
