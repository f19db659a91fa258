import type { Tree } from '../../http/urls.ts';
import type { Language } from '../../locale/language.ts';
import { autonymOf, directionOf } from '../../locale/names.ts';
import type { Catalogue, Collection } from '../../model/catalogue.ts';
import type { Field } from '../../model/field.ts';
import { kindOf } from '../../model/kinds/kinds.ts';
import { suffixes, withSuffix } from '../../model/query.ts';
import { rangeWords } from '../../read/query/filters.ts';
import { listParameters } from '../../read/query/query.ts';
import { type ProblemCode, problems } from '../../texts/problem.ts';

/** Converts a route's pattern to a URL template (RFC 6570), in which a collection's name stands for the key of an item. */
const template = (pattern: string): string => pattern.replaceAll(/:(\w+)/g, '{$1}');

/** @returns the language's own texts; `undefined` where documents use those of another language, which a dictionary leaves out */
const ownTexts = ({ tag, documents }: Language): Language['documents'] | undefined =>
  documents.tag === tag ? documents : undefined;

const rangeEntry = (language: Language, collection: Collection, { name }: Field) => {
  const words = rangeWords(collection, language, language);
  const ends = suffixes.flatMap((suffix) => {
    const word = words[withSuffix(name, suffix)];
    return word === undefined ? [] : [[suffix, word] as const];
  });
  return ends.length > 0 ? Object.fromEntries(ends) : undefined;
};

const fieldEntry = (language: Language, collection: Collection, field: Field) => {
  const { name, kind, required, unit } = field;
  const texts = ownTexts(language)?.field(collection, name);
  return {
    word: language.fields(collection).word(name),
    label: texts?.label,
    description: texts?.about,
    kind,
    range: rangeEntry(language, collection, field),
    required,
    unit,
    schema: kindOf(field).jsonSchema(field),
  };
};

const collectionEntry = ({ language, paths }: Tree, collection: Collection) => {
  const { listPattern, itemPattern } = paths(collection);
  const texts = ownTexts(language)?.collection(collection);
  return {
    parent: collection.parent?.name,
    word: language.paths(collection.parent).word(collection.name),
    label: texts?.name,
    description: texts?.about,
    paths: { list: template(listPattern), item: template(itemPattern) },
    fields: Object.fromEntries(
      collection.fields.map((field) => [field.name, fieldEntry(language, collection, field)] as const),
    ),
  };
};

/**
 * Every word of one language, by the names that all languages share: enough for a client to translate a request and its
 * response to another language by itself, and to show them to people. The value of a parameter of kind `field` is one
 * field's word, or several with commas between them; that of one of kind `value` likewise of the `values`, and that of one of kind
 * `collection` of the words of collections.
 */
export const dictionaryOf = (tree: Tree, catalogue: Catalogue) => {
  const { language } = tree;
  const { tag } = language;
  return {
    tag,
    name: autonymOf(tag),
    direction: directionOf(tag),
    collections: Object.fromEntries(catalogue.map((each) => [each.name, collectionEntry(tree, each)])),
    parameters: Object.fromEntries(
      catalogue
        .flatMap((each) => listParameters(language, each))
        // Filters and ranges are listed with their collections.
        .filter(({ kind }) => kind !== 'filter' && kind !== 'range')
        .map(({ name, word, kind }) => [name, { word, kind }]),
    ),
    members: Object.fromEntries(language.members.names.map((name) => [name, language.members.word(name)])),
    report: Object.fromEntries(language.report.names.map((name) => [name, language.report.word(name)])),
    values: Object.fromEntries(language.directions.names.map((name) => [name, language.directions.word(name)])),
    problems: Object.fromEntries(
      Object.keys(problems).map((code) => [code, language.problem(code as ProblemCode).title]),
    ),
  };
};
