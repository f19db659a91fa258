/**
 * Creates of a batch in one statement and one round trip, which takes their change numbers itself: the lock of all writers is held
 * while it writes, but not over a round trip.
 */
import { type Catalogue, type Collection, collectionOf, perCollection } from '../../../gateway/model/catalogue.ts';
import type { Intent, Outcome } from '../../../gateway/port/port.ts';
import { applyIntent } from '../../apply.ts';
import { changeAt, planChanges } from '../../change-set.ts';
import { postgres } from '../../sql/dialects.ts';
import { CREATED, columnNames, quote, REVISION, type StoredTable, tableOf } from '../../sql/statement.ts';
import { CHANGE } from '../../sql/system-tables.ts';
import type { BatchStatement } from '../connection/connection.ts';
import type { Batches } from './batch.ts';
import { WAITED } from './lock-times.ts';

export interface QuickCreates {
  /** Where it has written, returns the number before the first of its changes, and the milliseconds that it waited for the lock. */
  readonly statement: BatchStatement;
  /** @returns what becomes of the intents then */
  readonly outcomes: (before: number) => readonly Outcome[];
}

/** The one collection that all intents create items in, where nothing but the keys of these must be looked for. */
const createdIn = (catalogue: Catalogue, intents: readonly Intent[]): Collection | undefined => {
  const [first] = intents;
  if (!first) return undefined;
  const isQuick = intents.every(
    (intent) => intent.kind === 'create' && intent.collection === first.collection && !intent.idempotency,
  );
  const collection = collectionOf(catalogue, first.collection);
  return isQuick && !collection.parent && collection.constrained.length === 0 ? collection : undefined;
};

/**
 * Also the lock of all writers. It looks for the keys, because an error of each key that exists would fill the server's log; those
 * that others write while it waits it does not see, and fails.
 */
const locked = ({ name, key }: Collection): string =>
  `"_locked" AS (UPDATE ${quote(CHANGE)} SET "number" = greatest("number", ?::bigint) + ?::bigint WHERE NOT EXISTS (SELECT 1 FROM ${quote(name)} WHERE ${quote(key.name)} = ANY(?)) RETURNING "number" - ?::bigint AS "before", ${WAITED})`;

/** The numbers that are bound count from 1. */
const inserted = (table: StoredTable): string => {
  const names = columnNames(table);
  const numbered = table.columns.map(({ name }) =>
    name === CREATED || name === REVISION ? `"_locked"."before" + "_new".${name}` : `"_new".${name}`,
  );
  const rows = postgres.boundRows(table.columns.map(({ type }) => type));
  return `INSERT INTO ${quote(table.name)} (${names}) SELECT ${numbered.join(', ')} FROM "_locked", (${rows}) AS "_new" (${names})`;
};

const sqlOf = (collection: Collection): string =>
  `WITH ${locked(collection)}, "_rows" AS (${inserted(tableOf(collection))}) SELECT "before", "waited" FROM "_locked"`;

/** @returns makes the statement for intents; `undefined` where one is not enough */
export const quickCreates = (catalogue: Catalogue, batches: Batches) => {
  const sql = perCollection(catalogue, sqlOf);
  return (intents: readonly Intent[]): QuickCreates | undefined => {
    const collection = createdIn(catalogue, intents);
    if (!collection) return undefined;
    const { rows, writes } = batches.empty();
    const changeSet = planChanges();
    const outcomes = intents.map((intent) => applyIntent(catalogue, rows, intent, changeSet));
    const count = changeSet.lastChange() ?? 0;
    const [inserts] = writes();
    // A key that comes twice is refused once.
    if (!inserts || count < intents.length) return undefined;
    const keys = intents.map((intent) => (intent.kind === 'create' ? (intent.cells[0] ?? null) : null));
    return {
      statement: {
        sql: sql(collection),
        values: [changeAt(Date.now()) - 1, count, keys, count, ...inserts.values],
      },
      outcomes: (before) =>
        outcomes.map((outcome) => {
          if (outcome.kind !== 'written') return outcome;
          const [number, ...cells] = outcome.row;
          return { ...outcome, row: [before + number, ...cells] };
        }),
    };
  };
};
