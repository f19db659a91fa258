/** The items that the outcomes of writes depend on, read before they are applied. */
import {
  type Catalogue,
  type Collection,
  collectionOf,
  listsOf,
  perCollection,
} from '../../../gateway/model/catalogue.ts';
import type { Cell, Field, Value } from '../../../gateway/model/field.ts';
import { referringTo as fieldsReferringTo } from '../../../gateway/model/references.ts';
import type { Intent, Keys, Row } from '../../../gateway/port/port.ts';
import { selectReferring } from '../../sql/items.ts';
import { type BatchStatement, type Reader, settleAll } from '../connection/connection.ts';
import { finderOf, joinKeys } from '../reads/find.ts';

export const entryName = ({ name }: Collection, keys: Keys): string => joinKeys([name, ...keys]);

type Address = readonly [collection: Collection, keys: Keys];

const cellsOf = (intent: Intent): readonly (Cell | undefined)[] => {
  if (intent.kind === 'remove') return [];
  return intent.kind === 'create' ? intent.cells : intent.changes;
};

/** @returns the items that an intent's outcome depends on */
const concernedBy = (catalogue: Catalogue, intent: Intent): readonly Address[] => {
  const collection = collectionOf(catalogue, intent.collection);
  const keys = intent.kind === 'create' ? [...intent.parents, String(intent.cells[0])] : intent.keys;
  return [
    [collection, keys],
    ...(collection.parent ? [[collection.parent, keys.slice(0, -1)] as const] : []),
    ...collection.fields.flatMap(({ refersTo }, at): readonly Address[] => {
      const value = cellsOf(intent)[at] ?? null;
      return refersTo && value !== null ? [[collectionOf(catalogue, refersTo), [String(value)]]] : [];
    }),
  ];
};

/** What an item may not have in common with others. */
type Sought = readonly [collection: Collection, field: Field, value: Value];

/** @returns the values that an intent's outcome depends on, if others have them */
const soughtBy = (catalogue: Catalogue, intent: Intent): readonly Sought[] => {
  const collection = collectionOf(catalogue, intent.collection);
  return collection.fields.flatMap((field, at): readonly Sought[] => {
    const value = cellsOf(intent)[at] ?? null;
    return field.unique && value !== null ? [[collection, field, value]] : [];
  });
};

export type FoundItem = readonly [...Address, Row];

/** @returns a function that reads the items that the outcomes of intents depend on; an item may come twice */
export const itemsReader = (catalogue: Catalogue) => {
  const finder = perCollection(listsOf(catalogue), finderOf);
  const rowsOf = async (reader: Reader, collection: Collection, wanted: BatchStatement) =>
    (await reader.rows<Cell[]>(wanted))
      .map(finder(collection).read)
      .map(({ keys, row }) => [collection, keys, row] as const);

  /** Reads what a list across parents tells of items that are deleted. */
  const listedIn = (reader: Reader, { children }: Collection, keys: readonly Keys[]) =>
    children
      .filter(({ all }) => all && keys.length > 0)
      .map((child) => rowsOf(reader, child, finder(child).within(keys.map(([key = '']) => key))));

  /** Reads the items that refer to one which is deleted, and to those that are deleted with it. */
  const referringTo = async (
    reader: Reader,
    deleted: Collection,
    [key = '']: Keys,
    seen = new Set<string>(),
  ): Promise<readonly FoundItem[]> => {
    const name = entryName(deleted, [key]);
    if (deleted.parent || seen.has(name)) return [];
    seen.add(name);
    const found = fieldsReferringTo(catalogue, deleted).map(async ({ collection, field }) => {
      const items = await rowsOf(reader, collection, selectReferring(collection, field, key));
      if (field.onDelete !== 'delete') return items;
      const further = items.map(([of, keys]) => referringTo(reader, of, keys, seen));
      const gone = items.map(([, keys]) => keys);
      return [items, ...(await settleAll([...further, ...listedIn(reader, collection, gone)]))].flat();
    });
    return (await settleAll(found)).flat();
  };

  return async (reader: Reader, intents: readonly Intent[]): Promise<readonly FoundItem[]> => {
    const items = intents.flatMap((intent) => concernedBy(catalogue, intent));
    const sought = intents.flatMap((intent) => soughtBy(catalogue, intent));
    // Others are read that refer to them.
    const deleted = intents.flatMap((intent) =>
      intent.kind === 'remove' ? [[collectionOf(catalogue, intent.collection), intent.keys] as const] : [],
    );
    const found = [
      ...[...Map.groupBy(items, ([collection]) => collection)].map(([collection, all]) =>
        rowsOf(reader, collection, finder(collection).find(all.map(([, keys]) => keys))),
      ),
      ...[...Map.groupBy(sought, ([, field]) => field)].flatMap(([field, all]) => {
        const values = all.map(([, , value]) => value);
        return all.slice(0, 1).map(([of]) => rowsOf(reader, of, finder(of).having(field, values)));
      }),
      ...deleted.map(([collection, keys]) => referringTo(reader, collection, keys)),
      ...[...Map.groupBy(deleted, ([collection]) => collection)].flatMap(([collection, gone]) =>
        listedIn(
          reader,
          collection,
          gone.map(([, keys]) => keys),
        ),
      ),
    ];
    return (await settleAll(found)).flat();
  };
};
