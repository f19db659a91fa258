import { examplesIn, valuesIn } from '../../locale/value-words.ts';
import { type Collection, identifies } from '../../model/catalogue.ts';
import type { Field } from '../../model/field.ts';
import { kindOf } from '../../model/kinds/kinds.ts';
import { DELETED, TOTAL } from '../../model/query.ts';
import { orderedFields } from '../../read/meant/sort-terms.ts';
import { type Context, type Json, ref } from '../shared/context.ts';
import type { Examples } from '../shared/operation.ts';

/** The purposes of a body: a whole item, a new one, changes to one, some of its fields, a group, or what has changed. The locale table names each schema. */
const NAMES = {
  item: 'schema',
  new: 'schema-new',
  changes: 'schema-changes',
  selection: 'schema-selection',
  group: 'schema-group',
  changed: 'schema-changed',
} as const;
export type Purpose = keyof typeof NAMES;
const purposes = Object.keys(NAMES) as readonly Purpose[];

const COUNT: Json = { type: 'integer', format: 'int64', minimum: 0 };

/** @returns the name of a collection's schema component: `Car`, `NewCar`, `CarChanges` */
export const schemaName = ({ tree }: Context, collection: Collection, purpose: Purpose): string =>
  tree.language.documents.collection(collection)[NAMES[purpose]];

/** Purposes of bodies that identify an item, and that have what `include` adds: nested items, and an item in place of its key. */
const IDENTIFIED: readonly Purpose[] = ['item', 'selection', 'changed'];
/** Purposes of bodies that create or change one item, which is addressed where it lies. */
const SENT: readonly Purpose[] = ['new', 'changes'];

const isRequired = (field: Field, purpose: Purpose): boolean =>
  (identifies(field) && IDENTIFIED.includes(purpose)) || (field.required && (purpose === 'item' || purpose === 'new'));

/** `null` clears an optional member, and asks the service to assign a key; responses never contain it. */
const mayBeNull = ({ isKey, required }: Field, purpose: Purpose): boolean =>
  (purpose === 'new' && !required) || (purpose === 'changes' && !required && !isKey);

const orNull = ({ type, enum: values }: Json): Json => ({
  type: [type, 'null'],
  ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
});

/** @returns the schema of a key, or of the item that it refers to */
const orItem = (context: Context, key: Json, list: string): Json => {
  const item = schemaName(context, context.tree.language.collection(list), 'item');
  return { anyOf: [key, { ...ref('schemas', item), description: context.say('member-nested') }] };
};

const memberSchema = (context: Context, collection: Collection, field: Field, purpose: Purpose): Json => {
  const { language } = context.tree;
  const { examples: known = [], ...schema } = kindOf(field).jsonSchema(field, language.valueWords(collection, field));
  const examples = [...new Set([...(known as readonly unknown[]), ...examplesIn(language, collection, field)])];
  const description = language.documents.field(collection, field.name)?.about;
  const isIncluded = field.refersTo !== undefined && IDENTIFIED.includes(purpose);
  const key = mayBeNull(field, purpose) ? { ...schema, ...orNull(schema) } : schema;
  return {
    ...(isIncluded ? orItem(context, key, field.refersTo) : key),
    ...(description === undefined ? {} : { description }),
    ...(field.unique ? { 'x-unique': true } : {}),
    ...(field.refersTo ? { 'x-refers-to': language.paths(undefined).word(field.refersTo) } : {}),
    ...(examples.length > 0 ? { examples } : {}),
    ...(purpose === 'new' && field.default !== undefined
      ? { default: JSON.parse(valuesIn(language, collection, field).toJson(field.default)) }
      : {}),
  };
};

/** Members besides the fields: the nested items that `include` adds, the size of a group, and whether an item is no more. */
const membersBeside = (context: Context, collection: Collection, purpose: Purpose): Json => {
  const { tree, say } = context;
  const { members, paths } = tree.language;
  const nested = IDENTIFIED.includes(purpose) ? collection.children : [];
  return {
    ...Object.fromEntries(
      nested.map((child) => {
        const items = ref('schemas', schemaName(context, child, 'item'));
        return [paths(collection).word(child.name), { type: 'array', description: say('member-nested'), items }];
      }),
    ),
    ...(purpose === 'group' && { [members.word(TOTAL)]: { ...COUNT, description: say('member-total') } }),
    ...(purpose === 'changed' && {
      [members.word(DELETED)]: { type: 'boolean', const: true, description: say('member-deleted') },
    }),
  };
};

const bodySchema = (context: Context, collection: Collection, purpose: Purpose): Json => {
  const { fields: wordsOf, members } = context.tree.language;
  const { word } = wordsOf(collection);
  const fields = purpose === 'group' ? orderedFields(context.tree.language, collection).fields : collection.fields;
  const required = [
    ...fields.filter((field) => isRequired(field, purpose)).map(({ name }) => word(name)),
    ...(purpose === 'group' ? [members.word(TOTAL)] : []),
  ];
  return {
    type: 'object',
    'x-collection': collection.name,
    properties: {
      ...Object.fromEntries(
        fields.map((field) => [word(field.name), memberSchema(context, collection, field, purpose)] as const),
      ),
      ...membersBeside(context, collection, purpose),
    },
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
};

export const itemSchemas = (context: Context): Json =>
  Object.fromEntries(
    context.catalogue.flatMap((collection) =>
      purposes
        .filter((purpose) => !collection.nested || !SENT.includes(purpose))
        .map((purpose) => [schemaName(context, collection, purpose), bodySchema(context, collection, purpose)]),
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
      const exampleOf = (field: Field): unknown => examplesIn(tree.language, collection, field)[at];
      const texts = withExample.filter((field) => field.required && !field.isKey).map(exampleOf);
      const value = Object.fromEntries(withExample.map((field) => [word(field.name), exampleOf(field)]));
      return [String(name), { summary: texts.length > 0 ? texts.join(' ') : String(name), value }];
    }),
  );
};
