import { commandError } from '../commands/command-error.ts';
import type { Step } from '../commands/progress.ts';
import type { CommandContext } from '../commands/run.ts';
import type { Catalogue } from '../model/catalogue.ts';
import type { RawDatabase } from '../raw-database/raw-database.ts';
import { checkTables, countRows, readRows, tablesOf } from '../raw-database/tables.ts';
import { createIndex, indexesOf } from '../store/sql/schema.ts';
import { statement } from '../store/sql/statement.ts';
import { CHANGE, MARKER, readChange } from '../store/sql/system-tables.ts';
import type { StoredTable } from '../store/sql/tables.ts';
import { compareTables, type Sum } from './compare.ts';
import { completeTarget, lastIn, openTarget, type TargetSchema } from './target.ts';

/** Reports progress to the operator. */
export type Reporter = Pick<CommandContext, 'say' | 'note' | 'progress'>;

/** @throws CommandError or DatabaseError where the source is damaged, or does not contain all that this version copies */
export const checkSource = async (source: RawDatabase, catalogue: Catalogue): Promise<void> => {
  await source.check();
  const names = await source.tables();
  if (names.has(MARKER)) throw commandError('file-unfinished', { file: source.name });
  if (!names.has(CHANGE)) throw commandError('file-empty', { file: source.name });
  await checkTables(source, tablesOf(catalogue));
};

/** @throws CommandError where writes came after the snapshot, which the target would lack */
const checkUnchanged = async (source: RawDatabase, change: number): Promise<void> => {
  const now = await source.change();
  if (now !== change) throw commandError('source-written', { source: source.name, change: `${change}`, now: `${now}` });
};

const countIn = async (database: RawDatabase, tables: readonly StoredTable[]): Promise<number> => {
  let sum = 0;
  for (const table of tables) sum += (await database.rows<[number]>(countRows(table)))[0]?.[0] ?? 0;
  return sum;
};

/** @returns a function that shows progress for more rows */
const counter = ({ progress }: Reporter, step: Step, total: number): ((count: number) => void) => {
  let sum = 0;
  return (count) => {
    sum += count;
    progress.showRows(step, sum / Math.max(total, 1), sum);
  };
};

/** Resumes after the last row in the target; a chunk is read while the one before it is written. */
const copy = async (
  source: RawDatabase,
  target: RawDatabase,
  table: StoredTable,
  onRows: (count: number) => void,
): Promise<void> => {
  let writing: Promise<void> = Promise.resolve();
  for await (const rows of source.stream(readRows(table, await lastIn(target, table)))) {
    await writing;
    writing = target.insert(table, rows).then(() => onRows(rows.length));
    // Thrown where it is awaited.
    writing.catch(() => {});
  }
  await writing;
};

/** Copies every row that is not there yet, then makes the indexes, which is faster than updating them row by row. */
const fill = async (
  source: RawDatabase,
  target: RawDatabase,
  { tables, indexes }: TargetSchema,
  total: number,
  reporter: Reporter,
): Promise<void> => {
  const { say, note } = reporter;
  const done = await countIn(target, tables);
  if (done > 0) note(say('transfer-resumed', { rows: done }));
  const onRows = counter(reporter, 'copying-rows', total - done);
  for (const table of tables) await copy(source, target, table, onRows);
  for (const index of indexes) {
    note(say('indexing', { index: index.name }));
    await target.rows(statement(createIndex(index)));
  }
  for (const table of tables) await target.analyze(table);
};

/**
 * Copies a whole database and verifies it. The source is read in one snapshot and not changed. The target cannot be served
 * before it is complete; an interrupted transfer is resumed.
 *
 * @param source checked by `checkSource`
 * @param replace whether the content of the target may be deleted
 * @returns the sums of both databases, which are equal
 * @throws CommandError or DatabaseError where it cannot be done, or came out wrong
 */
export const transfer = async (
  source: RawDatabase,
  target: RawDatabase,
  catalogue: Catalogue,
  replace: boolean,
  reporter: Reporter,
): Promise<readonly Sum[]> => {
  const { say, note, progress } = reporter;
  if (source.identity === target.identity) {
    throw commandError('transfer-same', { source: source.name, target: target.name });
  }
  const tables = tablesOf(catalogue);
  const schema = { tables, indexes: catalogue.flatMap(indexesOf) };
  return source.snapshot(async () => {
    const [[change] = [0]] = await source.rows<[number]>(statement(readChange));
    const stage = await openTarget(source, target, schema, change, replace);
    const total = await countIn(source, tables);
    if (stage === 'begun') await fill(source, target, schema, total, reporter);
    await checkUnchanged(source, change);
    note(say('comparing', { source: source.name, target: target.name }));
    const sums = await compareTables(source, target, tables, say, counter(reporter, 'comparing-rows', total));
    progress.end();
    await checkUnchanged(source, change);
    if (stage === 'begun') await completeTarget(target, change);
    return sums;
  });
};
