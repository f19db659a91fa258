import { createPlurals, fillIn, type Wording } from '../../../packages/vocabularies/src/words.ts';
import type { Collection } from '../model/catalogue.ts';
import type { CollectionText } from '../texts/collection-text.ts';
import type { ProblemCode } from '../texts/problem.ts';
import type { CommandText, DocumentText, PageText, SubjectText } from '../texts/shown-text.ts';
import type { FieldText, Locale, Noun, Table } from './table.ts';

/** In tests a sentence that lacks a value is an error. Elsewhere its placeholder stays, because a response that says too little is better than none. */
const STRICT = ['test', 'development'];

/** Fills a sentence in. @param write writes a value, by default as it is */
export function fill(
  text: string,
  values: Readonly<Record<string, string | number | undefined>>,
  write?: (value: string | number, name: string) => string,
): string {
  return fillIn(text, values, write, (placeholder) => {
    if (STRICT.includes(process.env.NODE_ENV ?? '')) throw new TypeError(`no value for ${placeholder}: ${text}`);
    return placeholder;
  });
}

/** Tables are checked against the catalogue at start, so missing words are a bug. */
export const required = <T>(words: T | undefined, of: string | undefined): T => {
  if (words === undefined) throw new TypeError(`no words for ${of}`);
  return words;
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
  const form = createPlurals(tag);
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
      fill(form(required(totals[name], name), count), { count }, () => written(count)),
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
    say: (text: DocumentText, values: Readonly<Record<string, string | number>>): string => fill(texts[text], values),
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
  const form = createPlurals(tag);
  const written = numberWriter(tag);
  return (text, values = {}) =>
    fill(form(texts[text], values.count), values, (value) => (typeof value === 'number' ? written(value) : value));
};
