/** Translates a request from one language to another, and the files of requests and answers: CSV (RFC 4180) and NDJSON. */
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

/** The byte-order mark. */
export const MARK = '\uFEFF';

/** @returns the cells of each row; an empty text has none */
export function readCsv(text: string, delimiter: string): readonly (readonly string[])[] {
  const end = delimiter.replace(/[\\^$|]/g, '\\$&');
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${end}\\r\\n]*))(${end}|\\r?\\n|$)`, 'y');
  const rows: string[][] = [];
  let row: string[] = [];
  while (cell.lastIndex < text.length || row.length > 0) {
    const match = cell.exec(text);
    if (!match) throw new SyntaxError('the text is not CSV');
    const [, quoted, plain = '', separator] = match;
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (separator === delimiter) continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

/** @returns words of one language for true or false that the other one lacks */
function listOwnFlags(one: Dictionary['flags'], other: Dictionary['flags'], name: string): readonly string[] {
  return one[name]?.filter((word) => !other[name]?.includes(word)) ?? [];
}

function translateFlag(value: string, { flags }: Dictionary, other: Dictionary): string {
  const name = Object.keys(flags).find((flag) => listOwnFlags(flags, other.flags, flag).includes(value)) ?? '';
  return listOwnFlags(other.flags, flags, name)[listOwnFlags(flags, other.flags, name).indexOf(value)] ?? value;
}

function writeCell(text: string, delimiter: string): string {
  return /["\r\n]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** @returns the file as the other language writes it */
export function translateCsv(text: string, pair: Pair, collection: string): string {
  const { from, to } = pair;
  const [header = [], ...rows] = readCsv(text.replace(MARK, ''), from.csv.delimiter);
  const translateCell = (value: string, at: number): string => {
    const column = header[at] ?? '';
    const kind = pair.field(collection, column)?.kind;
    if (kind === 'decimal') return value.replace(from.csv.decimals ?? '.', to.csv.decimals ?? '.');
    return kind === 'flag' ? translateFlag(value, from, to) : pair.choice(collection, column, value);
  };
  const { delimiter, byteOrderMark } = to.csv;
  const columns = header.map((word) => pair.member(collection, word));
  const lines = [columns, ...rows.map((row) => row.map(translateCell))].map(
    (row) => `${row.map((cell) => writeCell(cell, delimiter)).join(delimiter)}\r\n`,
  );
  return (byteOrderMark ? MARK : '') + lines.join('');
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
