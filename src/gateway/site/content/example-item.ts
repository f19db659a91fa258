import type { Tree } from '../../http/urls.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { Field } from '../../model/field.ts';

/** @returns whether a field helps to recognise an item: an example with all fields would be long */
const isDistinctive = ({ isKey, required, indexed, examples }: Field): boolean =>
  (isKey || required || indexed) && examples.length > 0;

/** @returns the first example item of a collection, in one language's words */
export const exampleItemIn = ({ language }: Tree, collection: Collection): Readonly<Record<string, unknown>> => {
  const { word } = language.fields(collection);
  return Object.fromEntries(
    collection.fields.filter(isDistinctive).map(({ name, examples: [first] }) => [word(name), first]),
  );
};

/** @returns a field's word in another language, with an example value; `undefined` where all languages have the same words */
export const foreignWord = (tree: Tree, others: readonly Tree[], collection: Collection) => {
  const own = tree.language.fields(collection);
  const fields = collection.fields.filter((field) => isDistinctive(field) && !field.isKey);
  return others
    .flatMap(({ language }) =>
      fields.map(({ name, examples: [value] }) => ({ name, word: language.fields(collection).word(name), value })),
    )
    .find(({ name, word }) => word !== own.word(name));
};
