import { itemRepresentations, listRepresentations } from '../http/write/formats.ts';
import type { Collection } from '../model/catalogue.ts';
import { type Context, ref } from './context.ts';
import type { Content } from './operation.ts';
import { exampleItems, schemaName } from './schemas.ts';

/** What responses have that are an item, in every format that items are written in. */
export const itemContent = (context: Context, collection: Collection): readonly Content[] => {
  const schema = ref('schemas', schemaName(context, collection, 'item'));
  const examples = exampleItems(context, collection);
  return itemRepresentations(context.tree.language, collection).map(({ type }) => ({ type, schema, examples }));
};

/** What responses have that are a list, in every format that lists are written in. */
export const listContent = (context: Context, collection: Collection): readonly Content[] => {
  const { language } = context.tree;
  const schema = { type: 'array', items: ref('schemas', schemaName(context, collection, 'item')) };
  const items = Object.values(exampleItems(context, collection)).map(({ value }) => value);
  const examples = items.length > 0 ? { [language.documents.collection(collection).name]: { value: items } } : {};
  return listRepresentations(language, collection).map(({ type }) => ({ type, schema, examples }));
};
