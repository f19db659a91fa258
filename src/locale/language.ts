import type { Catalogue, Collection } from '../model/catalogue.ts';
import type { CollectionText, TextName } from '../texts/document-text.ts';
import type { PageText } from '../texts/page-text.ts';
import type { Sentence } from '../texts/phrase.ts';
import type { ProblemCode } from '../texts/problem.ts';
import type { Dictionary, Locale, Noun, Table, Wording } from './table.ts';
import { type Vocabulary, vocabulary } from './vocabulary.ts';

/** Everything that a tree needs to speak one language: made once at start, closed over by its handlers. */
export interface Language {
  /** BCP 47 tag. */
  readonly tag: string;
  /** Path segments of the collections that stand at one place: at the top, or inside the items of `parent`. */
  readonly paths: (parent: Collection | undefined) => Vocabulary;
  readonly fields: (collection: Collection) => Vocabulary;
  readonly parameters: Vocabulary;
  readonly directions: Vocabulary;
  readonly nouns: (collection: Collection) => Noun;
  readonly say: (sentence: Sentence) => string;
  readonly problem: (code: ProblemCode) => { readonly title: string; readonly explanation: string };
  readonly page: (text: PageText) => string;
  /** Texts of Swagger UI onto their words. */
  readonly labels: Dictionary;
  /** How many items a collection at the top holds, as a person reads it. */
  readonly total: (collection: Collection, count: number) => string;
  /** What documents say; the values fill in the text's placeholders. */
  readonly describe: (text: TextName, values: Readonly<Record<string, string | number>>) => string;
  readonly describeCollection: (collection: Collection) => Readonly<Record<CollectionText, string>>;
  /** By field name; `undefined` where there is nothing to add to the field's word. */
  readonly describeField: (collection: Collection, name: string) => string | undefined;
}

/** Client text inside sentences is cut at this many code points. */
const ECHO_LIMIT = 200;

/** @returns the text, cut where it is longer than an answer should truncate */
export const truncate = (text: string): string => {
  if (text.length <= ECHO_LIMIT) return text;
  const points = [...text];
  return points.length <= ECHO_LIMIT ? text : `${points.slice(0, ECHO_LIMIT).join('')}…`;
};

const PLACEHOLDER = /\{(\w+)\}/g;

const speaker = ({ tag, table }: Locale): Pick<Language, 'say' | 'total'> => {
  const plural = new Intl.PluralRules(tag);
  const form = (wording: Wording, count: unknown): string =>
    typeof wording === 'string' ? wording : (wording[plural.select(Number(count))] ?? wording.other);
  return {
    // A function fills in, so that `$&` in a client's text is harmless.
    say: ({ phrase, values }) =>
      form(table.phrases[phrase], values.count).replace(PLACEHOLDER, (_, name: string) =>
        truncate(String(values[name])),
      ),
    total: ({ name }, count) =>
      form(table.pages.totals[name] ?? '', count).replace(PLACEHOLDER, () => count.toLocaleString(tag)),
  };
};

const only = (dictionary: Dictionary, names: readonly string[]): Dictionary =>
  Object.fromEntries(Object.entries(dictionary).filter(([name]) => names.includes(name)));

/** Tables were checked against the catalogue, so that a lack is a fault in the program. */
const found = <T>(words: T | undefined, of: string | undefined): T => {
  if (words === undefined) throw new TypeError(`no words for ${of}`);
  return words;
};

/** By collection, once: looked up afterwards, never built again. */
const perCollection = <T, K extends Collection | undefined>(keys: readonly K[], make: (key: K) => T) => {
  const made = new Map(keys.map((key) => [key, make(key)]));
  return (key: K): T => found(made.get(key), key?.name);
};

/**
 * @param catalogue what there is to name
 * @param locales every table, checked (`checkLocales`)
 * @returns one language per table, in the same order
 */
export const languagesOf = (catalogue: Catalogue, locales: readonly Locale[]): readonly Language[] =>
  locales.map((locale) => {
    const { descriptions } = locale.table;
    const others = locales.filter((other) => other !== locale).map((other) => other.table);
    const kind = (pick: (table: Table) => Dictionary): Vocabulary => vocabulary(pick(locale.table), others.map(pick));
    const fieldsIn = ({ fields }: Table, { name }: Collection): Dictionary => fields[name] ?? {};
    const namesIn = (parent: Collection | undefined) =>
      catalogue.filter((each) => each.parent === parent).map((each) => each.name);
    return {
      tag: locale.tag,
      paths: perCollection([undefined, ...catalogue], (parent) => kind(({ paths }) => only(paths, namesIn(parent)))),
      fields: perCollection(catalogue, (collection) => kind((table) => fieldsIn(table, collection))),
      parameters: kind((table) => table.parameters),
      directions: kind((table) => table.values),
      nouns: perCollection(catalogue, ({ name }) => found(locale.table.nouns[name], name)),
      ...speaker(locale),
      problem: (code) => locale.table.problems[code],
      labels: locale.table.pages.labels,
      page: (text) => locale.table.pages.texts[text],
      describe: (text, values) =>
        descriptions.texts[text].replace(PLACEHOLDER, (_, name: string) => String(values[name])),
      describeCollection: ({ name }) => found(descriptions.collections[name], name),
      describeField: ({ name: collection }, name) => descriptions.fields[collection]?.[name],
    };
  });
