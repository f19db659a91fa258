/** Writes planned items: new ones as `COPY` does. */
import type { Collection } from '../../../model/catalogue.ts';
import type { Cell } from '../../../model/field.ts';
import type { PlannedColumns, StageTables } from '../../imports/stage-tables.ts';
import type { Keys } from '../../port.ts';
import { fieldColumns, PARENT, REVISION, tableOf } from '../../sql/columns.ts';
import { postgres } from '../../sql/dialects.ts';
import { quote } from '../../sql/statement.ts';
import { columnNames } from '../../sql/tables.ts';
import type { Connection } from '../connection/connection.ts';
import { copyLine } from '../connection/copy.ts';
import { columnsOf } from '../writes/batch.ts';

/** Items of one `COPY`, and characters that are sent at once. */
const STEP = 65_536;
const CHARACTERS = 65_536;
/** Items of one `UPDATE`. */
const UPDATED = 1_000;

/** @returns a few of what is iterated, with what was left of it by the call before */
const taker = <T>(all: Iterable<T>) => {
  const iterator = all[Symbol.iterator]();
  let next = iterator.next();
  return {
    isDone: (): boolean => next.done === true,
    take: function* (most: number): Generator<T> {
      for (let count = 0; count < most && !next.done; count++) {
        yield next.value;
        next = iterator.next();
      }
    },
  };
};

function* inTexts(lines: Iterable<string>): Generator<string> {
  let text = '';
  for (const line of lines) {
    text += line;
    if (text.length < CHARACTERS) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

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
  const key = quote(collection.key.name);
  const columns = fieldColumns(collection);
  const rows = postgres.boundRows(['INTEGER', ...columns.map(({ type }) => type)]);
  const names = columns.map(({ name }) => name);
  const set = [REVISION, ...names].map((name) => `${name} = "u".${name}`).join(', ');
  const isNested = parents.length > 0 ? ` AND ${table}.${PARENT} = ?` : '';
  return `UPDATE ${table} SET ${set} FROM (${rows}) AS "u" (${[REVISION, ...names].join(', ')}) WHERE ${table}.${key} = "u".${key}${isNested}`;
};

export const writePlanned = async (
  connection: Connection,
  { collection, parents, tables, base, onDone }: Written,
): Promise<void> => {
  let done = 0;
  const copy = `COPY ${quote(collection.name)} (${columnNames(tableOf(collection))}) FROM STDIN`;
  const lineOf = ([number, last, ...columns]: PlannedColumns): string =>
    copyLine([base + number, base + last, ...parents, ...columns]);
  function* lines(items: Iterable<PlannedColumns>): Generator<string> {
    for (const item of items) {
      done++;
      yield lineOf(item);
    }
  }
  const made = taker(tables.planned('new'));
  while (!made.isDone()) {
    await connection.copy(copy, inTexts(lines(made.take(STEP))));
    onDone(done);
  }
  const sql = updateSql(collection, parents);
  const changed = taker(tables.planned('old'));
  while (!changed.isDone()) {
    const rows = [...changed.take(UPDATED)].map(([, last, ...columns]): readonly Cell[] => [base + last, ...columns]);
    await connection.rows({ sql, values: [...columnsOf(rows), ...parents] });
    done += rows.length;
    onDone(done);
  }
};
