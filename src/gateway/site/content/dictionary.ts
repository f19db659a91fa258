import type { WordIndex } from '../../../../packages/vocabularies/src/words.ts';
import { openapiUrl, type Tree } from '../../http/urls.ts';
import type { Language } from '../../locale/language.ts';
import { autonymOf, directionOf } from '../../locale/names.ts';
import type { Catalogue, Collection } from '../../model/catalogue.ts';
import { delimiters } from '../../model/csv.ts';
import type { Field } from '../../model/field.ts';
import { kindOf } from '../../model/kinds/kinds.ts';
import { suffixes, withSuffix } from '../../model/query.ts';
import { viewNames } from '../../model/views.ts';
import { rangeWords } from '../../read/query/filters.ts';
import { itemParameters, listParameters } from '../../read/query/query.ts';
import { type ProblemCode, problems } from '../../texts/problem.ts';
import type { DocumentText } from '../../texts/shown-text.ts';

/** What a dictionary is made of. */
interface DictionaryContext {
  readonly tree: Tree;
  readonly catalogue: Catalogue;
  readonly defaultLanguage: string;
  /** Says a text of documents, with the tree's words in it. */
  readonly say: (text: DocumentText) => string;
}

/** Converts a route's pattern to a URL template (RFC 6570), in which a collection's name stands for the key of an item. */
const template = (pattern: string): string => pattern.replaceAll(/:(\w+)/g, '{$1}');

/** @returns the language's own texts; `undefined` where documents use those of another language, which a dictionary leaves out */
const ownTexts = ({ tag, documents }: Language): Language['documents'] | undefined =>
  documents.tag === tag ? documents : undefined;

/** @returns the words of a field's range by their ends; `undefined` where it has none */
export const rangeEntry = (language: Language, collection: Collection, { name }: Field) => {
  const words = rangeWords(collection, language, language);
  const ends = suffixes.flatMap((suffix) => {
    const word = words[withSuffix(name, suffix)];
    return word === undefined ? [] : [[suffix, word] as const];
  });
  return ends.length > 0 ? Object.fromEntries(ends) : undefined;
};

const fieldEntry = (language: Language, collection: Collection, field: Field) => {
  const { name, kind, required, searchable, unique, refersTo, unit } = field;
  const texts = ownTexts(language)?.field(collection, name);
  const words = language.valueWords(collection, field);
  return {
    word: language.fields(collection).word(name),
    label: texts?.label,
    description: texts?.about,
    kind,
    range: rangeEntry(language, collection, field),
    required,
    searchable,
    unique,
    refersTo,
    unit,
    choices: field.choices && Object.fromEntries(field.choices.map((value) => [value, words.choices.word(value)])),
    schema: kindOf(field).jsonSchema(field, words),
  };
};

const collectionEntry = ({ language, paths }: Tree, collection: Collection) => {
  const { listPattern, viewPattern } = paths(collection);
  const { itemPattern } = paths(collection.nested ?? collection);
  const texts = ownTexts(language)?.collection(collection);
  return {
    parent: collection.parent?.name,
    word: language.paths(collection.parent).word(collection.name),
    label: texts?.name,
    description: texts?.about,
    paths: {
      list: template(listPattern),
      item: template(itemPattern),
      ...Object.fromEntries(viewNames.map((view) => [view, template(viewPattern(view))])),
    },
    fields: Object.fromEntries(
      collection.fields.map((field) => [field.name, fieldEntry(language, collection, field)] as const),
    ),
  };
};

/** Every parameter but filters and ranges, which are listed with their collections. */
const parameterEntries = ({ tree: { language }, catalogue, say }: DictionaryContext) => {
  const isOwn = ownTexts(language) !== undefined;
  const having = (parametersOf: typeof listParameters, wanted: string): readonly string[] =>
    catalogue.filter((each) => parametersOf(language, each).some(({ name }) => name === wanted)).map(({ id }) => id);
  return Object.fromEntries(
    catalogue
      .flatMap((each) => listParameters(language, each))
      .filter(({ kind }) => kind !== 'filter' && kind !== 'range')
      .map(({ name, word, kind, text }) => [
        name,
        {
          word,
          description: isOwn ? say(text) : undefined,
          kind,
          lists: having(listParameters, name),
          items: having(itemParameters, name),
        },
      ]),
  );
};

const wordsOf = ({ names, word }: WordIndex): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, word(name)]));

/** Counts what clients must know before they read a dictionary: a member that changes its meaning, or goes. */
const VERSION = 1;

/**
 * Every word of one language, by the names that all languages share: enough for a client to translate a request and its
 * response to another language by itself, and to show them to people. The value of a parameter of kind `field` is one
 * field's word, or several with commas between them; that of one of kind `value` likewise of the `values`, and that of one of kind
 * `collection` of the words of collections, and of fields that refer to items.
 */
export const dictionaryOf = (context: DictionaryContext) => {
  const { tree, catalogue, defaultLanguage } = context;
  const { language } = tree;
  const { tag, csv } = language;
  return {
    tag,
    name: autonymOf(tag),
    direction: directionOf(tag),
    version: VERSION,
    isDefault: tag === defaultLanguage,
    schema: `${openapiUrl(tag)}#/components/schemas/Dictionary`,
    collections: Object.fromEntries(catalogue.map((each) => [each.id, collectionEntry(tree, each)])),
    parameters: parameterEntries(context),
    suffixes: wordsOf(language.suffixes),
    members: wordsOf(language.members),
    report: wordsOf(language.report),
    values: { ...wordsOf(language.directions), ...wordsOf(language.actions) },
    flags: language.flagWords,
    csv: {
      delimiter: delimiters[csv.delimiter],
      byteOrderMark: csv.byteOrderMark,
      decimals: csv.decimals === 'comma' ? ',' : '.',
    },
    former: language.former.length > 0 ? language.former.map(({ language: _, ...each }) => each) : undefined,
    problems: Object.fromEntries(
      Object.keys(problems).map((code) => [code, language.problem(code as ProblemCode).title]),
    ),
  };
};
