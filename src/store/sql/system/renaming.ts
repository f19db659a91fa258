import type { Collection } from '../../../gateway/model/catalogue.ts';
import { DatabaseError } from '../../database-error.ts';
import { fieldColumns, quote, REVISION } from '../statement.ts';
import { hooks, tombstones } from '../system-tables.ts';

/** @returns the columns of a table, quoted; `undefined` where there is no such table */
export type ColumnsOf = (table: string) => ReadonlySet<string> | undefined;

/** @returns the name that something has in a database. @throws DatabaseError where it has both */
const nameIn = ({ name, was = name }: Pick<Collection, 'name' | 'was'>, has: (name: string) => boolean, of = '') => {
  if (was === name || !has(was)) return name;
  if (!has(name)) return was;
  throw new DatabaseError(
    `has both ${of}${name} and ${of}${was}, which the catalogue says is the same: move the rows of one to the other, or take \`was\` out of the catalogue`,
  );
};

/**
 * @param indexesOf the indexes of a collection
 * @param renameIndex makes a statement that has an index go by its new name, or makes way for that
 * @returns the collection as a database has it, and what gives it its new names; nothing where it has them
 * @throws DatabaseError where a former name and its new one are there
 */
export const renamingOf = (
  collection: Collection,
  columnsOf: ColumnsOf,
  indexesOf: (collection: Collection) => readonly { readonly name: string }[],
  renameIndex: (before: string, now: string) => string,
): { readonly old: Collection; readonly statements: readonly string[] } | undefined => {
  const { name } = collection;
  // A table without revisions is another program's.
  const table = nameIn(collection, (each) => columnsOf(each)?.has(REVISION) ?? false);
  const existing = columnsOf(table) ?? new Set();
  const fields = collection.fields.map((field) => ({
    ...field,
    name: nameIn(field, (each) => existing.has(quote(each)), `${table}.`),
  }));
  const old = { ...collection, name: table, fields };
  /** What differs between what both have, in one order. */
  const differing = (parts: (of: Collection) => readonly { readonly name: string }[]) => {
    const now = parts(collection);
    return parts(old).flatMap((part, at) =>
      part.name === now[at]?.name ? [] : [[part.name, now[at]?.name ?? ''] as const],
    );
  };
  const columns = differing(fieldColumns).filter(([before]) => existing.has(before));
  if (table === name && columns.length === 0) return undefined;
  const isOf = `"collection" = '${table}'`;
  const referring = [tombstones, hooks].filter((each) => columnsOf(each.name));
  const statements = [
    ...differing(indexesOf).map(([before, now]) => renameIndex(quote(before), quote(now))),
    ...(table === name ? [] : [`ALTER TABLE ${quote(table)} RENAME TO ${quote(name)}`]),
    ...columns.map(([before, now]) => `ALTER TABLE ${quote(name)} RENAME COLUMN ${before} TO ${now}`),
    ...referring.map((each) => `UPDATE ${quote(each.name)} SET "collection" = '${name}' WHERE ${isOf}`),
  ];
  return { old, statements };
};
