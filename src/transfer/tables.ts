/** The tables that a transfer copies, as data, and the texts that read them; the same for every database. */
import type { Catalogue } from '../model/catalogue.ts';
import type { Cell } from '../model/field.ts';
import { type Column, CREATED, marks, quote, type Statement, statement, tableColumns } from '../store/sql/columns.ts';

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  /** The columns by which rows are copied and compared; no two rows are equal in them. */
  readonly order: readonly string[];
}

const named = (type: Column['type'], ...names: readonly string[]): readonly Column[] =>
  names.map((name) => ({ name: quote(name), type }));

const BOOKS: readonly Table[] = [
  {
    name: '_tombstones',
    columns: [...named('INTEGER', 'number'), ...named('TEXT', 'collection', 'parent', 'key')],
    order: [quote('number')],
  },
  {
    name: '_totals',
    columns: [...named('TEXT', 'collection', 'field', 'value'), ...named('INTEGER', 'count')],
    order: ['collection', 'field', 'value'].map(quote),
  },
];

/** @returns the collections in creation order, parents first; then what was deleted, and the totals */
export const tablesOf = (catalogue: Catalogue): readonly Table[] => [
  ...catalogue.map((collection) => ({
    name: collection.name,
    columns: tableColumns(collection),
    order: [CREATED],
  })),
  ...BOOKS,
];

const columnNames = ({ columns }: Table): string => columns.map(({ name }) => name).join(', ');

/** Differs where two versions of the service do not keep the same columns. */
export const layoutOf = (tables: readonly Table[]): string =>
  tables.map((table) => `${table.name} (${columnNames(table)})`).join('; ');

/** @param after where to go on: the last row's values of `order`; by default all rows are read */
export const readRows = (table: Table, after: readonly Cell[] = []): Statement => {
  const order = table.order.join(', ');
  const rest = after.length === 0 ? '' : ` WHERE (${order}) > (${marks(after.length)})`;
  return statement(`SELECT ${columnNames(table)} FROM ${quote(table.name)}${rest} ORDER BY ${order}`, after);
};

/** Reads nothing; fails where a column is missing. */
export const readNothing = (table: Table): Statement =>
  statement(`SELECT ${columnNames(table)} FROM ${quote(table.name)} LIMIT 0`);

/** Reads the last row's values of `order`. */
export const readLast = ({ name, order }: Table): Statement =>
  statement(
    `SELECT ${order.join(', ')} FROM ${quote(name)} ORDER BY ${order.map((column) => `${column} DESC`).join(', ')} LIMIT 1`,
  );

export const countRows = ({ name }: Table): Statement => statement(`SELECT count(*) FROM ${quote(name)}`);
