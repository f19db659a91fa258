/** Collections whose items are derived from those of another one. */
import type { Collection } from './catalogue.ts';
import type { Field } from './field.ts';
import { flag, integer } from './fields.ts';
import { DELETED, TOTAL } from './query.ts';

const total: Field = { name: TOTAL, ...integer({ min: 1, max: Number.MAX_SAFE_INTEGER }) };

/**
 * Groups of items, which say how many items of a list have each value of a field. They are rows of a collection derived from the
 * items' own, so that every format of items can write them.
 *
 * @returns the collection of a field's groups; the group of items that lack the field comes last
 */
export const groupsOf = (collection: Collection, field: Field): Collection => {
  const value = { ...field, isKey: false, required: false };
  return { ...collection, fields: [value, total], key: value, isDerived: true };
};

export const deletedField: Field = { name: DELETED, ...flag() };

/** @returns how the names of a collection's events begin: of nested items with what they are, in the singular */
export const eventPrefix = ({ name, parent }: Collection): string => (parent ? `${name.replace(/s$/, '')}.` : '');

/**
 * What changed in a list, as rows of a collection derived from its own: the items as they are now, and of those that are not in
 * the list any more their key, and that they are deleted.
 */
export const changesOf = (collection: Collection): Collection => ({
  ...collection,
  fields: [...collection.fields.map((field) => ({ ...field, required: false })), deletedField],
  isDerived: true,
});
