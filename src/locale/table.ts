import { z } from 'zod';
import type { Catalogue } from '../model/catalogue.ts';
import { type Direction, directions, type ParameterName, parameters } from '../model/query.ts';
import { type CollectionText, collectionTexts, schemaNames, type TextName, texts } from '../texts/document-text.ts';
import { type PageText, pageTexts, type SwaggerLabel, swaggerLabels } from '../texts/page-text.ts';
import { type PhraseName, phrases } from '../texts/phrase.ts';
import { type ProblemCode, problems } from '../texts/problem.ts';

/** Canonical names onto the words of one language. */
export type Dictionary<Name extends string = string> = Readonly<Record<Name, string>>;

/** One sentence, or one per plural category (CLDR) of its `{count}`. */
export type Wording = string | ({ readonly other: string } & Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>);

/** How an item is named inside sentences: "the car", "of the car", and of what is nested in it "for this car". */
export interface Noun {
  readonly the: string;
  readonly of: string;
  /** Only of a collection whose items have collections of their own. */
  readonly within?: string;
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
  readonly pages: {
    /** By collection at the top: how many items it holds. */
    readonly totals: Readonly<Record<string, Wording>>;
    readonly texts: Dictionary<PageText>;
    readonly labels: Dictionary<SwaggerLabel>;
  };
  /** What documents say. A field that its word and its limits explain needs no more. */
  readonly descriptions: {
    readonly texts: Readonly<Record<TextName, string>>;
    readonly collections: Readonly<Record<string, Readonly<Record<CollectionText, string>>>>;
    readonly fields: Readonly<Record<string, Readonly<Partial<Record<string, string>>>>>;
  };
}

/** A table with the language that its file is named for. */
export interface Locale {
  /** BCP 47 tag in canonical case. */
  readonly tag: string;
  readonly table: Table;
}

/** A word stands in paths, queries and bodies: nothing that a URL or a person would lose on the way. */
const WORD = /^(?![\p{White_Space}.]+$)(?!\p{White_Space})[^/*\p{Cc}\p{Cs}]+(?<!\p{White_Space})$/u;
const word = z
  .string()
  .regex(WORD, 'is no usable word: it is empty, or holds a slash, an asterisk, a control character or space at an end');
const said = z.string().regex(/\S/, 'is empty');
/** Generators make types of the same name; most languages allow ASCII only. */
const typeName = z
  .string()
  .regex(/^[A-Z][A-Za-z0-9]*$/, 'is no name of a type: a capital letter, then letters and digits, without accents');

/** `{count}` need not be said: "one error" is a plural form too. */
const mustBeSaid = (placeholder: string): boolean => placeholder !== 'count';

/** Every placeholder of the phrase, and no other: a forgotten one would keep the client's own word from the client. */
const phrasePattern = (placeholders: readonly string[]): RegExp => {
  const required = placeholders.filter(mustBeSaid).map((name) => `(?=[^]*\\{${name}\\})`);
  const allowed = placeholders.map((name) => `|\\{${name}\\}`);
  return new RegExp(`^(?=[^]*\\S)${required.join('')}(?:[^{}]${allowed.join('')})+$`, 'u');
};

const phraseFault = (text: string, placeholders: readonly string[]): string => {
  const found = [...text.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
  const lacking = placeholders.filter((name) => mustBeSaid(name) && !found.includes(name));
  const unknown = found.filter((name) => !placeholders.includes(name));
  return [
    ...lacking.map((name) => `lacks the placeholder {${name}}`),
    ...unknown.map((name) => `has a placeholder {${name}} that nothing fills`),
    ...(lacking.length + unknown.length === 0 ? ['is empty, or has a brace that belongs to no placeholder'] : []),
  ].join(', ');
};

const filling = (placeholders: readonly string[]) =>
  z.string().regex(phrasePattern(placeholders), {
    error: ({ input }) => phraseFault(String(input), placeholders),
  });

/** Most texts fill in nothing, and share one schema: a table has two hundred of them. */
const plain = filling([]);
const filledIn = (placeholders: readonly string[]) => (placeholders.length === 0 ? plain : filling(placeholders));

const wording = (placeholders: readonly string[]) => {
  const text = filledIn(placeholders);
  if (!placeholders.includes('count')) return text;
  const form = text.optional();
  return z.union([text, z.strictObject({ zero: form, one: form, two: form, few: form, many: form, other: text })]);
};

const namesOf = (named: readonly { readonly name: string }[]): readonly string[] => named.map(({ name }) => name);

/** One schema for every name, or one that depends on it. */
const forEach = <S extends z.ZodType>(names: readonly string[], schema: (name: string) => S) =>
  z.strictObject(Object.fromEntries(names.map((name) => [name, schema(name)])));

/**
 * What a locale table must be for this catalogue.
 *
 * @returns a zod schema; its issues name the keys at fault
 */
export const tableSchema = (catalogue: Catalogue) => {
  const fieldsOf = new Map(catalogue.map(({ name, fields }) => [name, namesOf(fields)]));
  const collections = namesOf(catalogue);
  const atTop = namesOf(catalogue.filter(({ parent }) => parent === undefined));
  const parents = new Set(catalogue.map(({ parent }) => parent?.name));
  const noun = z.strictObject({ the: said, of: said });
  const parentNoun = noun.extend({ within: said });
  const problem = z.strictObject({ title: said, explanation: said });
  const collectionText = z.strictObject({
    ...forEach(collectionTexts, () => said).shape,
    ...forEach(schemaNames, () => typeName).shape,
  });
  const descriptions = z.strictObject({
    texts: forEach(Object.keys(texts), (name) => filledIn(texts[name as TextName])),
    collections: forEach(collections, () => collectionText),
    fields: forEach(collections, (name) => forEach(fieldsOf.get(name) ?? [], () => said.optional())),
  });
  return z.strictObject({
    $schema: z.string().optional(),
    paths: forEach(collections, () => word).describe('Path segments, without slashes.'),
    fields: forEach(collections, (name) => forEach(fieldsOf.get(name) ?? [], () => word)).describe(
      'Members of bodies; also filters, and values of the parameter for sorting.',
    ),
    parameters: forEach(parameters, () => word).describe('Query parameters of every list.'),
    values: forEach(Object.keys(directions), () => word).describe('Values of the parameter for the order.'),
    nouns: forEach(collections, (name) => (parents.has(name) ? parentNoun : noun)).describe(
      'An item inside sentences: "the car", "of the car", "for this car".',
    ),
    problems: forEach(Object.keys(problems), () => problem).describe('Error codes, with what each of them means.'),
    phrases: forEach(Object.keys(phrases), (name) => wording(phrases[name as PhraseName])).describe(
      'Sentences. Each placeholder of a sentence must stand in it; one with {count} may have plural forms.',
    ),
    pages: z.strictObject({
      totals: forEach(atTop, () => wording(['count'])).describe('How many items there are; may have plural forms.'),
      texts: forEach(pageTexts, () => said).describe('What the pages for people say.'),
      labels: forEach(swaggerLabels, () => z.string()).describe(
        'Texts of Swagger UI, which are the names here; one may be empty.',
      ),
    }),
    descriptions: descriptions.describe(
      'What the OpenAPI documents say, in CommonMark. A field need not have a description.',
    ),
  });
};
