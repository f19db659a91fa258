/** Marks a database that is being filled by a transfer, so that it is never mistaken for a complete one. */

import { commandError } from '../commands/command-error.ts';
import type { Cell } from '../model/field.ts';
import type { RawDatabase } from '../raw-database/raw-database.ts';
import { layoutOf, readLast } from '../raw-database/tables.ts';
import type { Index } from '../store/sql/schema.ts';
import { quote, statement } from '../store/sql/statement.ts';
import { CHANGE, MARKER, readChange, totals } from '../store/sql/system-tables.ts';
import type { StoredTable } from '../store/sql/tables.ts';

/** The marker of the target, which names what is being copied. */
interface Marker {
  /** The source's name. */
  readonly source: string;
  /** The source's change number: while it is the same, so is the content of the source. */
  readonly change: number;
  readonly layout: string;
}

const changeIn = async (target: RawDatabase, tables: ReadonlySet<string>): Promise<number> => {
  if (!tables.has(CHANGE)) return 0;
  const [[change] = [0]] = await target.rows<[number]>(statement(readChange));
  return change;
};

const markerIn = async (target: RawDatabase, tables: ReadonlySet<string>): Promise<Marker | undefined> => {
  if (!tables.has(MARKER)) return undefined;
  const [found] = await target.rows<[string, number, string]>(
    statement(`SELECT "source", "change", "layout" FROM ${quote(MARKER)}`),
  );
  return found && { source: found[0], change: found[1], layout: found[2] };
};

/** Removes all tables of the service from the target. */
const clear = (target: RawDatabase, tables: readonly StoredTable[]): Promise<void> =>
  target.transaction(async () => {
    const names = [...tables.map(({ name }) => name).toReversed(), CHANGE, MARKER];
    for (const name of names) await target.rows(statement(`DROP TABLE IF EXISTS ${quote(name)}`));
    await target.rows(target.unregister);
  });

/** Nothing is copied before the marker is there. */
const begin = async (
  target: RawDatabase,
  { source, change, layout }: Marker,
  indexes: readonly Index[],
): Promise<void> => {
  await target.prepare();
  await target.transaction(async () => {
    await target.lock();
    // Another process may have been faster.
    const names = await target.tables();
    if (names.has(MARKER) || (await changeIn(target, names)) > 0) {
      throw commandError('target-busy', { target: target.name });
    }
    await target.rows(
      statement(
        `CREATE TABLE ${quote(MARKER)} ("source" TEXT NOT NULL, "change" BIGINT NOT NULL, "layout" TEXT NOT NULL)`,
      ),
    );
    await target.rows(statement(`INSERT INTO ${quote(MARKER)} VALUES (?, ?, ?)`, [source, change, layout]));
    for (const { name } of indexes) await target.rows(statement(`DROP INDEX ${quote(name)}`));
    // The totals of the new database, which count no rows.
    await target.rows(statement(`DELETE FROM ${quote(totals.name)}`));
  });
};

/** What a transfer makes in its target. */
export interface TargetSchema {
  readonly tables: readonly StoredTable[];
  /** Made once all rows are there. */
  readonly indexes: readonly Index[];
}

/** `begun`: part of it may have been copied. `full`: by its change number it contains everything already. */
type Stage = 'begun' | 'full';

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
): Promise<Stage> => {
  await target.check();
  const marker: Marker = { source: source.name, change, layout: layoutOf(tables) };
  const names = await target.tables();
  const found = await markerIn(target, names);
  if (found && !replace) {
    if (found.source !== source.name) {
      throw commandError('target-half-filled', { target: target.name, source: found.source });
    }
    if (found.change === change && found.layout === marker.layout) return 'begun';
  } else {
    const held = await changeIn(target, names);
    if (held > 0 && !replace) {
      if (held === change) return 'full';
      throw commandError('target-full', { target: target.name, change: `${held}` });
    }
  }
  if (found || replace) await clear(target, tables);
  await begin(target, marker, indexes);
  return 'begun';
};

/** @returns where to resume in a table: the last row's values of `order`, empty where it has no rows */
export const lastIn = async (target: RawDatabase, table: StoredTable): Promise<readonly Cell[]> =>
  (await target.rows<readonly Cell[]>(readLast(table)))[0] ?? [];

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
    if (done.length === 0) {
      throw commandError('target-written', { target: target.name });
    }
    await target.rows(statement(`DROP TABLE ${quote(MARKER)}`));
  });
