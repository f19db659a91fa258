/** Says a response in the names that all languages share, without what is different in every response. */
import { isObject } from '../../../vocabularies/src/words.ts';
import { type Dictionary, listNames, readText } from './dictionary.ts';
import { readFileName, readLinks, readUtf8 } from './headers.ts';
import { Quote, quoteSentence, translateTemplate } from './sentences.ts';
import { locate, translateFile } from './translate.ts';
import { type Pair, pairWords } from './words.ts';

export interface Answer {
  /** Path and query of the request. */
  readonly url: string;
  readonly status: number;
  /** By their names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  /** A JSON value, or the text of what is no JSON; empty if there is none. */
  readonly body: unknown;
}

/** A response in names: what is equal in every language that says the same. */
export interface Said {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** Headers that no two responses share, or that belong to the connection. */
const VOLATILE =
  /^(?:date|x-request-id|content-length|connection|keep-alive|transfer-encoding|age|via|server-timing|set-cookie|retry-after|(?:x-)?ratelimit.*)$/;

/** @param response of `fetch`, or of an app @param url path and query of its request */
export async function readAnswer(response: Response, url: string): Promise<Answer> {
  const text = await readText(response, url);
  const headers = Object.fromEntries(response.headers);
  const isJson = /^application\/(?:[\w.-]+\+)?json\b/.test(headers['content-type'] ?? '');
  return { url, status: response.status, headers, body: isJson && text !== '' ? JSON.parse(text) : text };
}

/** Links to the same in other languages count as said of this language too: with the response itself they are the same everywhere. */
function sayLinks(header: string, pair: Pair, others: readonly Dictionary[]) {
  const links = readLinks(header).map(({ url, parameters }) => {
    const [rel = '', hreflang] = ['rel', 'hreflang'].map(
      (name) => new RegExp(`;\\s*${name}="?([^";]*)`).exec(parameters)?.[1],
    );
    return { url, rel, hreflang };
  });
  const pages = links.flatMap(({ url, rel, hreflang }) => (hreflang ? [] : [`${rel} ${locate(url, pair).url}`]));
  const tags = links.flatMap(({ hreflang = [] }) => hreflang);
  const alternates = links.flatMap(({ url, hreflang }) => {
    if (hreflang === undefined) return [];
    const dictionary = others.find(({ tag }) => tag === hreflang);
    return dictionary ? locate(url, pairWords(dictionary, pair.to)).url : `${hreflang}: ${url}`;
  });
  return {
    pages: pages.sort(),
    alternates: [...new Set(alternates)].sort(),
    languages: tags.length > 0 ? [pair.from.tag, ...tags].sort() : [],
  };
}

function sayHeader(name: string, value: string, pair: Pair, url: string, others: readonly Dictionary[]): unknown {
  const { collection } = locate(url, pair);
  if (name === 'content-language') return value === pair.from.tag ? pair.to.tag : value;
  if (name === 'location' || name === 'content-location') return locate(value, pair).url;
  if (name === 'link') return sayLinks(value, pair, others);
  if (name === 'link-template') return value.replace(/(?<=^")[^"]*/, (template) => translateTemplate(template, pair));
  if (name === 'etag') return value.startsWith('W/') ? 'weak' : 'strong';
  if (name === 'x-change') return 'sent';
  if (name === 'content-disposition') return readFileName(value).replace(/^[^.]*/, (file) => pair.any(file));
  if (name !== 'x-hint') return value;
  // A hint is the query to send, or a sentence, which has spaces.
  if (value.includes(' ')) return quoteSentence(readUtf8(value), pair);
  return collection === undefined ? value : pair.query(collection, value);
}

/** Members of a problem, of an error in it, or of the report of an import: what is a sentence, and what may be a word. */
const SENTENCES = new Set(['detail', 'remedy']);
const WORDS = new Set(['suggestion', 'value', 'parameter', 'column']);

function sayMember(name: string, value: unknown, pair: Pair, collection: string | undefined): unknown {
  if (name === 'before' || name === 'after') return value;
  if (typeof value !== 'string') return sayMembers(value, pair, collection);
  if (SENTENCES.has(name)) return quoteSentence(value, pair);
  if (name === 'parameter' && collection !== undefined) return pair.parameter(collection, value);
  if (WORDS.has(name)) return new Quote(value, pair);
  if (name === 'pointer' && collection !== undefined) return pair.pointer(collection, value);
  if (name !== 'title') return value;
  const code = Object.keys(pair.from.problems).find((each) => pair.from.problems[each] === value);
  return pair.to.problems[code ?? ''] ?? value;
}

function sayMembers(content: unknown, pair: Pair, collection: string | undefined): unknown {
  if (Array.isArray(content)) return content.map((each) => sayMembers(each, pair, collection));
  if (!isObject(content)) return content;
  const entries = Object.entries(content).filter(([name]) => name !== 'requestId');
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const own = name === 'report' && collection !== undefined ? pair.items(collection, value) : value;
      return [name, sayMember(name, own, pair, collection)];
    }),
  );
}

function sayBody({ headers, body }: Answer, pair: Pair, collection: string | undefined): unknown {
  const type = headers['content-type'] ?? '';
  if (type.startsWith('application/problem+json')) return sayMembers(body, pair, collection);
  if (collection === undefined) return body;
  if (typeof body === 'string') return translateFile(body, type, pair, collection);
  const content = pair.items(collection, body);
  return pair.isReport(body) ? sayMembers(content, pair, collection) : content;
}

const names = new WeakMap<Dictionary, Dictionary>();

/** @returns a response in names, in which whatever may be a word is a `Quote` */
export function quoteAnswer(answer: Answer, language: Dictionary, others: readonly Dictionary[] = []): Said {
  const to = names.get(language) ?? listNames(language);
  names.set(language, to);
  const pair = pairWords(language, to);
  const headers = Object.entries(answer.headers)
    .filter(([name]) => !VOLATILE.test(name))
    .map(([name, value]) => [name, sayHeader(name, value, pair, answer.url, others)] as const);
  const { collection } = locate(answer.url, pair);
  return { status: answer.status, headers: Object.fromEntries(headers), body: sayBody(answer, pair, collection) };
}

/**
 * @param language of the response
 * @param others every dictionary of the service, for the links to other languages
 * @returns a response in the names that all languages share. Sentences are reduced to what stands in quotation marks and numbers;
 *   what differs from response to response is left out
 */
export function canonical(answer: Answer, language: Dictionary, others: readonly Dictionary[] = []): Said {
  return JSON.parse(JSON.stringify(quoteAnswer(answer, language, others)));
}
