/**
 * Creates of a batch in one statement and one round trip, where nobody else has written since the batch before: the statement
 * itself makes sure of that, and else writes nothing.
 */
import { type Catalogue, type Collection, collectionOf, perCollection } from '../../../model/catalogue.ts';
import { applyIntent, type TransactionRows } from '../../apply.ts';
import { openChangeSet } from '../../change-set.ts';
import type { Intent, Outcome } from '../../port.ts';
import { tableOf } from '../../sql/columns.ts';
import { postgres } from '../../sql/dialects.ts';
import { insertValues } from '../../sql/items.ts';
import { quote } from '../../sql/statement.ts';
import { ADD_TO_TOTAL } from '../../sql/system/totals.ts';
import { totals, writeChange } from '../../sql/system-tables.ts';
import { insertInto } from '../../sql/tables.ts';
import type { BatchStatement } from '../connection/connection.ts';
import { columnsOf } from './batch.ts';

/** What becomes of the intents where the statement returns a row: it has written then. */
export interface QuickCreates {
  readonly statement: BatchStatement;
  readonly outcomes: readonly Outcome[];
  /** The last change number after it. */
  readonly change: number;
}

/** The one collection that all intents create items in, where nothing but the keys of these must be looked for. */
const createdIn = (catalogue: Catalogue, intents: readonly Intent[]): Collection | undefined => {
  const [first] = intents;
  if (!first) return undefined;
  const isQuick = intents.every(
    (intent) => intent.kind === 'create' && intent.collection === first.collection && !intent.idempotency,
  );
  const collection = collectionOf(catalogue, first.collection);
  return isQuick && !collection.parent ? collection : undefined;
};

/** Also the lock of all writers. It looks for the keys, because an error of each key that exists would fill the server's log. */
const locked = ({ name, key }: Collection): string =>
  `"_locked" AS (${writeChange} WHERE "number" = ? AND NOT EXISTS (SELECT 1 FROM ${quote(name)} WHERE ${quote(key.name)} = ANY(?)) RETURNING 1)`;

/** Rows are read only where that table has one, so after the lock is held. */
const IF_LOCKED = 'WHERE EXISTS (SELECT 1 FROM "_locked")';

const sqlOf = (collection: Collection): string => {
  const rows = `"_rows" AS (${insertInto(postgres, tableOf(collection))} ${IF_LOCKED})`;
  const counts = `"_counts" AS (${insertInto(postgres, totals)} ${IF_LOCKED} ${ADD_TO_TOTAL})`;
  return `WITH ${locked(collection)}, ${rows}, ${counts} SELECT 1 FROM "_locked"`;
};

/** Rows that are only created: whatever else there is, the statement looks at. */
const newRows = () => {
  const created = new Map<string, Parameters<TransactionRows['insert']>>();
  const nothing = (): never => {
    throw new TypeError('creates only');
  };
  const rows: TransactionRows = {
    read: (_collection, [key = '']) => {
      const [, change, , cells] = created.get(key) ?? [];
      return cells && change !== undefined ? [change, ...cells] : undefined;
    },
    insert: (...insert) => void created.set(String(insert[3][0]), insert),
    update: nothing,
    remove: nothing,
    record: () => undefined,
  };
  return { rows, created };
};

/**
 * @returns makes the statement for intents and the last change number, which must still be the last one; `undefined` where
 * one is not enough
 */
export const quickCreates = (catalogue: Catalogue) => {
  const sql = perCollection(catalogue, sqlOf);
  return (intents: readonly Intent[], last: number): QuickCreates | undefined => {
    const collection = createdIn(catalogue, intents);
    if (!collection) return undefined;
    const { rows, created } = newRows();
    const changeSet = openChangeSet(last);
    const outcomes = intents.map((intent) => applyIntent(catalogue, rows, intent, changeSet));
    const change = changeSet.lastChange();
    if (change === undefined || created.size < intents.length) return undefined;
    const inserts = [...created.values()].map(([, number, parents, cells]) =>
      insertValues(collection, number, number, parents, cells),
    );
    const values = [
      change,
      last,
      [...created.keys()],
      ...columnsOf(inserts),
      ...columnsOf([...changeSet.totals()].flat()),
    ];
    return { statement: { sql: sql(collection), values }, outcomes, change };
  };
};
