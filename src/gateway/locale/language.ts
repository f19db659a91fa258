import { createPlurals, type Synonym, WordIndex } from '../../../packages/vocabularies/src/words.ts';
import { type Catalogue, type Collection, collectionOf, listsOf, namesOf, perCollection } from '../model/catalogue.ts';
import { PLAIN_CSV } from '../model/csv.ts';
import { directions } from '../model/query.ts';
import { actions } from '../model/report.ts';
import { viewNames } from '../model/views.ts';
import type { Sentence } from '../texts/phrase.ts';
import type { ProblemCode } from '../texts/problem.ts';
import { FormerLog, indexPart, type LocaleWithHistory, type Part, withHistory, wordOf } from './history.ts';
import type { Locale, Noun, SynonymTable, Table } from './table.ts';
import { commandTranslator, documentTranslator, fill, pageTranslator, required } from './translators.ts';
import { truncate } from './truncate.ts';
import { flagWordsOf, valueWordsIn } from './value-words.ts';

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
