import type { Catalogue } from '../../gateway/model/catalogue.ts';
import type { Cell } from '../../gateway/model/field.ts';
import { createIndex, indexesOf } from '../../store/sql/schema.ts';
import { quote, type StoredTable, statement } from '../../store/sql/statement.ts';
import { readChange } from '../../store/sql/system-tables.ts';
import { commandError } from '../commands/command-error.ts';
import type { CommandContext } from '../commands/run.ts';
import { openRawDatabase, type RawDatabase } from '../raw-database/raw-database.ts';
import { checkWhole, numberIn, readRows, tablesOf } from '../raw-database/tables.ts';
import { compareTables, type Sum } from './compare.ts';
import type { Options } from './options.ts';
import { completeTarget, openTarget, type TargetSchema } from './target.ts';

/** Reports progress to the operator. */
type Reporter = Pick<CommandContext, 'say' | 'note' | 'progress'>;

const countIn = (database: RawDatabase, tables: readonly StoredTable[]): Promise<number> =>
  numberIn(database, `SELECT ${tables.map(({ name }) => `(SELECT count(*) FROM ${quote(name)})`).join(' + ')}`);

/** @returns where to resume in a table: the last row's values of `order`, empty where it has no rows */
const lastIn = async (target: RawDatabase, { name, order }: StoredTable): Promise<readonly Cell[]> => {
  const last = order.map((column) => `${column} DESC`).join(', ');
  const sql = `SELECT ${order.join(', ')} FROM ${quote(name)} ORDER BY ${last} LIMIT 1`;
  return (await target.rows<readonly Cell[]>(statement(sql)))[0] ?? [];
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
  { say, note }: Reporter,
  onRows: (count: number) => void,
): Promise<void> => {
  for (const table of tables) await copy(source, target, table, onRows);
  for (const index of indexes) {
    note(say('indexing', { index: index.name }));
    await target.exec(createIndex(index));
  }
  await target.exec(target.sql.analyze);
};

/** Within the source's snapshot. @returns the sums of both databases, and whether the target is still to be completed */
const copyAll = async (
  source: RawDatabase,
  target: RawDatabase,
  schema: TargetSchema,
  change: number,
  replace: boolean,
  reporter: Reporter,
) => {
  const { say, note, progress } = reporter;
  const { tables } = schema;
  const isFull = (await openTarget(source, target, schema, change, replace)) === 'full';
  const total = await countIn(source, tables);
  const counter = (step: 'copying-rows' | 'comparing-rows', expected: number): ((count: number) => void) => {
    let sum = 0;
    return (count) => {
      sum += count;
      progress.showRows(step, sum / Math.max(expected, 1), sum);
    };
  };
  if (!isFull) {
    const done = await countIn(target, tables);
    if (done > 0) note(say('transfer-resumed', { rows: done }));
    await fill(source, target, schema, reporter, counter('copying-rows', total - done));
  }
  note(say('comparing', { source: source.name, target: target.name }));
  const sums = await compareTables(source, target, tables, say, counter('comparing-rows', total));
  progress.end();
  return { sums, isFull };
};

const transfer = async (
  source: RawDatabase,
  target: RawDatabase,
  catalogue: Catalogue,
  replace: boolean,
  reporter: Reporter,
): Promise<readonly Sum[]> => {
  if (source.identity === target.identity) {
    throw commandError('transfer-same', { source: source.name, target: target.name });
  }
  const schema = { tables: tablesOf(catalogue), indexes: catalogue.flatMap(indexesOf) };
  const { change, sums, isFull } = await source.snapshot(async () => {
    const number = await numberIn(source, readChange);
    return { change: number, ...(await copyAll(source, target, schema, number, replace, reporter)) };
  });
  // What was written after the snapshot the target would lack.
  const now = await numberIn(source, readChange);
  if (now !== change) throw commandError('source-written', { source: source.name, change: `${change}`, now: `${now}` });
  if (!isFull) await completeTarget(target, change);
  return sums;
};

/**
 * Copies a whole database and verifies it. The source is read in one snapshot and not changed. The target cannot be served
 * before it is complete; an interrupted transfer is resumed.
 *
 * @returns the sums of both databases, which are equal
 * @throws CommandError or DatabaseError where it fails, or the result differs; messages contain no password
 */
export const move = async (
  { from, to, replace }: Options,
  reporter: Reporter & Pick<CommandContext, 'catalogue' | 'config'>,
): Promise<readonly Sum[]> => {
  const { catalogue, config, note, say } = reporter;
  await using source = await openRawDatabase(from, catalogue, true, config.OTHER_COLLECTIONS);
  // Before the target is opened, which creates a file.
  await checkWhole(source, catalogue);
  await using target = await openRawDatabase(to, catalogue, false, config.OTHER_COLLECTIONS);
  note(say('transfer-begun', { source: source.name, target: target.name }));
  return await transfer(source, target, catalogue, replace, reporter);
};
