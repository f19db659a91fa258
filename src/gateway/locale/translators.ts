import type { Collection } from '../model/catalogue.ts';
import type { CollectionText } from '../texts/collection-text.ts';
import type { ProblemCode } from '../texts/problem.ts';
import type { CommandText, DocumentText, PageText, SubjectText } from '../texts/shown-text.ts';
import type { FieldText, Locale, Noun, Table, Wording } from './table.ts';

const PLACEHOLDER = /\{(\w+)\}/g;

/** Where a sentence that lacks a value is an error. Elsewhere its placeholder stays, because a response that says too little is better than none. */
const STRICT = ['test', 'development'];

/**
 * Fills a sentence in. `replace` is given a function, so that `$&` in a client's text has no effect.
 *
 * @param write writes a value; by default as it is
 */
export function fillIn(
  text: string,
  values: Readonly<Record<string, string | number | undefined>>,
  write: (value: string | number, name: string) => string = String,
): string {
  return text.replace(PLACEHOLDER, (placeholder, name: string) => {
    const value = values[name];
    if (value !== undefined) return write(value, name);
    if (STRICT.includes(process.env.NODE_ENV ?? '')) throw new TypeError(`no value for ${placeholder}: ${text}`);
    return placeholder;
  });
}

/** Tables are checked against the catalogue at start, so missing words are a bug. */
export const required = <T>(words: T | undefined, of: string | undefined): T => {
  if (words === undefined) throw new TypeError(`no words for ${of}`);
  return words;
};

/** @returns a function that selects the plural form of a sentence, if it has several */
export const pluralForms = (tag: string): ((wording: Wording, count: unknown) => string) => {
  const plural = new Intl.PluralRules(tag);
  return (wording, count) =>
    typeof wording === 'string' ? wording : (wording[plural.select(Number(count))] ?? wording.other);
};

/**
 * @returns writes a number as people do in a language; its thousands are not divided by a full stop, which marks decimals in
 *   others, but by a space (ISO 80000-1, and the Spanish Academy)
 */
export const numberWriter = (tag: string): ((number: number) => string) => {
  const format = new Intl.NumberFormat(tag);
  return (number) =>
    format
      .formatToParts(number)
      .map(({ type, value }) => (type === 'group' && value === '.' ? '\u{a0}' : value))
      .join('');
};

/** The texts of the HTML pages. */
export const pageTranslator = ({ tag, table }: Locale) => {
  const { texts: ofPages, remedies, labels, totals } = required(table.pages, tag);
  const { collections: _, ...ofSubject } = table.subject;
  const texts = { ...ofPages, ...ofSubject };
  const form = pluralForms(tag);
  const written = numberWriter(tag);
  return {
    /** BCP 47 tag of the language of these texts. */
    tag,
    /** Translations of Swagger UI's texts, by those texts. */
    labels,
    say: (text: PageText | SubjectText): string => texts[text],
    /** What a client can do about an error. */
    remedy: (code: ProblemCode): string => remedies[code],
    /** The same before it is counted, for a browser to fill in. */
    totalForms: ({ name }: Collection): Wording => required(totals[name], name),
    /** The number of items of a collection at the top, in words. */
    total: ({ name }: Collection, count: number): string =>
      fillIn(form(required(totals[name], name), count), { count }, () => written(count)),
    /** What divides thousands. */
    group: written(10_000).replaceAll(/\d/g, ''),
  };
};

type Descriptions = NonNullable<Table['descriptions']>;

/** @returns how many descriptions of a language another one says, because its table leaves them out */
export const countOfBorrowed = (own: Descriptions, usual: Descriptions): number => {
  const lacking = (some: object, all: object): number => Object.keys(all).filter((name) => !(name in some)).length;
  return (
    lacking(own.texts, usual.texts) +
    Object.entries(usual.collections).reduce((sum, [id, all]) => sum + lacking(own.collections[id] ?? {}, all), 0)
  );
};

/**
 * The texts of the OpenAPI documents.
 *
 * @param fallback the language that says what the table leaves out
 */
export const documentTranslator = ({ tag, table }: Locale, fallback: Locale) => {
  const usual = required(fallback.table.descriptions, fallback.tag);
  const own = required(table.descriptions, tag);
  const texts = { ...usual.texts, ...own.texts } as Readonly<Record<DocumentText, string>>;
  const { collections, fields } = own;
  return {
    /** BCP 47 tag of the language of these texts. */
    tag,
    /** Those of all languages that these texts are in. */
    tags: countOfBorrowed(own, usual) > 0 ? [tag, fallback.tag] : [tag],
    /** @param values for the placeholders of the text */
    say: (text: DocumentText, values: Readonly<Record<string, string | number>>): string => fillIn(texts[text], values),
    /** Nouns in the language of these texts. */
    nouns: ({ name }: Collection): Noun => required(table.nouns[name], name),
    collection: ({ id }: Collection): Readonly<Record<CollectionText, string>> =>
      ({ ...usual.collections[id], ...required(collections[id], id) }) as Readonly<Record<CollectionText, string>>,
    /** @returns `undefined` if the table has no texts for this field */
    field: ({ name: collection }: Collection, name: string): FieldText | undefined => fields[collection]?.[name],
  };
};

/** Prints texts of commands; numbers are written as people in this language write them. */
export type CommandTranslator = (text: CommandText, values?: Readonly<Record<string, string | number>>) => string;

/** @param locale has `commands` */
export const commandTranslator = ({ tag, table }: Locale): CommandTranslator => {
  const texts = required(table.commands, tag);
  const form = pluralForms(tag);
  const written = numberWriter(tag);
  return (text, values = {}) =>
    fillIn(form(texts[text], values.count), values, (value) => (typeof value === 'number' ? written(value) : value));
};
