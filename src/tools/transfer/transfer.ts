import { createHash } from 'node:crypto';
import type { Cell } from '../../gateway/model/field.ts';
import { createIndex, indexesOf } from '../../store/sql/schema.ts';
import { quote, type StoredTable, statement } from '../../store/sql/statement.ts';
import { readChange } from '../../store/sql/system-tables.ts';
import { commandError } from '../commands/command-error.ts';
import type { CommandContext } from '../commands/run.ts';
import { openRawDatabase, type RawDatabase } from '../raw-database/raw-database.ts';
import { checkWhole, numberIn, readRows, tablesOf } from '../raw-database/tables.ts';
import type { Options } from './options.ts';
import { completeTarget, openTarget, type TargetSchema } from './target.ts';

/** Called with the number of rows of each read or write. */
type OnRows = (count: number) => void;

/** Two databases, and how an operator is told of them. */
interface Transfer extends TargetSchema, Pick<CommandContext, 'say' | 'note' | 'progress'> {
  /** In its snapshot. */
  readonly source: RawDatabase;
  readonly target: RawDatabase;
}

/** The number of a table's rows, and a hash of all their columns. */
export interface Sum {
  readonly table: string;
  readonly count: number;
  readonly sha256: string;
}

const countIn = (database: RawDatabase, tables: readonly StoredTable[]): Promise<number> =>
  numberIn(database, `SELECT ${tables.map(({ name }) => `(SELECT count(*) FROM ${quote(name)})`).join(' + ')}`);

/** @returns where to resume in a table: the last row's values of `order`, empty where it has no rows */
const lastIn = async (target: RawDatabase, { name, order }: StoredTable): Promise<readonly Cell[]> => {
  const last = order.map((column) => `${column} DESC`).join(', ');
  const sql = `SELECT ${order.join(', ')} FROM ${quote(name)} ORDER BY ${last} LIMIT 1`;
  return (await target.rows<readonly Cell[]>(statement(sql)))[0] ?? [];
};

/** Resumes after the last row in the target; a chunk is read while the one before it is written. */
const copy = async ({ source, target }: Transfer, table: StoredTable, onRows: OnRows): Promise<void> => {
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
const fill = async (transfer: Transfer, onRows: OnRows): Promise<void> => {
  const { target, tables, indexes, say, note } = transfer;
  for (const table of tables) await copy(transfer, table, onRows);
  for (const index of indexes) {
    note(say('indexing', { index: index.name }));
    await target.exec(createIndex(index));
  }
  await target.exec(target.sql.analyze);
};

const sumOf = async ({ stream }: RawDatabase, table: StoredTable, onRows: OnRows = () => {}): Promise<Sum> => {
  const hash = createHash('sha256');
  let count = 0;
  for await (const rows of stream(readRows(table))) {
    hash.update(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    count += rows.length;
    onRows(rows.length);
  }
  return { table: table.name, count, sha256: hash.digest('hex') };
};

/**
 * Reads both databases completely and compares them.
 *
 * @returns the sums, equal in both
 * @throws CommandError naming each table that differs
 */
const compare = ({ source, target, tables, say }: Transfer, onRows: OnRows): Promise<readonly Sum[]> =>
  target.snapshot(async () => {
    const sums: Sum[] = [];
    const faults: string[] = [];
    for (const table of tables) {
      const [expected, found] = await Promise.all([sumOf(source, table), sumOf(target, table, onRows)]);
      sums.push(found);
      if (expected.count !== found.count) {
        faults.push(say('rows-missing', { table: table.name, found: `${found.count}`, expected: `${expected.count}` }));
      } else if (expected.sha256 !== found.sha256) faults.push(say('rows-differ', { table: table.name }));
    }
    if (faults.length === 0) return sums;
    throw commandError('transfer-differs', { target: target.name, source: source.name, tables: faults.join(', ') });
  });

/** @param isFull whether all rows are there already. @returns the sums of both databases */
const copyAll = async (transfer: Transfer, isFull: boolean): Promise<readonly Sum[]> => {
  const { source, target, tables, say, note, progress } = transfer;
  const total = await countIn(source, tables);
  const counter = (step: 'copying-rows' | 'comparing-rows', expected: number): OnRows => {
    let sum = 0;
    return (count) => {
      sum += count;
      progress.showRows(step, sum / Math.max(expected, 1), sum);
    };
  };
  if (!isFull) {
    const done = await countIn(target, tables);
    if (done > 0) note(say('transfer-resumed', { rows: done }));
    await fill(transfer, counter('copying-rows', total - done));
  }
  note(say('comparing', { source: source.name, target: target.name }));
  const sums = await compare(transfer, counter('comparing-rows', total));
  progress.end();
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
  context: Pick<CommandContext, 'say' | 'note' | 'progress' | 'catalogue' | 'config'>,
): Promise<readonly Sum[]> => {
  const { catalogue, config, note, say, progress } = context;
  await using source = await openRawDatabase(from, catalogue, true, config.OTHER_COLLECTIONS);
  // Before the target is opened, which creates a file.
  await checkWhole(source, catalogue);
  await using target = await openRawDatabase(to, catalogue, false, config.OTHER_COLLECTIONS);
  note(say('transfer-begun', { source: source.name, target: target.name }));
  if (source.identity === target.identity) {
    throw commandError('transfer-same', { source: source.name, target: target.name });
  }
  const schema = { tables: tablesOf(catalogue), indexes: catalogue.flatMap(indexesOf) };
  const { change, isFull, sums } = await source.snapshot(async () => {
    const number = await numberIn(source, readChange);
    const full = (await openTarget(source, target, schema, number, replace)) === 'full';
    const both = await copyAll({ source, target, ...schema, say, note, progress }, full);
    return { change: number, isFull: full, sums: both };
  });
  // What was written after the snapshot the target would lack.
  const now = await numberIn(source, readChange);
  if (now !== change) throw commandError('source-written', { source: source.name, change: `${change}`, now: `${now}` });
  if (!isFull) await completeTarget(target, change);
  return sums;
};
