/** The tables of a language: `locales/<tag>.json` has its words, `locales/messages/<tag>.json` its sentences. */
import { z } from 'zod';
import { asObject, valueAt } from '../../../packages/vocabularies/src/words.ts';
import { allLists, type Catalogue, listNames } from '../model/catalogue.ts';
import { delimiterNames } from '../model/csv.ts';
import type { Field } from '../model/field.ts';
import { DELETED, directions, OFFSET, parameters, subresourceNames, suffixes, TAG, TOTAL } from '../model/query.ts';
import { actions, reportMembers } from '../model/report.ts';
import { knownUnits } from '../model/units.ts';
import {
  type CollectionText,
  collectionTexts,
  commandTexts,
  documentTexts,
  ofLists,
  pageTexts,
  phrases,
  schemaNames,
  subjectTexts,
  swaggerLabels,
} from '../texts/phrase.ts';
import { problems } from '../texts/problem.ts';
import { describeFault } from './faults.ts';
import { neutral } from './reserved.ts';

/** A word is used in paths, queries and bodies: no characters that a URL or a person could lose, and no comma, which separates words. */
export const WORD = /^(?!\.+$)[^,/*\p{White_Space}\p{Cc}\p{Cs}]+$/u;
const word = z.string().regex(WORD, describeFault('not-word'));
/** A value is used in bodies, queries and files; a comma would separate it from others in an error. */
const value = z.string().regex(/^(?![\s]|.*\s$)[^,\p{Cc}\p{Cs}]+$/u, describeFault('not-value'));
/** Client generators use it as the name of a type; most programming languages allow ASCII only. */
const typeName = z.string().regex(/^[A-Z][A-Za-z0-9]*$/, describeFault('not-type-name'));
const day = z.iso.date(describeFault('not-day'));
/** What values of several languages mean, written as choices are. */
const meaning = z.string().regex(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/, describeFault('not-meaning'));
const nonBlank = z.string().regex(/\S/, describeFault('empty'));
const words = z.array(nonBlank).optional();
const optionalText = z.string().optional();

function entry(now: typeof word) {
  const former = z
    .strictObject({ word: now, since: day, until: day })
    .refine(({ since, until }) => since <= until, describeFault('former-reversed'));
  return z.union([now, z.strictObject({ word: now, former: z.array(former).min(1) })]);
}
const [wordEntry, valueEntry] = [entry(word).meta({ id: 'word' }), entry(value).meta({ id: 'value' })];

/** A word; if it was another one before, what that was, since when it is former, and the last day on which it is accepted (UTC). */
export type Entry = z.infer<typeof wordEntry>;

const BRACES = /\{([^{}]*)\}|[{}]/g;

export function listPlaceholders(text: string | Readonly<Record<string, string>>): readonly string[] {
  const whole = typeof text === 'string' ? text : Object.values(text).join();
  return [...new Set([...whole.matchAll(BRACES)].flatMap(([, name]) => name ?? []))].sort();
}

/** The forms of a noun in every language; a table may have more, such as cases. */
const FORMS: readonly string[] = ['the', 'of', 'within'];

/** @returns the forms of its nouns that only some languages have */
export function listForms(table: unknown): readonly string[] {
  const nouns = Object.values(asObject(valueAt(table, 'nouns')));
  return [...new Set(nouns.flatMap((noun) => Object.keys(asObject(noun))))].filter((form) => !FORMS.includes(form));
}

/** @returns what is wrong with a sentence: without `{word}`, for example, the client would not learn which word is wrong */
export function findFaults(text: string, placeholders: readonly string[], forms: readonly string[]): readonly string[] {
  const braces = [...text.matchAll(BRACES)];
  const names = braces.flatMap(([, name]) => name ?? []);
  const nouns = placeholders.some((name) => FORMS.includes(name)) ? forms : [];
  const hasNoun = names.some((name) => nouns.includes(name));
  // "One error" is a plural form, too.
  const lacking = placeholders.filter(
    (name) => name !== 'count' && !names.includes(name) && !(hasNoun && FORMS.includes(name)),
  );
  const unknown = names.filter((name) => !placeholders.includes(name) && !nouns.includes(name));
  const isWhole = braces.length === names.length && /\S/.test(text);
  return [
    ...lacking.map((name) => describeFault('placeholder-missing', { name: `{${name}}` })),
    ...unknown.map((name) => describeFault('placeholder-unknown', { name: `{${name}}` })),
    ...(isWhole || lacking.length + unknown.length > 0 ? [] : [describeFault('brace')]),
  ];
}

/** @returns the schema of a text with every placeholder and no other; a regular expression for each would be half of a start's work */
const template = (placeholders: readonly string[], forms: readonly string[] = []) =>
  z.string().check(({ value: text, issues }) => {
    for (const message of findFaults(text, placeholders, forms)) issues.push({ code: 'custom', message, input: text });
  });

function wording(placeholders: readonly string[], forms: readonly string[] = []) {
  const text = template(placeholders, forms);
  if (!placeholders.includes('count')) return text;
  const form = text.optional();
  return z.union([text, z.strictObject({ zero: form, one: form, two: form, few: form, many: form, other: text })]);
}

const forEach = <N extends string, S extends z.ZodType>(names: readonly N[], schema: (name: N) => S) =>
  z.strictObject(Object.fromEntries(names.map((name) => [name, schema(name)])) as Record<N, S>);

const synonyms = <N extends string>(names: readonly N[]) => forEach(names, () => words).optional();

const listKeys = <N extends string>(record: Readonly<Record<N, unknown>>): readonly N[] => Object.keys(record) as N[];

const noun = z.object({ the: nonBlank, of: nonBlank }).catchall(nonBlank);
const fieldText = z.strictObject({ label: nonBlank, about: nonBlank.optional() });

const fieldNames = (catalogue: Catalogue): ReadonlyMap<string, readonly string[]> =>
  new Map(allLists(catalogue).map(({ name, fields }) => [name, listNames(fields)]));

export function wordsSchema(catalogue: Catalogue) {
  const fields = fieldNames(catalogue);
  const forFields = <S extends z.ZodType>(make: (field: Field) => S | undefined) => {
    const ofCollections = catalogue.flatMap(({ name, fields }) => {
      const ofFields = fields.flatMap((field) => {
        const schema = make(field);
        return schema ? [[field.name, schema] as const] : [];
      });
      return ofFields.length > 0 ? [[name, z.strictObject(Object.fromEntries(ofFields))] as const] : [];
    });
    return z.strictObject(Object.fromEntries(ofCollections));
  };
  const equivalents = z.record(meaning, z.array(value).min(1)).optional();
  const hasChoices = catalogue.some((collection) => collection.fields.some((field) => field.choices));
  const collections = listNames(catalogue);
  const segments = [...collections, ...subresourceNames];
  return z.strictObject({
    $schema: z.string().optional(),
    extends: optionalText.describe(
      'The language whose words and sentences this one has unless it says others, by its tag: "es" for "es-MX".',
    ),
    paths: forEach(segments, () => wordEntry).describe('Path segments, without slashes.'),
    fields: forEach(collections, (name) => forEach(fields.get(name) ?? [], () => wordEntry)).describe(
      'Members of bodies; also filters, and values of the parameter for sorting.',
    ),
    ...(hasChoices && {
      choices: forFields(({ choices }) => choices && forEach(choices, () => valueEntry)).describe(
        'The values of fields with a few values, by collection and field: in bodies, filters and files.',
      ),
    }),
    equivalents: forFields(({ kind }) => (kind === 'text' ? equivalents : undefined))
      .partial()
      .optional()
      .describe(
        'What people write in fields of free text, by what it means, in the same name in each language ("petrol": ["gasolina"]). Values stay as they are sent; a filter that finds nothing is told what another language would find.',
      ),
    units: forFields((field) => (knownUnits(field).length > 0 ? z.enum(knownUnits(field)).optional() : undefined))
      .partial()
      .optional()
      .describe('The units in which the language writes numbers, if they are not those in which these are stored.'),
    parameters: forEach(parameters, () => wordEntry).describe('Query parameters of every list.'),
    suffixes: forEach(suffixes, () => wordEntry).describe(
      'The ends of a range: what the word of a field is followed by, after an underscore ("year_from").',
    ),
    members: forEach([TOTAL, DELETED, TAG], () => wordEntry).describe(
      'What there is besides the fields: how many items a group has, that an item is deleted, and the column with the tags of rows in tables.',
    ),
    report: forEach(reportMembers, () => word).describe(
      'Members of the report of an import, and of the errors and changes in it.',
    ),
    values: forEach([...listKeys(directions), ...actions], (name) => (name in directions ? wordEntry : word)).describe(
      'Values of the parameter for the order, and of the action in the report of an import.',
    ),
    csv: z
      .strictObject({
        delimiter: z.enum(delimiterNames),
        byteOrderMark: z.boolean(),
        decimals: z.enum(['comma', 'point']).optional(),
        dates: z.enum(['day-first']).optional(),
      })
      .optional()
      .describe(
        'How spreadsheet programs set to this language write and expect files; by default with commas between cells, without a byte-order mark, with a point before decimals, and with dates that begin with the year.',
      ),
    booleans: z
      .strictObject({ true: z.array(nonBlank), false: z.array(nonBlank) })
      .optional()
      .describe(
        'What people write for true and false in the tables that they import, beside "true", "false", 1 and 0; case and accents do not matter.',
      ),
    synonyms: z
      .strictObject({
        paths: synonyms(segments),
        urls: synonyms(neutral),
        fields: forEach(collections, (name) => synonyms(fields.get(name) ?? [])).optional(),
        ...(hasChoices && {
          choices: forFields(({ choices }) => choices && synonyms(choices))
            .partial()
            .optional(),
        }),
        parameters: synonyms([...parameters, OFFSET]),
        suffixes: synonyms(suffixes),
        values: synonyms(listKeys(directions)),
      })
      .optional()
      .describe(
        'What clients of other services send, in this language and in others. An error suggests the right word; those of fields are accepted in the headers of tables. Case, accents, and what separates the parts of a word do not matter.',
      ),
  });
}

const IDENTIFYING: readonly CollectionText[] = ['name', 'schema'];

/** @returns the schema of what documents say of a list */
function collectionText(isAcrossParents: boolean) {
  const ifNeeded = <S extends z.ZodType>(name: CollectionText, text: S): S | z.ZodOptional<S> =>
    IDENTIFYING.includes(name) || !isAcrossParents || ofLists.some((other) => other === name) ? text : text.optional();
  return z.strictObject({
    ...forEach(collectionTexts, (name) => ifNeeded(name, nonBlank)).shape,
    ...forEach(schemaNames, (name) => ifNeeded(name, typeName)).shape,
  });
}

/** @param forms of nouns that the language has beside those of every language */
export function messagesSchema(catalogue: Catalogue, forms: readonly string[] = []) {
  const lists = new Map(allLists(catalogue).map((list) => [list.routeId, list]));
  const fields = fieldNames(catalogue);
  const collections = listNames(catalogue);
  const atTop = listNames(catalogue.filter(({ parent }) => parent === undefined));
  const parents = new Set(catalogue.map(({ parent }) => parent?.name));
  const ownForms = Object.fromEntries(forms.map((form) => [form, nonBlank]));
  const ownNoun = noun.extend(ownForms as unknown as typeof noun.shape);
  const parentNoun = ownNoun.extend({ within: nonBlank });
  const pages = z.strictObject({
    totals: forEach(atTop, () => wording(['count'])).describe('How many items there are; may have plural forms.'),
    texts: forEach(listKeys(pageTexts), () => nonBlank),
    labels: forEach(listKeys(swaggerLabels), () => z.string()).describe(
      'Texts of Swagger UI, which are the names here; one may be empty.',
    ),
  });
  const descriptions = z.strictObject({
    texts: forEach(listKeys(documentTexts), (name) => template(listPlaceholders(documentTexts[name]))),
    collections: forEach([...lists.keys()], (id) => collectionText(lists.get(id)?.flattens !== undefined)),
    fields: forEach(collections, (name) => forEach(fields.get(name) ?? [], () => fieldText.optional()).optional()),
  });
  return z.strictObject({
    $schema: z.string().optional(),
    nouns: forEach(collections, (name) => (parents.has(name) ? parentNoun : ownNoun)).describe(
      'An item inside sentences: "the car", "of the car", "for this car". A language may have more forms, such as cases, which its sentences name as placeholders.',
    ),
    subject: z
      .strictObject({
        collections: z.array(z.string()).optional().describe('Not used any more.'),
        ...forEach(listKeys(subjectTexts), () => nonBlank).shape,
      })
      .describe('Sentences about what the catalogue has.'),
    problems: forEach(listKeys(problems), () =>
      z.strictObject({ title: nonBlank, explanation: nonBlank, remedy: nonBlank }),
    ).describe('Error codes, with what each of them means, and what a client can do about it.'),
    phrases: forEach(listKeys(phrases), (name) =>
      wording(listPlaceholders(phrases[name]), ['the', 'of', ...forms]),
    ).describe('Sentences. Each placeholder of a sentence must stand in it; one with {count} may have plural forms.'),
    commands: forEach(listKeys(commandTexts), (name) => wording(listPlaceholders(commandTexts[name])))
      .optional()
      .describe('What the commands of operators print. Left out, they speak the default language.'),
    derived: z
      .record(z.string(), z.record(z.string(), nonBlank))
      .optional()
      .describe('What the pages and documents of another catalogue say where its own table does not.'),
    pages: pages
      .optional()
      .describe('What the pages for people say. Left out, they are shown in the default language.'),
    descriptions: descriptions
      .optional()
      .describe(
        'What the OpenAPI documents (in CommonMark) and the dictionaries say to people; about a field they need not. What is left out, each text or all of them, is said in the default language, or derived from the others.',
      ),
  });
}

export const tableSchema = (catalogue: Catalogue, forms: readonly string[] = []) =>
  z.strictObject({ ...wordsSchema(catalogue).shape, ...messagesSchema(catalogue, forms).shape });

type WholeTable = z.infer<ReturnType<typeof tableSchema>>;

type ByValue<T> = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, T>>>>>>;

export type SynonymTable = Omit<NonNullable<WholeTable['synonyms']>, 'choices'> & {
  readonly choices?: ByValue<readonly string[]>;
};

export type Table = Omit<WholeTable, 'choices' | 'equivalents' | 'synonyms' | 'units'> & {
  readonly equivalents?: ByValue<readonly string[]>;
  readonly units?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly choices?: ByValue<Entry>;
  readonly synonyms?: SynonymTable;
};

export type Noun = z.infer<typeof noun> & { readonly within?: string };

/** A field, for people: its name in forms and column headings, and what this and its limits do not say. */
export type FieldText = z.infer<typeof fieldText>;

export interface Locale {
  /** BCP 47 tag in canonical case. */
  readonly tag: string;
  readonly table: Table;
  /** The language of each sentence that is another language's, by its place such as `phrases.internal`. */
  readonly borrowed?: ReadonlyMap<string, string> | undefined;
}
