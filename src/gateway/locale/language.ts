import {
  createPlurals,
  fillIn,
  fold,
  LONGEST_SUGGESTED,
  likeness,
  type Synonym,
  type WordIndex,
  type Wording,
} from '../../../packages/vocabularies/src/words.ts';
import {
  allLists,
  type Catalogue,
  type Collection,
  findCollection,
  listNames,
  perCollection,
} from '../model/catalogue.ts';
import { PLAIN_CSV } from '../model/csv.ts';
import type { Field } from '../model/field.ts';
import type { ChoiceWords, Values, ValueWords } from '../model/kinds/kind.ts';
import { getKind } from '../model/kinds/kinds.ts';
import { directions, subresourceNames, suffixes, withSuffix } from '../model/query.ts';
import { actions } from '../model/report.ts';
import { createMeasure } from '../model/units.ts';
import {
  type CollectionText,
  type CommandText,
  type DocumentText,
  type PageText,
  type Sentence,
  type SubjectText,
  truncate,
} from '../texts/phrase.ts';
import type { ProblemCode } from '../texts/problem.ts';
import {
  currentWord,
  FormerLog,
  indexPart,
  type LocaleWithHistory,
  listWords,
  type Part,
  withHistory,
} from './history.ts';
import { pick } from './layers.ts';
import type { FieldText, Locale, Noun, SynonymTable, Table } from './table.ts';

type Texts = Readonly<Record<string, string | number>>;

/** Units by the names of a collection and a field (`unitKey`). */
export type Units = ReadonlyMap<string, string>;
const NO_UNITS: Units = new Map();

export const unitKey = ({ name }: Collection, field: Pick<Field, 'name'>): string => `${name}.${field.name}`;

interface Source {
  readonly catalogue: Catalogue;
  readonly locale: LocaleWithHistory;
  readonly others: readonly LocaleWithHistory[];
  readonly log: FormerLog;
}

/** Tables are checked against the catalogue at start, so missing words are a bug. */
function required<T>(words: T | undefined, owner: string | undefined): T {
  if (words === undefined) throw new TypeError(`no words for ${owner}`);
  return words;
}

function listSynonyms(kind: Readonly<Record<string, readonly string[] | undefined>> = {}): readonly Synonym[] {
  return Object.entries(kind).flatMap(([name, words = []]) => words.map((word) => [word, name] as const));
}

function listLabels({ descriptions }: Table, { name: collection }: Collection): readonly Synonym[] {
  return Object.entries(descriptions?.fields[collection] ?? {}).flatMap(([name, text]) =>
    text ? [[text.label, name] as const] : [],
  );
}

function indexKind(
  { locale, others, log }: Source,
  part: Part,
  synonyms: (synonyms: SynonymTable) => SynonymTable['paths'] = () => undefined,
  more: readonly Synonym[] = [],
): WordIndex {
  const all = [locale, ...others].flatMap(({ table }) => listSynonyms(synonyms(table.synonyms ?? {})));
  return indexPart(locale, others, part, [...all, ...more], log);
}

function indexPartNamed(
  source: Source,
  name: 'paths' | 'parameters' | 'suffixes' | 'values' | 'members',
  names?: readonly string[],
): WordIndex {
  const synonyms = name === 'members' ? undefined : (all: SynonymTable) => all[name];
  return indexKind(source, (table) => (names ? pick(table[name], names) : table[name]), synonyms);
}

function indexPaths(source: Source): (parent: Collection | undefined) => WordIndex {
  const { catalogue } = source;
  const atTop = indexPartNamed(source, 'paths', listNames(catalogue.filter(({ parent }) => !parent)));
  const below = perCollection(catalogue, ({ children }) => indexPartNamed(source, 'paths', listNames(children)));
  return (parent) => (parent ? below(parent) : atTop);
}

function indexFields(source: Source, more: Part = () => ({})): (collection: Collection) => WordIndex {
  const all = [source.locale, ...source.others];
  return perCollection(source.catalogue, (collection) =>
    indexKind(
      source,
      (table) => ({ ...pick(table.fields[collection.name] ?? {}, listNames(collection.fields)), ...more(table) }),
      ({ fields = {} }) => fields[collection.name],
      all.flatMap(({ table }) => listLabels(table, collection)),
    ),
  );
}

/** @returns the index of what the items of a collection may include: collections nested in them, and what fields refer to */
function indexIncluded(source: Source): (collection: Collection) => WordIndex {
  const all = [source.locale, ...source.others];
  return perCollection(source.catalogue, (collection) => {
    const { name, fields, children } = collection;
    const referring = fields.filter(({ refersTo }) => refersTo);
    const lists = referring.flatMap((field) =>
      all.map(({ table }): Synonym => [currentWord(table.paths[field.refersTo ?? ''] ?? field.name), field.name]),
    );
    return indexKind(
      source,
      (table) => ({
        ...pick(table.paths, listNames(children)),
        ...pick(table.fields[name] ?? {}, listNames(referring)),
      }),
      (synonyms) => ({ ...synonyms.paths, ...synonyms.fields?.[name] }),
      [...all.flatMap(({ table }) => listLabels(table, collection)), ...lists],
    );
  });
}

function createLanguage(source: Source, fallback: Locale, mount: string | undefined) {
  const { catalogue, locale, log } = source;
  const { tag, table } = locale;
  const [paths, ownFields] = [indexPaths(source), indexFields(source)];
  const derivedFields = indexFields(source, ({ members }) => members);
  const fields = (collection: Collection) => (collection.isDerived ? derivedFields : ownFields)(collection);
  const pages = createPages(table.pages ? locale : fallback);
  const documents = createDocuments(table.descriptions ? locale : fallback);
  const commands = table.commands ? locale : fallback;
  const findForms = createForms(source);
  const valueWords = createValueWords(source);
  const writeNumber = createNumberWriter(tag, 10_000);
  const pathSynonyms = new Set(listSynonyms(table.synonyms?.paths).map(([word]) => likeness(word)));
  return {
    tag,
    /** What stands before every path that clients are told. */
    base: mount ?? '',
    /** Whether an app of somebody else has the tree, which answers what belongs to a server. */
    isMounted: mount !== undefined,
    deprecatedWords: [...locale.deprecatedWords.values()],
    /** Where its readers note the former words that they accept; all languages of a catalogue have one. */
    formerLog: log,
    paths,
    collection: (name: string): Collection => findCollection(catalogue, name),
    listWord: (name: string): string => paths(findCollection(catalogue, name).parent).word(name),
    included: indexIncluded(source),
    /** Path segments before those of a list: what there is beside its items. */
    subresources: indexPartNamed(source, 'paths', subresourceNames),
    knowsPath: (text: string): boolean => text.length <= LONGEST_SUGGESTED && pathSynonyms.has(likeness(text)),
    urls: listSynonyms(table.synonyms?.urls),
    fields,
    /** @returns the name of a field for people, with its unit; without texts of its own the language has its word in bodies */
    label: (collection: Collection, name: string): string => {
      const text = table.descriptions?.fields[collection.name]?.[name]?.label;
      const field = collection.fields.find((other) => other.name === name);
      const unit = field && findDisplayUnit({ valueWords }, collection, field);
      return (text ?? fields(collection).word(name)) + (unit === undefined ? '' : ` (${unit})`);
    },
    headings: (collection: Collection): readonly Synonym[] => [
      ...listSynonyms(table.synonyms?.fields?.[collection.name]),
      ...listLabels(table, collection),
    ],
    members: indexPartNamed(source, 'members'),
    report: indexKind(source, ({ report }) => report),
    parameters: indexPartNamed(source, 'parameters'),
    suffixes: indexPartNamed(source, 'suffixes'),
    directions: indexPartNamed(source, 'values', Object.keys(directions)),
    actions: indexPartNamed(source, 'values', actions),
    csv: table.csv ?? PLAIN_CSV,
    flagWords: listFlags(table),
    valueWords,
    /** @returns the other words for a value of a field, in this language and the others: `petrol` for `gasolina` */
    equivalents: (collection: Collection, field: Field, value: string): readonly string[] => {
      const isOwn = (word: string): boolean => fold(word) === fold(value);
      const groups = groupEquivalents(source, collection, field.name).filter((group) => group.some(isOwn));
      return groups.flat().filter((word) => !isOwn(word));
    },
    /** @returns the values of a field that have equivalents, for people */
    listEquivalents: (collection: Collection, name: string): string => {
      const groups = groupEquivalents(source, collection, name).filter((group) => group.length > 1);
      return groups.map((group) => group.join(' = ')).join('; ');
    },
    /** The units in which a client asks for numbers, if they are not those of the language. */
    units: NO_UNITS,
    nouns: ({ name }: Collection): Noun => required(table.nouns[name], name),
    /** Says a sentence; only a list of our own words is never truncated. */
    format: ({ phrase, values }: Sentence): string => {
      const forms = findForms(`phrases.${phrase}`);
      const text = forms.selectPlural(table.phrases[phrase], values.count);
      return fill(text, forms.withNouns(values), (value, name) => {
        if (typeof value === 'number') return writeNumber(value);
        return name === 'known' ? value : truncate(value);
      });
    },
    problem: (code: ProblemCode) => table.problems[code],
    /** @returns the language of a sentence, by its place such as `problems.not-found.title` */
    tagAt: (place: string): string => locale.borrowed?.get(place) ?? tag,
    pages,
    commands: createCommands(commands.tag, required(commands.table.commands, commands.tag)),
    documents,
    /** `Content-Language` of its OpenAPI document: words and problems are in this language, the rest may be in the default one. */
    inDocument: [...new Set([tag, ...documents.tags, ...pages.tags])].join(', '),
    /** `Content-Language` of what explains problems. */
    inProblems: listTags(locale, 'problems').join(', '),
  };
}

export type Language = ReturnType<typeof createLanguage>;

/** @returns the language, and a function for the `Content-Language` of what it has formatted since: its own tag, then those of borrowed sentences */
export function trackLanguages(language: Language): readonly [language: Language, contentLanguage: () => string] {
  const tags = new Set([language.tag]);
  const note = (place: string): void => void tags.add(language.tagAt(place));
  const format = (sentence: Sentence): string => {
    note(`phrases.${sentence.phrase}`);
    return language.format(sentence);
  };
  const problem = (code: ProblemCode) => {
    for (const text of ['title', 'remedy']) note(`problems.${code}.${text}`);
    return language.problem(code);
  };
  return [{ ...language, format, problem }, () => [...tags].join(', ')];
}

/** @returns a language that writes and reads the numbers of some fields in other units than its own */
export function withUnits(language: Language, units: Units): Language {
  return {
    ...language,
    units,
    valueWords: (collection, field) => {
      const unit = units.get(unitKey(collection, field));
      const words = language.valueWords(collection, field);
      return unit === undefined ? words : { ...words, measure: createMeasure(field, unit) };
    },
  };
}

/** @returns the unit in which a language writes the numbers of a field */
export const findDisplayUnit = (language: Pick<Language, 'valueWords'>, collection: Collection, field: Field) =>
  language.valueWords(collection, field).measure?.unit ?? field.unit;

/** @returns the header of a field's column in a file, which names a unit only if it is not that of the language */
export function columnHeader(language: Language, collection: Collection, field: Field): string {
  const unit = language.units.get(unitKey(collection, field));
  return language.fields(collection).word(field.name) + (unit === undefined ? '' : ` (${unit})`);
}

/** Creates the function that finds the plural forms and nouns of a sentence: a borrowed one has those of its own language. */
function createForms({ locale, others }: Source) {
  const collections = new Map(
    Object.entries(locale.table.nouns).flatMap(([name, forms]) => Object.values(forms).map((text) => [text, name])),
  );
  const createFormsIn = (tag: string) => {
    const { nouns } = (others.find((other) => other.tag === tag) ?? locale).table;
    return {
      selectPlural: createPlurals(tag),
      withNouns: (values: Texts): Texts => {
        const [item, parent] = [values.the ?? values.of, values.within].map((text) => collections.get(String(text)));
        const within = nouns[parent ?? '']?.within;
        return { ...values, ...nouns[item ?? parent ?? ''], ...(within !== undefined && { within }) };
      },
    };
  };
  const own = createFormsIn(locale.tag);
  const borrowed = new Map([...new Set(locale.borrowed?.values())].map((tag) => [tag, createFormsIn(tag)]));
  return (place: string) => borrowed.get(locale.borrowed?.get(place) ?? '') ?? own;
}

export const subresourceWords = (languages: readonly Language[]): ReadonlySet<string> =>
  new Set(
    languages.flatMap(({ subresources: { dictionary, former } }) => [
      ...Object.values(dictionary),
      ...former().map(({ word }) => word),
    ]),
  );

/** @param mount is the beginning of all paths, perhaps empty, if an app of somebody else has the trees */
export function createLanguages(
  catalogue: Catalogue,
  locales: readonly Locale[],
  defaultLanguage: string,
  mount?: string,
): readonly Language[] {
  const all = locales.map(withHistory);
  const defaultLocale = all.find(({ tag }) => tag === defaultLanguage);
  const fallback = required(defaultLocale, defaultLanguage);
  const shared = { catalogue: allLists(catalogue), log: new FormerLog() };
  return all.map((locale) => {
    const others = all.filter((other) => other !== locale);
    return createLanguage({ ...shared, locale, others }, fallback, mount);
  });
}

function listFlags({ booleans }: Table) {
  return { true: [...(booleans?.true ?? []), 'true', '1'], false: [...(booleans?.false ?? []), 'false', '0'] };
}

function indexFlags(table: Table): ReadonlyMap<string, boolean> {
  const flags = Object.entries(listFlags(table));
  return new Map(flags.flatMap(([flag, words]) => words.map((word) => [fold(word), flag === 'true'] as const)));
}

const NO_CHOICES: ChoiceWords = {
  known: [],
  word: (value) => value,
  value: () => undefined,
  inFile: () => undefined,
  suggest: () => undefined,
};

function indexChoices({ locale, others, log }: Source, collection: string, field: string): ChoiceWords {
  const part: Part = ({ choices }) => choices?.[collection]?.[field] ?? {};
  const [own = [], ...more] = [locale, ...others].map(({ table }) =>
    listSynonyms(table.synonyms?.choices?.[collection]?.[field]),
  );
  const words = new Map(Object.entries(listWords(locale, part)));
  const canonical = [...words.keys()].map((value): Synonym => [value, value]);
  const index = indexPart(locale, others, part, [...canonical, ...own, ...more.flat()], log);
  const spellings = [...index.former().map(({ word }) => word), ...words.values()].map((word) => [word, word] as const);
  const synonyms = own.map(([word, value]) => [word, words.get(value) ?? value] as const);
  const [inFiles, byFolded] = [[...synonyms, ...spellings], spellings].map(
    (pairs) => new Map(pairs.map(([text, word]) => [fold(text), word])),
  );
  const find = (text: string, folded?: ReadonlyMap<string, string>) =>
    index.name(text) ?? index.name(folded?.get(fold(text)) ?? '');
  return {
    known: [...words.values()],
    // The catalogue may have had more values once.
    word: (value) => words.get(value) ?? value,
    value: (word, isLoose) => find(word, isLoose ? byFolded : undefined),
    inFile: (cell) => find(cell, inFiles),
    suggest: (text) => index.name(index.suggest(text) ?? ''),
  };
}

/** @returns values that mean the same, in all languages; those that filters compare as one are one */
function groupEquivalents({ locale, others }: Source, { name }: Collection, field: string): readonly string[][] {
  const tables = [locale, ...others].map(({ table }) => table.equivalents?.[name]?.[field] ?? {});
  return Object.keys(Object.assign({}, ...tables)).map((meaning) => {
    const words = tables.flatMap((table) => table[meaning] ?? []);
    const folded = words.map(fold);
    return words.filter((_, at) => folded.indexOf(folded[at] ?? '') === at);
  });
}

function createValueWords(source: Source): (collection: Collection, field: Field) => ValueWords {
  const { table } = source.locale;
  const plain: ValueWords = {
    flags: indexFlags(table),
    everyFlag: new Map([...source.others.toReversed(), source.locale].flatMap(({ table }) => [...indexFlags(table)])),
    knownFlags: Object.values(listFlags(table)).flat().join(', '),
    decimal: table.csv?.decimals === 'comma' ? ',' : '.',
    hasChosenDecimal: false,
    isDayFirst: table.csv?.dates === 'day-first',
    zone: 'UTC',
    choices: NO_CHOICES,
  };
  const special = new Map<string, ValueWords>();
  for (const collection of source.catalogue) {
    for (const field of collection.fields) {
      const unit = table.units?.[collection.name]?.[field.name];
      const measure = unit === undefined ? undefined : createMeasure(field, unit);
      const choices = field.choices ? indexChoices(source, collection.name, field.name) : NO_CHOICES;
      if (field.choices || measure) special.set(unitKey(collection, field), { ...plain, choices, measure });
    }
  }
  return (collection, field) =>
    field.choices || field.unit ? (special.get(unitKey(collection, field)) ?? plain) : plain;
}

export function listExamples({ valueWords }: Language, collection: Collection, field: Field): readonly unknown[] {
  const { choices, measure } = valueWords(collection, field);
  if (field.choices) return field.examples.map((value) => choices.word(String(value)));
  if (!measure) return field.examples;
  return field.examples.map((value) => measure.show(Number(value) * 10 ** (field.scale ?? 0)) / 10 ** measure.scale);
}

/** @param style is what a client says of how the values of a file are written, instead of its language */
export function getValues(
  { valueWords }: Pick<Language, 'valueWords'>,
  collection: Collection,
  field: Field,
  style: { readonly decimals?: 'comma' | 'point' | undefined; readonly zone?: string | undefined } = {},
): Values {
  const { decimals, zone = 'UTC' } = style;
  const words = valueWords(collection, field);
  const decimal = decimals === undefined ? words.decimal : decimals === 'comma' ? ',' : '.';
  return getKind(field).in(field, { ...words, decimal, hasChosenDecimal: decimals !== undefined, zone });
}

/** @returns an option of a command as a query has it; what is no number stays as it is, and is refused there */
export function toQueryText(language: Language, collection: Collection, word: string, text: string): string {
  const fields = language.fields(collection);
  const field = collection.fields.find(
    ({ name }) =>
      word === fields.word(name) ||
      suffixes.some((suffix) => word === withSuffix(fields.word(name), language.suffixes.word(suffix))),
  );
  if (!field) return text;
  const { fromCell, filter } = getValues(language, collection, field);
  const cell = getKind(field).toCell({ ...field, min: -Infinity, max: Infinity })(fromCell(text));
  return typeof cell === 'number' ? filter.format(cell) : text;
}

/** In tests a sentence that lacks a value is an error. Elsewhere its placeholder stays, because a response that says too little is better than none. */
const STRICT = ['test', 'development'];

export function fill(text: string, values: Readonly<Record<string, unknown>>, write?: Parameters<typeof fillIn>[2]) {
  return fillIn(text, values, write, (placeholder) => {
    if (STRICT.includes(process.env.NODE_ENV ?? '')) throw new TypeError(`no value for ${placeholder}: ${text}`);
    return placeholder;
  });
}

/** @param least from which thousands are divided, by a space if a full stop might mean decimals (ISO 80000-1, the Spanish Academy) */
export function createNumberWriter(tag: string, least = 0): (number: number) => string {
  const format = new Intl.NumberFormat(tag, { maximumFractionDigits: 20 });
  return (number) => {
    if (Math.abs(number) < least) return String(number);
    const parts = format.formatToParts(number);
    return parts.map(({ type, value }) => (type === 'group' && value === '.' ? '\u{a0}' : value)).join('');
  };
}

function createPages(locale: Locale) {
  const { tag, table, borrowed } = locale;
  const { texts: ofPages, labels, totals } = required(table.pages, tag);
  const { collections: _, ...ofSubject } = table.subject;
  const texts = { ...ofPages, ...ofSubject };
  const form = createPlurals(tag);
  const writeNumber = createNumberWriter(tag);
  return {
    tag,
    tags: listTags(locale, 'pages', 'subject'),
    labels,
    say: (text: PageText | SubjectText): string => texts[text],
    tagAt: (text: PageText | SubjectText): string =>
      borrowed?.get(`${text in ofPages ? 'pages.texts' : 'subject'}.${text}`) ?? tag,
    totalTag: ({ name }: Collection): string => borrowed?.get(`pages.totals.${name}`) ?? tag,
    total: ({ name }: Collection, count: number): string =>
      fill(form(required(totals[name], name), count), { count }, () => writeNumber(count)),
    group: writeNumber(10_000).replaceAll(/\d/g, ''),
  };
}

/** @returns the languages of the sentences in some parts of a table */
function listTags({ tag, borrowed = new Map() }: Locale, ...parts: readonly string[]): readonly string[] {
  const others = [...borrowed].filter(([place]) => parts.some((part) => place.startsWith(`${part}.`)));
  return [...new Set([tag, ...others.map(([, other]) => other)])];
}

function createDocuments(locale: Locale) {
  const { tag, table, borrowed } = locale;
  const own = required(table.descriptions, tag);
  return {
    tag,
    tags: listTags(locale, 'descriptions', 'nouns', 'subject'),
    format: (text: DocumentText, values: Texts): string => fill(own.texts[text], values),
    nouns: ({ name }: Collection): Noun => required(table.nouns[name], name),
    collection: ({ routeId }: Collection): Readonly<Record<CollectionText, string>> =>
      required(own.collections[routeId], routeId) as Readonly<Record<CollectionText, string>>,
    tagAt: ({ routeId }: Collection, text: CollectionText): string =>
      borrowed?.get(`descriptions.collections.${routeId}.${text}`) ?? tag,
    field: ({ name: collection }: Collection, name: string): FieldText | undefined => own.fields[collection]?.[name],
  };
}

export type CommandTranslator = (text: CommandText, values?: Texts) => string;

export function createCommands(tag: string, texts: Readonly<Record<CommandText, Wording>>): CommandTranslator {
  const form = createPlurals(tag);
  const writeNumber = createNumberWriter(tag);
  return (text, values = {}) =>
    fill(form(texts[text], values.count), values, (value) => (typeof value === 'number' ? writeNumber(value) : value));
}

/** @returns the name of a language in another one, by default in its own, such as `español`; its tag if the name is unknown */
export const languageName = (tag: string, inLanguage = tag): string =>
  new Intl.DisplayNames(inLanguage, { type: 'language' }).of(tag) ?? tag;

export const writingDirection = (tag: string): 'ltr' | 'rtl' =>
  new Intl.Locale(tag).getTextInfo().direction === 'rtl' ? 'rtl' : 'ltr';
