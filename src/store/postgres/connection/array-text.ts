/** Columns of values as PostgreSQL reads arrays (https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO). */
import type { Cell } from '../../../gateway/model/field.ts';

/** What JSON writes in another way than arrays do: control characters, and halves of surrogate pairs. */
const OTHER_ESCAPE = /\\[^"\\]/;

const QUOTED = /["\\]/g;

const elementText = (cell: Cell): string => {
  if (cell === null) return 'NULL';
  return typeof cell === 'number' ? String(cell) : `"${String(cell).replaceAll(QUOTED, '\\$&')}"`;
};

/** JSON makes `null` of everything else that is no cell; the server refuses it as it is. */
const isInJson = (cell: Cell): boolean => cell === null || typeof cell === 'string' || Number.isFinite(cell);

/** Most columns are the same in JSON but for the brackets, and JSON is made in a fifth of the time. */
export const arrayText = (cells: readonly Cell[]): string => {
  const json = JSON.stringify(cells);
  const isSame = !OTHER_ESCAPE.test(json) && cells.every(isInJson);
  return `{${isSame ? json.slice(1, -1) : cells.map(elementText).join(',')}}`;
};
