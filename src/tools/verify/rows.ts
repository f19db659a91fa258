/** The folded texts of each row, by which filters compare and sorts order. */
import type { Collection } from '../../gateway/model/catalogue.ts';
import type { Cell } from '../../gateway/model/field.ts';
import { foldCell } from '../../gateway/model/search/fold.ts';
import { CREATED, fieldColumns, isFolded, quote, sortColumn, statement, tableOf } from '../../store/sql/statement.ts';
import type { RawDatabase } from '../raw-database/raw-database.ts';
import { readRows } from '../raw-database/tables.ts';
import { type Finding, inChange } from './findings.ts';

/** Where the fields of a row begin. */
const fieldsStart = (collection: Collection): number =>
  tableOf(collection).columns.length - fieldColumns(collection).length;

/** @returns a function that folds the texts of a row anew; `undefined` where they are right */
const refolded = (collection: Collection): ((row: readonly Cell[]) => readonly Cell[] | undefined) => {
  const { fields } = collection;
  const start = fieldsStart(collection);
  const texts = fields.flatMap((field, at) => (isFolded(field) ? [start + at] : []));
  return (row) => {
    const right = texts.map((at) => foldCell(row[at] ?? null));
    const isWrong = right.some((text, at) => text !== row[start + fields.length + at]);
    return isWrong ? right : undefined;
  };
};

/** @param onRows called with the number of rows that were read */
export const foldedFindings = async (
  database: RawDatabase,
  collection: Collection,
  onRows: (rows: number) => void,
): Promise<readonly Finding[]> => {
  const refold = refolded(collection);
  const keyAt = fieldsStart(collection) + collection.fields.indexOf(collection.key);
  let [read, wrong, first] = [0, 0, ''];
  for await (const chunk of database.stream(readRows(tableOf(collection)))) {
    const found = chunk.filter((row) => refold(row) !== undefined);
    if (wrong === 0) first = String(found[0]?.[keyAt]);
    wrong += found.length;
    read += chunk.length;
    onRows(read);
  }
  return wrong === 0 ? [] : [{ text: 'verify-folded', values: { table: collection.name, rows: wrong, key: first } }];
};

/** Rows of one transaction, for which writers wait. */
const STEP = 5_000;

/** Folds each text anew. */
export const renewFolded = async (database: RawDatabase, collection: Collection): Promise<void> => {
  const refold = refolded(collection);
  const set = collection.fields.filter(isFolded).map((field) => `${sortColumn(field)} = ?`);
  const update = `UPDATE ${quote(collection.name)} SET ${set.join(', ')} WHERE ${CREATED} = ?`;
  let last: readonly Cell[] | undefined;
  do {
    const step = readRows(tableOf(collection), last?.slice(0, 1), STEP);
    last = await inChange(database, async () => {
      const rows = await database.rows<readonly Cell[]>(step);
      for (const row of rows) {
        const right = refold(row);
        if (right) await database.rows(statement(update, [...right, row[0] ?? null]));
      }
      return rows.at(-1);
    });
  } while (last);
};
