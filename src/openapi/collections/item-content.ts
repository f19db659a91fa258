import { itemRepresentations, listRepresentations } from '../../http/write/formats/formats.ts';
import { type ListRepresentation, writeWhole } from '../../http/write/representation.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { Row } from '../../store/port.ts';
import { type Context, ref } from '../shared/context.ts';
import type { Content } from '../shared/operation.ts';
import { exampleItems, schemaName } from './schemas.ts';

/** The content of responses with an item, in every format. */
export const itemContent = (context: Context, collection: Collection): readonly Content[] => {
  const schema = ref('schemas', schemaName(context, collection, 'item'));
  const examples = exampleItems(context, collection);
  return itemRepresentations(context.tree.language, collection).map(({ type }) => ({ type, schema, examples }));
};

/** The example items as rows of the store. */
const exampleRows = ({ key, fields }: Collection): readonly Row[] =>
  key.examples.map((_, at) => {
    const cells = fields.map(({ examples }) => examples[at] ?? null);
    return [0, ...cells.map((cell) => (typeof cell === 'boolean' ? Number(cell) : cell))];
  });

const jsonList = (context: Context, collection: Collection, type: string): Content => {
  const items = Object.values(exampleItems(context, collection)).map(({ value }) => value);
  const { name } = context.tree.language.documents.collection(collection);
  return {
    type,
    schema: { type: 'array', items: ref('schemas', schemaName(context, collection, 'item')) },
    examples: items.length > 0 ? { [name]: { value: items } } : {},
  };
};

/** A list in another format: a schema cannot describe what is in a file, and a binary file has no example in JSON. */
const fileContent = (context: Context, collection: Collection, { type, list, pack }: ListRepresentation): Content => {
  if (pack) return { type, schema: { type: 'string', format: 'binary' }, examples: {} };
  const { name } = context.tree.language.documents.collection(collection);
  return {
    type,
    schema: { type: 'string' },
    examples: { [name]: { value: writeWhole(list, exampleRows(collection)) } },
  };
};

/** The content of responses with a list, in every format. */
export const listContent = (context: Context, collection: Collection): readonly Content[] =>
  listRepresentations(context.tree.language, collection).map((each) =>
    each.name === 'json' ? jsonList(context, collection, each.type) : fileContent(context, collection, each),
  );
