import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { carWords } from './car-words.ts';
import { oncePer } from './once.ts';

/**
 * Canonical names in a language's words, straight from the JSON tables: nothing here may use `src/gateway/locale`,
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
const FIELDS = { cars: carWords.en, oils: ['type', 'otherInfo'] } as const;

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

/** An address without a language. */
interface Target {
  readonly collection: CollectionName;
  /** From the top down: of an item all keys, of a list those of the items around it. */
  readonly keys: readonly string[];
}

export interface Translator {
  readonly tag: string;
  readonly table: LocaleTable;
  /** Percent-encoded. */
  readonly path: (target: Target) => string;
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

  const path = ({ collection, keys }: Target): string => {
    const [car, ...inner] = keys;
    const below = collection === 'oils' ? [table.paths.oils ?? '', ...inner] : inner;
    const segments = [table.paths.cars ?? '', ...(car === undefined ? [] : [car]), ...below];
    return `/api/${segments.map(encodeURIComponent).join('/')}`;
  };
  return { tag, table, path, field, parameter };
};

/** One translator for every table of a folder. */
export const translatorsIn = oncePer((folder: string): readonly Translator[] =>
  tagsIn(folder).map((tag) => translator(tag, readTable(folder, tag))),
);

/** Every word with which a table names something: what clients send and read, no prose. */
const tableWords = (table: LocaleTable): readonly string[] => {
  const { paths, fields, parameters, values } = table;
  const inEach = COLLECTIONS.flatMap((collection) => [fields[collection], rangeWords(table, collection)]);
  return [paths, ...inEach, parameters, values].flatMap((words: Words) => Object.values(words));
};

/** Everything that a table says in sentences. */
export const proseOf = ({ nouns, problems, phrases }: LocaleTable): string =>
  [...Object.values(nouns), ...Object.values(problems), ...Object.values(phrases)]
    .flatMap((each) => (typeof each === 'string' ? [each] : Object.values(each)))
    .join('\n')
    .replaceAll(/\{\w+\}/g, '');

/**
 * @param words to look for
 * @returns a search for those that a text contains as whole words, in any case; `Content-Type` is one word
 */
export const wordSearch = (words: readonly string[]): ((text: string) => readonly string[]) => {
  const any = words.map((word) => RegExp.escape(word)).join('|');
  const pattern = new RegExp(`(?<![\\p{L}\\p{M}\\p{N}_-])(?:${any})(?![\\p{L}\\p{M}\\p{N}_-])`, 'giu');
  return words.length === 0 ? () => [] : (text) => text.match(pattern) ?? [];
};

const fold = (words: readonly string[]): ReadonlySet<string> => new Set(words.map((word) => word.toLowerCase()));

/** The words of other tables that are none of a language's own. */
export const foreignTo = (own: LocaleTable, others: readonly LocaleTable[]): readonly string[] => {
  const ours = fold(tableWords(own));
  return [...new Set(others.flatMap(tableWords))].filter((word) => !ours.has(word.toLowerCase()));
};
