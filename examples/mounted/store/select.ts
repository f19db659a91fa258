/** What a query asks for, of items in memory. */

import type { Cell, Field } from 'car-dealer-catalogue/model/field';
import { getKind } from 'car-dealer-catalogue/model/kinds/kinds';
import { LINE } from 'car-dealer-catalogue/model/kinds/texts';
import {
  CURSOR_TEXT,
  type Cursor,
  type Filter,
  foldCell,
  isRanked,
  type Query,
  selectWindow,
  usesCursor,
} from 'car-dealer-catalogue/model/query';
import { findRank, findSearchedFields, searchTerms } from 'car-dealer-catalogue/model/search';
import type { Collection } from 'car-dealer-catalogue/schema';
import type { ReadResult, Row } from 'car-dealer-catalogue/stores/port';
import { cellOf, type Item } from './items.ts';
import { compareValues, orderOf } from './order.ts';

const passes = (item: Item, { field, operator, values }: Filter): boolean => {
  const value = item.value(field);
  const [end = 0] = values;
  if (value === null) return false;
  if (getKind(field).isList)
    return String(value)
      .split(LINE)
      .some((line) => values.map(foldCell).includes(line));
  if (operator === 'equals') return values.some((wanted) => foldCell(wanted) === value);
  return operator === 'from' ? compareValues(value, end) >= 0 : compareValues(value, end) <= 0;
};

/** @returns the rank of an item in a search, 0 where it is not found; the same for all where nothing is searched */
const rankIn = (collection: Collection, search: string | undefined): ((item: Item) => number) => {
  const searched = findSearchedFields(collection);
  if (search === undefined || !searched) return () => 1;
  const words = searchTerms(search);
  const text = ({ row }: Item, fields: readonly Field[]): string =>
    fields.map((field) => cellOf(collection, row, field) ?? '').join(' ');
  return (item) => findRank(words, text(item, searched.main), text(item, searched.rest));
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

/** @returns where the page before ended, as an item; a text that was cut to fit into a URL is looked up in the item itself, as long as that is there */
function endOfPage(items: readonly Item[], { sort }: Query, position: Cursor): Item {
  const created = Number(position.at(-1));
  const last = items.find((item) => item.created === created);
  const value = (field: Field): Cell => {
    const cell = position[sort.indexOf(field)] ?? null;
    const whole = last?.value(field) ?? null;
    const isCut = typeof cell === 'string' && cell.length >= CURSOR_TEXT - 1 && String(whole).startsWith(cell);
    return isCut ? whole : cell;
  };
  return { keys: [], created, row: [0], value };
}

/**
 * @param items of the list before filtering
 * @param rowOf makes the row of an item, with what it includes
 * @returns the rows of the page that a query asks for, how many match in all, and where the page ends, if another one follows by position
 */
export function select(
  collection: Collection,
  items: Iterable<Item>,
  query: Query,
  rowOf: (item: Item) => Row,
): Omit<ReadResult, 'change'> {
  const { offset, limit } = selectWindow(query);
  const matching = [...items].filter(finderOf(collection, query));
  if (query.group) {
    const groups = groupsIn(collection, matching, query.group);
    return { total: groups.length, rows: groups.slice(offset, offset + limit) };
  }
  const end = query.after && endOfPage(matching, query, query.after.position);
  const found = isRanked(query) ? rankIn(collection, query.search) : () => 0;
  const rank = (item: Item): number =>
    item === end && isRanked(query) ? Number(query.after?.position[0]) : found(item);
  const order = orderOf(query, rank);
  const following = matching.filter((item) => !end || order(end, item) < 0).toSorted(order);
  const page = following.slice(offset, offset + limit);
  const last = page.at(-1);
  const isFollowed = usesCursor(query) && following.length > offset + page.length;
  const place = last && (isRanked(query) ? [rank(last)] : query.sort.map(last.value));
  const next = last && place && isFollowed ? [...place, last.created] : undefined;
  return { total: matching.length, rows: page.map(rowOf), nextCursor: next };
}
