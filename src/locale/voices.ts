import type { Collection } from '../model/catalogue.ts';
import type { CollectionText, TextName } from '../texts/document-text.ts';
import type { PageText } from '../texts/page-text.ts';
import type { Dictionary, FieldText, Locale, Noun, Wording } from './table.ts';

/** What pages say: in this language or, where its table leaves the pages out, in the default one. */
export interface PageVoice {
  /** BCP 47 tag of the language in which they say it. */
  readonly tag: string;
  readonly say: (text: PageText) => string;
  /** Texts of Swagger UI onto their words. */
  readonly labels: Dictionary;
  /** How many items a collection at the top has, as a person reads it. */
  readonly total: (collection: Collection, count: number) => string;
}

/** What documents say: in this language or, where its table leaves the descriptions out, in the default one. */
export interface DocumentVoice {
  /** BCP 47 tag of the language in which they say it. */
  readonly tag: string;
  /** The values fill in the text's placeholders. */
  readonly say: (text: TextName, values: Readonly<Record<string, string | number>>) => string;
  /** The noun that fits these texts. */
  readonly nouns: (collection: Collection) => Noun;
  readonly collection: (collection: Collection) => Readonly<Record<CollectionText, string>>;
  /** By field name; `undefined` where there is nothing to add to the field's word. */
  readonly field: (collection: Collection, name: string) => FieldText | undefined;
}

export const PLACEHOLDER = /\{(\w+)\}/g;

/** Tables were checked against the catalogue, so that a lack is a fault in the program. */
export const found = <T>(words: T | undefined, of: string | undefined): T => {
  if (words === undefined) throw new TypeError(`no words for ${of}`);
  return words;
};

/** @returns the sentence, or that of its plural forms which fits the count */
export const formsIn = (tag: string): ((wording: Wording, count: unknown) => string) => {
  const plural = new Intl.PluralRules(tag);
  return (wording, count) =>
    typeof wording === 'string' ? wording : (wording[plural.select(Number(count))] ?? wording.other);
};

export const pageVoice = ({ tag, table }: Locale): PageVoice => {
  const { texts, labels, totals } = found(table.pages, tag);
  const form = formsIn(tag);
  return {
    tag,
    labels,
    say: (text) => texts[text],
    total: ({ name }, count) =>
      form(found(totals[name], name), count).replace(PLACEHOLDER, () => count.toLocaleString(tag)),
  };
};

export const documentVoice = ({ tag, table }: Locale): DocumentVoice => {
  const { texts, collections, fields } = found(table.descriptions, tag);
  return {
    tag,
    say: (text, values) => texts[text].replace(PLACEHOLDER, (_, name: string) => String(values[name])),
    nouns: ({ name }) => found(table.nouns[name], name),
    collection: ({ name }) => found(collections[name], name),
    field: ({ name: collection }, name) => fields[collection]?.[name],
  };
};
