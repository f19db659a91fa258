import type { Direction, ParameterName } from '../model/query.ts';
import type { CollectionText, TextName } from '../texts/document-text.ts';
import type { PageText, SwaggerLabel } from '../texts/page-text.ts';
import type { PhraseName } from '../texts/phrase.ts';
import type { ProblemCode } from '../texts/problem.ts';

/** Canonical names onto the words of one language. */
export type Dictionary<Name extends string = string> = Readonly<Record<Name, string>>;

/** The plural forms of a sentence, by plural category (CLDR) of its `{count}`. */
type PluralForms = { readonly other: string } & Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;

/** One sentence for every count, or its plural forms. */
export type Wording = string | PluralForms;

/** How an item is named inside sentences: "the car", "of the car", and of what is nested in it "for this car". */
export interface Noun {
  readonly the: string;
  readonly of: string;
  /** Only of a collection whose items have collections of their own. */
  readonly within?: string;
}

/** What the pages for people say. */
interface Pages {
  /** By collection at the top: how many items it has. */
  readonly totals: Readonly<Record<string, Wording>>;
  readonly texts: Dictionary<PageText>;
  readonly labels: Dictionary<SwaggerLabel>;
}

/** What people are told of a field. */
export interface FieldText {
  /** Its name, as a form or the head of a column shows it. */
  readonly label: string;
  /** What its label and its limits leave open. */
  readonly about?: string;
}

/** What the OpenAPI documents and the dictionaries say to people. */
interface Descriptions {
  readonly texts: Readonly<Record<TextName, string>>;
  readonly collections: Readonly<Record<string, Readonly<Record<CollectionText, string>>>>;
  readonly fields: Readonly<Record<string, Readonly<Partial<Record<string, FieldText>>>>>;
}

/** The whole of `locales/<tag>.json`. */
export interface Table {
  /** Path segments by collection, without slashes. */
  readonly paths: Dictionary;
  /** Body members, filters and sort values, by collection and field. */
  readonly fields: Readonly<Record<string, Dictionary>>;
  readonly parameters: Dictionary<ParameterName>;
  readonly values: Dictionary<Direction>;
  /** By collection. */
  readonly nouns: Readonly<Record<string, Noun>>;
  readonly problems: Readonly<Record<ProblemCode, { readonly title: string; readonly explanation: string }>>;
  readonly phrases: Readonly<Record<PhraseName, Wording>>;
  /** Left out, the default language's are shown; the same holds for the descriptions. */
  readonly pages?: Pages;
  readonly descriptions?: Descriptions;
}

/** A table with the language that its file is named for. */
export interface Locale {
  /** BCP 47 tag in canonical case. */
  readonly tag: string;
  readonly table: Table;
}
