/** Headers of requests and answers: addresses, conditions, cookies, and what is no longer true of a body that was exchanged. */
import { chooseLanguage, tagFinder } from './accept-language.ts';
import type { Direction } from './nodes.ts';

/** Headers of a body that are not true of another one. */
const OF_BODY = ['content-length', 'content-digest', 'digest', 'content-md5', 'repr-digest'];

/** What is different in a header of a request, whose name is in lower case; `null` takes it away. */
export type RequestChange = readonly [name: string, value: string | null];
export type RequestChanges = ReadonlyMap<string, string | null>;

/** What is different in the headers of every request. */
const REQUEST_CHANGES: RequestChanges = new Map<string, string | null>([
  ['accept-encoding', 'identity'],
  ...['range', 'if-range', ...OF_BODY].map((name) => [name, null] as const),
]);

/** An entity tag, weak or strong, or one that somebody writes without quotes. */
const TAG = /(W\/)?"([^"]*)"|[^\s,"]+/g;

/** @returns the tags of a condition that have the mark of a vocabulary, without it; `null` if none has */
function unmarkTags(condition: string, mark: string): string | null {
  if (condition.trim() === '*') return condition;
  const tags = [...condition.matchAll(TAG)].flatMap(([tag]) => {
    if (tag.endsWith(`.${mark}"`)) return `${tag.slice(0, -mark.length - 2)}"`;
    if (tag.endsWith('"')) return [];
    return tag.endsWith(`.${mark}`) ? tag.slice(0, -mark.length - 1) : tag;
  });
  return tags.length > 0 ? tags.join(', ') : null;
}

/**
 * @param isPart whether a part of the answer may be asked for, which is then left as it is: a part of a changed one would be another
 * @param others changes that depend on the operation
 * @returns what is different in the headers of a canonical request
 */
export function changeRequestHeaders(
  headers: Headers,
  mark: string,
  isPart: boolean,
  others: readonly RequestChange[],
): RequestChanges {
  const changes = [...others, ...(isPart ? changeRange(headers, mark) : [])];
  for (const name of ['if-match', 'if-none-match']) {
    const condition = headers.get(name);
    if (condition !== null) changes.push([name, unmarkTags(condition, mark)]);
  }
  return changes.length > 0 ? new Map([...REQUEST_CHANGES, ...changes]) : REQUEST_CHANGES;
}

function changeRange(headers: Headers, mark: string): readonly RequestChange[] {
  const condition = headers.get('if-range');
  const isTag = condition !== null && /^(W\/)?"/.test(condition);
  const own = isTag ? unmarkTags(condition, mark) : condition;
  // Without its condition, a part might be that of another version.
  const range = condition === null || own !== null ? headers.get('range') : null;
  return [
    ['range', range],
    ['if-range', own],
  ];
}

/** Names in lower case and values. */
export type HeaderList = [name: string, value: string][];

/** What is different in the headers of an answer. */
export interface AnswerChanges {
  /** The tag of the vocabulary. */
  readonly mark: string;
  readonly isBodyChanged: boolean;
  readonly isStream: boolean;
  /** Whether the sentences are in the vocabulary's language; absent if there is no body that could say so. */
  readonly isTranslated: boolean | undefined;
  /** Tag of the document's own language, for links to the same in other languages. */
  readonly language: string | undefined;
  readonly exchangeAddress: (address: string, direction: Direction) => string;
  readonly exchangeCookie: (pair: string) => string;
}

/** Writes the value of a header, or nothing if the header goes. */
type Change = (value: string, changes: AnswerChanges) => string | undefined;

const changeAddress: Change = (address, { exchangeAddress }) => exchangeAddress(address, 'out');
const dropIfChanged: Change = (value, { isBodyChanged }) => (isBodyChanged ? undefined : value);

/** How headers change, by their names in lower case. */
const ANSWER_CHANGES: ReadonlyMap<string, Change> = new Map<string, Change>([
  ['etag', (tag, { mark }) => (tag.endsWith('"') ? `${tag.slice(0, -1)}.${mark}"` : `${tag}.${mark}`)],
  ['location', changeAddress],
  ['content-location', changeAddress],
  ['link', changeLinks],
  ['link-template', changeTemplates],
  ['refresh', changeRefresh],
  ['set-cookie', changeCookie],
  [
    'content-language',
    (language, { mark, isTranslated }) => (isTranslated === undefined ? undefined : isTranslated ? mark : language),
  ],
  // A server that has all of an answer says its length.
  ['transfer-encoding', (value, { isStream }) => (isStream ? value : undefined)],
  ...[...OF_BODY, 'content-encoding', 'accept-ranges', 'content-range'].map((name) => [name, dropIfChanged] as const),
]);

/** @returns the headers of an answer in a vocabulary */
export function changeAnswerHeaders(headers: HeaderList, changes: AnswerChanges): HeaderList {
  const newHeaders: HeaderList = [];
  for (const [name, value] of headers) {
    const change = ANSWER_CHANGES.get(name);
    const newValue = change ? change(value.trimEnd(), changes) : value;
    if (newValue !== undefined) newHeaders.push([name, newValue]);
  }
  return newHeaders;
}

function changeRefresh(refresh: string, { exchangeAddress }: AnswerChanges): string {
  return refresh.replace(/(;\s*url=\s*["']?)([^"']+)/i, (_, start, url) => start + exchangeAddress(url, 'out'));
}

/** Exchanges a cookie that is a parameter, and its path; that of everything stays. */
function changeCookie(cookie: string, { exchangeCookie, exchangeAddress }: AnswerChanges): string {
  const own = cookie.replace(/^[^;]+/, exchangeCookie);
  return own.replaceAll(/(?<=;\s*path=)[^;]{2,}/gi, (address) => exchangeAddress(address, 'out'));
}

const LINKS = /<([^<>]*)>((?:\s*;\s*[^\s=;,]+(?:\s*=\s*(?:"[^"]*"|[^",;\s]+))?)*)/g;
const HREFLANG = /(;\s*hreflang\s*=\s*"?)([^",;\s]+)("?)/i;

/** Exchanges the addresses of `Link`; a link to this vocabulary's own version leads to the document's instead. */
function changeLinks(link: string, { mark, exchangeAddress, language }: AnswerChanges): string {
  return link.replaceAll(LINKS, (_, address: string, parameters: string) => {
    const tag = HREFLANG.exec(parameters)?.[2];
    const isAlternate = tag !== undefined && /;\s*rel\s*=\s*"?[^"]*\balternate\b/i.test(parameters);
    if (!isAlternate) return `<${exchangeAddress(address, 'out')}>${parameters}`;
    if (tag.toLowerCase() !== mark.toLowerCase()) return `<${address}>${parameters}`;
    const other = parameters.replace(HREFLANG, language === undefined ? '' : `$1${language}$3`);
    return `<${exchangeAddress(address, 'in')}>${other}`;
  });
}

/** Exchanges the templates of `Link-Template`, which are in quotes (RFC 9652), or were written like links. */
function changeTemplates(templates: string, changes: AnswerChanges): string {
  const exchange = (template: string): string => changes.exchangeAddress(template, 'out');
  return changeLinks(templates, changes).replaceAll(/(?<=(?:^|,)\s*")[^"]+/g, exchange);
}

/** @returns the tag that `Accept-Language` prefers, `es-ES` for `es`, too; the first one if it says nothing about them */
export function preferredTag(accepted: string | null, tags: readonly string[]): string | undefined {
  const find = tagFinder(tags);
  const findRelated = (range: string) => find(range) ?? tags.find((tag) => tag.toLowerCase().startsWith(`${range}-`));
  return chooseLanguage(accepted, findRelated, tags) ?? tags[0];
}
