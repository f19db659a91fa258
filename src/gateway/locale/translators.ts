import type { Collection } from '../model/catalogue.ts';
import type { CollectionText } from '../texts/collection-text.ts';
import type { ProblemCode } from '../texts/problem.ts';
import type { CommandText, DocumentText, PageText, SubjectText } from '../texts/shown-text.ts';
import type { FieldText, Locale, Noun, Wording } from './table.ts';

export const PLACEHOLDER = /\{(\w+)\}/g;

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
      form(required(totals[name], name), count).replace(PLACEHOLDER, () => written(count)),
    /** What divides thousands. */
    group: written(10_000).replaceAll(/\d/g, ''),
  };
};

/** The texts of the OpenAPI documents. */
export const documentTranslator = ({ tag, table }: Locale) => {
  const { texts, collections, fields } = required(table.descriptions, tag);
  return {
    /** BCP 47 tag of the language of these texts. */
    tag,
    /** @param values for the placeholders of the text */
    say: (text: DocumentText, values: Readonly<Record<string, string | number>>): string =>
      texts[text].replace(PLACEHOLDER, (_, name: string) => String(values[name])),
    /** Nouns in the language of these texts. */
    nouns: ({ name }: Collection): Noun => required(table.nouns[name], name),
    collection: ({ id }: Collection): Readonly<Record<CollectionText, string>> =>
      required(collections[id] as Readonly<Record<CollectionText, string>> | undefined, id),
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
    form(texts[text], values.count).replace(PLACEHOLDER, (_, name: string) => {
      const value = required(values[name], name);
      return typeof value === 'number' ? written(value) : value;
    });
};
