import type { Cell, Field, FieldSpec } from './field.ts';
import { DELETED, parameters, TOTAL } from './query.ts';
import { refuseLost } from './references.ts';

/** A collection of items, at the top or nested in the items of another one. Plain data, like its fields. */
export interface Collection {
  /** Different for each list of a catalogue: the canonical name, but of a list across parents. */
  readonly id: string;
  /** Canonical name; each language has its own path segment for it. */
  readonly name: string;
  /** What it was called in an earlier catalogue, whose databases have it so until a start renames it. */
  readonly was?: string;
  /** In the order of body members; the first is the key. */
  readonly fields: readonly Field[];
  readonly key: Field;
  /** Which fields have values that depend on other items: unique ones, and references. */
  readonly constrained: readonly number[];
  readonly parent: Collection | undefined;
  /** Whether its items lie in those of another collection, wherever they are listed. */
  readonly isNested: boolean;
  /** Of a nested collection that is listed: its items in all parents as one list at the top, each with the key of its parent. */
  readonly all?: Collection;
  /** Of such a list: the collection whose items it has. */
  readonly nested?: Collection;
  /** Whether its items are derived from those of the collection that has its name (see `derived.ts`). */
  readonly isDerived?: true;
  /** The collections nested in each of its items. */
  readonly children: readonly Collection[];
}

/** Every collection, parents first. */
export type Catalogue = readonly Collection[];

/** @returns the same collections, and each list across parents behind the collection whose items it has */
export const listsOf = (catalogue: Catalogue): Catalogue =>
  catalogue.filter(({ nested }) => !nested).flatMap((each) => (each.all ? [each, each.all] : [each]));

/** @returns the canonical names of collections or fields */
export const namesOf = (named: readonly { readonly name: string }[]): readonly string[] =>
  named.map(({ name }) => name);

/** @returns whether a field is part of what identifies an item of its list */
export const identifies = ({ isKey, owner }: Field): boolean => isKey || owner !== undefined;

interface CollectionSpec {
  readonly name: string;
  readonly was?: string;
  readonly fields: readonly Field[];
  readonly children: readonly CollectionSpec[];
  readonly isListed?: boolean;
}

/** @throws TypeError where the catalogue has no such collection, and no such list */
export const collectionOf = (catalogue: Catalogue, id: string): Collection => {
  const found = catalogue.find((each) => each.id === id) ?? listsOf(catalogue).find((each) => each.id === id);
  if (!found) throw new TypeError(`no collection "${id}"`);
  return found;
};

/** @returns the cells of a new item: what was not sent has its default, or no value */
export const newCells = ({ fields }: Collection, sent: readonly (Cell | undefined)[]): readonly Cell[] =>
  sent.map((cell, at) => (cell === undefined ? (fields[at]?.default ?? null) : cell));

/**
 * Makes a value for each collection, once.
 *
 * @returns a function that looks it up by the collection's id, so that a copy of a collection finds it too
 */
export const perCollection = <T>(
  catalogue: Catalogue,
  make: (collection: Collection) => T,
): ((collection: Collection) => T) => {
  const made = new Map(catalogue.map((collection) => [collection.id, make(collection)]));
  return ({ id }) => {
    const found = made.get(id);
    if (found === undefined) throw new TypeError(`no collection "${id}"`);
    return found;
  };
};

/** @throws TypeError where a former name is one that something else has, or had */
const refuseTwice = (all: readonly { readonly name: string; readonly was?: string }[]): void => {
  const names = all.flatMap(({ name, was }) => (was === undefined || was === name ? [name] : [name, was]));
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) throw new TypeError(`"${twice}" is the name, or was, of two things`);
};

/** Names are also names of tables and columns, where a leading underscore marks the store's own. */
const NAME = /^[a-z][A-Za-z0-9]*$/;

/** Characters of a unique text, so that PostgreSQL can index it (2,704 bytes). */
const MOST_UNIQUE = 500;

/**
 * @param named canonical name, and what that was before where it has changed
 * @param specs its fields by canonical name, in order, the key first
 * @param children the collections nested in each of its items
 * @throws TypeError where a name is not allowed, a former one is that of another field, or the key is not the first field
 */
export const collection = (
  named: string | Pick<CollectionSpec, 'name' | 'was'>,
  specs: Readonly<Record<string, FieldSpec>>,
  ...children: readonly CollectionSpec[]
): CollectionSpec => {
  const own = typeof named === 'string' ? { name: named } : named;
  const { name } = own;
  const fields = Object.entries(specs).map(([field, spec]) => ({ name: field, ...spec }));
  const former = [own, ...fields].flatMap(({ was }) => was ?? []);
  const misnamed = [name, ...Object.keys(specs), ...former].find((each) => !NAME.test(each));
  if (misnamed !== undefined) throw new TypeError(`"${misnamed}" must be lower camel case`);
  const clash = fields.find(({ name }) => [TOTAL, DELETED, ...parameters].includes(name));
  if (clash) throw new TypeError(`"${clash.name}" means something else in every list and cannot be a field of ${name}`);
  if (!fields[0]?.isKey || fields.some((field, at) => field.isKey && at > 0)) {
    throw new TypeError(`the first field of ${name}, and only that, must be its key`);
  }
  const wide = fields.find(({ unique, kind, max }) => unique && kind === 'text' && max > MOST_UNIQUE);
  if (wide) throw new TypeError(`"${wide.name}" can only be unique up to ${MOST_UNIQUE} characters`);
  refuseTwice(fields);
  return { ...own, fields, children };
};

/** @returns the same nested collection, whose items are in one list across parents, too: found by their parent, whose key each has */
export const listed = (nested: CollectionSpec): CollectionSpec => ({ ...nested, isListed: true });

/** @returns the list across parents of a nested collection; the parent's key is its last field, and has the parent's name */
const acrossParents = (nested: Collection, { name, key }: Collection): Collection => ({
  ...nested,
  id: `all${nested.name.slice(0, 1).toUpperCase()}${nested.name.slice(1)}`,
  fields: [
    ...nested.fields,
    { ...key, name, isKey: false, required: true, assigned: false, indexed: false, searchable: false, owner: key.name },
  ],
  parent: undefined,
  children: [],
  nested,
});

/** Ties a collection to its parent, its children and its list across parents. @returns it, and those nested in it */
function tie(
  { children: specs, isListed = false, ...spec }: CollectionSpec,
  parent: Collection | undefined,
): Catalogue {
  const { name, fields } = spec;
  const [key] = fields;
  if (!key) throw new TypeError(`${name} has no fields`);
  if (parent?.parent) throw new TypeError(`${name} is nested deeper than the store supports`);
  if (isListed && !parent) throw new TypeError(`${name} is at the top, where every collection is listed`);
  if (isListed && fields.some((field) => field.name === parent?.name))
    throw new TypeError(`"${parent?.name}" is the parent of ${name} and cannot be a field of it`);
  const children: Collection[] = [];
  const constrained = fields.flatMap(({ unique, refersTo }, at) => (unique || refersTo ? [at] : []));
  const own: { -readonly [K in keyof Collection]: Collection[K] } = {
    id: name,
    ...spec,
    key,
    constrained,
    parent,
    isNested: parent !== undefined,
    children,
  };
  const nested = specs.flatMap((each) => tie(each, own));
  children.push(...nested.filter((each) => each.parent === own));
  delete own.all;
  if (parent && isListed) own.all = acrossParents(own, parent);
  return [own, ...nested];
}

/** @returns the same catalogue, in which each nested collection is listed across parents, unless a field has the parent's name */
export const withAllListed = (catalogue: Catalogue): Catalogue =>
  catalogue
    .filter(({ parent }) => !parent)
    .flatMap((top) => {
      const isClash = ({ fields }: Collection): boolean => fields.some(({ name }) => name === top.name);
      return tie({ ...top, children: top.children.map((each) => (isClash(each) ? each : listed(each))) }, undefined);
    });

/**
 * @param roots the collections at the top, with those nested in them
 * @returns all collections in one list, each with its parent
 * @throws TypeError where a field refers to no other collection at the top
 */
export const defineCatalogue = (...roots: readonly CollectionSpec[]): Catalogue => {
  const catalogue = roots.flatMap((root) => tie(root, undefined));
  refuseTwice(catalogue);
  refuseLost(catalogue);
  return catalogue;
};
