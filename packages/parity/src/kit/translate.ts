/** Translates a request from one language to another. */
import { translateCsv } from './csv.ts';
import { type Dictionary, rootPath } from './dictionary.ts';
import { type Pair, pairWords } from './words.ts';

export interface ApiRequest {
  /** `GET` by default. */
  readonly method?: string;
  /** Path and query, such as `/api/cars?brand=seat`. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A JSON value, or the text of a file. */
  readonly body?: unknown;
}

/** @returns the headers of a request, in small letters, and its body as they are sent */
export function writeRequest({ headers, body }: Pick<ApiRequest, 'headers' | 'body'>) {
  const content = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const all = new Headers(headers);
  if (content !== undefined && !all.has('content-type')) all.set('content-type', 'application/json');
  return { headers: Object.fromEntries(all), ...(content !== undefined && { body: content }) };
}

/** @returns a path with its query in the other language, and the collection that it leads to: `undefined` outside the trees */
export function locate(url: string, pair: Pair) {
  const [, written = '', query] = /^([^?]*)(?:\?(.*))?$/s.exec(url) ?? [];
  const isWithin = written.startsWith(`${rootPath(pair.from)}/`);
  const { path, collection } = isWithin ? pair.path(written) : { path: written, collection: undefined };
  if (query === undefined) return { url: path, collection };
  return { url: `${path}?${collection === undefined ? query : pair.query(collection, query)}`, collection };
}

/**
 * @param text a file with items
 * @param type its media type
 * @returns the file as it is, if it has no words, or is no text
 */
export function translateFile(text: string, type: string, pair: Pair, collection: string): string {
  if (type.startsWith('text/csv')) return translateCsv(text, pair, collection);
  if (!type.startsWith('application/x-ndjson')) return text;
  const lines = text.split('\n');
  return lines
    .map((line) => (line.trim() === '' ? line : JSON.stringify(pair.items(collection, JSON.parse(line)))))
    .join('\n');
}

/**
 * Translates everything that carries a name: segments of the path, parameters and their values, members of a body, columns of a
 * file, values that are chosen from a list. Free text (keys, the values of filters and members, a search) is never touched. Every request has a translation, and its
 * translation back is the request itself, but for how a translated word was percent-encoded: what neither language has stays as
 * it is, and a word of the other language becomes a word of this one, so that both requests are refused alike.
 *
 * @param from the language of the request
 * @param to another language of the same service
 */
export function translate(request: ApiRequest, from: Dictionary, to: Dictionary): ApiRequest {
  const pair = pairWords(from, to);
  const { url, collection } = locate(request.url, pair);
  const { body, headers = {} } = request;
  if (collection === undefined || body === undefined) return { ...request, url };
  if (typeof body !== 'string') return { ...request, url, body: pair.items(collection, body) };
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  return { ...request, url, body: translateFile(body, type, pair, collection) };
}
