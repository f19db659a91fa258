import { listParameters } from '../http/read/list-parameters.ts';
import type { Tree } from '../http/tree.ts';
import { autonymOf, directionOf } from '../locale/names.ts';
import type { Catalogue, Collection } from '../model/catalogue.ts';
import { kindOf } from '../model/kinds/kinds.ts';
import { type ProblemCode, problems } from '../texts/problem.ts';

/** A key of an item of each collection, in templates of addresses (RFC 6570): the collection's name. */
const template = (pattern: string): string => pattern.replaceAll(/:(\w+)/g, '{$1}');

const collectionEntry = ({ language, paths }: Tree, collection: Collection) => {
  const { listPattern, itemPattern } = paths(collection);
  const { word } = language.fields(collection);
  const fields = collection.fields.map((field) => {
    const { name, kind, required } = field;
    return [name, { word: word(name), kind, required, schema: kindOf(field).jsonSchema(field) }] as const;
  });
  return {
    parent: collection.parent?.name,
    paths: { list: template(listPattern), item: template(itemPattern) },
    fields: Object.fromEntries(fields),
  };
};

/**
 * Everything that one language's tree says in words of its own, by the names that all languages share: enough for a
 * client to put a request, and its answer, into another language by itself. A parameter of kind `field` takes a field's
 * word, one of kind `value` one of the `values`.
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
        // Fields are told with their collections.
        .filter(({ kind }) => kind !== 'filter')
        .map(({ name, word, kind }) => [name, { word, kind }]),
    ),
    values: Object.fromEntries(language.directions.names.map((name) => [name, language.directions.word(name)])),
    problems: Object.fromEntries(
      Object.keys(problems).map((code) => [code, language.problem(code as ProblemCode).title]),
    ),
  };
};
