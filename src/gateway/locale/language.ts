import type { Catalogue, Collection } from '../model/catalogue.ts';
import { type CsvStyle, PLAIN_CSV } from '../model/csv.ts';
import { fold } from '../model/search/fold.ts';
import type { Sentence } from '../texts/phrase.ts';
import type { ProblemCode } from '../texts/problem.ts';
import { labelsOf, type Synonym, synonymsOf } from './synonyms.ts';
import type { Dictionary, Locale, Noun, SynonymTable, Table } from './table.ts';
import {
  type CommandTranslator,
  commandTranslator,
  type DocumentTranslator,
  documentTranslator,
  type PageTranslator,
  PLACEHOLDER,
  pageTranslator,
  pluralForms,
  required,
} from './translators.ts';
import { truncate } from './truncate.ts';
import { type Vocabulary, vocabulary } from './vocabulary.ts';

/** Everything that a tree needs to respond in one language. Built once, at start. */
export interface Language {
  /** BCP 47 tag. */
  readonly tag: string;
  /** Path segments of the collections below `parent`, or of those at the top. */
  readonly paths: (parent: Collection | undefined) => Vocabulary;
  /** What is sent for the URLs that belong to no language. */
  readonly urls: readonly Synonym[];
  /** Of a collection, or of its groups. */
  readonly fields: (collection: Collection) => Vocabulary;
  /** Members of bodies besides the fields. */
  readonly members: Vocabulary;
  /** Members of an import's report. */
  readonly report: Vocabulary;
  readonly parameters: Vocabulary;
  readonly suffixes: Vocabulary;
  readonly directions: Vocabulary;
  readonly csv: CsvStyle;
  /** What people write for true and false in tables, folded. */
  readonly flags: ReadonlyMap<string, boolean>;
  /** The same in all languages: what an error recognises. */
  readonly everyFlag: ReadonlyMap<string, boolean>;
  /** The same words as a sentence lists them. */
  readonly flagWords: string;
  readonly nouns: (collection: Collection) => Noun;
  readonly say: (sentence: Sentence) => string;
  readonly problem: (code: ProblemCode) => { readonly title: string; readonly explanation: string };
  /** What a client can do about an error; `undefined` if the table leaves its pages out. */
  readonly remedy: (code: ProblemCode) => string | undefined;
  readonly pages: PageTranslator;
  /** The texts of commands, in this language or, if its table leaves them out, in the default one. */
  readonly commands: CommandTranslator;
  readonly documents: DocumentTranslator;
  /** `Content-Language` of its OpenAPI document: words and problems are in this language, the rest may be in the default one. */
  readonly inDocument: string;
}

// `replace` is given functions, so that `$&` in a client's text has no effect.
const speaker = ({ tag, table }: Locale): Language['say'] => {
  const form = pluralForms(tag);
  return ({ phrase, values }) =>
    form(table.phrases[phrase], values.count).replace(PLACEHOLDER, (_, name: string) =>
      // A list of our own words is never truncated.
      name === 'known' ? String(values[name]) : truncate(String(values[name])),
    );
};

/** What programs write, whatever their language. */
const FLAGS: readonly (readonly [string, boolean])[] = [
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
];

const flagsOf = (words: Table['booleans']): Language['flags'] =>
  new Map([
    ...FLAGS,
    ...(words?.true ?? []).map((word) => [fold(word), true] as const),
    ...(words?.false ?? []).map((word) => [fold(word), false] as const),
  ]);

const flagWordsOf = (words: Table['booleans']): string =>
  [true, false]
    .flatMap((value) => [
      ...((value ? words?.true : words?.false) ?? []),
      ...FLAGS.filter(([, meant]) => meant === value).map(([word]) => word),
    ])
    .join(', ');

const only = (dictionary: Dictionary, names: readonly string[]): Dictionary =>
  Object.fromEntries(Object.entries(dictionary).filter(([name]) => names.includes(name)));

/** Builds a value for each collection, at start; calls look it up. */
const perCollection = <T, K extends Collection | undefined>(keys: readonly K[], make: (key: K) => T) => {
  const made = new Map(keys.map((key) => [key, make(key)]));
  return (key: K): T => required(made.get(key), key?.name);
};

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
  const fallback = required(
    locales.find(({ tag }) => tag === defaultLanguage),
    defaultLanguage,
  );
  return locales.map((locale) => {
    const { tag, table } = locale;
    const others = locales.filter((other) => other !== locale).map((other) => other.table);
    const all = [table, ...others];
    const kind = (
      pick: (table: Table) => Dictionary,
      pickSynonyms: (synonyms: SynonymTable) => SynonymTable['paths'] = () => undefined,
      labels: readonly Synonym[] = [],
    ): Vocabulary =>
      vocabulary(pick(table), others.map(pick), [
        ...all.flatMap(({ synonyms = {} }) => synonymsOf(pickSynonyms(synonyms))),
        ...labels,
      ]);
    const fieldsIn = ({ fields }: Table, { name }: Collection): Dictionary => fields[name] ?? {};
    const namesIn = (parent: Collection | undefined) =>
      catalogue.filter((each) => each.parent === parent).map((each) => each.name);
    const groupWords = (each: Table, collection: Collection) => ({ ...fieldsIn(each, collection), ...each.members });
    const wordsOf = (words: typeof fieldsIn) =>
      new Map(
        catalogue.map((each) => {
          const labels = all.flatMap((one) => labelsOf(one, each.name));
          return [
            each.name,
            kind(
              (one) => words(one, each),
              ({ fields = {} }) => fields[each.name],
              labels,
            ),
          ];
        }),
      );
    const [fields, groupFields] = [wordsOf(fieldsIn), wordsOf(groupWords)];
    const pages = pageTranslator(table.pages ? locale : fallback);
    const documents = documentTranslator(table.descriptions ? locale : fallback);
    return {
      tag,
      paths: perCollection([undefined, ...catalogue], (parent) =>
        kind(
          ({ paths }) => only(paths, namesIn(parent)),
          ({ paths }) => paths,
        ),
      ),
      urls: synonymsOf(table.synonyms?.urls),
      fields: ({ name, isGrouped }) => required((isGrouped ? groupFields : fields).get(name), name),
      members: kind(({ members }) => members),
      report: kind(({ report }) => report),
      parameters: kind(
        ({ parameters }) => parameters,
        ({ parameters }) => parameters,
      ),
      suffixes: kind(
        (each) => each.suffixes,
        (each) => each.suffixes,
      ),
      directions: kind(
        ({ values }) => values,
        ({ values }) => values,
      ),
      csv: table.csv ?? PLAIN_CSV,
      flags: flagsOf(table.booleans),
      everyFlag: new Map(all.toReversed().flatMap((each) => [...flagsOf(each.booleans)])),
      flagWords: flagWordsOf(table.booleans),
      nouns: ({ name }) => required(table.nouns[name], name),
      say: speaker(locale),
      problem: (code) => table.problems[code],
      remedy: (code) => table.pages?.remedies[code],
      pages,
      commands: commandTranslator(table.commands ? locale : fallback),
      documents,
      inDocument: [...new Set([tag, documents.tag, pages.tag])].join(', '),
    };
  });
};
