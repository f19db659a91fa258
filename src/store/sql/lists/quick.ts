import type { Collection } from '../../../model/catalogue.ts';
import type { Query } from '../../../model/query.ts';
import { isRange } from './counts.ts';

/** @returns whether an index makes a list fast at any size */
export const isQuick = ({ parent }: Collection, { filters, search, group, sort }: Query): boolean => {
  if (parent || search !== undefined || group) return false;
  const [first, ...more] = filters;
  const [by, ...others] = sort;
  // Any number of rows may have the same value of the first field, and be sorted by the second.
  if (others.length > 0) return false;
  if (!first) return by === undefined || by.indexed;
  if (!first.field.indexed) return false;
  // The rows of a range are next to each other in the order of its field only.
  if (filters.every(isRange)) return by !== undefined && filters.every(({ field }) => field === by);
  return more.length === 0 && by === undefined && first.values.length === 1;
};
