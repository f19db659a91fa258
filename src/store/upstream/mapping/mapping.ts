/** What `upstream.json` says: which API it is, and what collections and fields are called there. */
import { z } from 'zod';
import { type Catalogue, type Collection, perCollection } from '../../../gateway/model/catalogue.ts';
import type { Cell, Field } from '../../../gateway/model/field.ts';
import { kindOf } from '../../../gateway/model/kinds/kinds.ts';
import type { Row } from '../../../gateway/port/port.ts';
import { DatabaseError } from '../../database-error.ts';
import { badGateway } from './faults.ts';
import { jsonTypes, type MappedField, mappedField } from './values.ts';

/** An item as it is there. */
export type Json = Readonly<Record<string, unknown>>;

const presets = ['json-server', 'json-server-1', 'postgrest', 'this'] as const;

const fieldSchema = z.union([
  z.string().min(1),
  z.strictObject({
    name: z.string().min(1),
    type: z.enum(jsonTypes).optional(),
    /** What values are called there, by what they are called in the catalogue. */
    values: z.record(z.string(), z.string()).optional(),
  }),
]);

/** Members of an answer, the outer one first: `meta.total`. */
const place = z
  .string()
  .regex(/^[^.]+(\.[^.]+)*$/, 'must be names with dots between')
  .transform((path) => path.split('.'))
  .optional();

const collectionSchema = z.strictObject({
  /** Of its list, below the address of the API; a parent's name in braces stands for the parent's key. */
  path: z
    .string()
    .regex(/^\/[^?#]*$/, 'must begin with a slash, and have no query')
    .optional(),
  /** Of a nested collection that is a list of its own there: the member that has the parent's key. */
  parent: z.string().optional(),
  /** The member by which an item is addressed there, where that is not its key. */
  id: z.string().optional(),
  /** The member whose order is that of creation, for an API whose lists have no order of their own. */
  order: z.string().optional(),
  fields: z.record(z.string(), fieldSchema).default({}),
});

const schema = z.strictObject({
  preset: z.enum(presets),
  readOnly: z.boolean().default(false),
  /** The most items that are read to do here what the API cannot do. */
  here: z.int().min(0).max(1_000_000).default(10_000),
  /** Milliseconds for each exchange. */
  timeout: z.int().min(50).max(600_000).default(10_000),
  /** Bytes of one answer. */
  answerLimit: z.int().min(1_024).max(1_073_741_824).default(16_777_216),
  /** Where in its answers items are, their total, and a single item. */
  envelope: z.strictObject({ items: place, total: place, item: place }).default({}),
  /** Headers of the client that are passed on. */
  pass: z.array(z.string()).default([]),
  /** Headers that every request there has. */
  set: z.record(z.string(), z.string()).default({}),
  /** The database in which the service keeps keys and quotas of clients. */
  clients: z.string().min(1).default('data/clients.db'),
  /** Of the preset `this`: its words for parameters and directions, where it does not have the canonical names. */
  words: z.record(z.string(), z.string()).default({}),
  collections: z.record(z.string(), collectionSchema).default({}),
});

export type Preset = (typeof presets)[number];

/** The content of `upstream.json`. */
export type MappingFile = z.input<typeof schema>;

/** A collection as it is there. */
export interface MappedCollection extends Pick<z.output<typeof collectionSchema>, 'parent' | 'id'> {
  readonly collection: Collection;
  readonly path: string;
  readonly order: string;
  /** In the order of the collection's fields. */
  readonly fields: readonly MappedField[];
  readonly key: MappedField;
  /** The member of an item above that has its nested items, where they come within it: what the path ends with. */
  readonly member: string;
  /** @returns an item as the row of a list. @throws Problem `bad-gateway` where it is none */
  readonly row: (item: unknown) => Row;
  readonly of: (field: Field) => MappedField;
}

export interface Mapping extends Omit<z.output<typeof schema>, 'collections'> {
  readonly of: (collection: Collection) => MappedCollection;
  readonly catalogue: Catalogue;
}

const unknownIn = (what: string, sent: object, known: readonly { readonly name: string }[]): readonly string[] => {
  const unknown = Object.keys(sent).filter((name) => !known.some((each) => each.name === name));
  return unknown.map((name) => `${what}.${name}: the catalogue has no such thing`);
};

/** By default a nested list stands below the item that it belongs to, where the API is another instance of this service. */
const pathOf = ({ name, parent }: Collection): string =>
  parent ? `${pathOf(parent)}/{${parent.name}}/${name}` : `/${name}`;

/**
 * @param content of `upstream.json`
 * @throws DatabaseError with a line for each fault
 */
export const readMapping = (content: unknown, catalogue: Catalogue): Mapping => {
  const checked = schema.safeParse(content);
  if (!checked.success) {
    throw new DatabaseError(
      checked.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'),
    );
  }
  const { collections, ...rest } = checked.data;
  const faults = [...unknownIn('collections', collections, catalogue)];
  const of = perCollection(catalogue, (collection): MappedCollection => {
    const { fields: named, ...own } = collections[collection.name] ?? collectionSchema.parse({});
    const at = `collections.${collection.name}`;
    faults.push(...unknownIn(`${at}.fields`, named, collection.fields));
    const lists = collection.fields.filter((field) => kindOf(field).isList);
    faults.push(...lists.map(({ name }) => `${at}.fields.${name}: an API cannot have lists of texts`));
    const fields = collection.fields.map((field) => {
      const given = named[field.name] ?? field.name;
      if (typeof given === 'string') return mappedField(field, given);
      return mappedField(field, given.name, given.type, given.values);
    });
    const path = own.path ?? (own.parent === undefined ? pathOf(collection) : `/${collection.name}`);
    const { parent } = collection;
    if (parent && own.parent === undefined && !path.includes(`{${parent.name}}`)) {
      faults.push(`${at}: needs "parent", or {${parent.name}} in its path`);
    }
    const byName = new Map(fields.map((each) => [each.field.name, each]));
    const fieldOf = ({ name }: Field): MappedField => {
      const found = byName.get(name);
      if (!found) throw new TypeError(`no field "${name}"`);
      return found;
    };
    const key = fieldOf(collection.key);
    const row = (item: unknown): Row => {
      if (typeof item !== 'object' || item === null || Array.isArray(item)) {
        throw badGateway(`an item of ${collection.name} is no object`);
      }
      const row: [number, ...Cell[]] = [0];
      for (const { name, read } of fields) row.push(read((item as Json)[name]));
      if (row[1] === null) throw badGateway(`an item of ${collection.name} has no "${key.name}"`);
      return row;
    };
    const member = path.slice(path.lastIndexOf('/') + 1);
    return { ...own, collection, path, order: own.order ?? own.id ?? key.name, fields, key, member, row, of: fieldOf };
  });
  if (faults.length > 0) throw new DatabaseError(faults.join('\n'));
  return { ...rest, of, catalogue };
};
