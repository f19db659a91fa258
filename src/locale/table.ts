import type { CsvStyle } from '../model/csv.ts';
import type { ReportMember } from '../model/import.ts';
import type { Direction, OFFSET, ParameterName, Suffix, TOTAL } from '../model/query.ts';
import type { CollectionText } from '../texts/collection-text.ts';
import type { CommandText } from '../texts/command-text.ts';
import type { TextName } from '../texts/document-text.ts';
import type { PageText, SwaggerLabel } from '../texts/page-text.ts';
import type { PhraseName } from '../texts/phrase.ts';
import type { ProblemCode } from '../texts/problem.ts';
import type { neutral } from './reserved.ts';

/** The words of one language, by canonical name. */
export type Dictionary<Name extends string = string> = Readonly<Record<Name, string>>;

/** The plural forms of a sentence, by the plural category (CLDR) of its `{count}`. */
type PluralForms = { readonly other: string } & Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;

/** One sentence for every count, or its plural forms. */
export type Wording = string | PluralForms;

/** Forms of an item's noun in sentences: "the car", "of the car" and, about its nested items, "for this car". */
export interface Noun {
  readonly the: string;
  readonly of: string;
  /** Only if its items have nested collections. */
  readonly within?: string;
}

/** The texts of the HTML pages. */
interface Pages {
  /** The number of items, by collection at the top. */
  readonly totals: Readonly<Record<string, Wording>>;
  readonly texts: Dictionary<PageText>;
  /** What a client can do about each error. */
  readonly remedies: Dictionary<ProblemCode>;
  readonly labels: Dictionary<SwaggerLabel>;
}

/** A field, for people. */
export interface FieldText {
  /** Its name in forms and column headings. */
  readonly label: string;
  /** What its label and its limits do not say. */
  readonly about?: string;
}

/** The texts of the OpenAPI documents and the dictionaries. */
interface Descriptions {
  readonly texts: Readonly<Record<TextName, string>>;
  readonly collections: Readonly<Record<string, Readonly<Record<CollectionText, string>>>>;
  readonly fields: Readonly<Record<string, Readonly<Partial<Record<string, FieldText>>>>>;
}

/** Other words for each name, which are suggested and never accepted. */
type Synonyms<Name extends string = string> = Readonly<Partial<Record<Name, readonly string[]>>>;

/** What clients of other services send, in this language and in others. */
export interface SynonymTable {
  readonly paths?: Synonyms;
  readonly urls?: Synonyms<(typeof neutral)[number]>;
  readonly fields?: Readonly<Record<string, Synonyms>>;
  readonly parameters?: Synonyms<ParameterName | typeof OFFSET>;
  readonly suffixes?: Synonyms<Suffix>;
  readonly values?: Synonyms<Direction>;
}

/** The whole of `locales/<tag>.json`. */
export interface Table {
  /** Path segments by collection, without slashes. */
  readonly paths: Dictionary;
  /** Body members, filters and sort values, by collection and field. */
  readonly fields: Readonly<Record<string, Dictionary>>;
  readonly parameters: Dictionary<ParameterName>;
  /** What the word of a field ends with, after an underscore, where a range of its values is asked for. */
  readonly suffixes: Dictionary<Suffix>;
  readonly members: Dictionary<typeof TOTAL>;
  readonly report: Dictionary<ReportMember>;
  readonly values: Dictionary<Direction>;
  /** If it is left out, CSV is as RFC 4180 has it. */
  readonly csv?: CsvStyle;
  /** What people write for true and false in tables, beside `true`, `false`, 1 and 0. */
  readonly booleans?: { readonly true: readonly string[]; readonly false: readonly string[] };
  readonly synonyms?: SynonymTable;
  /** By collection. */
  readonly nouns: Readonly<Record<string, Noun>>;
  readonly problems: Readonly<Record<ProblemCode, { readonly title: string; readonly explanation: string }>>;
  readonly phrases: Readonly<Record<PhraseName, Wording>>;
  /** What the commands of operators print. If it is left out, they speak the default language. */
  readonly commands?: Readonly<Record<CommandText, Wording>>;
  /** If pages or descriptions are left out, those of the default language are shown. */
  readonly pages?: Pages;
  readonly descriptions?: Descriptions;
}

/** A table and its language. */
export interface Locale {
  /** BCP 47 tag in canonical case. */
  readonly tag: string;
  readonly table: Table;
}
