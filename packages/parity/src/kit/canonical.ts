/** Says a response of one language in another, without what is different in every response. */
import { isObject } from '../../../vocabularies/src/words.ts';
import { type Dictionary, listNames, readText } from './dictionary.ts';
import { readFileName, readLinks, readUtf8 } from './headers.ts';
import { choices, translateSentence, translateTemplate } from './sentences.ts';
import { locate, translateFile, translateItems, translateQuery } from './translate.ts';
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

/** A response in another language, or in names: what is equal in every language that says the same. */
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

function sayFile(disposition: string, pair: Pair): string {
  const [file = '', ...extensions] = readFileName(disposition).split('.');
  return [pair.any(file)[0] ?? file, ...extensions].join('.');
}

const sayHeader = (name: string, value: string, pair: Pair, url: string, others: readonly Dictionary[]): unknown => {
  const { collection } = locate(url, pair);
  if (name === 'content-language') return value === pair.from.tag ? pair.to.tag : value;
  if (name === 'location' || name === 'content-location') return locate(value, pair).url;
  if (name === 'link') return sayLinks(value, pair, others);
  if (name === 'link-template') return value.replace(/(?<=^")[^"]*/, (template) => translateTemplate(template, pair));
  if (name === 'etag') return value.startsWith('W/') ? 'weak' : 'strong';
  if (name === 'x-change') return 'sent';
  // A hint is the query to send, or a sentence, which has spaces.
  if (name === 'x-hint' && value.includes(' ')) return translateSentence(readUtf8(value), pair);
  if (name === 'x-hint' && collection !== undefined) return translateQuery(value, pair, collection);
  return name === 'content-disposition' ? sayFile(value, pair) : value;
};

/** Members of a problem, or of an error in it, that are sentences. */
const SENTENCES = new Set(['detail', 'remedy']);
const WORDS = new Set(['suggestion', 'value', 'parameter']);

const sayMember = (name: string, value: unknown, pair: Pair, collection: string | undefined): unknown => {
  if (name === 'errors' && Array.isArray(value)) return value.map((each) => sayProblem(each, pair, collection));
  if (name === 'report') return sayReport(value, pair, collection);
  if (typeof value !== 'string') return value;
  if (SENTENCES.has(name)) return translateSentence(value, pair);
  if (name === 'parameter' && collection !== undefined) return pair.query(collection)(value);
  if (WORDS.has(name)) return choices(value, pair);
  if (name === 'pointer')
    return collection === undefined ? value : value.split('/').map(pair.members(collection)).join('/');
  if (name !== 'title') return value;
  const code = Object.keys(pair.from.problems).find((each) => pair.from.problems[each] === value);
  return pair.to.problems[code ?? ''] ?? value;
};

const sayProblem = (problem: unknown, pair: Pair, collection: string | undefined): unknown => {
  if (!isObject(problem)) return problem;
  const entries = Object.entries(problem).filter(([name]) => name !== 'requestId');
  return Object.fromEntries(entries.map(([name, value]) => [name, sayMember(name, value, pair, collection)]));
};

/** The report of an import, whose members have words; its sentences and columns are told by their names. */
const sayReport = (report: unknown, pair: Pair, collection: string | undefined): unknown => {
  if (Array.isArray(report)) return report.map((each) => sayReport(each, pair, collection));
  if (!isObject(report)) return report;
  const { report: names } = pair.from;
  return Object.fromEntries(
    Object.entries(report).map(([member, value]) => {
      const isItem = member === names.before || member === names.after;
      if (isItem && collection !== undefined) return [pair.report(member), translateItems(value, pair, collection)];
      if (typeof value !== 'string') return [pair.report(member), sayReport(value, pair, collection)];
      if (member === names.detail) return [pair.report(member), translateSentence(value, pair)];
      if (member === names.action) return [pair.report(member), pair.values(value)];
      const isWord = member === names.column || member === names.suggestion;
      return [pair.report(member), isWord ? choices(value, pair) : value];
    }),
  );
};

const isReport = (body: unknown, { from }: Pair): boolean => isObject(body) && (from.report.created ?? '') in body;

const sayBody = ({ headers, body }: Answer, pair: Pair, collection: string | undefined): unknown => {
  const type = headers['content-type'] ?? '';
  if (type.startsWith('application/problem+json')) return sayProblem(body, pair, collection);
  if (collection === undefined) return body;
  if (typeof body === 'string') return translateFile(body, type, pair, collection) ?? body;
  return isReport(body, pair) ? sayReport(body, pair, collection) : translateItems(body, pair, collection);
};

/**
 * @param others every dictionary of the service, for the links to other languages
 * @returns a response as the other language should have it; of a word that may mean several things, all that it may
 */
export const sayIn = (answer: Answer, from: Dictionary, to: Dictionary, others: readonly Dictionary[] = []): Said => {
  const pair = pairWords(from, to);
  const headers = Object.entries(answer.headers)
    .filter(([name]) => !VOLATILE.test(name))
    .map(([name, value]) => [name, sayHeader(name, value, pair, answer.url, others)] as const);
  const { collection } = locate(answer.url, pair);
  return {
    status: answer.status,
    headers: Object.fromEntries(headers),
    body: sayBody(answer, pair, collection),
  };
};

const likeliest = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(likeliest);
  if (typeof value !== 'object' || value === null) return value;
  if ('oneOf' in value && Array.isArray(value.oneOf)) return value.oneOf[0];
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, likeliest(each)]));
};

const names = new WeakMap<Dictionary, Dictionary>();

/**
 * @param language of the response
 * @param others as in `sayIn`
 * @returns a response in the names that all languages share. Sentences are reduced to what stands in quotation marks and numbers;
 *   what differs from response to response is left out
 */
export const canonical = (answer: Answer, language: Dictionary, others: readonly Dictionary[] = []): Said => {
  const to = names.get(language) ?? listNames(language);
  names.set(language, to);
  return likeliest(sayIn(answer, language, to, others)) as Said;
};
