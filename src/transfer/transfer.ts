import type { Catalogue } from '../model/catalogue.ts';
import { DatabaseError } from '../store/database-error.ts';
import { createIndex, type Index, indexesOf } from '../store/sql/schema.ts';
import { statement } from '../store/sql/statement.ts';
import { CHANGE, MARKER, readChange } from '../store/sql/system-tables.ts';
import type { StoredTable } from '../store/sql/tables.ts';
import type { Link } from './link.ts';
import { progressOf, type Tell } from './progress.ts';
import { countRows, readNothing, readRows, tablesOf } from './tables.ts';
import { finish, lastIn, openTarget } from './target.ts';
import { type Sum, verify } from './verify.ts';

/** @throws DatabaseError where the source does not hold all that this version copies */
const checkSource = async (source: Link, tables: readonly StoredTable[]): Promise<void> => {
  await source.check();
  const names = await source.tables();
  if (names.has(MARKER)) {
    throw new DatabaseError(`${source.name}: is half filled by another transfer, which must come to its end first`);
  }
  if (!names.has(CHANGE)) throw new DatabaseError(`${source.name}: contains no catalogue`);
  for (const table of tables) {
    await source.rows(readNothing(table)).catch((error: Error) => {
      throw new DatabaseError(`${error.message}; start the service on it once, which adds what is missing`);
    });
  }
};

/** @throws DatabaseError where writes came after the snapshot, which the target would lack */
const checkUnchanged = async (source: Link, change: number): Promise<void> => {
  const now = await source.change();
  if (now === change) return;
  throw new DatabaseError(
    `${source.name}: was written to during the transfer (change ${change} is now ${now}); stop the services that use it and transfer again`,
  );
};

const countIn = async (link: Link, tables: readonly StoredTable[]): Promise<number> => {
  let sum = 0;
  for (const table of tables) sum += (await link.rows<[number]>(countRows(table)))[0]?.[0] ?? 0;
  return sum;
};

/** Goes on after the last row that the target has; a chunk is read while the one before it is written. */
const copy = async (source: Link, target: Link, table: StoredTable, onRows: (count: number) => void): Promise<void> => {
  let writing: Promise<void> = Promise.resolve();
  for await (const rows of source.stream(readRows(table, await lastIn(target, table)))) {
    await writing;
    writing = target.insert(table, rows).then(() => onRows(rows.length));
    // Told where it is waited for.
    writing.catch(() => {});
  }
  await writing;
};

/** Copies every row that is not there yet; then makes the indexes, which takes less time than keeping them up meanwhile. */
const fill = async (
  source: Link,
  target: Link,
  tables: readonly StoredTable[],
  indexes: readonly Index[],
  total: number,
  tell: Tell,
): Promise<void> => {
  const done = await countIn(target, tables);
  if (done > 0) tell(`going on after ${done.toLocaleString('en')} rows`);
  const onRows = progressOf(tell, 'copied', total, done);
  for (const table of tables) await copy(source, target, table, onRows);
  for (const index of indexes) {
    tell(`indexing ${index.name}`);
    await target.rows(statement(createIndex(index)));
  }
  for (const table of tables) await target.analyze(table);
};

/**
 * Copies a whole database and verifies it. The source is read from one snapshot and stays as it is. The target is not
 * served before it is whole; a transfer that was interrupted goes on where it was.
 *
 * @param replace whether what the target contains may be lost
 * @param tell takes lines of progress
 * @returns what both hold in the end
 * @throws DatabaseError where it cannot be done, or came out wrong
 */
export const transfer = async (
  source: Link,
  target: Link,
  catalogue: Catalogue,
  replace: boolean,
  tell: Tell,
): Promise<readonly Sum[]> => {
  if (source.identity === target.identity) {
    throw new DatabaseError(`${source.name} and ${target.name} are the same database`);
  }
  const tables = tablesOf(catalogue);
  const indexes = catalogue.flatMap(indexesOf);
  await checkSource(source, tables);
  return source.snapshot(async () => {
    const [[change] = [0]] = await source.rows<[number]>(statement(readChange));
    const stage = await openTarget(source, target, tables, indexes, change, replace);
    const total = await countIn(source, tables);
    if (stage === 'begun') await fill(source, target, tables, indexes, total, tell);
    await checkUnchanged(source, change);
    const sums = await verify(source, target, tables, progressOf(tell, 'verified', total));
    await checkUnchanged(source, change);
    if (stage === 'begun') await finish(target, change);
    return sums;
  });
};
