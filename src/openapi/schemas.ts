import type { Collection } from '../model/catalogue.ts';
import type { Field } from '../model/field.ts';
import { kindOf } from '../model/kinds/kinds.ts';
import { type Context, type Json, ref } from './context.ts';

/** What the members of a body are for: an answer, a new item, or a change of one. */
type Purpose = 'item' | 'new' | 'changes';

/** @returns the name of a collection's schema component: `cars`, `cars.new`, `cars.changes` */
export const schemaName = ({ name }: Collection, purpose: Purpose): string =>
  purpose === 'item' ? name : `${name}.${purpose}`;

const isRequired = ({ isKey, required }: Field, purpose: Purpose): boolean =>
  purpose === 'item' ? isKey || required : purpose === 'new' && required;

/** `null` clears an optional member, and leaves a key to the service; answers never hold it. */
const mayBeNull = ({ isKey, required }: Field, purpose: Purpose): boolean =>
  purpose !== 'item' && !required && !(isKey && purpose === 'changes');

const memberSchema = (
  { tree: { language } }: Context,
  collection: Collection,
  field: Field,
  purpose: Purpose,
): Json => {
  const schema = kindOf(field).jsonSchema(field);
  const description = language.describeField(collection, field.name);
  return {
    ...schema,
    ...(mayBeNull(field, purpose) ? { type: [schema.type, 'null'] } : {}),
    ...(description === undefined ? {} : { description }),
    ...(field.examples.length > 0 ? { examples: field.examples } : {}),
  };
};

const bodySchema = (context: Context, collection: Collection, purpose: Purpose): Json => {
  const { word } = context.tree.language.fields(collection);
  const { fields } = collection;
  const required = fields.filter((field) => isRequired(field, purpose)).map(({ name }) => word(name));
  return {
    type: 'object',
    properties: Object.fromEntries(
      fields.map((field) => [word(field.name), memberSchema(context, collection, field, purpose)]),
    ),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
};

export const itemSchemas = (context: Context): Json =>
  Object.fromEntries(
    context.catalogue.flatMap((collection) =>
      (['item', 'new', 'changes'] as const).map((purpose) => [
        schemaName(collection, purpose),
        bodySchema(context, collection, purpose),
      ]),
    ),
  );

/** @returns the real items that the catalogue's examples make up, in the tree's words */
export const exampleItems = ({ tree }: Context, collection: Collection): readonly Json[] => {
  const { word } = tree.language.fields(collection);
  const { fields, key } = collection;
  return key.examples.map((_, at) =>
    Object.fromEntries(
      fields.flatMap(({ name, examples }) => (examples[at] === undefined ? [] : [[word(name), examples[at]]])),
    ),
  );
};

export const listSchema = (collection: Collection): Json => ({
  type: 'array',
  items: ref('schemas', schemaName(collection, 'item')),
});
