import { z } from 'zod';
import { type Catalogue, listsOf, namesOf } from '../model/catalogue.ts';
import { delimiterNames } from '../model/csv.ts';
import { DELETED, directions, OFFSET, parameters, suffixes, TOTAL } from '../model/query.ts';
import { actions, reportMembers } from '../model/report.ts';
import { viewNames } from '../model/views.ts';
import { type CollectionText, collectionTexts, ofLists, schemaNames } from '../texts/collection-text.ts';
import { problems } from '../texts/problem.ts';
import { commandTexts, documentTexts, pageTexts, phrases, subjectTexts, swaggerLabels } from '../texts/shown-text.ts';
import { neutral } from './reserved.ts';
import { nonBlank, placeholdersIn, template, wording } from './text-schema.ts';
import { type Entry, typeName, valueEntry, word, wordEntry } from './word-schema.ts';

/** An object with exactly these names. */
const forEach = <N extends string, S extends z.ZodType>(names: readonly N[], schema: (name: N) => S) =>
  z.strictObject(Object.fromEntries(names.map((name) => [name, schema(name)])) as Record<N, S>);

const keysOf = <N extends string>(record: Readonly<Record<N, unknown>>): readonly N[] => Object.keys(record) as N[];

const noun = z.strictObject({ the: nonBlank, of: nonBlank });
const fieldText = z.strictObject({ label: nonBlank, about: nonBlank.optional() });

/** The fields of each list, by its collection; those of a list across parents come last, and have one field more. */
const fieldNames = (catalogue: Catalogue): ReadonlyMap<string, readonly string[]> =>
  new Map(listsOf(catalogue).map(({ name, fields }) => [name, namesOf(fields)]));

/** @returns the schema of `locales/<tag>.json` for this catalogue: the words of its API */
export const wordsSchema = (catalogue: Catalogue) => {
  const fieldsOf = fieldNames(catalogue);
  const choices = catalogue.flatMap(({ name, fields }) => {
    const own = fields.flatMap((field) =>
      field.choices ? [[field.name, forEach(field.choices, () => valueEntry)] as const] : [],
    );
    return own.length > 0 ? [[name, z.strictObject(Object.fromEntries(own))] as const] : [];
  });
  const collections = namesOf(catalogue);
  const segments = [...collections, ...viewNames];
  const words = z.array(nonBlank).optional();
  const others = <N extends string>(names: readonly N[]) => forEach(names, () => words).optional();
  return z.strictObject({
    $schema: z.string().optional(),
    paths: forEach(segments, () => wordEntry).describe('Path segments, without slashes.'),
    fields: forEach(collections, (name) => forEach(fieldsOf.get(name) ?? [], () => wordEntry)).describe(
      'Members of bodies; also filters, and values of the parameter for sorting.',
    ),
    ...(choices.length > 0 && {
      choices: z
        .strictObject(Object.fromEntries(choices))
        .describe('The values of fields with a few values, by collection and field: in bodies, filters and files.'),
    }),
    parameters: forEach(parameters, () => wordEntry).describe('Query parameters of every list.'),
    suffixes: forEach(suffixes, () => wordEntry).describe(
      'The ends of a range: what the word of a field is followed by, after an underscore ("year_from").',
    ),
    members: forEach([TOTAL, DELETED], () => wordEntry).describe(
      'Members of bodies besides the fields: how many items a group has, and that an item is deleted.',
    ),
    report: forEach(reportMembers, () => word).describe(
      'Members of the report of an import, and of the errors and changes in it.',
    ),
    values: forEach([...keysOf(directions), ...actions], (name) => (name in directions ? wordEntry : word)).describe(
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
        paths: others(segments),
        urls: others(neutral),
        fields: forEach(collections, (name) => others(fieldsOf.get(name) ?? [])).optional(),
        parameters: others([...parameters, OFFSET]),
        suffixes: others(suffixes),
        values: others(keysOf(directions)),
      })
      .optional()
      .describe(
        'What clients of other services send, in this language and in others. An error suggests the right word; those of fields are accepted in the headers of tables. Case, accents, and what separates the parts of a word do not matter.',
      ),
  });
};

/** What no other text of a collection can be made of. */
const IDENTIFYING: readonly CollectionText[] = ['name', 'schema'];

/**
 * @param isWhole whether descriptions are complete, as those of the default language are, which are shown for what others leave out
 * @returns the schema of `locales/messages/<tag>.json` for this catalogue: the sentences
 */
export const messagesSchema = (catalogue: Catalogue, isWhole = false) => {
  const lists = listsOf(catalogue);
  const fieldsOf = fieldNames(catalogue);
  const collections = namesOf(catalogue);
  const atTop = namesOf(catalogue.filter(({ parent }) => parent === undefined));
  const parents = new Set(catalogue.map(({ parent }) => parent?.name));
  const parentNoun = noun.extend({ within: nonBlank });
  const pages = z.strictObject({
    totals: forEach(atTop, () => wording(['count'])).describe('How many items there are; may have plural forms.'),
    texts: forEach(keysOf(pageTexts), () => nonBlank),
    remedies: forEach(keysOf(problems), () => nonBlank).describe('What a client can do about each error.'),
    labels: forEach(keysOf(swaggerLabels), () => z.string()).describe(
      'Texts of Swagger UI, which are the names here; one may be empty.',
    ),
  });
  /** What a list across parents needs not, or another language says instead. */
  const orNone = <S extends z.ZodType>(isNeeded: boolean, text: S): S | z.ZodOptional<S> =>
    isNeeded ? text : text.optional();
  const collectionText = (isNested: boolean) => {
    const isNeeded = (name: CollectionText): boolean =>
      IDENTIFYING.includes(name) || (isWhole && (!isNested || ofLists.some((each) => each === name)));
    return z.strictObject({
      ...forEach(collectionTexts, (name) => orNone(isNeeded(name), nonBlank)).shape,
      ...forEach(schemaNames, (name) => orNone(isNeeded(name), typeName)).shape,
    });
  };
  const nestedOf = new Map(lists.map(({ id, nested }) => [id, nested !== undefined]));
  const descriptions = z.strictObject({
    texts: forEach(keysOf(documentTexts), (name) => orNone(isWhole, template(placeholdersIn(documentTexts[name])))),
    collections: forEach([...nestedOf.keys()], (id) => collectionText(nestedOf.get(id) === true)),
    fields: forEach(collections, (name) => forEach(fieldsOf.get(name) ?? [], () => fieldText.optional()).optional()),
  });
  return z.strictObject({
    $schema: z.string().optional(),
    nouns: forEach(collections, (name) => (parents.has(name) ? parentNoun : noun)).describe(
      'An item inside sentences: "the car", "of the car", "for this car".',
    ),
    subject: z
      .strictObject({
        collections: z.array(z.string()).optional().describe('The collections that the sentences speak of.'),
        ...forEach(keysOf(subjectTexts), () => nonBlank).shape,
      })
      .describe('Sentences about what the catalogue has.'),
    problems: forEach(keysOf(problems), () => z.strictObject({ title: nonBlank, explanation: nonBlank })).describe(
      'Error codes, with what each of them means.',
    ),
    phrases: forEach(keysOf(phrases), (name) => wording(placeholdersIn(phrases[name]))).describe(
      'Sentences. Each placeholder of a sentence must stand in it; one with {count} may have plural forms.',
    ),
    commands: forEach(keysOf(commandTexts), (name) => wording(placeholdersIn(commandTexts[name])))
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
};

/** @returns the schema of a whole table, words and sentences; its issues name the invalid keys */
export const tableSchema = (catalogue: Catalogue, isWhole = false) =>
  z.strictObject({ ...wordsSchema(catalogue).shape, ...messagesSchema(catalogue, isWhole).shape });

/** The words and the sentences of a language. */
export type Table = Omit<z.infer<ReturnType<typeof tableSchema>>, 'choices'> & {
  /** By collection and field; absent where no field has a few values. */
  readonly choices?: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, Entry>>>>>>;
};

/** Forms of an item's noun in sentences: "the car", "of the car" and, about the items nested in it, "for this car". */
export type Noun = z.infer<typeof noun> & { readonly within?: string };

/** A field, for people: its name in forms and column headings, and what this and its limits do not say. */
export type FieldText = z.infer<typeof fieldText>;

/** What clients of other services send, in this language and in others. */
export type SynonymTable = NonNullable<Table['synonyms']>;

/** A table and its language. */
export interface Locale {
  /** BCP 47 tag in canonical case. */
  readonly tag: string;
  readonly table: Table;
}
