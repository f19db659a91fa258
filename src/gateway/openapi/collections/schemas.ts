import type { Collection } from '../../model/catalogue.ts';
import type { Field } from '../../model/field.ts';
import { kindOf } from '../../model/kinds/kinds.ts';
import { type Context, type Json, ref } from '../shared/context.ts';
import type { Examples } from '../shared/operation.ts';

/** The purposes of a body: a response, a new item, or changes to one. The locale table names each schema. */
const NAMES = { item: 'schema', new: 'schema-new', changes: 'schema-changes' } as const;
type Purpose = keyof typeof NAMES;

/** @returns the name of a collection's schema component: `Car`, `NewCar`, `CarChanges` */
export const schemaName = ({ tree }: Context, collection: Collection, purpose: Purpose): string =>
  tree.language.documents.collection(collection)[NAMES[purpose]];

const isRequired = ({ isKey, required }: Field, purpose: Purpose): boolean =>
  purpose === 'item' ? isKey || required : purpose === 'new' && required;

/** `null` clears an optional member, and asks the service to assign a key; responses never contain it. */
const mayBeNull = ({ isKey, required }: Field, purpose: Purpose): boolean =>
  purpose !== 'item' && !required && !(isKey && purpose === 'changes');

const memberSchema = (
  { tree: { language } }: Context,
  collection: Collection,
  field: Field,
  purpose: Purpose,
): Json => {
  const schema = kindOf(field).jsonSchema(field);
  const description = language.documents.field(collection, field.name)?.about;
  return {
    ...schema,
    ...(mayBeNull(field, purpose) ? { type: [schema.type, 'null'] } : {}),
    ...(description === undefined ? {} : { description }),
    ...(field.examples.length > 0 ? { examples: field.examples } : {}),
  };
};

/** The nested items that `include` adds to a response. */
const nestedMembers = (context: Context, collection: Collection): readonly (readonly [string, Json])[] =>
  collection.children.map((child) => [
    context.tree.language.paths(collection).word(child.name),
    {
      type: 'array',
      description: context.say('member-nested'),
      items: ref('schemas', schemaName(context, child, 'item')),
    },
  ]);

const bodySchema = (context: Context, collection: Collection, purpose: Purpose): Json => {
  const { word } = context.tree.language.fields(collection);
  const { fields } = collection;
  const required = fields.filter((field) => isRequired(field, purpose)).map(({ name }) => word(name));
  return {
    type: 'object',
    properties: Object.fromEntries([
      ...fields.map((field) => [word(field.name), memberSchema(context, collection, field, purpose)] as const),
      ...(purpose === 'item' ? nestedMembers(context, collection) : []),
    ]),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
};

export const itemSchemas = (context: Context): Json =>
  Object.fromEntries(
    context.catalogue.flatMap((collection) =>
      (['item', 'new', 'changes'] as const).map((purpose) => [
        schemaName(context, collection, purpose),
        bodySchema(context, collection, purpose),
      ]),
    ),
  );

/** @returns the items that the catalogue's examples make up, in the tree's words, by key; of some fields or of all */
export const exampleItems = (
  { tree }: Context,
  collection: Collection,
  fields: readonly Field[] = collection.fields,
): Examples => {
  const { word } = tree.language.fields(collection);
  const { key } = collection;
  return Object.fromEntries(
    key.examples.map((name, at) => {
      const withExample = fields.filter(({ examples }) => examples[at] !== undefined);
      const texts = withExample.filter((field) => field.required && !field.isKey).map(({ examples }) => examples[at]);
      const value = Object.fromEntries(withExample.map((field) => [word(field.name), field.examples[at]]));
      return [String(name), { summary: texts.length > 0 ? texts.join(' ') : String(name), value }];
    }),
  );
};
