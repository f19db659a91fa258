/** Folded texts, by which filters compare and sorts order. */
import type { Collection } from '../model/catalogue.ts';
import type { Cell } from '../model/field.ts';
import { foldCell } from '../model/search/fold.ts';
import type { RawDatabase } from '../raw-database/raw-database.ts';
import { CREATED, isFolded, sortColumn } from '../store/sql/columns.ts';
import { quote, statement } from '../store/sql/statement.ts';
import { inChange, type RowCheck } from './finding.ts';

/** Rows of one transaction. */
const STEP = 500;

/** The row is read again: a write may have repaired it meanwhile. */
const repairRow = async (database: RawDatabase, { name, fields }: Collection, created: number): Promise<void> => {
  const texts = fields.filter(isFolded);
  const columns = texts.map((field) => quote(field.name)).join(', ');
  const table = quote(name);
  const [row] = await database.rows<readonly Cell[]>(
    statement(`SELECT ${columns} FROM ${table} WHERE ${CREATED} = ?`, [created]),
  );
  if (!row) return;
  const changes = texts.map((field) => `${sortColumn(field)} = ?`).join(', ');
  await database.rows(
    statement(`UPDATE ${table} SET ${changes} WHERE ${CREATED} = ?`, [...row.map(foldCell), created]),
  );
};

export const foldedCheck = (collection: Collection): RowCheck => {
  const { name: table, fields, key } = collection;
  const texts = fields.flatMap((field, at) => (isFolded(field) ? [at] : []));
  const wrong: number[] = [];
  let first: Cell = null;
  return {
    row: ({ created, cells, folded }) => {
      if (texts.every((at, place) => foldCell(cells[at] ?? null) === folded[place])) return;
      if (wrong.length === 0) first = cells[fields.indexOf(key)] ?? null;
      wrong.push(created);
    },
    findings: () => {
      if (wrong.length === 0) return [];
      const repair = async (database: RawDatabase): Promise<void> => {
        for (let at = 0; at < wrong.length; at += STEP) {
          await inChange(database, async () => {
            for (const created of wrong.slice(at, at + STEP)) await repairRow(database, collection, created);
          });
        }
      };
      return [{ text: 'verify-folded', values: { table, rows: wrong.length, key: String(first) }, repair }];
    },
  };
};
