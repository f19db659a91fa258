/** The columns of a collection's table, and their values. Names come from the catalogue only. */
import type { Collection } from '../../gateway/model/catalogue.ts';
import type { Cell, Field } from '../../gateway/model/field.ts';
import { kindOf } from '../../gateway/model/kinds/kinds.ts';
import type { Nested } from '../../gateway/model/query.ts';
import { foldCell } from '../../gateway/model/search/fold.ts';
import type { Dialect } from './dialects.ts';
import { quote } from './statement.ts';
import type { Column, StoredTable } from './tables.ts';

/** The store's own columns; no field's name can begin with an underscore. */
export const CREATED = quote('_created');
export const REVISION = quote('_revision');
export const PARENT = quote('_parent');

export const isFolded = (field: Field): boolean => kindOf(field).folded;
const folded = (field: Field): string => quote(`_${field.name}`);

/** @returns the column that filters compare and sorts order by */
export const sortColumn = (field: Field): string => (isFolded(field) ? folded(field) : quote(field.name));

/** @returns the columns of the fields, then those of their folded texts; all of them may be null */
export const fieldColumns = ({ fields }: Collection): readonly Column[] => [
  ...fields.map((field) => ({ name: quote(field.name), type: kindOf(field).column })),
  ...fields.filter(isFolded).map((field) => ({ name: folded(field), type: 'TEXT' as const })),
];

/** @returns a value for each of `fieldColumns` */
export const fieldValues = ({ fields }: Collection, cells: readonly Cell[]): readonly Cell[] => [
  ...cells,
  ...fields.flatMap((field, at) => (isFolded(field) ? [foldCell(cells[at] ?? null)] : [])),
];

/** Rows are ordered by the change number of their creation. */
export const tableOf = (collection: Collection): StoredTable => ({
  name: collection.name,
  columns: [
    { name: CREATED, type: 'INTEGER' },
    { name: REVISION, type: 'INTEGER' },
    ...(collection.parent ? [{ name: PARENT, type: 'TEXT' } as const] : []),
    ...fieldColumns(collection),
  ],
  order: [CREATED],
});

/** The columns of a `Row`. */
export const rowColumns = ({ fields }: Pick<Collection, 'fields'>): readonly string[] => [
  REVISION,
  ...fields.map((field) => quote(field.name)),
];

/** The nested items of each row, in the order of their creation: a column for each collection, of rows in JSON. */
export const nestedColumns = (
  { name, key }: Collection,
  nested: readonly Nested[],
  { rowsAsJson }: Dialect,
): readonly string[] =>
  nested.map((each) => {
    const rows = rowsAsJson(rowColumns(each).join(', '), CREATED);
    const own = `${quote(each.name)}.${PARENT} = ${quote(name)}.${quote(key.name)}`;
    return `(SELECT ${rows} FROM ${quote(each.name)} WHERE ${own})`;
  });
