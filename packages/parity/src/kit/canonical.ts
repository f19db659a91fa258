/** Puts an answer into the names that all languages share, without what is different in every answer. */
import { isObject } from '../../../vocabularies/src/words.ts';
import { type Dictionary, listNames, readText } from './dictionary.ts';
import { readFileName, readForm, readLinks, readUtf8, VOLATILE } from './headers.ts';
import { Quote, Sentence, translateTemplate } from './sentences.ts';
import { locate, translateFile } from './translate.ts';
import { oncePer, type Pair, pairWords } from './words.ts';

export interface Answer {
  /** Path and query of the request. */
  readonly url: string;
  readonly status: number;
  /** By their names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  /** A JSON value, or the text of what is no JSON; empty if there is none. */
  readonly body: unknown;
}

/** An answer in names: the same in every language that says the same. */
export interface CanonicalAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** @returns the body of an answer: a JSON value if it says that it is one, else its text */
export function readBody(text: string, type = '', parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    return /^application\/(?:[\w.-]+\+)?json\b/i.test(type) && text !== '' ? parse(text) : text;
  } catch {
    return text;
  }
}

/** @param response of `fetch`, or of an app @param url path and query of its request */
export async function readAnswer(response: Response, url: string): Promise<Answer> {
  const headers = Object.fromEntries(response.headers);
  const body = readBody(await readText(response, url), headers['content-type']);
  return { url, status: response.status, headers, body };
}

/** The page itself counts among its links to other languages, which are then the same for all of them. */
function nameLinks(header: string, pair: Pair, others: readonly Dictionary[]) {
  const links = readLinks(header);
  const alternates = links.flatMap(({ url, language }) => {
    if (language === undefined) return [];
    const dictionary = others.find(({ tag }) => tag === language);
    return dictionary ? locate(url, pairWords(dictionary, pair.to)).url : `${language}: ${url}`;
  });
  const languages = links.flatMap(({ language = [] }) => language);
  return {
    pages: links.flatMap(({ url, rel, language }) => (language ? [] : [`${rel} ${locate(url, pair).url}`])).sort(),
    alternates: [...new Set(alternates)].sort(),
    languages: languages.length > 0 ? [pair.from.tag, ...languages].sort() : [],
  };
}

function nameHeader(name: string, value: string, pair: Pair, url: string, others: readonly Dictionary[]): unknown {
  if (name === 'content-language') return value === pair.from.tag ? pair.to.tag : value;
  if (name === 'location' || name === 'content-location') return locate(value, pair).url;
  if (name === 'link') return nameLinks(value, pair, others);
  if (name === 'link-template') return value.replace(/(?<=^")[^"]*/, (template) => translateTemplate(template, pair));
  if (name === 'content-disposition') return readFileName(value).replace(/^[^.]*/, (file) => pair.any(file));
  if (name !== 'x-hint') return readForm(name, value) ?? value;
  // A hint is the query to send, or a sentence, which has spaces.
  if (value.includes(' ')) return new Sentence(readUtf8(value), pair);
  const { collection } = locate(url, pair);
  return collection === undefined ? value : pair.query(collection, value);
}

/** Members of a problem, of an error in it, or of the report of an import: what is a sentence, and what may be a word. */
const SENTENCES = new Set(['detail', 'remedy']);
const WORDS = new Set(['suggestion', 'value', 'parameter', 'column']);

function nameMember(name: string, value: unknown, pair: Pair, collection: string | undefined): unknown {
  if (name === 'before' || name === 'after') return value;
  if (typeof value !== 'string') return nameMembers(value, pair, collection);
  if (SENTENCES.has(name)) return new Sentence(value, pair);
  if (name === 'parameter' && collection !== undefined) return pair.parameter(collection, value);
  if (WORDS.has(name)) return new Quote(value, pair);
  if (name === 'pointer' && collection !== undefined) return pair.pointer(collection, value);
  if (name !== 'title') return value;
  const [code = ''] = Object.entries(pair.from.problems).find(([, title]) => title === value) ?? [];
  return pair.to.problems[code] ?? value;
}

function nameMembers(content: unknown, pair: Pair, collection: string | undefined): unknown {
  if (Array.isArray(content)) return content.map((item) => nameMembers(item, pair, collection));
  if (!isObject(content)) return content;
  const members = Object.entries(content).filter(([name]) => name !== 'requestId');
  const named = members.map(([name, value]) => {
    const isOfImport = name === 'report' && collection !== undefined;
    const own = isOfImport ? pair.items(collection, value, pair.isReport(value)) : value;
    return [name, nameMember(name, own, pair, collection)];
  });
  return Object.fromEntries(named);
}

function nameBody({ headers, body }: Answer, pair: Pair, collection: string | undefined): unknown {
  const type = headers['content-type'] ?? '';
  if (type.startsWith('application/problem+json')) return nameMembers(body, pair, collection);
  if (collection === undefined) return body;
  if (typeof body === 'string') return translateFile(body, type, pair, collection);
  const isReport = pair.isReport(body);
  const content = pair.items(collection, body, isReport);
  return isReport ? nameMembers(content, pair, collection) : content;
}

const namesFor = oncePer(listNames);

/** @returns an answer in names, in which whatever may be a word is a `Quote`, and each sentence a `Sentence` */
export function quoteAnswer(answer: Answer, language: Dictionary, others: readonly Dictionary[] = []): CanonicalAnswer {
  const pair = pairWords(language, namesFor(language));
  const headers = Object.entries(answer.headers)
    .filter(([name]) => !VOLATILE.test(name))
    .map(([name, value]) => [name, nameHeader(name, value, pair, answer.url, others)] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const body = nameBody(answer, pair, locate(answer.url, pair).collection);
  return { status: answer.status, headers: Object.fromEntries(headers), body };
}

/**
 * @param language of the answer
 * @param others every dictionary of the service, for the links to other languages
 * @returns an answer in the names that all languages share. Sentences are reduced to what stands in quotation marks and numbers;
 *   what differs from answer to answer is left out
 */
export function canonical(answer: Answer, language: Dictionary, others: readonly Dictionary[] = []): CanonicalAnswer {
  return JSON.parse(JSON.stringify(quoteAnswer(answer, language, others)));
}
