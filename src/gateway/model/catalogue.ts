/** The catalogue: its collections, at the top or nested, and what is derived from them. Plain data, like their fields. */
import type { Cell, Field, FieldSpec } from './field.ts';
import { flag, integer } from './fields.ts';
import { DELETED, keyId, parameters, TAG, TOTAL } from './query.ts';

export interface Collection {
  /** Different for each list of a catalogue: the canonical name, but of a list across parents. */
  readonly routeId: string;
  readonly name: string;
  /** The name in an earlier catalogue. Databases have that one until a start of the service renames it. */
  readonly renamedFrom?: string;
  /** In the order of body members; the first is the key. */
  readonly fields: readonly Field[];
  readonly key: Field;
  /** Which fields have values that depend on other items: unique ones, and references. */
  readonly constrained: readonly number[];
  readonly parent: Collection | undefined;
  readonly isChild: boolean;
  /** The items of a nested collection in all parents as one list at the top, each with the key of its parent. */
  readonly all?: Collection;
  readonly flattens?: Collection;
  /** Whether its items are derived from those of the collection that has its name. */
  readonly isDerived?: true;
  readonly children: readonly Collection[];
}

export type Catalogue = readonly Collection[];

export const allLists = (catalogue: Catalogue): Catalogue =>
  catalogue.filter(({ flattens }) => !flattens).flatMap((list) => [list, ...(list.all ? [list.all] : [])]);

export const listNames = (owners: readonly { readonly name: string }[]): readonly string[] =>
  owners.map(({ name }) => name);

export const identifies = ({ isKey, owner }: Field): boolean => isKey || owner !== undefined;

/** @returns whether an item of the collection has several addresses, as its key or that of its parent can be written in several ways */
export const hasCompactKey = ({ key, parent }: Collection): boolean =>
  key.compact === true || parent?.key.compact === true;

/** @returns the keys in the form that identifies an item, from the top down: for an item itself, or for the parents of a list */
export function keyIds(collection: Collection, keys: readonly string[]): readonly string[] {
  if (!hasCompactKey(collection)) return keys;
  const path = collection.parent ? [collection.parent, collection] : [collection];
  return keys.map((key, depth) => keyId(path[depth]?.key ?? {}, key));
}

export function findCollection(catalogue: Catalogue, id: string): Collection {
  const match = [...catalogue, ...allLists(catalogue)].find(({ routeId }) => routeId === id);
  if (!match) throw new TypeError(`no collection "${id}"`);
  return match;
}

export const newCells = ({ fields }: Collection, cells: readonly (Cell | undefined)[]): readonly Cell[] =>
  cells.map((cell, at) => (cell === undefined ? (fields[at]?.default ?? null) : cell));

/** Makes a value for each collection. @returns looks it up by the id, so that a copy of the collection finds it, too */
export function perCollection<T>(catalogue: Catalogue, make: (collection: Collection) => T): (key: Collection) => T {
  const values = new Map(catalogue.map((collection) => [collection.routeId, make(collection)]));
  return ({ routeId }) => {
    const value = values.get(routeId);
    if (value === undefined) throw new TypeError(`no collection "${routeId}"`);
    return value;
  };
}

export const findReferences = (catalogue: Catalogue, { name }: Pick<Collection, 'name'>) =>
  catalogue.flatMap((collection) =>
    collection.fields.filter(({ refersTo }) => refersTo === name).map((field) => ({ collection, field })),
  );

const total: Field = { name: TOTAL, ...integer({ min: 1, max: Number.MAX_SAFE_INTEGER }) };

export function deriveGroups(collection: Collection, field: Field): Collection {
  const value = { ...field, isKey: false, required: false };
  return { ...collection, fields: [value, total], key: value, isDerived: true };
}

export const deletedField: Field = { name: DELETED, ...flag() };

/** @returns the collection of what changed in a list: items as they are now, and the keys of those that are gone */
export const deriveChanges = (collection: Collection): Collection => ({
  ...collection,
  fields: [...collection.fields.map((field) => ({ ...field, required: false })), deletedField],
  isDerived: true,
});

export const eventPrefix = ({ name, parent }: Collection): string => (parent ? `${name.replace(/s$/, '')}.` : '');

interface CollectionSpec {
  readonly name: string;
  readonly renamedFrom?: string;
  readonly fields: readonly Field[];
  readonly children: readonly CollectionSpec[];
  /** Whether the items of a nested collection are in one list across all parents, too. Each has its parent's key there, and is found by it. */
  readonly alsoTopLevel?: boolean;
}

/** Names are also names of tables and columns; those with a leading underscore are the store's own. */
const NAME = /^[a-z][A-Za-z0-9]*$/;

/** Characters of a unique text, so that PostgreSQL can index it (2,704 bytes). */
const MOST_UNIQUE = 500;

/** @throws TypeError if a name is not allowed, a former one is that of another field, or the key is not the first field */
export function collection(
  owner: string | Pick<CollectionSpec, 'name' | 'renamedFrom' | 'alsoTopLevel'>,
  specs: Readonly<Record<string, FieldSpec>>,
  ...children: readonly CollectionSpec[]
): CollectionSpec {
  const own = typeof owner === 'string' ? { name: owner } : owner;
  const fields = Object.entries(specs).map(([name, spec]) => ({ name, ...spec }));
  const names = [own, ...fields].flatMap(({ name, renamedFrom = name }) => [name, renamedFrom]);
  const invalidName = names.find((name) => !NAME.test(name));
  if (invalidName !== undefined) throw new TypeError(`"${invalidName}" must be lower camel case`);
  const clash = fields.find(({ name }) => [TOTAL, DELETED, TAG, ...parameters].includes(name));
  if (clash)
    throw new TypeError(`"${clash.name}" means something else in every list and cannot be a field of ${own.name}`);
  if (!fields[0]?.isKey || fields.some((field, at) => field.isKey && at > 0)) {
    throw new TypeError(`the first field of ${own.name}, and only that, must be its key`);
  }
  const wide = fields.find(({ unique, kind, max }) => unique && kind === 'text' && max > MOST_UNIQUE);
  if (wide) throw new TypeError(`"${wide.name}" can only be unique up to ${MOST_UNIQUE} characters`);
  refuseRepeated(fields);
  return { ...own, fields, children };
}

export function defineCatalogue(...roots: readonly CollectionSpec[]): Catalogue {
  const compactNames = roots.filter(({ fields: [key] }) => key?.compact).map(({ name }) => name);
  const catalogue = roots.flatMap((root) => tie(compareReferences(root, compactNames), undefined));
  refuseRepeated(catalogue);
  for (const own of catalogue) checkReferences(catalogue, own);
  return catalogue;
}

/** @returns a collection whose references to compact keys compare as those do */
function compareReferences(spec: CollectionSpec, compactNames: readonly string[]): CollectionSpec {
  const isCompact = ({ refersTo = '' }: Field): boolean => compactNames.includes(refersTo);
  return {
    ...spec,
    fields: spec.fields.map((field) => (isCompact(field) ? { ...field, compact: true } : field)),
    children: spec.children.map((child) => compareReferences(child, compactNames)),
  };
}

/** @returns a catalogue in which each nested collection is at the top level, too, unless a field has the parent's name */
export const withAllTopLevel = (catalogue: Catalogue): Catalogue =>
  catalogue
    .filter(({ parent }) => !parent)
    .flatMap((top) => {
      const hasTop = ({ fields }: Collection) => fields.some(({ name }) => name === top.name);
      const children = top.children.map((child) => ({ ...child, alsoTopLevel: !hasTop(child) }));
      return tie({ ...top, children }, undefined);
    });

function tie({ children: specs, alsoTopLevel, ...spec }: CollectionSpec, parent: Collection | undefined): Catalogue {
  const { name, fields } = spec;
  const [key] = fields;
  if (!key) throw new TypeError(`${name} has no fields`);
  if (parent?.parent) throw new TypeError(`${name} is nested deeper than the store supports`);
  if (alsoTopLevel && !parent) throw new TypeError(`${name} is at the top level in any case`);
  if (alsoTopLevel && fields.some((field) => field.name === parent?.name))
    throw new TypeError(`"${parent?.name}" is the parent of ${name} and cannot be a field of it`);
  const children: Collection[] = [];
  const constrained = fields.flatMap(({ unique, refersTo }, at) => (unique || refersTo ? [at] : []));
  const own: { -readonly [K in keyof Collection]: Collection[K] } = {
    routeId: name,
    ...spec,
    key,
    constrained,
    parent,
    isChild: parent !== undefined,
    children,
  };
  const nested = specs.flatMap((child) => tie(child, own));
  children.push(...nested.filter((child) => child.parent === own));
  delete own.all;
  if (parent && alsoTopLevel) own.all = flattenIntoParents(own, parent);
  return [own, ...nested];
}

const flattenIntoParents = (nested: Collection, { name, key }: Collection): Collection => ({
  ...nested,
  routeId: `all${nested.name.slice(0, 1).toUpperCase()}${nested.name.slice(1)}`,
  fields: [
    ...nested.fields,
    { ...key, name, isKey: false, required: true, assigned: false, indexed: false, searchable: false, owner: key.name },
  ],
  parent: undefined,
  children: [],
  flattens: nested,
});

function refuseRepeated(all: readonly { readonly name: string; readonly renamedFrom?: string }[]): void {
  const names = all.flatMap(({ name, renamedFrom = name }) => [...new Set([name, renamedFrom])]);
  const repeated = names.find((name, at) => names.indexOf(name) < at);
  if (repeated !== undefined) throw new TypeError(`"${repeated}" is the name, or renamedFrom, of two things`);
}

function checkReferences(catalogue: Catalogue, { name, fields, children }: Collection): void {
  const tops = listNames(catalogue.filter(({ parent }) => !parent));
  const both = fields.find((field) => field.refersTo && listNames(children).includes(field.name));
  if (both) throw new TypeError(`"${both.name}" is a reference of ${name}, and the name of what is nested in it`);
  const dangling = fields.find(({ refersTo: to }) => to && (to === name || !tops.includes(to)));
  if (dangling)
    throw new TypeError(
      `"${dangling.name}" of ${name} refers to "${dangling.refersTo}", which is no other collection at the top`,
    );
}
