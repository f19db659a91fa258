import { itemRepresentations, listRepresentations } from '../../formats/formats.ts';
import type { Representation } from '../../formats/representation.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { Row } from '../../port/port.ts';
import { writeWhole } from '../../write/list.ts';
import { type Context, ref } from '../shared/context.ts';
import type { Content } from '../shared/operation.ts';
import { exampleItems, schemaName } from './schemas.ts';

/** The example items as rows of the store. */
const exampleRows = ({ key, fields }: Collection): readonly Row[] =>
  key.examples.map((_, at) => {
    const cells = fields.map(({ examples }) => examples[at] ?? null);
    return [0, ...cells.map((cell) => (typeof cell === 'boolean' ? Number(cell) : cell))];
  });

/** A schema cannot describe what is in a file, and a binary file has no example in JSON. */
const fileContent = ({ type, list, pack }: Representation, name: string, rows: readonly Row[]): Content => {
  if (pack) return { type, schema: { type: 'string', format: 'binary' }, examples: {} };
  return { type, schema: { type: 'string' }, examples: { [name]: { value: writeWhole(list, rows) } } };
};

const nameOf = ({ tree }: Context, collection: Collection): string =>
  tree.language.documents.collection(collection).name;

/** The content of responses with an item, in every format. */
export const itemContent = (context: Context, collection: Collection): readonly Content[] => {
  const schema = ref('schemas', schemaName(context, collection, 'item'));
  const examples = exampleItems(context, collection);
  const rows = exampleRows(collection).slice(0, 1);
  return itemRepresentations(context.tree.language, collection).map((each) =>
    each.format.isFile ? fileContent(each, nameOf(context, collection), rows) : { type: each.type, schema, examples },
  );
};

/** The content of responses with a list, in every format. */
export const listContent = (context: Context, collection: Collection): readonly Content[] => {
  const name = nameOf(context, collection);
  const items = Object.values(exampleItems(context, collection)).map(({ value }) => value);
  const inJson = {
    schema: { type: 'array', items: ref('schemas', schemaName(context, collection, 'item')) },
    examples: items.length > 0 ? { [name]: { value: items } } : {},
  };
  return listRepresentations(context.tree.language, collection).map((each) =>
    each.format.isFile ? fileContent(each, name, exampleRows(collection)) : { type: each.type, ...inJson },
  );
};
