/** A batch of writes is applied in memory: its rows are read before, and what has changed is written after. */
import { type Catalogue, type Collection, collectionOf, perCollection } from '../../../gateway/model/catalogue.ts';
import type { Cell } from '../../../gateway/model/field.ts';
import type { Intent, Keys, Row } from '../../../gateway/port/port.ts';
import type { TransactionRows } from '../../apply.ts';
import type { ChangeSet } from '../../change-set.ts';
import type { FindRecord } from '../../idempotency.ts';
import { insertInto, postgres } from '../../sql/dialects.ts';
import { insertValues, sqlOf, tombstoneValues, updateValues } from '../../sql/items.ts';
import {
  forgetExpired,
  putRecord,
  type RecordRow,
  recordOf,
  recordValues,
  selectRecords,
} from '../../sql/system/idempotency.ts';
import { addTotal } from '../../sql/system/totals.ts';
import { pauseValues, tombstones, writeChange } from '../../sql/system-tables.ts';
import { type BatchStatement, type Reader, settleAll } from '../connection/connection.ts';
import { finderOf, joinKeys } from '../reads/find.ts';

/** @returns the rows as an `INSERT` binds them: column by column */
export const columnsOf = (rows: readonly (readonly Cell[])[]): readonly (readonly Cell[])[] =>
  (rows[0] ?? []).map((_, at) => rows.map((row) => row[at] ?? null));

/** @returns a statement that inserts all rows, where there are any */
const insertAll = (sql: string, rows: readonly (readonly Cell[])[]): readonly BatchStatement[] =>
  rows.length === 0 ? [] : [{ sql, values: columnsOf(rows) }];

const INSERT_TOMBSTONES = insertInto(postgres, tombstones);
const ADD_TOTALS = addTotal(postgres);
const SELECT_RECORDS = selectRecords('= ANY(?)');
const PUT_RECORDS = putRecord(postgres);

/** An item that a batch reads or writes. */
interface Entry {
  readonly collection: Collection;
  readonly keys: Keys;
  readonly before: Row | undefined;
  now: Row | undefined;
  /** The number of the change that created it, where the batch did. */
  created: number | undefined;
}

const entryName = ({ name }: Collection, keys: Keys): string => joinKeys([name, ...keys]);

type Address = readonly [collection: Collection, keys: Keys];

/** @returns the items that an intent's outcome depends on */
const concernedBy = (catalogue: Catalogue, intent: Intent): readonly Address[] => {
  const collection = collectionOf(catalogue, intent.collection);
  const keys = intent.kind === 'create' ? [...intent.parents, String(intent.cells[0])] : intent.keys;
  return [[collection, keys], ...(collection.parent ? [[collection.parent, keys.slice(0, -1)] as const] : [])];
};

/** Reads the records of some idempotency keys. */
export const readRecords = async (reader: Reader, keys: readonly string[]): Promise<FindRecord> => {
  const rows = keys.length === 0 ? [] : await reader.rows<RecordRow>({ sql: SELECT_RECORDS, values: [keys] });
  const records = new Map(rows.map((row) => [row[0], recordOf(row)]));
  return (key) => records.get(key);
};

/** @returns statements that write the records of a batch, where it has any */
const recordWrites = (changeSet: ChangeSet): readonly BatchStatement[] => {
  const records = changeSet.records();
  return records.length === 0 ? [] : [...insertAll(PUT_RECORDS, records.map(recordValues)), forgetExpired(records)];
};

/** Yields statements that write the totals of a transaction. */
export function* totalWrites(changeSet: ChangeSet): Generator<BatchStatement> {
  for (const totals of changeSet.totals()) yield* insertAll(ADD_TOTALS, totals);
}

/** @returns statements that write what else a transaction changes beside its rows */
export const restWrites = (changeSet: ChangeSet): readonly BatchStatement[] => {
  const [change, pause] = [changeSet.lastChange(), changeSet.pause()];
  return [
    ...recordWrites(changeSet),
    ...(pause === undefined ? [] : insertAll(INSERT_TOMBSTONES, [pauseValues(changeSet.last, pause)])),
    ...(change === undefined ? [] : [{ sql: writeChange, values: [change] }]),
  ];
};

export type Batches = ReturnType<typeof batchesOf>;

/** @returns makes batches: rows that intents are applied to, and then the statements that write the changes, in order */
export const batchesOf = (catalogue: Catalogue) => {
  const sql = sqlOf(catalogue, postgres);
  const finder = perCollection(catalogue, finderOf);
  const childrenOf = (collection: Collection) => catalogue.filter(({ parent }) => parent === collection);

  const batchOf = (items: readonly (readonly [...Address, Row])[], record: FindRecord) => {
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
      insert: (collection, change, parents, cells) => {
        const entry = entryOf(collection, [...parents, String(cells[0])]);
        entry.now = [change, ...cells];
        entry.created = change;
      },
      update: (collection, change, keys, cells) => {
        entryOf(collection, keys).now = [change, ...cells];
      },
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
      return [
        ...removed.map(({ collection, keys }) => ({ sql: sql(collection).remove, values: keys })),
        ...inserts,
        ...updated.map(({ collection, keys, now = [0] }) => ({
          sql: sql(collection).update,
          values: updateValues(collection, now[0], keys, now.slice(1)),
        })),
        ...insertAll(INSERT_TOMBSTONES, removals),
      ];
    };
    return { rows, writes };
  };

  /** Reads some items. */
  const read = async (
    reader: Reader,
    items: readonly Address[],
    record: Promise<FindRecord> | FindRecord = () => undefined,
  ) => {
    const found = [...Map.groupBy(items, ([collection]) => collection)].map(async ([collection, all]) => {
      const { find, read } = finder(collection);
      const rows = await reader.rows<Cell[]>(find(all.map(([, keys]) => keys)));
      return rows.map(read).map(({ keys, row }) => [collection, keys, row] as const);
    });
    const [known, ...rows] = await settleAll([Promise.resolve(record), ...found]);
    return batchOf(rows.flat(), known);
  };
  return {
    /** For creates of items that are not there. */
    empty: () => batchOf([], () => undefined),
    read,
    /** Reads what the outcomes of intents depend on. */
    readFor: (reader: Reader, intents: readonly Intent[]) => {
      const keys = intents.flatMap((intent) =>
        intent.kind === 'create' && intent.idempotency ? [intent.idempotency.key] : [],
      );
      const record = readRecords(reader, [...new Set(keys)]);
      return read(
        reader,
        intents.flatMap((intent) => concernedBy(catalogue, intent)),
        record,
      );
    },
  };
};
