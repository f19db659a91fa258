/** Says a request of one language in another. */
import { translateCsv } from './csv.ts';
import { type Dictionary, rootPath } from './dictionary.ts';
import { exchange, type Pair, pairWords, type Translate } from './words.ts';

export interface Request {
  /** `GET` by default. */
  readonly method?: string;
  /** Path and query, such as `/api/cars?brand=seat`. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A JSON value, or the text of a file. */
  readonly body?: unknown;
}

export const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', '%20'));
  } catch {
    return text;
  }
};

/** Translates a word that is encoded; what stays the same is left as it was written. */
const recode = (text: string, translate: Translate): string => {
  const word = decode(text);
  const other = translate(word);
  return other === word ? text : encodeURIComponent(other);
};

/** @returns the collection, too: `undefined` outside the trees */
const translatePath = (path: string, pair: Pair): { path: string; collection: string | undefined } => {
  const root = `${rootPath(pair.from)}/`;
  if (!path.startsWith(root)) return { path, collection: undefined };
  const segments = path.slice(root.length).split('/');
  const [first = ''] = segments;
  const isView = pair.isView(decode(first));
  if (isView) segments[0] = recode(first, pair.views);
  let collection: string | undefined;
  for (let at = isView ? 1 : 0; at < segments.length; at += 2) {
    const segment = segments[at] ?? '';
    const below = pair.findCollection(collection, decode(segment));
    if (below === undefined) break;
    segments[at] = recode(segment, pair.paths(collection));
    collection = below;
  }
  return { path: root + segments.join('/'), collection };
};

/** Several words have commas between them, encoded or not. */
const recodeList = (text: string, translate: Translate): string =>
  text
    .split(/(,|%2C)/i)
    .map((part, at) => (at % 2 === 0 ? recode(part, translate) : part))
    .join('');

const wordsIn = (pair: Pair, collection: string, parameter: string): Translate | undefined => {
  const kind = pair.parameterKind(parameter);
  if (kind === 'field') return pair.fields(collection);
  if (kind === 'collection') return pair.included(collection);
  return kind === 'value' ? pair.values : pair.choices(collection, parameter);
};

/** @param query without its question mark */
export const translateQuery = (query: string, pair: Pair, collection: string): string =>
  query
    .split('&')
    .map((part) => {
      const [name = '', ...values] = part.split('=');
      const value = values.join('=');
      const words = wordsIn(pair, collection, decode(name));
      const word = recode(name, pair.query(collection));
      return values.length === 0 ? word : `${word}=${words ? recodeList(value, words) : value}`;
    })
    .join('&');

/** @returns a path with its query in the other language, and the collection that it leads to */
export const locate = (url: string, pair: Pair) => {
  const at = url.indexOf('?');
  const { path, collection } = translatePath(at === -1 ? url : url.slice(0, at), pair);
  if (at === -1) return { url: path, collection };
  const query = url.slice(at + 1);
  return { url: `${path}?${collection === undefined ? query : translateQuery(query, pair, collection)}`, collection };
};

/** @param content items, or an item, with the words of its members */
export const translateItems = (content: unknown, pair: Pair, collection: string): unknown => {
  if (Array.isArray(content)) return content.map((each) => translateItems(each, pair, collection));
  if (typeof content !== 'object' || content === null) return content;
  const word = pair.members(collection);
  return Object.fromEntries(
    Object.entries(content).map(([member, value]) => {
      const included = pair.findIncluded(collection, member);
      if (included !== undefined) return [word(member), translateItems(value, pair, included)];
      const choices = typeof value === 'string' ? pair.choices(collection, member) : undefined;
      return [word(member), choices ? choices(String(value)) : value];
    }),
  );
};

/** @returns what files have for true and false in one language only */
const ownFlags = ({ flags }: Dictionary, other: Dictionary) =>
  Object.fromEntries(
    Object.entries(flags).flatMap(([name, words]) =>
      words.filter((word) => !other.flags[name]?.includes(word)).map((word, at) => [name + at, word] as const),
    ),
  );

const translateLine = (line: string, pair: Pair, collection: string): string =>
  line.trim() === '' ? line : JSON.stringify(translateItems(JSON.parse(line), pair, collection));

/**
 * @param text a file with items
 * @param type its media type
 * @returns `undefined` for a file that has no words, or is no text
 */
export function translateFile(text: string, type: string, pair: Pair, collection: string): string | undefined {
  if (type.startsWith('application/x-ndjson')) {
    return text
      .split('\n')
      .map((line) => translateLine(line, pair, collection))
      .join('\n');
  }
  if (!type.startsWith('text/csv')) return undefined;
  const { from, to } = pair;
  const flag = exchange(ownFlags(from, to), ownFlags(to, from));
  return translateCsv(text, from, to, pair.members(collection), (word, value) => {
    const kind = pair.fieldKind(collection, word);
    if (kind === 'decimal') return value.replace(from.csv.decimals ?? '.', to.csv.decimals ?? '.');
    const words = kind === 'flag' ? flag : pair.choices(collection, word);
    return words ? words(value) : value;
  });
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
export const translate = (request: Request, from: Dictionary, to: Dictionary): Request => {
  const pair = pairWords(from, to);
  const { url, collection } = locate(request.url, pair);
  const { body, headers = {} } = request;
  if (collection === undefined || body === undefined) return { ...request, url };
  if (typeof body !== 'string') return { ...request, url, body: translateItems(body, pair, collection) };
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  return { ...request, url, body: translateFile(body, type, pair, collection) ?? body };
};
