/** The words of a language, as the service publishes them (`/api/locales/<tag>`); see the documentation of the kit. */
import { readEntries } from '../../../vocabularies/src/document.ts';
import { asObject, isObject, type Json, type Dictionary as Words } from '../../../vocabularies/src/words.ts';

/** Words by the names that all languages share. */
export type { Words };

export interface Field {
  readonly word: string;
  readonly kind: string;
  readonly label?: string;
  readonly description?: string;
  readonly range?: Words;
  readonly required?: boolean;
  readonly searchable?: boolean;
  /** The collection to whose items its values refer. */
  readonly refersTo?: string;
  /** The words of its values, if these are a closed list. */
  readonly choices?: Words;
  /** JSON Schema of its values. */
  readonly schema?: Readonly<Record<string, unknown>>;
}

interface Collection {
  readonly parent?: string;
  readonly word: string;
  readonly description?: string;
  /** URL templates, in which the name of a collection stands for the key of its item. */
  readonly paths: { readonly list: string; readonly item: string } & Words;
  readonly fields: Readonly<Record<string, Field>>;
}

interface Parameter {
  readonly word: string;
  readonly kind: string;
  readonly description?: string;
  readonly lists: readonly string[];
  readonly items: readonly string[];
}

export interface Dictionary {
  readonly tag: string;
  readonly version: number;
  readonly collections: Readonly<Record<string, Collection>>;
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly members: Words;
  readonly report: Words;
  readonly values: Words;
  readonly flags: Readonly<Record<string, readonly string[]>>;
  readonly csv: { readonly delimiter: string; readonly byteOrderMark: boolean; readonly decimals?: string };
  /** More of what is said in this language, to tell its words from those of others. */
  readonly prose?: string;
  /** Titles by code. */
  readonly problems: Words;
}

/** The version of the format that this kit reads. */
const VERSION = 1;

/** What `fetch` is, as far as it is needed. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/** Bytes of the longest answer that is read: a service that never ends would be read for ever. */
const LONGEST = 32 * 1024 * 1024;

/** @returns the text of an answer, whose byte-order mark is part of it @throws Error if it is longer than any that is expected */
export async function readText(response: Response, url: string): Promise<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  // Not every browser can iterate over a stream.
  const reader = response.body?.getReader();
  let [text, length] = ['', 0];
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    length += part.value.length;
    if (length > LONGEST) {
      await reader?.cancel();
      throw new Error(`${url} is answered with a body longer than ${LONGEST} bytes`);
    }
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}

/** @returns the whole URL of what a service links to @throws Error if it is not on the same origin: a key may be sent there */
export function resolveAt(origin: string, url: string): string {
  const base = new URL(origin || 'http://localhost');
  const isLocal = url.startsWith('/') && URL.canParse(url, base) && new URL(url, base).origin === base.origin;
  if (!isLocal) throw new Error(`${url} is no URL of the service`);
  return origin + url;
}

/** @throws Error if an address is answered with an error, or with no JSON */
export async function readJson(url: string, get: Fetch): Promise<unknown> {
  const response = await get(url, { headers: { Accept: 'application/json' }, redirect: 'error' });
  if (!response.ok) throw new Error(`${url} is answered with ${response.status}`);
  return JSON.parse(await readText(response, url));
}

const TAG = /^[a-z]{2,3}(?:-[a-z\d]{1,8})*$/i;
const DELIMITERS = [',', ';', '\t', '|'];
/** A name that all languages share. */
const NAME = /^[a-z]\w*$/i;
const PARTS = ['collections', 'parameters', 'members', 'report', 'values', 'flags', 'problems'];

/** @returns what keeps an answer from being a dictionary; `undefined` if it is one */
function findFault(content: Json): string | undefined {
  const { tag, version, csv, collections } = content;
  if (!TAG.test(String(tag))) return 'its tag is no language (BCP 47)';
  if (typeof version !== 'number') return 'it has no version';
  if (version > VERSION) return `it has version ${version}; this kit reads version ${VERSION}`;
  if (!DELIMITERS.includes(String(asObject(csv).delimiter))) return 'its files have an unknown separator';
  const missing = PARTS.find((part) => !isObject(content[part]));
  if (missing !== undefined) return `it has no ${missing}`;
  for (const [name, { paths, fields }] of readEntries(collections)) {
    if (!isObject(paths) || !isObject(fields)) return 'a collection has no paths or no fields';
    if (![name, ...Object.keys(fields)].every((text) => NAME.test(text))) return 'a name has other signs than letters';
    if (!Object.values(paths).every((path) => typeof path === 'string' && /^\/[^/]/.test(path)))
      return 'a path is not below the root';
  }
  return undefined;
}

/**
 * @param origin of the service, such as `http://localhost:3000`
 * @param get what asks, such as `app.request`; by default `fetch`
 * @returns the dictionary of every language, in the order of the service
 * @throws Error if one is of a later version of the format, is on another origin, or cannot be read
 */
export async function readDictionaries(origin: string, get: Fetch = fetch): Promise<readonly Dictionary[]> {
  const list = `${origin}/api/locales`;
  const links = await readJson(list, get);
  if (!Array.isArray(links) || links.length > 200) throw new Error(`${list} is no list of dictionaries`);
  const urls = links.map((link) => resolveAt(origin, String(link?.url)));
  return Promise.all(
    urls.map(async (url) => {
      const content = await readJson(url, get);
      const fault = findFault(asObject(content));
      if (fault !== undefined) throw new Error(`${url} is no dictionary: ${fault}`);
      return content as Dictionary;
    }),
  );
}

/** @returns the same members with other values */
function mapMembers<K extends string, T, U>(
  record: Readonly<Record<K, T>>,
  change: (value: T, name: string) => U,
): Record<K, U> {
  const members = Object.entries<T>(record).map(([name, value]) => [name, change(value, name)]);
  return Object.fromEntries(members) as Record<K, U>;
}

/** @returns names that stand for themselves */
function useNames(words: Words): Words {
  return mapMembers(words, (_, name) => name);
}

/** @returns the path below which all trees are: `/api` */
export function rootPath({ collections }: Dictionary): string {
  const [top] = Object.values(collections).filter(({ parent }) => parent === undefined);
  return top?.paths.list.slice(0, top.paths.list.lastIndexOf('/')) ?? '';
}

/** @returns what there is beside lists, such as `groups`, by their names: the first segments of its paths below the root */
export function listViews(dictionary: Dictionary): Words {
  const segment = rootPath(dictionary).split('/').length;
  const paths = Object.values(dictionary.collections).flatMap((collection) => Object.entries(collection.paths));
  const views = paths.filter(([name]) => name !== 'list' && name !== 'item');
  return Object.fromEntries(views.map(([name, path]) => [name, decodeURIComponent(path.split('/')[segment] ?? '')]));
}

/** @returns the path of a collection's lists below the root, with the names that all languages share */
function listPath(dictionary: Dictionary, name: string): string {
  const parent = dictionary.collections[name]?.parent;
  return parent === undefined ? `/${name}` : `${listPath(dictionary, parent)}/{${parent}}/${name}`;
}

function withNames(name: string, field: Field): Field {
  const { range, choices } = field;
  return {
    ...field,
    word: name,
    ...(range && { range: mapMembers(range, (_, end) => `${name}_${end}`) }),
    ...(choices && { choices: useNames(choices) }),
  };
}

/**
 * @param dictionary of any language of the service
 * @returns the dictionary of a language whose words are the names that all languages share
 */
export function listNames(dictionary: Dictionary): Dictionary {
  const { collections, parameters, members, report, values, problems } = dictionary;
  const root = rootPath(dictionary);
  return {
    tag: 'zxx',
    version: VERSION,
    collections: mapMembers(collections, (collection, name) => {
      const path = listPath(dictionary, name);
      const views = mapMembers(collection.paths, (_, view) => `${root}/${view}${path}`);
      const paths = { ...views, list: root + path, item: `${root}${path}/{${name}}` };
      const fields = mapMembers(collection.fields, (field, own) => withNames(own, field));
      return { ...collection, word: name, paths, fields };
    }),
    parameters: mapMembers(parameters, (parameter, name) => ({ ...parameter, word: name })),
    ...mapMembers({ members, report, values, problems }, useNames),
    flags: { true: ['true'], false: ['false'] },
    csv: { delimiter: ',', byteOrderMark: false, decimals: '.' },
  };
}
