import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { carWords } from './car-words.ts';
import { oncePer } from './once.ts';

/**
 * Canonical requests and bodies in a language's words, straight from the JSON tables: nothing here may use `src/gateway/locale`,
 * or a wrong translation would be expected as well as made.
 */

export type Words = Readonly<Record<string, string>>;

export interface LocaleTable {
  readonly paths: Words;
  readonly fields: Readonly<Record<CollectionName, Words>>;
  readonly parameters: Words;
  readonly suffixes: Words;
  readonly values: Words;
  readonly nouns: Readonly<Record<CollectionName, { readonly the: string; readonly of: string }>>;
  readonly problems: Readonly<Record<string, { readonly title: string; readonly explanation: string }>>;
  readonly phrases: Readonly<Record<string, string | Words>>;
}

/** Contract §2: the members of a body in their order, the key first. */
const FIELDS = {
  cars: carWords.en,
  oils: ['type', 'otherInfo'],
} as const;

/** The fields that lists can be limited to a range of. */
const INTEGERS = { cars: ['year', 'doors', 'enginePower'], oils: [] } as const;

/** The words of ranges by their names, `year_from` and so on. */
export const rangeWords = ({ fields, suffixes }: LocaleTable, collection: CollectionName): Words =>
  Object.fromEntries(
    INTEGERS[collection].flatMap((name) =>
      Object.entries(suffixes).map(([end, word]) => [`${name}_${end}`, `${fields[collection][name]}_${word}`] as const),
    ),
  );

export type CollectionName = keyof typeof FIELDS;
export const COLLECTIONS = ['cars', 'oils'] as const satisfies readonly CollectionName[];

type Value = string | number | boolean | null;
export type Resource = Readonly<Record<string, Value>>;
/** By canonical name; an array is a repeated parameter. */
export type CanonicalQuery = Readonly<Record<string, string | number | boolean | readonly (string | number)[]>>;

/** An address without a language. */
export interface Target {
  readonly collection: CollectionName;
  /** From the top down: of an item all keys, of a list those of the items around it. */
  readonly keys: readonly string[];
  readonly slash?: true;
  /** Sent behind the path exactly as it is. */
  readonly rest?: string;
}

export interface Translator {
  readonly tag: string;
  readonly table: LocaleTable;
  /** Percent-encoded. */
  readonly path: (target: Target) => string;
  /** Words and values, decoded, without those that are empty and so ask for nothing. */
  readonly pairs: (collection: CollectionName, query: CanonicalQuery) => readonly (readonly [string, string])[];
  /** With its question mark, or empty. */
  readonly search: (collection: CollectionName, query: CanonicalQuery) => string;
  /** Members that are no canonical name stay as they are. */
  readonly body: (collection: CollectionName, canonical: Readonly<Record<string, unknown>>) => Record<string, unknown>;
  /** The JSON text of a whole resource. */
  readonly text: (collection: CollectionName, canonical: Resource) => string;
  readonly field: (collection: CollectionName, name: string) => string;
  /** What a list's query calls a parameter or a field. */
  readonly parameter: (collection: CollectionName, name: string) => string;
}

const TABLE_FILE = /^([a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)\.json$/;

/** @returns the tag of every table in a folder */
export const tagsIn = (folder: string): readonly string[] =>
  readdirSync(folder)
    .flatMap((file) => TABLE_FILE.exec(file)?.[1] ?? [])
    .sort();

const readTable = (folder: string, tag: string): LocaleTable =>
  Object.assign(
    {},
    ...['', 'messages']
      .map((each) => join(folder, each, `${tag}.json`))
      .filter((file) => existsSync(file))
      .map((file) => JSON.parse(readFileSync(file, 'utf8'))),
  );

const translator = (tag: string, table: LocaleTable): Translator => {
  const field = (collection: CollectionName, name: string): string => table.fields[collection][name] ?? name;
  const parameter = (collection: CollectionName, name: string): string =>
    table.parameters[name] ?? rangeWords(table, collection)[name] ?? field(collection, name);

  const path = ({ collection, keys, slash, rest = '' }: Target): string => {
    const [car, ...inner] = keys;
    const below = collection === 'oils' ? [table.paths.oils ?? '', ...inner] : inner;
    const segments = [table.paths.cars ?? '', ...(car === undefined ? [] : [car]), ...below];
    return `/api/${segments.map(encodeURIComponent).join('/')}${slash ? '/' : ''}${rest}`;
  };

  const value = (collection: CollectionName, name: string, canonical: string): string => {
    const each = (translated: (part: string) => string): string => canonical.split(',').map(translated).join(',');
    if (name === 'sort_by') return each((part) => field(collection, part));
    return name === 'order' ? each((part) => table.values[part] ?? part) : canonical;
  };
  const allPairs = (collection: CollectionName, query: CanonicalQuery): readonly (readonly [string, string])[] =>
    Object.entries(query).flatMap(([name, sent]) =>
      [sent].flat().map((each) => [parameter(collection, name), value(collection, name, String(each))] as const),
    );
  const search = (collection: CollectionName, query: CanonicalQuery): string => {
    const encoded = allPairs(collection, query).map((pair) => pair.map(encodeURIComponent).join('='));
    return encoded.length === 0 ? '' : `?${encoded.join('&')}`;
  };
  const body = (collection: CollectionName, canonical: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(canonical).map(([name, each]) => [field(collection, name), each]));

  return {
    tag,
    table,
    path,
    pairs: (collection, query) => allPairs(collection, query).filter(([, each]) => each !== ''),
    search,
    body,
    text: (collection, canonical) => {
      const present = FIELDS[collection].filter((name) => canonical[name] !== undefined);
      return JSON.stringify(body(collection, Object.fromEntries(present.map((name) => [name, canonical[name]]))));
    },
    field,
    parameter,
  };
};

/** One translator for every table of a folder. */
export const translatorsIn = oncePer((folder: string): readonly Translator[] =>
  tagsIn(folder).map((tag) => translator(tag, readTable(folder, tag))),
);
