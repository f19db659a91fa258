/** Marks a database that is being filled by a transfer, so that it is never mistaken for a complete one. */

import type { Index } from '../../store/sql/schema.ts';
import { columnNames, quote, type StoredTable, statement } from '../../store/sql/statement.ts';
import { CHANGE, MARKER, readChange, totals } from '../../store/sql/system-tables.ts';
import { commandError } from '../commands/command-error.ts';
import type { RawDatabase } from '../raw-database/raw-database.ts';

/** The tables that are copied, and the indexes that are made once all rows are there. */
export interface TargetSchema {
  readonly tables: readonly StoredTable[];
  readonly indexes: readonly Index[];
}

/** What is being copied: the source's name; its change number, which tells its content; and the columns of all tables, which versions of the service may have different ones of. */
type Marker = readonly [source: string, change: number, layout: string];

const READ_MARKER = `SELECT "source", "change", "layout" FROM ${quote(MARKER)}`;
const CREATE_MARKER = `CREATE TABLE ${quote(MARKER)} ("source" TEXT NOT NULL, "change" BIGINT NOT NULL, "layout" TEXT NOT NULL)`;

/** @returns the first row of a table; `undefined` where there is no such table, or it is empty */
const firstIn = async <R>(target: RawDatabase, table: string, sql: string): Promise<R | undefined> =>
  (await target.tables()).has(table) ? (await target.rows<R>(statement(sql)))[0] : undefined;

const markerIn = (target: RawDatabase): Promise<Marker | undefined> => firstIn(target, MARKER, READ_MARKER);

/** @returns its last change number; 0 where nothing was ever written */
const changeIn = async (target: RawDatabase): Promise<number> =>
  (await firstIn<[number]>(target, CHANGE, readChange))?.[0] ?? 0;

/** Removes all tables of the service from the target. */
const clear = (target: RawDatabase, tables: readonly StoredTable[]): Promise<void> =>
  target.transaction(async () => {
    const names = [...tables.map(({ name }) => name).toReversed(), CHANGE, MARKER];
    for (const name of names) await target.exec(`DROP TABLE IF EXISTS ${quote(name)}`);
    await target.exec(target.sql.unregister);
  });

/** Nothing is copied before the marker is there. */
const begin = async (target: RawDatabase, marker: Marker, indexes: readonly Index[]): Promise<void> => {
  await target.prepare();
  await target.transaction(async () => {
    await target.rows(target.sql.lock);
    // Another process may have been faster.
    if ((await target.tables()).has(MARKER) || (await changeIn(target)) > 0) {
      throw commandError('target-busy', { target: target.name });
    }
    await target.exec(CREATE_MARKER);
    await target.rows(statement(`INSERT INTO ${quote(MARKER)} VALUES (?, ?, ?)`, marker));
    for (const { name } of indexes) await target.exec(`DROP INDEX ${quote(name)}`);
    // The totals of the new database, which count no rows.
    await target.exec(`DELETE FROM ${quote(totals.name)}`);
  });
};

/** `begun`: part of it may have been copied. `full`: by its change number it contains everything already. */
type Progress = 'begun' | 'full';

/**
 * Prepares the target for filling.
 *
 * @param change the source's change number
 * @param replace whether its content may be deleted
 * @throws CommandError where it must not be filled
 */
export const openTarget = async (
  source: RawDatabase,
  target: RawDatabase,
  { tables, indexes }: TargetSchema,
  change: number,
  replace: boolean,
): Promise<Progress> => {
  await target.check();
  const layout = tables.map((table) => `${table.name} (${columnNames(table)})`).join('; ');
  const found = await markerIn(target);
  if (found && !replace) {
    const [from, at, columns] = found;
    if (from !== source.name) throw commandError('target-half-filled', { target: target.name, source: from });
    if (at === change && columns === layout) return 'begun';
  } else {
    const held = await changeIn(target);
    if (held > 0 && !replace) {
      if (held === change) return 'full';
      throw commandError('target-full', { target: target.name, change: `${held}` });
    }
  }
  if (found || replace) await clear(target, tables);
  await begin(target, [source.name, change, layout], indexes);
  return 'begun';
};

/**
 * Completes the target in one step.
 *
 * @throws CommandError where another process wrote to it
 */
export const completeTarget = (target: RawDatabase, change: number): Promise<void> =>
  target.transaction(async () => {
    const done = await target.rows(
      statement(`UPDATE ${quote(CHANGE)} SET "number" = ? WHERE "number" = 0 RETURNING "number"`, [change]),
    );
    if (done.length === 0) throw commandError('target-written', { target: target.name });
    await target.exec(`DROP TABLE ${quote(MARKER)}`);
  });
