/** A list that is empty because a comma was sent for “or”: the response says how several values are sent. */

import { andThen, type MaybePromise } from '../../util/maybe-promise.ts';
import type { HeaderRecord } from '../http/headers.ts';
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
export const commaHint = (
  language: Language,
  collection: Collection,
  { filters, ...query }: Query,
  count: (query: Query) => MaybePromise<number>,
): MaybePromise<HeaderRecord> => {
  const at = filters.findIndex((filter) => partsOf(filter).length > 0);
  const filter = filters[at];
  if (!filter) return {};
  const parts = partsOf(filter);
  const counts = (left: readonly string[]): MaybePromise<boolean> => {
    const [part, ...others] = left;
    if (part === undefined) return true;
    const replaced = { ...query, filters: filters.with(at, { ...filter, values: [part] }) };
    return andThen(count(replaced), (found) => found > 0 && counts(others));
  };
  const word = encodeURIComponent(language.fields(collection).word(filter.field.name));
  return andThen(
    counts(parts),
    (all): HeaderRecord =>
      all ? { 'X-Hint': parts.map((part) => `${word}=${encodeURIComponent(part)}`).join('&') } : {},
  );
};
