/** Every row of a collection, looked at once: its folded texts, by which filters compare and sorts order, and its words. */
import type { Collection } from '../../gateway/model/catalogue.ts';
import type { Cell } from '../../gateway/model/field.ts';
import { foldCell } from '../../gateway/model/search/fold.ts';
import { CREATED, fieldColumns, isFolded, quote, sortColumn, statement, tableOf } from '../../store/sql/statement.ts';
import type { RawDatabase } from '../raw-database/raw-database.ts';
import { readRows } from '../raw-database/tables.ts';
import { type Finding, inChange } from './findings.ts';
import type { TermsCheck } from './terms.ts';

interface StoredRow {
  readonly created: number;
  readonly key: Cell;
  /** One for each field that is folded: as it is stored, and as it should be. */
  readonly folded: readonly Cell[];
  readonly right: readonly Cell[];
}

const storedRow = (collection: Collection): ((row: readonly Cell[]) => StoredRow) => {
  const { fields, key } = collection;
  const start = tableOf(collection).columns.length - fieldColumns(collection).length;
  const texts = fields.flatMap((field, at) => (isFolded(field) ? [start + at] : []));
  return (row) => ({
    created: Number(row[0]),
    key: row[start + fields.indexOf(key)] ?? null,
    folded: row.slice(start + fields.length),
    right: texts.map((at) => foldCell(row[at] ?? null)),
  });
};

const isWrong = ({ folded, right }: StoredRow): boolean => right.some((text, at) => text !== folded[at]);

/** @param onRows called with the number of rows that were read */
export const rowFindings = async (
  database: RawDatabase,
  collection: Collection,
  words: TermsCheck | undefined,
  onRows: (rows: number) => void,
): Promise<readonly Finding[]> => {
  const toRow = storedRow(collection);
  let [read, wrong, first] = [0, 0, ''];
  for await (const chunk of database.stream(readRows(tableOf(collection)))) {
    for (const row of chunk.map(toRow)) {
      words?.row(row.created, row.folded);
      if (!isWrong(row)) continue;
      if (wrong === 0) first = String(row.key);
      wrong += 1;
    }
    read += chunk.length;
    onRows(read);
  }
  const values = { table: collection.name, rows: wrong, key: first };
  return [...(wrong > 0 ? [{ text: 'verify-folded', values } as const] : []), ...(words?.findings() ?? [])];
};

/** Rows of one transaction, for which writers wait. */
const STEP = 5_000;

/** Folds each text anew. */
export const renewFolded = async (database: RawDatabase, collection: Collection): Promise<void> => {
  const toRow = storedRow(collection);
  const set = collection.fields.filter(isFolded).map((field) => `${sortColumn(field)} = ?`);
  const update = `UPDATE ${quote(collection.name)} SET ${set.join(', ')} WHERE ${CREATED} = ?`;
  let last: StoredRow | undefined;
  do {
    const step = readRows(tableOf(collection), last ? [last.created] : [], STEP);
    last = await inChange(database, async () => {
      const rows = (await database.rows<readonly Cell[]>(step)).map(toRow);
      for (const { created, right } of rows.filter(isWrong))
        await database.rows(statement(update, [...right, created]));
      return rows.at(-1);
    });
  } while (last);
};
