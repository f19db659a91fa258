import type { Collection } from '../../model/catalogue.ts';
import type { Cell } from '../../model/field.ts';
import type { Keys, Row } from '../port.ts';
import { PARENT, quote, rowColumns } from '../sql/columns.ts';
import type { SqlOf } from '../sql/items.ts';
import type { Pool, Statement } from './connection.ts';

/** Items of one statement. */
const MOST = 100;

interface Waiting {
  readonly keys: Keys;
  readonly resolve: (row: Row | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** @returns the text that finds items by their keys; binds a column of keys for each level */
const findSql = (collection: Collection): string => {
  const { name, key, parent } = collection;
  const columns = rowColumns(collection).join(', ');
  if (!parent) return `SELECT ${columns} FROM ${quote(name)} WHERE ${quote(key.name)} = ANY(?)`;
  const keys = `(${PARENT}, ${quote(key.name)}) IN (SELECT * FROM unnest(?::text[], ?::text[]))`;
  return `SELECT ${PARENT}, ${columns} FROM ${quote(name)} WHERE ${keys}`;
};

const nameOf = (keys: readonly Cell[]): string => keys.join('\0');

/** Rows as `findSql` reads them, by their keys. */
const byKeys = ({ parent }: Collection, found: readonly (readonly Cell[])[]): ReadonlyMap<string, Row> =>
  new Map(
    found.map((cells) => {
      const row = (parent ? cells.slice(1) : cells) as Row;
      return [nameOf([...(parent ? [cells[0] ?? null] : []), row[1] ?? null]), row];
    }),
  );

/**
 * What is asked for in one turn of the event loop is read by one statement: a round trip, the messages around it and the
 * wait for a connection cost more than a row. Nothing is ever read before it was asked for.
 *
 * @param sqlOf the text that reads one item
 */
export const itemReader = (pool: Pool, sqlOf: SqlOf) => {
  const texts = new Map<Collection, string>();
  let waiting = new Map<Collection, Waiting[]>();

  const statementFor = (collection: Collection, items: readonly Waiting[]): Statement => {
    const [first] = items;
    if (first && items.length === 1) return { sql: sqlOf(collection).get, values: first.keys };
    const sql = texts.get(collection) ?? findSql(collection);
    texts.set(collection, sql);
    const levels = collection.parent ? [0, 1] : [0];
    return { sql, values: levels.map((level) => items.map(({ keys }) => keys[level] ?? null)) };
  };
  const read = async (collection: Collection, items: readonly Waiting[]): Promise<void> => {
    try {
      const statement = statementFor(collection, items);
      const found = await pool.use((connection) => connection.rows<readonly Cell[]>(statement));
      const [first] = items;
      if (first && items.length === 1) {
        first.resolve(found[0] as Row | undefined);
        return;
      }
      const rows = byKeys(collection, found);
      for (const { keys, resolve } of items) resolve(rows.get(nameOf(keys)));
    } catch (error) {
      for (const { reject } of items) reject(error);
    }
  };
  const readAll = (): void => {
    const all = waiting;
    waiting = new Map();
    for (const [collection, items] of all) {
      for (let from = 0; from < items.length; from += MOST) void read(collection, items.slice(from, from + MOST));
    }
  };

  return (collection: Collection, keys: Keys): Promise<Row | undefined> =>
    new Promise((resolve, reject) => {
      if (waiting.size === 0) setImmediate(readAll);
      const items = waiting.get(collection);
      if (items) items.push({ keys, resolve, reject });
      else waiting.set(collection, [{ keys, resolve, reject }]);
    });
};
