/** A batch of writes is applied in memory: its rows are read before, and what has changed is written after. */
import { type Catalogue, type Collection, perCollection } from '../../../gateway/model/catalogue.ts';
import type { Cell } from '../../../gateway/model/field.ts';
import { foldCell } from '../../../gateway/model/search.ts';
import type { Intent, Keys, Row } from '../../../gateway/port/port.ts';
import type { TransactionRows } from '../../apply.ts';
import type { FindRecord } from '../../idempotency.ts';
import { insertValues, sqlOf, tombstoneValues, updateValues } from '../../sql/items.ts';
import { fieldColumns, PARENT, postgres, quote, REVISION } from '../../sql/statement.ts';
import { type BatchStatement, type Reader, settleAll } from '../connection/connection.ts';
import { entryName, type FoundItem, itemsReader } from './concerned.ts';
import { columnsOf, INSERT_TOMBSTONES, insertAll, readRecords } from './rest-writes.ts';

/** @returns a statement that updates any number of items; it binds the columns of their `updateValues`, and their keys once more */
const updateAllSql = (collection: Collection): string => {
  const table = quote(collection.name);
  const fields = fieldColumns(collection);
  const keys = [...(collection.isNested ? [PARENT] : []), quote(collection.key.name)];
  const bound = postgres.boundRows(['INTEGER', ...fields.map(({ type }) => type), ...keys.map(() => 'TEXT' as const)]);
  const columns = [REVISION, ...fields.map(({ name }) => name)];
  const names = [...columns, ...keys].map((_, at) => quote(`${at}`));
  const set = columns.map((column, at) => `${column} = "u".${names[at]}`).join(', ');
  const isSame = keys.map((key, at) => `${table}.${key} = "u".${names[columns.length + at]}`).join(' AND ');
  // Otherwise a plan that was made for a small table reads all of a large one.
  const isAny = keys.map((key) => `${table}.${key} = ANY(?)`).join(' AND ');
  return `UPDATE ${table} SET ${set} FROM (${bound}) AS "u" (${names.join(', ')}) WHERE ${isSame} AND ${isAny}`;
};

/** An item that a batch reads or writes. */
interface Entry {
  readonly collection: Collection;
  readonly keys: Keys;
  readonly before: Row | undefined;
  now: Row | undefined;
  /** The number of the change that created it, where the batch did. */
  created: number | undefined;
}

/** @returns a function that reads a batch: rows that intents are applied to, and then the statements that write the changes, in order */
export const batchReader = (catalogue: Catalogue) => {
  const sql = sqlOf(catalogue, postgres);
  const updateAll = perCollection(catalogue, updateAllSql);
  const readItems = itemsReader(catalogue);
  const childrenOf = (collection: Collection) => catalogue.filter(({ parent }) => parent === collection);

  const batchOf = (items: readonly FoundItem[], record: FindRecord) => {
    const entries = new Map<string, Entry>();
    const removals: (readonly Cell[])[] = [];
    for (const [collection, keys, row] of items) {
      entries.set(entryName(collection, keys), { collection, keys, before: row, now: row, created: undefined });
    }
    const entryOf = (collection: Collection, keys: Keys): Entry => {
      const name = entryName(collection, keys);
      const known = entries.get(name);
      if (known) return known;
      const made: Entry = { collection, keys, before: undefined, now: undefined, created: undefined };
      entries.set(name, made);
      return made;
    };

    const rows: TransactionRows = {
      read: (collection, keys) => entryOf(collection, keys).now,
      having: function* (collection, field, value) {
        const at = collection.fields.indexOf(field) + 1;
        for (const { collection: own, keys, now: row } of entries.values()) {
          if (own === collection && row && foldCell(row[at] ?? null) === foldCell(value)) yield { keys, row };
        }
      },
      referring: function* (collection, field, key) {
        const at = collection.fields.indexOf(field) + 1;
        for (const { collection: own, keys, now: row } of entries.values()) {
          if (own === collection && row?.[at] === key) yield { keys, row };
        }
      },
      insert: (collection, change, parents, cells) => {
        const entry = entryOf(collection, [...parents, String(cells[0])]);
        entry.now = [change, ...cells];
        entry.created = change;
      },
      update: (collection, change, keys, cells) => {
        entryOf(collection, keys).now = [change, ...cells];
      },
      below: (child, [parent]) =>
        entries
          .values()
          .filter(({ collection, keys, now }) => collection === child && now && keys[0] === parent)
          .map(({ keys }) => keys.at(-1) ?? '')
          .toArray(),
      remove: (collection, change, keys) => {
        const gone = [entryOf(collection, keys)];
        for (const child of childrenOf(collection)) {
          gone.push(...[...entries.values()].filter((each) => each.collection === child && each.keys[0] === keys[0]));
        }
        for (const entry of gone) {
          entry.now = undefined;
          entry.created = undefined;
        }
        removals.push(tombstoneValues(collection, change, keys));
      },
      record,
    };

    const writes = (): readonly BatchStatement[] => {
      const all = [...entries.values()];
      // A row that was removed and created again is deleted and inserted.
      const removed = all.filter(({ before, now, created }) => before && (!now || created !== undefined));
      const updated = all.filter(({ before, now, created }) => before && now && now !== before && !created);
      const inserts = catalogue.flatMap((collection): readonly BatchStatement[] => {
        const made = all.flatMap((entry) => {
          const { now, created } = entry;
          if (entry.collection !== collection || !now || created === undefined) return [];
          const [revision, ...cells] = now;
          return [insertValues(collection, created, revision, entry.keys.slice(0, -1), cells)];
        });
        return insertAll(sql(collection).insert, made);
      });
      const changed = updated.filter(({ collection, before, now }) =>
        collection.fields.some(({ unique }, at) => unique && before?.[at + 1] !== now?.[at + 1]),
      );
      return [
        ...removed.map(({ collection, keys }) => ({ sql: sql(collection).remove, values: keys })),
        ...changed.map(({ collection, keys }) => ({ sql: sql(collection).free, values: keys })),
        ...inserts,
        ...[...Map.groupBy(updated, ({ collection }) => collection)].map(([collection, items]) => ({
          sql: updateAll(collection),
          values: [
            ...columnsOf(items.map(({ keys, now = [0] }) => updateValues(collection, now[0], keys, now.slice(1)))),
            ...columnsOf(items.map(({ keys }) => keys)),
          ],
        })),
        ...insertAll(INSERT_TOMBSTONES, removals),
      ];
    };
    return { rows, writes };
  };

  /** Reads what the outcomes of intents depend on. */
  return async (reader: Reader, intents: readonly Intent[]) => {
    const keys = intents.flatMap((intent) =>
      intent.kind === 'create' && intent.idempotency ? [intent.idempotency.key] : [],
    );
    const [record, items] = await settleAll([readRecords(reader, [...new Set(keys)]), readItems(reader, intents)]);
    return batchOf(items, record);
  };
};
