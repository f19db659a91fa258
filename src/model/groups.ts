/**
 * Groups of items: how many of a list have each value of a field. A list of them is a list of rows of a collection that is
 * derived from the items' own, so that whatever writes items writes groups.
 */
import type { Collection } from './catalogue.ts';
import { type Field, integer } from './field.ts';
import { TOTAL } from './query.ts';

const total: Field = { name: TOTAL, ...integer({ min: 1, max: Number.MAX_SAFE_INTEGER }) };

/** @returns the collection of a field's values; the last group has none, where items lack it */
export const groupsOf = (collection: Collection, field: Field): Collection => {
  const value = { ...field, isKey: false, required: false };
  return { ...collection, fields: [value, total], key: value, isGrouped: true };
};
