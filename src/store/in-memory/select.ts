/** What a query asks for, of items in memory. */

import type { Collection } from '../../gateway/model/catalogue.ts';
import type { Field } from '../../gateway/model/field.ts';
import { kindOf } from '../../gateway/model/kinds/kinds.ts';
import { LINE } from '../../gateway/model/kinds/list.ts';
import type { Filter, Query } from '../../gateway/model/query.ts';
import { foldCell } from '../../gateway/model/search/fold.ts';
import { rankOf, searchedIn } from '../../gateway/model/search/ranks.ts';
import { searchTerms } from '../../gateway/model/search/terms.ts';
import type { Row } from '../../gateway/port/port.ts';
import { cellOf, type Item } from './items.ts';
import { compareValues, orderOf } from './order.ts';

const passes = (item: Item, { field, operator, values }: Filter): boolean => {
  const value = item.value(field);
  const [end = 0] = values;
  if (value === null) return false;
  if (kindOf(field).isList)
    return String(value)
      .split(LINE)
      .some((line) => values.map(foldCell).includes(line));
  if (operator === 'equals') return values.some((wanted) => foldCell(wanted) === value);
  return operator === 'from' ? compareValues(value, end) >= 0 : compareValues(value, end) <= 0;
};

/** @returns the rank of an item in a search, 0 where it is not found; the same for all where nothing is searched */
const rankIn = (collection: Collection, search: string | undefined): ((item: Item) => number) => {
  const searched = searchedIn(collection);
  if (search === undefined || !searched) return () => 1;
  const words = searchTerms(search);
  const text = ({ row }: Item, fields: readonly Field[]): string =>
    fields.map((field) => cellOf(collection, row, field) ?? '').join(' ');
  return (item) => rankOf(words, text(item, searched.main), text(item, searched.rest));
};

/** The most frequent comes first, of equally frequent ones the first by code points. */
const mostFrequent = <T extends string | number>(counts: ReadonlyMap<T, number>): T | undefined =>
  [...counts].toSorted((one, other) => other[1] - one[1] || compareValues(one[0], other[0]))[0]?.[0];

/** @returns a row for each value of a field with the number of its items: most come first, those without a value last */
const groupsIn = (collection: Collection, items: readonly Item[], field: Field): readonly Row[] => {
  const groups = Map.groupBy(items, (item) => item.value(field));
  const size = (value: string | number): number => groups.get(value)?.length ?? 0;
  const values = [...groups.keys()]
    .filter((value) => value !== null)
    .toSorted((one, other) => size(other) - size(one) || compareValues(one, other));
  const lacking = groups.get(null);
  const writing = (value: string | number) => {
    const writings = new Map<string | number, number>();
    for (const { row } of groups.get(value) ?? []) {
      const text = cellOf(collection, row, field) ?? value;
      writings.set(text, (writings.get(text) ?? 0) + 1);
    }
    return mostFrequent(writings) ?? value;
  };
  return [
    ...values.map((value): Row => [0, writing(value), size(value)]),
    ...(lacking ? [[0, null, lacking.length] satisfies Row] : []),
  ];
};

/** @returns whether a query finds an item */
export const finderOf = (collection: Collection, { filters, search }: Query): ((item: Item) => boolean) => {
  const rank = rankIn(collection, search);
  return (item) => filters.every((filter) => passes(item, filter)) && rank(item) > 0;
};

/**
 * @param items of the list before filtering
 * @param withNested adds what is nested in an item to its row
 * @returns all rows that a query selects, in its order, as functions that make them
 */
export const select = (
  collection: Collection,
  items: Iterable<Item>,
  query: Query,
  withNested: (item: Item) => Row,
): readonly (() => Row)[] => {
  const matching = [...items].filter(finderOf(collection, query));
  if (query.group) return groupsIn(collection, matching, query.group).map((row) => () => row);
  return matching.toSorted(orderOf(query, rankIn(collection, query.search))).map((item) => () => withNested(item));
};
