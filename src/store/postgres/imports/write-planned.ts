/** Writes planned items: new ones as `COPY` does. */

import type { Collection } from '../../../gateway/model/catalogue.ts';
import type { Cell } from '../../../gateway/model/field.ts';
import type { Keys } from '../../../gateway/port/port.ts';
import { chunksOf } from '../../../util/chunks-of.ts';
import type { PlannedColumns, StageTables } from '../../imports/stage-tables.ts';
import { postgres } from '../../sql/dialects.ts';
import { columnNames, fieldColumns, isSameItem, PARENT, quote, REVISION, tableOf } from '../../sql/statement.ts';
import type { Connection } from '../connection/connection.ts';
import { copyLine } from '../connection/copy.ts';
import { columnsOf } from '../writes/rest-writes.ts';

/** Items that are sent at once. */
const STEP = 1_000;

interface Written {
  readonly collection: Collection;
  readonly parents: Keys;
  readonly tables: StageTables;
  /** The change number before the first of the plan. */
  readonly base: number;
  /** Called with the number of written items. Ends the work by throwing. */
  readonly onDone: (items: number) => void;
}

const updateSql = (collection: Collection, parents: Keys): string => {
  const table = quote(collection.name);
  const columns = fieldColumns(collection);
  const rows = postgres.boundRows(['INTEGER', ...columns.map(({ type }) => type)]);
  const names = columns.map(({ name }) => name);
  const set = [REVISION, ...names].map((name) => `${name} = "u".${name}`).join(', ');
  const isNested = parents.length > 0 ? ` AND ${table}.${PARENT} = ?` : '';
  return `UPDATE ${table} SET ${set} FROM (${rows}) AS "u" (${[REVISION, ...names].join(', ')}) WHERE ${isSameItem(collection, table, '"u"')}${isNested}`;
};

export const writePlanned = async (
  connection: Connection,
  { collection, parents, tables, base, onDone }: Written,
): Promise<void> => {
  let done = 0;
  const copy = `COPY ${quote(collection.name)} (${columnNames(tableOf(collection))}) FROM STDIN`;
  const lineOf = ([number, last, ...columns]: PlannedColumns): string =>
    copyLine([base + number, base + last, ...parents, ...columns]);
  function* texts(): Generator<string> {
    for (const items of chunksOf(tables.planned('new'), STEP)) {
      yield items.map(lineOf).join('');
      done += items.length;
      onDone(done);
    }
  }
  await connection.copy(copy, texts());
  const sql = updateSql(collection, parents);
  for (const items of chunksOf(tables.planned('old'), STEP)) {
    const rows = items.map(([, last, ...columns]): readonly Cell[] => [base + last, ...columns]);
    await connection.rows({ sql, values: [...columnsOf(rows), ...parents] });
    done += rows.length;
    onDone(done);
  }
};
