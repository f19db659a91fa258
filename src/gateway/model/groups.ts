/**
 * Groups of items: how many items of a list have each value of a field. Groups are rows of a collection derived from the items'
 * own, so that every format of items can write them.
 */
import type { Collection } from './catalogue.ts';
import { type Field, integer } from './field.ts';
import { TOTAL } from './query.ts';

const total: Field = { name: TOTAL, ...integer({ min: 1, max: Number.MAX_SAFE_INTEGER }) };

/** @returns the collection of a field's groups; the group of items that lack the field comes last */
export const groupsOf = (collection: Collection, field: Field): Collection => {
  const value = { ...field, isKey: false, required: false };
  return { ...collection, fields: [value, total], key: value, isGrouped: true };
};
