/** What changed in a list of items in memory. */
import type { Cell } from 'car-dealer-catalogue/model/field';
import type { ChangeCursor, Query } from 'car-dealer-catalogue/model/query';
import type { Collection } from 'car-dealer-catalogue/schema';
import type { Keys, Row } from 'car-dealer-catalogue/stores/port';
import type { Item } from './items.ts';
import { finderOf } from './select.ts';

/** An item that was deleted. */
export interface Deleted {
  readonly change: number;
  readonly keys: Keys;
}

/**
 * @param items of the list before filtering
 * @param deleted from it, and not there again
 * @param lastOf the last change of an item, or of what it includes
 * @param including adds to an item's row what it includes
 * @returns what changed since a position, in the order of the changes: of what is not in the list any more its key, and that it is
 *   deleted; at the end of each row is the number of the item's creation, if it is in the list
 */
export const changesIn = (
  collection: Collection,
  items: Iterable<Item>,
  deleted: Iterable<Deleted>,
  query: Query,
  { change, tieBreaker: within = Infinity, snapshotStart: floor = 0 }: ChangeCursor,
  lastOf: (item: Item) => number,
  including: (item: Item, more: Cell) => Row,
): readonly Row[] => {
  const isFound = finderOf(collection, query);
  const gone = (at: number, keys: Keys) => {
    const cells = collection.fields.map(({ isKey }) => (isKey ? (keys.at(-1) ?? null) : null));
    return { at, created: null, row: [at, ...cells, 1, ...(query.include ?? []).map(() => null)] satisfies Row };
  };
  const written = [...items].map((item) => {
    if (!isFound(item)) return gone(item.row[0], item.keys);
    const [at, [, ...cells]] = [lastOf(item), including(item, null)];
    return { at, created: item.created, row: [at, ...cells] satisfies Row };
  });
  const removed = [...deleted].map((each) => gone(each.change, each.keys));
  return [...written, ...removed]
    .filter(({ at, created }) => created !== null || at > floor)
    .filter(({ at, created }) => at > change || (at === change && (created ?? 0) > within))
    .toSorted((one, other) => one.at - other.at || (one.created ?? 0) - (other.created ?? 0))
    .map(({ created, row }) => [...row, created]);
};
