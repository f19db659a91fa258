/** What pages show of the catalogue: the address of a page says what the API is asked, and the API's response is what there is to show. */
import { decode } from '../../http/exchange.ts';
import { LANG, ROOT, type Tree, URLS } from '../../http/urls.ts';
import type { Language } from '../../locale/language.ts';
import type { Catalogue, Collection } from '../../model/catalogue.ts';
import type { Field } from '../../model/field.ts';
import { suffixes, withSuffix } from '../../model/query.ts';
import type { ListParameter } from '../../read/query/parameter.ts';
import { listParameters } from '../../read/query/query.ts';
import { sentence } from '../../texts/phrase.ts';
import { explainProblem, type Site, topCollections } from './service.ts';
import { createValueWriter, readPeople } from './values.ts';

/** Sends a request for JSON to the API, in this process. @param url with what stands before the paths that clients are told */
export type Ask = (url: string) => Promise<Response>;

/** A parameter of an address: its word, and a text as people write it. */
export type Pair = readonly [word: string, text: string];

export type Item = Readonly<Record<string, unknown>>;

/** What the API responds with in place of items (RFC 9457). */
export interface Refusal {
  readonly title: string;
  readonly status: number;
  readonly type: string;
  readonly detail?: string;
  readonly errors?: readonly { readonly detail: string }[];
}

type Address = ReturnType<typeof readAddress>;

/** Items of a page unless its address says how many, the most of them, and the most values that a reference is picked from. */
export const SAMPLE = 10;
const MOST = 100;
const MOST_CHOICES = 200;

/** What is no page of a list: the API itself shows it. */
const PROGRAM_PARAMETERS: readonly ListParameter['decides'][] = ['groups', 'changes', 'position', 'format'];

const findField = ({ fields }: Collection, parameter: string): Field | undefined =>
  fields.find(({ name }) => [name, ...suffixes.map((suffix) => withSuffix(name, suffix))].includes(parameter));

const indexParametersByWord = (language: Language, collection: Collection): ReadonlyMap<string, ListParameter> =>
  new Map(listParameters(language, collection).map((parameter) => [parameter.word, parameter]));

const listWord = ({ language }: Tree, { name }: Collection): string => language.paths(undefined).word(name);

/**
 * Reads the address of a page. A path of the API stands in it as the name of a parameter, `?/coches/a`, because no word can have a
 * slash, which a form encodes. Without a language its words decide, and then the preferred one.
 */
export function readAddress({ trees, catalogue }: Site, search: string, preferred: Language, isNamed: boolean) {
  const parts = search.split('&').filter((part) => part !== '');
  const pathPart = parts.find((part) => /^(?:\/|%2f)/i.test(part));
  const path = pathPart?.replace(/=$/, '').replaceAll(/^%2f/gi, '/') ?? '';
  const pairs = [...new URLSearchParams(parts.filter((part) => part !== pathPart).join('&'))].filter(
    ([word, text]) => word !== LANG && text.trim() !== '',
  );
  const [, segment, key] = path.split('/').map((part) => decode(part.replaceAll('+', ' ')) ?? part);
  const tops = topCollections(catalogue);
  const candidates = trees.map((tree) => {
    const collection = segment === undefined ? tops[0] : tops.find((list) => listWord(tree, list) === segment);
    const known = collection ? indexParametersByWord(tree.language, collection) : undefined;
    const fit = pairs.filter(([word]) => known?.has(word)).length + (collection ? 1 : 0);
    return { tree, collection, path, key: key === '' ? undefined : key, pairs, fit };
  });
  const isPreferred = ({ tree }: (typeof candidates)[number]) => Number(tree.language.tag === preferred.tag);
  const [first, ...others] = candidates.toSorted((one, other) => isPreferred(other) - isPreferred(one));
  if (!first) throw new TypeError('a service has a tree');
  return isNamed ? first : others.reduce((best, other) => (other.fit > best.fit ? other : best), first);
}

const encode = (text: string): string => encodeURIComponent(text).replaceAll('%2C', ',');

/** @returns the address of a list's page, or of an item's, which names its language */
export function writeAddress(
  catalogue: Catalogue,
  tree: Tree,
  collection: Collection,
  pairs: readonly Pair[] = [],
  key?: string,
): string {
  const { tag, base, isMounted } = tree.language;
  const isFirst = collection === topCollections(catalogue)[0] && key === undefined;
  const path = `/${encode(listWord(tree, collection))}${key === undefined ? '' : `/${encode(key)}`}`;
  const parts = [...(isFirst ? [] : [path]), ...pairs.map((pair) => pair.map(encode).join('=')), `${LANG}=${tag}`];
  return `${base}${isMounted ? URLS.index : '/'}?${parts.join('&')}`;
}

const writeQuery = (pairs: readonly Pair[]): string =>
  pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');

/** @returns the URL of the API for a page's list; and whether a program may want it, but no page can show it */
function listUrl({ language, paths }: Tree, collection: Collection, pairs: readonly Pair[]) {
  const parameters = indexParametersByWord(language, collection);
  const { word } = language.parameters;
  const [size, page, fields] = [word('number_of_elements'), word('page'), word('fields')];
  const sentPairs = pairs.map(([name, text]): Pair => {
    const parameter = parameters.get(name);
    const field = parameter && findField(collection, parameter.name);
    if (field) return [name, readPeople(language, collection, field, name, text)];
    if (name !== fields) return [name, text];
    const key = language.fields(collection).word(collection.key.name);
    return [name, [key, ...text.split(',').filter((word) => word !== key)].join(',')];
  });
  const place = [size, page].filter((name) => !pairs.some(([word]) => word === name));
  const all = [...sentPairs, ...place.map((name): Pair => [name, name === size ? String(SAMPLE) : '1'])];
  const isOfPrograms = pairs.some(([name]) => {
    const parameter = parameters.get(name);
    return parameter && (PROGRAM_PARAMETERS.includes(parameter.decides) || parameter.name === 'include');
  });
  return { url: `${paths(collection).list([])}?${writeQuery(all)}`, pairs: all, isOfPrograms };
}

/** @returns the addresses of the same page in other languages, by their tags: the API translates its words, and people's numbers follow */
function translateAddress({ catalogue, trees }: Site, collection: Collection, header: string, key?: string) {
  const links = header.matchAll(/<([^<>]*)>; rel="alternate"; hreflang="([^"]*)"/g);
  const addresses = [...links].flatMap(([, url = '', tag = '']) => {
    const tree = trees.find(({ language }) => language.tag === tag);
    if (!tree) return [];
    const parameters = indexParametersByWord(tree.language, collection);
    const { word } = tree.language.parameters;
    const pairs = [...new URLSearchParams(url.split('?')[1])].map(([name, text]): Pair => {
      const field = findField(collection, parameters.get(name)?.name ?? '');
      if (field?.kind !== 'integer' && field?.kind !== 'decimal') return [name, text];
      return [name, createValueWriter(tree.language, collection, field)(Number(text))];
    });
    const usual = [`${word('number_of_elements')}=${SAMPLE}`, `${word('page')}=1`];
    const own = key === undefined ? pairs.filter((pair) => !usual.includes(pair.join('='))) : [];
    return [[tag, writeAddress(catalogue, tree, collection, own, key)] as const];
  });
  return new Map(addresses);
}

/** @returns the keys of the items that a field may refer to; `undefined` if they are too many to pick one */
async function listChoices(ask: Ask, { catalogue }: Site, { language, paths }: Tree, to: string) {
  const collection = catalogue.find(({ name }) => name === to);
  if (!collection) return undefined;
  const { word } = language.parameters;
  const key = language.fields(collection).word(collection.key.name);
  const query: Pair[] = [
    [word('sort_by'), key],
    [word('fields'), key],
    [word('number_of_elements'), String(MOST_CHOICES)],
    [word('page'), '1'],
  ];
  const response = await ask(`${paths(collection).list([])}?${writeQuery(query)}`);
  const isShort = response.ok && Number(response.headers.get('x-total-count')) <= MOST_CHOICES;
  return isShort ? ((await response.json()) as Item[]).map((item) => String(item[key])) : undefined;
}

/** The API has no such limit: a table of thousands of rows is none that a person reads. */
function refuseSize(language: Language, word: string): Response {
  const detail = language.format(sentence('value-integer', { word, min: 1, max: MOST }));
  return Response.json({ ...explainProblem(language, 'invalid-parameter'), errors: [{ detail }] }, { status: 400 });
}

/** Reads the list of a page. */
export async function readListView(ask: Ask, site: Site, address: Address & { readonly collection: Collection }) {
  const { tree, collection } = address;
  const { url, pairs: apiPairs, isOfPrograms } = listUrl(tree, collection, address.pairs);
  if (isOfPrograms) return { url, isOfPrograms };
  const referring = collection.fields.flatMap(({ name, refersTo }) => (refersTo ? [[name, refersTo] as const] : []));
  const { word } = tree.language.parameters;
  const [page = 0, size = 0] = ['page', 'number_of_elements'].map((name) =>
    Number(apiPairs.find(([other]) => other === word(name))?.[1]),
  );
  const [response, ...choices] = await Promise.all([
    size > MOST ? refuseSize(tree.language, word('number_of_elements')) : ask(url),
    ...referring.map(async ([name, to]) => [name, await listChoices(ask, site, tree, to)] as const),
  ]);
  const content: unknown = await response.json();
  return {
    ...address,
    url,
    /** The parameters of the request to the API. */
    apiPairs,
    items: response.ok ? (content as readonly Item[]) : [],
    refusal: response.ok ? undefined : (content as Refusal),
    total: Number(response.headers.get('x-total-count') ?? 0),
    page,
    size,
    choices: new Map(choices),
    addresses: translateAddress(site, collection, response.headers.get('link') ?? ''),
  };
}

/** Reads the item of a page, with what is nested in it and what it refers to. Of a path that no tree has, the API says what is wrong. */
export async function readItemView(ask: Ask, site: Site, address: Address) {
  const { tree, collection, key = '', path } = address;
  const { language } = tree;
  const included = collection ? Object.values(language.included(collection).dictionary).join(',') : '';
  const query = included === '' ? '' : `?${writeQuery([[language.parameters.word('include'), included]])}`;
  const plain = collection ? tree.paths(collection).item([key]) : language.base + ROOT + path;
  const response = await ask(plain + query);
  const content: unknown = await response.json();
  const link = response.headers.get('link') ?? '';
  return {
    ...address,
    url: plain + query,
    item: response.ok ? (content as Item) : undefined,
    refusal: response.ok ? undefined : (content as Refusal),
    addresses: collection ? translateAddress(site, collection, link, key) : new Map<string, string>(),
  };
}

export type ListView = Extract<Awaited<ReturnType<typeof readListView>>, { items: unknown }>;
export type ItemView = Awaited<ReturnType<typeof readItemView>>;
