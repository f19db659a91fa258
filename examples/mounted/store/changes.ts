/** What changed in a list of items in memory. */
import type { Cell } from 'car-dealer-catalogue/model/field';
import type { Query, Since } from 'car-dealer-catalogue/model/query';
import type { Collection } from 'car-dealer-catalogue/schema';
import type { Keys, Row } from 'car-dealer-catalogue/stores/port';
import type { Item } from 'car-dealer-catalogue/stores/rules/in-memory/items';
import { finderOf } from 'car-dealer-catalogue/stores/rules/in-memory/select';

/** An item that was deleted. */
export interface Deleted {
  readonly change: number;
  readonly keys: Keys;
}

/**
 * @param items of the list before filtering
 * @param deleted from it, and not there again
 * @param lastOf the last change of an item, or of what is nested in it and is told, too
 * @param withNested adds what is nested in an item to its row
 * @returns what changed since a position, in the order of the changes: of what is not in the list any more its key, and that it is deleted
 */
export const changesIn = (
  collection: Collection,
  items: Iterable<Item>,
  deleted: Iterable<Deleted>,
  query: Query,
  { change, floor = 0 }: Since,
  lastOf: (item: Item) => number,
  withNested: (item: Item, more: Cell) => Row,
): readonly Row[] => {
  const isFound = finderOf(collection, query);
  const gone = (at: number, keys: Keys): Row => [
    at,
    ...collection.fields.map(({ isKey }) => (isKey ? (keys.at(-1) ?? null) : null)),
    1,
  ];
  const written = [...items].flatMap((item): readonly Row[] => {
    const at = lastOf(item);
    if (isFound(item)) return [[at, ...withNested(item, null).slice(1)]];
    return at > floor ? [gone(at, item.keys)] : [];
  });
  const removed = [...deleted].filter((each) => each.change > floor).map((each) => gone(each.change, each.keys));
  return [...written, ...removed].filter(([at]) => at > change).toSorted(([one], [other]) => one - other);
};
