import { createHash } from 'node:crypto';
import { createIndex, type Index, indexesOf } from '../../store/sql/schema.ts';
import { quote, type StoredTable, statement } from '../../store/sql/statement.ts';
import { CHANGE, LOCK_CHANGE, readChange, writeChange } from '../../store/sql/system-tables.ts';
import { commandError } from '../commands/command-error.ts';
import type { CommandContext } from '../commands/run.ts';
import { openRawDatabase, type RawDatabase } from '../raw-database/raw-database.ts';
import { checkWhole, numberIn, readRows, tablesOf } from '../raw-database/tables.ts';
import type { Options } from './options.ts';

/** Called with the number of rows of each read or write. */
type OnRows = (count: number) => void;

/** Two databases, what is copied, and how an operator is told. */
interface Transfer extends Pick<CommandContext, 'say' | 'note' | 'progress'> {
  /** In its snapshot. */
  readonly source: RawDatabase;
  /** In its transaction. */
  readonly target: RawDatabase;
  readonly tables: readonly StoredTable[];
  /** Made once all rows are there, which is faster than updating them row by row. */
  readonly indexes: readonly Index[];
}

/** The number of a table's rows, and a hash of all their columns. */
export interface Sum {
  readonly table: string;
  readonly count: number;
  readonly sha256: string;
}

const countIn = (database: RawDatabase, tables: readonly StoredTable[]): Promise<number> =>
  numberIn(database, `SELECT ${tables.map(({ name }) => `(SELECT count(*) FROM ${quote(name)})`).join(' + ')}`);

/** A chunk is read while the one before it is written. */
const copy = async ({ source, target }: Transfer, table: StoredTable, onRows: OnRows): Promise<void> => {
  let writing: Promise<void> = Promise.resolve();
  for await (const rows of source.stream(readRows(table))) {
    await writing;
    writing = target.insert(table, rows).then(() => onRows(rows.length));
    // Thrown where it is awaited.
    writing.catch(() => {});
  }
  await writing;
};

const fill = async (transfer: Transfer, onRows: OnRows): Promise<void> => {
  const { target, tables, indexes, say, note } = transfer;
  for (const { name } of indexes) await target.exec(`DROP INDEX ${quote(name)}`);
  for (const { name } of tables.toReversed()) await target.exec(`DELETE FROM ${quote(name)}`);
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
const compare = async ({ source, target, tables, say }: Transfer, onRows: OnRows): Promise<readonly Sum[]> => {
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
};

/** @returns the sums of both databases */
const copyAll = async (transfer: Transfer): Promise<readonly Sum[]> => {
  const { source, target, tables, say, note, progress } = transfer;
  const total = await countIn(source, tables);
  const counter = (step: 'copying-rows' | 'comparing-rows'): OnRows => {
    let sum = 0;
    return (count) => {
      sum += count;
      progress.showRows(step, sum / Math.max(total, 1), sum);
    };
  };
  await fill(transfer, counter('copying-rows'));
  note(say('comparing', { source: source.name, target: target.name }));
  const sums = await compare(transfer, counter('comparing-rows'));
  progress.end();
  return sums;
};

/** @throws CommandError for a target that something was written to */
const refuseFull = (target: RawDatabase, change: number): void => {
  if (change > 0) throw commandError('target-full', { target: target.name, change: `${change}` });
};

/**
 * Copies a whole database in one step, and verifies it before that is done: the target has all of it or is as it was before. The
 * source is read in one snapshot and not changed.
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
  await target.check();
  // Before anything is added to it.
  if (!replace && (await target.tables()).has(CHANGE)) refuseFull(target, await numberIn(target, readChange));
  await target.prepare();
  const [tables, indexes] = [tablesOf(catalogue), catalogue.flatMap(indexesOf)];
  return await target.transaction(async () => {
    // Whoever writes, another transfer too, waits for the end.
    const [[held = 0] = []] = await target.rows<[number]>(statement(LOCK_CHANGE));
    if (!replace) refuseFull(target, held);
    const { change, sums } = await source.snapshot(async () => ({
      change: await numberIn(source, readChange),
      sums: await copyAll({ source, target, tables, indexes, say, note, progress }),
    }));
    // What was written after the snapshot the target would lack.
    const now = await numberIn(source, readChange);
    if (now !== change)
      throw commandError('source-written', { source: source.name, change: `${change}`, now: `${now}` });
    await target.rows(statement(writeChange, [change]));
    return sums;
  });
};
