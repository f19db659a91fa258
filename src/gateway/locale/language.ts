import {
  createPlurals,
  fillIn,
  fold,
  type Synonym,
  WordIndex,
  type Wording,
} from '../../../packages/vocabularies/src/words.ts';
import { type Catalogue, type Collection, collectionOf, listsOf, namesOf, perCollection } from '../model/catalogue.ts';
import { PLAIN_CSV } from '../model/csv.ts';
import type { Field } from '../model/field.ts';
import type { ChoiceWords, Values, ValueWords } from '../model/kinds/kind.ts';
import { kindOf } from '../model/kinds/kinds.ts';
import { directions, suffixes, withSuffix } from '../model/query.ts';
import { actions } from '../model/report.ts';
import { viewNames } from '../model/views.ts';
import type { CollectionText } from '../texts/collection-text.ts';
import type { Sentence } from '../texts/phrase.ts';
import type { ProblemCode } from '../texts/problem.ts';
import type { CommandText, DocumentText, PageText, SubjectText } from '../texts/shown-text.ts';
import { FormerLog, indexPart, type LocaleWithHistory, type Part, withHistory, wordOf, wordsIn } from './history.ts';
import type { FieldText, Locale, Noun, SynonymTable, Table } from './table.ts';
import { truncate } from './truncate.ts';

const speaker = ({ tag, table }: Locale): ((sentence: Sentence) => string) => {
  const form = createPlurals(tag);
  return ({ phrase, values }) =>
    // A list of our own words is never truncated.
    fill(form(table.phrases[phrase], values.count), values, (value, name) =>
      name === 'known' ? String(value) : truncate(String(value)),
    );
};

const only = <T>(part: Readonly<Record<string, T>>, names: readonly string[]): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(part).filter(([name]) => names.includes(name)));

/** @returns the synonyms of one kind in a table */
const synonymsOf = (kind: SynonymTable['paths'] = {}): readonly Synonym[] =>
  Object.entries(kind).flatMap(([name, words = []]) => words.map((word) => [word, name] as const));

/** @returns the names that our own pages show to people, which they then send */
const labelsOf = ({ descriptions }: Table, collection: string): readonly Synonym[] =>
  Object.entries(descriptions?.fields[collection] ?? {}).flatMap(([name, text]) =>
    text ? [[text.label, name] as const] : [],
  );

/** @param fallback the table that is shown for parts that this one leaves out */
const languageIn = (
  catalogue: Catalogue,
  locale: LocaleWithHistory,
  locales: readonly LocaleWithHistory[],
  fallback: Locale,
  log: FormerLog,
) => {
  const { tag, table } = locale;
  const others = locales.filter((other) => other !== locale);
  const all = [locale, ...others].map((each) => each.table);
  const ofKind = (
    words: Part,
    synonyms: (synonyms: SynonymTable) => SynonymTable['paths'] = () => undefined,
    labels: readonly Synonym[] = [],
  ): WordIndex =>
    indexPart(
      locale,
      others,
      words,
      [...all.flatMap((each) => synonymsOf(synonyms(each.synonyms ?? {}))), ...labels],
      log,
    );
  const ofPart = (part: 'parameters' | 'suffixes'): WordIndex =>
    ofKind(
      (each) => each[part],
      (synonyms) => synonyms[part],
    );
  const segments = (names: readonly string[]): WordIndex =>
    ofKind(
      ({ paths }) => only(paths, names),
      ({ paths }) => paths,
    );
  const pathsIn = (parent: Collection | undefined): WordIndex =>
    segments(namesOf(catalogue.filter((each) => each.parent === parent)));
  const [atTop, below] = [pathsIn(undefined), perCollection(catalogue, pathsIn)];
  const paths = (parent: Collection | undefined): WordIndex => (parent ? below(parent) : atTop);
  /** @param more members of bodies besides the fields */
  const fieldsAnd = (more: Part) =>
    perCollection(catalogue, ({ name, fields }) =>
      ofKind(
        (each) => ({ ...only(each.fields[name] ?? {}, namesOf(fields)), ...more(each) }),
        ({ fields = {} }) => fields[name],
        all.flatMap((each) => labelsOf(each, name)),
      ),
    );
  const [fields, derived] = [fieldsAnd(() => ({})), fieldsAnd(({ members }) => members)];
  const fieldsIn = (collection: Collection): WordIndex => (collection.isDerived ? derived : fields)(collection);
  const included = perCollection(catalogue, (collection) => {
    const { name, fields, children } = collection;
    const referring = fields.filter(({ refersTo }) => refersTo);
    const lists = referring.flatMap(({ name, refersTo = '' }) =>
      [locale, ...others].map((each): Synonym => [wordOf(each.table.paths[refersTo] ?? name), name]),
    );
    return ofKind(
      (each) => ({ ...only(each.paths, namesOf(children)), ...only(each.fields[name] ?? {}, namesOf(referring)) }),
      ({ paths, fields = {} }) => ({ ...paths, ...fields[name] }),
      [...all.flatMap((each) => labelsOf(each, name)), ...lists],
    );
  });
  const pages = pageTranslator(table.pages ? locale : fallback);
  const documents = documentTranslator(table.descriptions ? locale : fallback, fallback);
  return {
    /** BCP 47 tag. */
    tag,
    /** All words that others have replaced. */
    former: [...locale.former.values()],
    /** Where its readers note the former words that they accept; all languages of a catalogue have one. */
    formerLog: log,
    /** Path segments of the collections below `parent`, or of those at the top. */
    paths,
    collection: (name: string): Collection => collectionOf(catalogue, name),
    /** @returns the word of a collection in its path */
    listWord: (name: string): string => paths(collectionOf(catalogue, name).parent).word(name),
    /** What the items of a collection may include: collections nested in them, and what fields refer to. */
    included,
    /** Path segments before those of a list: what there is beside its items. */
    views: segments(viewNames),
    /** What is sent for the URLs that belong to no language. */
    urls: synonymsOf(table.synonyms?.urls),
    /** The fields of a collection, or of what is derived from it. */
    fields: fieldsIn,
    /** @returns the name of a field for people, with its unit; without texts of its own the language has its word in bodies */
    label: (collection: Collection, name: string): string => {
      const text = table.descriptions?.fields[collection.name]?.[name]?.label;
      const unit = collection.fields.find((field) => field.name === name)?.unit;
      return (text ?? fieldsIn(collection).word(name)) + (unit === undefined ? '' : ` (${unit})`);
    },
    /** What people call the fields in the headers of tables, in this language. */
    headings: ({ name }: Collection): readonly Synonym[] => [
      ...synonymsOf(table.synonyms?.fields?.[name]),
      ...labelsOf(table, name),
    ],
    /** Members of bodies besides the fields. */
    members: ofKind(({ members }) => members),
    /** Members of an import's report. */
    report: new WordIndex(
      table.report,
      others.map((each) => each.table.report),
    ),
    parameters: ofPart('parameters'),
    suffixes: ofPart('suffixes'),
    directions: ofKind(
      ({ values }) => only(values, Object.keys(directions)),
      ({ values }) => values,
    ),
    /** What an import does with an item. */
    actions: ofKind(({ values }) => only(values, actions)),
    csv: table.csv ?? PLAIN_CSV,
    /** What people write for true and false in tables, in the order of a sentence. */
    flagWords: flagWordsOf(table.booleans),
    /** What is said of the values of a field. */
    valueWords: valueWordsIn(catalogue, locale, others, log),
    nouns: ({ name }: Collection): Noun => required(table.nouns[name], name),
    say: speaker(locale),
    problem: (code: ProblemCode) => table.problems[code],
    /** What a client can do about an error; `undefined` if the table leaves its pages out. */
    remedy: (code: ProblemCode): string | undefined => table.pages?.remedies[code],
    pages,
    /** The texts of commands, in this language or, if its table leaves them out, in the default one. */
    commands: commandTranslator(table.commands ? locale : fallback),
    documents,
    /** `Content-Language` of its OpenAPI document: words and problems are in this language, the rest may be in the default one. */
    inDocument: [...new Set([tag, ...documents.tags, pages.tag])].join(', '),
  };
};

/** Everything that a tree needs to respond in one language. Built once, at start. */
export type Language = ReturnType<typeof languageIn>;

/** @returns each language's words for what there is beside the items of a list, former ones too */
export const viewWords = (languages: readonly Language[]): ReadonlySet<string> =>
  new Set(
    languages.flatMap(({ views }) => [...views.names.map(views.word), ...views.former().map(({ word }) => word)]),
  );

/**
 * @param locales all tables, checked by `checkLocales`
 * @param defaultLanguage tag of the language that is shown for parts that a table leaves out
 * @returns one language per table, in the same order
 */
export const languagesOf = (
  catalogue: Catalogue,
  locales: readonly Locale[],
  defaultLanguage: string,
): readonly Language[] => {
  const all = locales.map(withHistory);
  const log = new FormerLog();
  const fallback = required(
    all.find(({ tag }) => tag === defaultLanguage),
    defaultLanguage,
  );
  const lists = listsOf(catalogue);
  return all.map((locale) => languageIn(lists, locale, all, fallback, log));
};

/** What a language has to say of the values of fields. */

/** @returns what people write for true and false, and what programs do whatever their language */
const flagWordsOf = (words: Table['booleans']) => ({
  true: [...(words?.true ?? []), 'true', '1'],
  false: [...(words?.false ?? []), 'false', '0'],
});

const flagsOf = (words: Table['booleans']): ReadonlyMap<string, boolean> =>
  new Map(
    Object.entries(flagWordsOf(words)).flatMap(([meant, all]) =>
      all.map((word) => [fold(word), meant === 'true'] as const),
    ),
  );

const NONE: ChoiceWords = { known: [], word: (value) => value, value: () => undefined, suggest: () => undefined };

/** @param part the words of a field's values */
const choiceWords = (
  locale: LocaleWithHistory,
  others: readonly LocaleWithHistory[],
  part: Part,
  log: FormerLog,
): ChoiceWords => {
  const own = wordsIn(locale, part);
  const canonical = Object.keys(own).map((value): Synonym => [value, value]);
  const index = indexPart(locale, others, part, canonical, log);
  const words = new Map(Object.entries(own));
  const loose = new Map(
    [...index.former().map(({ word }) => word), ...words.values()].map((word) => [fold(word), word]),
  );
  return {
    known: [...words.values()],
    // The catalogue may have had more values once.
    word: (value) => words.get(value) ?? value,
    value: (word, isLoose) => index.name(word) ?? (isLoose ? index.name(loose.get(fold(word)) ?? '') : undefined),
    suggest: (sent) => index.name(index.suggest(sent) ?? ''),
  };
};

/** @returns a function that finds what a language says of the values of a field */
const valueWordsIn = (
  catalogue: Catalogue,
  locale: LocaleWithHistory,
  others: readonly LocaleWithHistory[],
  log: FormerLog,
) => {
  const { table } = locale;
  const flags = flagsOf(table.booleans);
  const plain: ValueWords = {
    flags,
    everyFlag: new Map([...others.toReversed(), locale].flatMap((each) => [...flagsOf(each.table.booleans)])),
    knownFlags: Object.values(flagWordsOf(table.booleans)).flat().join(', '),
    decimal: table.csv?.decimals === 'comma' ? ',' : '.',
    hasChosenDecimal: false,
    isDayFirst: table.csv?.dates === 'day-first',
    zone: 'UTC',
    choices: NONE,
  };
  const chosen = catalogue.flatMap(({ name, fields }) =>
    fields
      .filter(({ choices }) => choices)
      .map((field) => {
        const part: Part = ({ choices }) => choices?.[name]?.[field.name] ?? {};
        const words = { ...plain, choices: choiceWords(locale, others, part, log) };
        return [`${name}.${field.name}`, words] as const;
      }),
  );
  const made = new Map(chosen);
  return ({ name }: Collection, field: Field): ValueWords =>
    field.choices ? (made.get(`${name}.${field.name}`) ?? plain) : plain;
};

/** A language, as far as the values of fields need it. */
interface Speaks {
  readonly valueWords: (collection: Collection, field: Field) => ValueWords;
}

/** @returns the examples of a field as JSON values in the words of a language */
export const examplesIn = (language: Speaks, collection: Collection, field: Field): readonly unknown[] =>
  field.choices
    ? field.examples.map((each) => language.valueWords(collection, field).choices.word(String(each)))
    : field.examples;

/** What a client says of how the values of a file are written, instead of its language. */
export interface WritingStyle {
  readonly decimals?: 'comma' | 'point' | undefined;
  /** The time zone (IANA) of moments that are written without one; UTC by default. */
  readonly zone?: string | undefined;
}

/** @returns how the values of a field are written and read in a language */
export function valuesIn(
  language: Speaks,
  collection: Collection,
  field: Field,
  { decimals, zone = 'UTC' }: WritingStyle = {},
): Values {
  const words = language.valueWords(collection, field);
  const decimal = decimals === undefined ? words.decimal : decimals === 'comma' ? ',' : '.';
  return kindOf(field).in(field, { ...words, decimal, hasChosenDecimal: decimals !== undefined, zone });
}

/**
 * @param word of a filter or of a range
 * @returns the value of an option of a command as a query has it; what is no number stays as it is, and is refused there
 */
export function toQueryText(language: Language, collection: Collection, word: string, text: string): string {
  const fields = language.fields(collection);
  const field = collection.fields.find(
    ({ name }) =>
      word === fields.word(name) ||
      suffixes.some((suffix) => word === withSuffix(fields.word(name), language.suffixes.word(suffix))),
  );
  if (!field) return text;
  const { fromCell, filter } = valuesIn(language, collection, field);
  const cell = kindOf(field).toCell({ ...field, min: -Infinity, max: Infinity })(fromCell(text));
  return typeof cell === 'number' ? filter.format(cell) : text;
}

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
const required = <T>(words: T | undefined, of: string | undefined): T => {
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
const pageTranslator = ({ tag, table }: Locale) => {
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
const documentTranslator = ({ tag, table }: Locale, fallback: Locale) => {
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
const commandTranslator = ({ tag, table }: Locale): CommandTranslator => {
  const texts = required(table.commands, tag);
  const form = createPlurals(tag);
  const written = numberWriter(tag);
  return (text, values = {}) =>
    fill(form(texts[text], values.count), values, (value) => (typeof value === 'number' ? written(value) : value));
};
