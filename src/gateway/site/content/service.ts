import { listUrls, problemPath, type Tree, URLS } from '../../http/urls.ts';
import { findDisplayUnit, type Language, languageName, writingDirection } from '../../locale/language.ts';
import type { Catalogue, Collection } from '../../model/catalogue.ts';
import { delimiters } from '../../model/csv.ts';
import type { Field } from '../../model/field.ts';
import { getKind } from '../../model/kinds/kinds.ts';
import { subresourceNames, suffixes, withSuffix } from '../../model/query.ts';
import { rangeWords } from '../../read/query/parameters.ts';
import { itemParameters, listParameters } from '../../read/query/query.ts';
import type { DocumentText } from '../../texts/phrase.ts';
import { type ProblemCode, problems } from '../../texts/problem.ts';

export interface Site {
  readonly catalogue: Catalogue;
  readonly trees: readonly Tree[];
}

const codes = Object.keys(problems) as readonly ProblemCode[];

export const topCollections = (catalogue: Catalogue): Catalogue => catalogue.filter(({ isChild }) => !isChild);

/** @throws TypeError if no tree has this language, which is a bug */
export function findTree({ trees }: Pick<Site, 'trees'>, { tag }: Pick<Language, 'tag'>): Tree {
  const tree = trees.find(({ language }) => language.tag === tag);
  if (!tree) throw new TypeError(`no tree in ${tag}`);
  return tree;
}

/** @param hooks the number of addresses that receive changes, if it is known */
export function describeService(site: Site, { pages, base }: Language, totals: Record<string, number>, hooks?: number) {
  const { catalogue, trees } = site;
  const lists = catalogue.filter(({ parent }) => parent === undefined);
  return {
    title: pages.say('title'),
    description: pages.say('summary'),
    totals,
    hooks,
    openapi: base + URLS.openapi,
    documentation: base + URLS.documentation,
    dictionaries: base + URLS.dictionaries,
    languages: trees.map(({ language, paths }) => ({
      tag: language.tag,
      name: languageName(language.tag),
      collections: Object.fromEntries(lists.map((list) => [list.routeId, paths(list).list([])])),
      imports: Object.fromEntries(
        lists.map((list) => [list.routeId, base + paths(list).subresourcePattern('imports')]),
      ),
      ...listUrls(language),
    })),
  };
}

export type ServiceIndex = ReturnType<typeof describeService>;

export const listDictionaries = ({ trees }: Site, tag: string) =>
  trees.map(({ language }) => ({
    tag: language.tag,
    name: languageName(language.tag),
    translatedName: languageName(language.tag, tag),
    url: listUrls(language).dictionary,
  }));

export function explainProblem(language: Language, code: ProblemCode) {
  const { title, explanation } = language.problem(code);
  return { type: language.base + problemPath(code), title, status: problems[code], code, detail: explanation };
}

export const explainProblems = (language: Language) => codes.map((code) => explainProblem(language, code));

interface DictionaryContext {
  readonly tree: Tree;
  readonly catalogue: Catalogue;
  readonly defaultLanguage: string;
  readonly format: (text: DocumentText) => string;
}

/** Converts a route's pattern to a URL template (RFC 6570), in which a collection's name stands for the key of an item. */
const template = (pattern: string): string => pattern.replaceAll(/:(\w+)/g, '{$1}');

/** @returns the language's own texts; a dictionary has none if documents use those of another language */
const ownTexts = ({ tag, documents }: Language): Language['documents'] | undefined =>
  documents.tag === tag ? documents : undefined;

export function findRange(language: Language, collection: Collection, { name }: Field) {
  const words = rangeWords(collection, language, language);
  const ends = suffixes.flatMap((suffix) => {
    const word = words[withSuffix(name, suffix)];
    return word === undefined ? [] : [[suffix, word] as const];
  });
  return ends.length > 0 ? Object.fromEntries(ends) : undefined;
}

function describeField(language: Language, collection: Collection, field: Field) {
  const { name, kind, required, searchable, unique, refersTo } = field;
  const texts = ownTexts(language)?.field(collection, name);
  const words = language.valueWords(collection, field);
  return {
    word: language.fields(collection).word(name),
    label: texts?.label,
    description: texts?.about,
    kind,
    range: findRange(language, collection, field),
    required,
    searchable,
    unique,
    refersTo,
    unit: findDisplayUnit(language, collection, field),
    choices: field.choices && Object.fromEntries(field.choices.map((value) => [value, words.choices.word(value)])),
    schema: getKind(field).jsonSchema(field, words),
  };
}

function describeCollection({ language, paths }: Tree, collection: Collection) {
  const { listPattern, subresourcePattern } = paths(collection);
  const { itemPattern } = paths(collection.flattens ?? collection);
  const texts = ownTexts(language)?.collection(collection);
  return {
    parent: collection.parent?.name,
    word: language.paths(collection.parent).word(collection.name),
    label: texts?.name,
    description: texts?.about,
    paths: {
      list: template(language.base + listPattern),
      item: template(language.base + itemPattern),
      ...Object.fromEntries(subresourceNames.map((view) => [view, template(language.base + subresourcePattern(view))])),
    },
    fields: Object.fromEntries(
      collection.fields.map((field) => [field.name, describeField(language, collection, field)]),
    ),
  };
}

/** Describes every parameter but filters and ranges, which are listed with their collections. */
function describeParameters({ tree: { language }, catalogue, format }: DictionaryContext) {
  const listsWith = (name: string, parameters: typeof listParameters | typeof itemParameters): readonly string[] =>
    catalogue.flatMap((list) => (parameters(language, list).some((other) => other.name === name) ? list.routeId : []));
  const parameters = catalogue.flatMap((list) => listParameters(language, list));
  const sharedParameters = parameters.filter(({ kind }) => kind !== 'filter' && kind !== 'range');
  return Object.fromEntries(
    sharedParameters.map(({ name, word, kind, text }) => {
      const [lists, items] = [listParameters, itemParameters].map((parameters) => listsWith(name, parameters));
      return [name, { word, description: ownTexts(language) && format(text), kind, lists, items }];
    }),
  );
}

/**
 * Enough for a client to translate requests and responses by itself. Parameters of kind `field`, `value` and `collection` take one
 * word or several with commas between them: of fields, of `values`, and of collections and fields that refer to items.
 */
export function describeLanguage(context: DictionaryContext) {
  const { tree, catalogue, defaultLanguage } = context;
  const { language } = tree;
  const { tag, csv } = language;
  const former = language.deprecatedWords.map(({ language: _, ...word }) => word);
  return {
    tag,
    name: languageName(tag),
    direction: writingDirection(tag),
    // A member that changes its meaning, or goes, changes it.
    version: 1,
    isDefault: tag === defaultLanguage,
    schema: `${listUrls(language).openapi}#/components/schemas/Dictionary`,
    collections: Object.fromEntries(catalogue.map((list) => [list.routeId, describeCollection(tree, list)])),
    parameters: describeParameters(context),
    suffixes: language.suffixes.dictionary,
    members: language.members.dictionary,
    report: language.report.dictionary,
    values: { ...language.directions.dictionary, ...language.actions.dictionary },
    flags: language.flagWords,
    csv: {
      delimiter: delimiters[csv.delimiter],
      byteOrderMark: csv.byteOrderMark,
      decimals: csv.decimals === 'comma' ? ',' : '.',
    },
    former: former.length > 0 ? former : undefined,
    problems: Object.fromEntries(codes.map((code) => [code, language.problem(code).title])),
  };
}
