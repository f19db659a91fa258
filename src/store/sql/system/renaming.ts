import type { Collection } from '../../../gateway/model/catalogue.ts';
import { DatabaseError } from '../../database-error.ts';
import { fieldColumns, quote, REVISION } from '../statement.ts';
import { hooks, tombstones, totals } from '../system-tables.ts';

/** @returns the columns of a table, quoted; `undefined` where there is no such table */
export type ColumnsOf = (table: string) => ReadonlySet<string> | undefined;

/** What a database calls otherwise than the catalogue, which says what it was. */
export interface Renaming {
  /** The collection as the database has it. */
  readonly old: Collection;
  /** What renames its table and columns, but none of its indexes. */
  readonly statements: readonly string[];
}

/** @returns the name that something has in a database. @throws DatabaseError where it has both */
const nameIn = ({ name, was = name }: Pick<Collection, 'name' | 'was'>, has: (name: string) => boolean, of = '') => {
  if (was === name || !has(was)) return name;
  if (!has(name)) return was;
  throw new DatabaseError(
    `has both ${of}${name} and ${of}${was}, which the catalogue says is the same: move the rows of one to the other, or take \`was\` out of the catalogue`,
  );
};

/** @returns nothing where the names are those of the catalogue already. @throws DatabaseError where a former name and its new one are there */
export const renamingOf = (collection: Collection, columnsOf: ColumnsOf): Renaming | undefined => {
  const { name } = collection;
  // A table without revisions is another program's.
  const table = nameIn(collection, (each) => columnsOf(each)?.has(REVISION) ?? false);
  const existing = columnsOf(table) ?? new Set();
  const fields = collection.fields.map((field) => ({
    ...field,
    name: nameIn(field, (each) => existing.has(quote(each)), `${table}.`),
  }));
  const old = { ...collection, name: table, fields };
  const columns = fieldColumns(collection).map((column) => column.name);
  const changes = fieldColumns(old).flatMap(({ name: before }, at) => {
    const now = columns[at] ?? before;
    return before === now || !existing.has(before)
      ? []
      : [`ALTER TABLE ${quote(name)} RENAME COLUMN ${before} TO ${now}`];
  });
  if (table === name && changes.length === 0) return undefined;
  const isOf = `"collection" = '${table}'`;
  const referring = [tombstones, hooks].filter((each) => table !== name && columnsOf(each.name));
  const statements = [
    ...(table === name ? [] : [`ALTER TABLE ${quote(table)} RENAME TO ${quote(name)}`]),
    ...changes,
    ...referring.map((each) => `UPDATE ${quote(each.name)} SET "collection" = '${name}' WHERE ${isOf}`),
    // They are counted anew.
    `DELETE FROM ${quote(totals.name)} WHERE ${isOf}`,
  ];
  return { old, statements };
};

/** @returns the indexes of a collection that have other names in the database, each with its new one */
export const renamedIndexes = <T extends { readonly name: string }>(
  { old }: Renaming,
  collection: Collection,
  indexesOf: (collection: Collection) => readonly T[],
): readonly (readonly [before: string, now: string])[] => {
  const now = indexesOf(collection);
  return indexesOf(old).flatMap(({ name }, at) => {
    const other = now[at]?.name ?? name;
    return other === name ? [] : [[name, other] as const];
  });
};
