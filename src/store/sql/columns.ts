/** Names of columns, quoted, and cells as they are stored. Names come from the catalogue only. */
import type { Collection } from '../../model/catalogue.ts';
import type { Cell, Field } from '../../model/field.ts';
import { fold } from '../../model/fold.ts';
import { kindOf } from '../../model/kinds/kinds.ts';

/** SQL as a value: client text only ever travels as a bound value. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly Cell[];
}

export interface Column {
  readonly name: string;
  readonly type: 'TEXT' | 'INTEGER';
}

export const quote = (name: string): string => `"${name}"`;

/** The store's own columns; no field's name can begin with an underscore. */
export const CREATED = quote('_created');
export const REVISION = quote('_revision');
export const PARENT = quote('_parent');

const folded = (field: Field): string => quote(`_${field.name}`);

/** @returns the column that filters and sorts go by */
export const sortColumn = (field: Field): string => (kindOf(field).folded ? folded(field) : quote(field.name));

/** @returns the columns of the fields, then those of their folded keys; all may be null */
export const fieldColumns = ({ fields }: Collection): readonly Column[] => [
  ...fields.map((field) => ({ name: quote(field.name), type: kindOf(field).column })),
  ...fields.filter((field) => kindOf(field).folded).map((field) => ({ name: folded(field), type: 'TEXT' as const })),
];

/** @returns every column of a collection's table, in the order of `insertValues` */
export const tableColumns = (collection: Collection): readonly Column[] => [
  { name: CREATED, type: 'INTEGER' },
  { name: REVISION, type: 'INTEGER' },
  ...(collection.parent ? [{ name: PARENT, type: 'TEXT' } as const] : []),
  ...fieldColumns(collection),
];

export const foldCell = (cell: Cell): Cell => (typeof cell === 'string' ? fold(cell) : cell);

/** @returns a value for each of `fieldColumns` */
export const fieldValues = ({ fields }: Collection, cells: readonly Cell[]): readonly Cell[] => [
  ...cells,
  ...fields.flatMap((field, at) => (kindOf(field).folded ? [foldCell(cells[at] ?? null)] : [])),
];

/** The columns of a row as the port has it. */
export const rowColumns = ({ fields }: Collection): readonly string[] => [
  REVISION,
  ...fields.map((field) => quote(field.name)),
];

export const marks = (count: number): string => Array(count).fill('?').join(', ');

export const statement = (sql: string, values: readonly Cell[] = []): Statement => ({ sql, values });
