import { createHash } from 'node:crypto';
import type { StoredTable } from '../../store/sql/statement.ts';
import { commandError } from '../commands/command-error.ts';
import type { CommandContext } from '../commands/run.ts';
import type { RawDatabase } from '../raw-database/raw-database.ts';
import { readRows } from '../raw-database/tables.ts';

/** The number of a table's rows, and a hash of all their columns. */
export interface Sum {
  readonly table: string;
  readonly count: number;
  readonly sha256: string;
}

/** @param onRows called with the number of rows of each read */
const sumOf = async (
  { stream }: RawDatabase,
  table: StoredTable,
  onRows: (count: number) => void = () => {},
): Promise<Sum> => {
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
 * Reads both databases completely and compares them. The source must be in its snapshot.
 *
 * @param onRows called with the number of rows of each read of the target
 * @returns the sums, equal in both
 * @throws CommandError naming each table that differs
 */
export const compareTables = (
  source: RawDatabase,
  target: RawDatabase,
  tables: readonly StoredTable[],
  say: CommandContext['say'],
  onRows: (count: number) => void,
): Promise<readonly Sum[]> =>
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
