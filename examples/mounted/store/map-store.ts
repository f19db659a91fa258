/** A store that keeps its items in memory and nothing else: for examples, tests, and as a pattern for stores of others. */

import type { Cell, Field } from 'car-dealer-catalogue/model/field';
import {
  type ChangeCursor,
  foldCell,
  type Included,
  includedCollection,
  requireKnown,
  selectWindow,
} from 'car-dealer-catalogue/model/query';
import { type Catalogue, type Collection, findCollection, perCollection } from 'car-dealer-catalogue/schema';
import type { Items, Keys, ReadPlan, ReadResult, Row } from 'car-dealer-catalogue/stores/port';
import { applyIntent, type TransactionRows } from 'car-dealer-catalogue/stores/rules/apply';
import { ChangeSet, type NewRecord } from 'car-dealer-catalogue/stores/rules/change-set';
import { changesIn, type Deleted } from './changes.ts';
import { cellOf, type Item, itemOf } from './items.ts';
import { select } from './select.ts';

/** What of a query this store honours: anything else is refused. */
const KNOWN = [
  'filters',
  'search',
  'group',
  'sort',
  'order',
  'size',
  'page',
  'after',
  'changesAfter',
  'include',
] as const;

const nameOf = (keys: Keys): string => JSON.stringify(keys);

/** @throws TypeError where the catalogue has a list across parents, which this store does not have */
export const mapStore = (catalogue: Catalogue): Items => {
  const across = catalogue.find(({ all }) => all);
  if (across) throw new TypeError(`${across.name} is listed across its parents, which mapStore cannot do`);
  const itemsOf = perCollection(catalogue, () => new Map<string, Item>());
  const deletedFrom = perCollection(catalogue, () => new Map<string, Deleted>());
  const records = new Map<string, NewRecord>();
  const listeners = new Set<() => void>();
  let last = 0;

  const find = (collection: Collection, keys: Keys): Item | undefined => itemsOf(collection).get(nameOf(keys));
  const within = (collection: Collection, parents: Keys): Iterable<Item> => {
    const items = itemsOf(collection).values();
    return collection.parent ? items.filter(({ keys }) => nameOf(keys.slice(0, -1)) === nameOf(parents)) : items;
  };
  const rows: TransactionRows = {
    read: (collection, keys) => find(collection, keys)?.row,
    having: (collection, field, value) =>
      itemsOf(collection)
        .values()
        .filter((item) => item.value(field) === foldCell(value)),
    referring: (collection, field, key) =>
      itemsOf(collection)
        .values()
        .filter(({ row }) => row[collection.fields.indexOf(field) + 1] === key),
    below: (child, keys) => [...within(child, keys)].map((item) => item.keys.at(-1) ?? ''),
    insert: (collection, change, parents, cells) => {
      last = Math.max(last, change);
      const keys = [...parents, String(cells[0])];
      itemsOf(collection).set(nameOf(keys), itemOf(collection, keys, change, [change, ...cells]));
    },
    update: (collection, change, keys, cells) => {
      last = Math.max(last, change);
      const { created } = find(collection, keys) ?? { created: change };
      itemsOf(collection).set(nameOf(keys), itemOf(collection, keys, created, [change, ...cells]));
    },
    remove: (collection, change, keys) => {
      last = Math.max(last, change);
      for (const child of collection.children) {
        for (const item of within(child, keys)) rows.remove(child, change, item.keys);
      }
      itemsOf(collection).delete(nameOf(keys));
      deletedFrom(collection).set(nameOf(keys), { change, keys });
    },
    record: (key) => records.get(key),
  };

  const sourcesOf = (included: readonly Included[] = []) =>
    included.map((each) => ({ ...each, source: findCollection(catalogue, includedCollection(each)) }));
  const referredBy = (collection: Collection, source: Collection, { row }: Item, through: Field) => {
    const key = cellOf(collection, row, through);
    return key === null ? undefined : find(source, [String(key)]);
  };
  const including =
    (collection: Collection, included: readonly Included[] | undefined) =>
    (item: Item, ...more: readonly Cell[]): Row => [
      ...item.row,
      ...more,
      ...sourcesOf(included).map(({ fields, through, source }) => {
        const columns = fields.map((field) => 1 + source.fields.findIndex((each) => each.name === field.name));
        const rowOf = ({ row }: Item) => [0, ...columns].map((at) => row[at]);
        if (!through) return JSON.stringify([...within(source, item.keys)].map(rowOf));
        const referred = referredBy(collection, source, item, through);
        return referred ? JSON.stringify(rowOf(referred)) : null;
      }),
    ];
  const changes = ({ collection, keys, query, window }: ReadPlan, since: ChangeCursor): ReadResult | undefined => {
    const { parent } = collection;
    if (parent && !find(parent, keys)) return undefined;
    const known = Math.max(since.change, since.snapshotStart ?? 0);
    const isOf = (each: Deleted, parents: Keys): boolean =>
      nameOf(each.keys.slice(0, parents.length)) === nameOf(parents);
    // A list that began again with its parent has no position from before.
    const isAnew =
      parent &&
      deletedFrom(parent)
        .values()
        .some((each) => each.change > known && isOf(each, keys));
    const deleted = deletedFrom(collection)
      .values()
      .filter((each) => isOf(each, keys) && !find(collection, each.keys));
    const lastOf = (item: Item): number =>
      sourcesOf(query.include).reduce((latest, { through, source }) => {
        if (through) return Math.max(latest, referredBy(collection, source, item, through)?.row[0] ?? 0);
        const written = [...within(source, item.keys)].map((each) => each.row[0]);
        const removed = deletedFrom(source)
          .values()
          .filter((each) => isOf(each, item.keys));
        return Math.max(latest, ...written, ...removed.map((each) => each.change));
      }, item.row[0]);
    const all = changesIn(
      collection,
      within(collection, keys),
      deleted,
      query,
      since,
      lastOf,
      including(collection, query.include),
    );
    const page = all.slice(0, window.limit);
    const end = page.at(-1);
    const next = end && all.length > page.length ? [end[0], end.at(-1) ?? null] : undefined;
    return { total: all.length, change: isAnew ? 0 : last, rows: page, nextCursor: next };
  };
  const list = (plan: ReadPlan): ReadResult | undefined => {
    const { collection, keys, query } = plan;
    if (query.changesAfter) return changes(plan, query.changesAfter);
    if (collection.parent && !find(collection.parent, keys)) return undefined;
    const rowOf = including(collection, query.include);
    return { ...select(collection, within(collection, keys), query, (each) => rowOf(each)), change: last };
  };
  const item = ({ collection, keys, query }: ReadPlan): ReadResult | undefined => {
    const found = find(collection, keys);
    return found && { total: 1, change: last, rows: [including(collection, query.include)(found)] };
  };

  /** Nothing waits within, so that every write is a step of its own. */
  const inChange = <T>(write: (changeSet: ChangeSet) => T): T => {
    const changeSet = new ChangeSet(last);
    const before = last;
    const outcome = write(changeSet);
    if (last !== before) for (const listener of listeners) listener();
    for (const record of changeSet.records()) {
      for (const { key, expires } of records.values()) if (expires <= record.receivedAt) records.delete(key);
      records.set(record.key, record);
    }
    return outcome;
  };

  /** @returns puts everything back as it is now */
  const snapshot = (): (() => void) => {
    const copies = catalogue.flatMap((each) =>
      [itemsOf(each), deletedFrom(each)].map((map) => [map, [...map]] as const),
    );
    const before = last;
    return () => {
      last = before;
      for (const [map, entries] of copies) {
        map.clear();
        for (const [name, each] of entries) map.set(name, each as Item & Deleted);
      }
    };
  };
  /** Loaded with the first file, because files need modules that only Node.js has. */
  const loadImports = async () => {
    const { Imports, importInto } = await import('./imports.ts');
    return new Imports(async (work, passed) => {
      const collection = findCollection(catalogue, work.collection);
      const undo = snapshot();
      return inChange((changeSet) => {
        const items = () => within(collection, work.rules.parents);
        const { outcome, isStored } = importInto(catalogue, rows, items, work, passed, changeSet);
        if (!isStored) undo();
        return outcome;
      });
    });
  };
  let imports: ReturnType<typeof loadImports> | undefined;

  return {
    plan: (request) => {
      requireKnown(request.query, KNOWN);
      const shape = request.of === 'item' ? 'item' : 'page';
      return { ...request, shape, cost: 'index', window: selectWindow(request.query) };
    },
    read: (plan) => (plan.of === 'item' ? item(plan) : list(plan)),
    summarize: (plan) => {
      const all = list(plan);
      return all && { total: all.total, change: all.change };
    },
    write: async (intent) => inChange((changeSet) => applyIntent(catalogue, rows, intent, changeSet)),
    importRows: async (...request) => {
      imports ??= loadImports();
      return (await imports).importRows(...request);
    },
    watch: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    countRows: (collection) => itemsOf(collection).size,
    ready: () => true,
  };
};
