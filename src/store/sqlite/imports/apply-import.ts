import { type Catalogue, collectionOf } from '../../../model/catalogue.ts';
import type { ImportOutcome } from '../../../model/import.ts';
import type { Idempotency } from '../../../model/precondition.ts';
import type { ImportRequest, Target } from '../../imports/apply-row.ts';
import { keepImport, knownImport } from '../../imports/idempotency.ts';
import type { Plan } from '../../imports/plan.ts';
import type { StageTables } from '../../imports/stage-tables.ts';
import { sqlite } from '../../sql/dialects.ts';
import { selectItemSince, selectKeysSince } from '../../sql/imports.ts';
import { sqlOf } from '../../sql/items.ts';
import { statement } from '../../sql/statement.ts';
import { type Connection, rollBack } from '../connection/connection.ts';
import { indexLater } from '../schema/search-index.ts';
import { lastChange, readLast, rowsOf, writeRest } from '../writes/writes.ts';
import { plannedSql } from './planned-sql.ts';

/** Callbacks of an import. */
export interface ImportCallbacks {
  /** Called now and then with the number of written items. Ends the import by throwing. */
  readonly onDone: (items: number) => void;
  readonly note: () => string;
}

export interface PlannedImport {
  readonly request: ImportRequest;
  readonly idempotency: Idempotency | undefined;
  readonly plan: Plan;
  readonly tables: StageTables;
  /** The last change number before anything was read. */
  readonly since: number;
}

/** Items that are written with one statement, after which the import may be ended. */
const STEP = 1_000;

/** @returns whether an import can only result in a report, so that it needs no lock */
export const isDry = ({ request, plan }: PlannedImport): boolean =>
  request.isCheck || plan.tally.refused() !== undefined;

/**
 * Writes what is planned.
 *
 * @param connection in a transaction, which holds the lock unless the import is dry; it is ended here
 */
export const applyImport = (
  connection: Connection,
  catalogue: Catalogue,
  work: PlannedImport,
  { onDone, note }: ImportCallbacks,
): ImportOutcome => {
  const { request, idempotency, plan, tables, since } = work;
  const { parents } = request;
  const { tally } = plan;
  const collection = collectionOf(catalogue, request.collection);
  const sql = plannedSql(collection, parents, tables);
  const changeSet = plan.open(lastChange(connection, readLast(catalogue)));
  const target: Target = { rows: rowsOf(connection, sqlOf(catalogue, sqlite)), changeSet };

  /** @returns how many items there are, and how many of them the file lacks */
  const findLacking = (): readonly [items: number, lacking: number] => {
    if (!tally.deletes()) return [0, 0];
    const [[items] = [0]] = connection.rows<[number]>(sql.countItems);
    return [items, connection.run(sql.findLacking.sql, sql.findLacking.values)];
  };
  /** Plans again, on what is stored now, what others have changed. */
  const catchUp = (): void => {
    const { parent } = collection;
    const isParentChanged = parent && connection.rows(selectItemSince(parent, parents, since)).length > 0;
    if (isParentChanged)
      for (const { rows } of tables.chunks()) tables.addChanged(rows.map(({ cells: [key] }) => String(key)));
    else {
      const changed = connection.iterate<[string]>(selectKeysSince(collection, parents, since));
      tables.addChanged(changed.map(([key]) => key));
    }
    for (const rows of plan.withdraw()) for (const row of rows) tally.apply(target, row);
  };
  const write = (base: number): void => {
    const size = plan.size();
    for (let from = 0; from < size; from += STEP) {
      const to = Math.min(size, from + STEP);
      for (const each of sql.write(base, from, to)) connection.run(each.sql, each.values);
      onDone(to);
    }
  };
  const apply = (): ImportOutcome => {
    const indexWords = indexLater(connection, [collection], changeSet.last + 1);
    const base = changeSet.reserve(plan.size());
    const [items, lacking] = findLacking();
    if (changeSet.last !== since) catchUp();
    const refused = tally.refused() ?? tally.mayDelete(items, lacking);
    if (refused) return refused;
    write(base);
    for (const [key] of connection.iterate<[string]>(statement(`SELECT "key" FROM ${tables.names.lacking}`))) {
      tally.remove(target, [...parents, key]);
    }
    indexWords();
    if (idempotency) keepImport(changeSet, idempotency, { report: tally.report(), note: note() });
    return tally.outcome();
  };
  const check = (): ImportOutcome => {
    const [items, lacking] = findLacking();
    const refused = tally.refused() ?? tally.mayDelete(items, lacking);
    if (refused) return refused;
    tally.wouldRemove(lacking);
    return tally.outcome();
  };
  const outcomeOf = (): ImportOutcome => {
    const known = knownImport(idempotency, target.rows.record);
    if (known) return known;
    const { parent } = collection;
    if (parent && !target.rows.read(parent, parents)) return { kind: 'missing', collection: parent.name };
    return isDry(work) ? check() : apply();
  };

  try {
    const outcome = outcomeOf();
    const writes = outcome.kind === 'imported' && outcome.note === undefined;
    if (writes) writeRest(connection, changeSet);
    connection.run(writes ? 'COMMIT' : 'ROLLBACK', []);
    return outcome;
  } catch (error) {
    rollBack(connection);
    throw error;
  }
};
