/** A list that is empty because a comma was sent for “or”: the response says how several values are sent. */

import type { HeaderRecord } from '../http/context.ts';
import type { Language } from '../locale/language.ts';
import type { Collection } from '../model/catalogue.ts';
import type { Filter, Query } from '../model/query.ts';

/** The most values that are looked for, each by a count of its own. */
const MOST = 5;

/** @returns the values that a comma separates; none where there are too many to be looked for */
const partsOf = ({ operator, values: [value, ...others] }: Filter): readonly string[] => {
  if (operator !== 'equals' || typeof value !== 'string' || others.length > 0) return [];
  const parts = value.split(',', MOST + 1).map((part) => part.trim());
  return parts.length > 1 && parts.length <= MOST && !parts.includes('') ? parts : [];
};

/**
 * @param count counts what another query finds in the same list
 * @returns `X-Hint` for an empty list, with the parameters that find something; without it, nothing is written
 */
export const commaHint = async (
  language: Language,
  collection: Collection,
  { filters, ...query }: Query,
  count: (query: Query) => Promise<number>,
): Promise<HeaderRecord> => {
  const at = filters.findIndex((filter) => partsOf(filter).length > 0);
  const filter = filters[at];
  if (!filter) return {};
  const parts = partsOf(filter);
  for (const part of parts) {
    const found = await count({ ...query, filters: filters.with(at, { ...filter, values: [part] }) });
    if (found === 0) return {};
  }
  const word = encodeURIComponent(language.fields(collection).word(filter.field.name));
  return { 'X-Hint': parts.map((part) => `${word}=${encodeURIComponent(part)}`).join('&') };
};
