/** What a transfer does to the database that it fills, beside filling it: so that it can be told from a whole one. */

import { commandError } from '../commands/command-error.ts';
import type { Cell } from '../model/field.ts';
import type { Index } from '../store/sql/schema.ts';
import { quote, statement } from '../store/sql/statement.ts';
import { CHANGE, MARKER, readChange, totals } from '../store/sql/system-tables.ts';
import type { StoredTable } from '../store/sql/tables.ts';
import type { Link } from './link.ts';
import { layoutOf, readLast } from './tables.ts';

/** What is being copied, as the target's marker says it. */
interface Marker {
  /** The source's name. */
  readonly source: string;
  /** The source's change number: as long as it is the same, so is all that the source contains. */
  readonly change: number;
  readonly layout: string;
}

const changeIn = async (target: Link, tables: ReadonlySet<string>): Promise<number> => {
  if (!tables.has(CHANGE)) return 0;
  const [[change] = [0]] = await target.rows<[number]>(statement(readChange));
  return change;
};

const markerIn = async (target: Link, tables: ReadonlySet<string>): Promise<Marker | undefined> => {
  if (!tables.has(MARKER)) return undefined;
  const [found] = await target.rows<[string, number, string]>(
    statement(`SELECT "source", "change", "layout" FROM ${quote(MARKER)}`),
  );
  return found && { source: found[0], change: found[1], layout: found[2] };
};

/** Leaves the target as if the service had never been there. */
const clear = (target: Link, tables: readonly StoredTable[]): Promise<void> =>
  target.transaction(async () => {
    const names = [...tables.map(({ name }) => name).toReversed(), CHANGE, MARKER];
    for (const name of names) await target.rows(statement(`DROP TABLE IF EXISTS ${quote(name)}`));
    await target.rows(target.unregister);
  });

/** Nothing is copied before the marker is there. */
const begin = async (target: Link, { source, change, layout }: Marker, indexes: readonly Index[]): Promise<void> => {
  await target.prepare();
  await target.transaction(async () => {
    await target.lock();
    // Somebody may have been quicker.
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
    // Those of a new database, which say that it is empty.
    await target.rows(statement(`DELETE FROM ${quote(totals.name)}`));
  });
};

/** What a transfer makes in its target. */
export interface TargetSchema {
  readonly tables: readonly StoredTable[];
  /** Made once all rows are there. */
  readonly indexes: readonly Index[];
}

/** `begun`: some or none of it was copied yet. `full`: it claims to hold all of it already. */
type Stage = 'begun' | 'full';

/**
 * Makes the target ready to be filled, where it may be.
 *
 * @param change the source's change number
 * @param replace whether what is there may be lost
 * @throws CommandError where it may not be
 */
export const openTarget = async (
  source: Link,
  target: Link,
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

/** @returns where to go on in a table: the last row's place, or nothing where there is none yet */
export const lastIn = async (target: Link, table: StoredTable): Promise<readonly Cell[]> =>
  (await target.rows<readonly Cell[]>(readLast(table)))[0] ?? [];

/**
 * Makes the target whole, in one step.
 *
 * @throws CommandError where somebody else wrote to it
 */
export const finish = (target: Link, change: number): Promise<void> =>
  target.transaction(async () => {
    const done = await target.rows(
      statement(`UPDATE ${quote(CHANGE)} SET "number" = ? WHERE "number" = 0 RETURNING "number"`, [change]),
    );
    if (done.length === 0) {
      throw commandError('target-written', { target: target.name });
    }
    await target.rows(statement(`DROP TABLE ${quote(MARKER)}`));
  });
