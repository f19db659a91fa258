import type { Catalogue, Collection } from '../../gateway/model/catalogue.ts';
import type { Field } from '../../gateway/model/field.ts';
import { DatabaseError } from '../store.ts';
import {
  buildComparedColumn,
  buildSortColumn,
  CREATED,
  type Dialect,
  isFolded,
  listFieldColumns,
  PARENT,
  quote,
  quoteFolded,
  REVISION,
  type Statement,
  statement,
} from './statement.ts';
import { hooks, tombstones } from './system-tables.ts';

/** A nested item refers to its parent by the parent's key, which never changes, so that one look-up finds it. */
export function createTable(collection: Collection, { types, created, key: keyKind }: Dialect): string {
  const { name, key, parent } = collection;
  const reference = parent && `REFERENCES ${quote(parent.name)} (${quote(parent.key.name)}) ON DELETE CASCADE`;
  const columns = [
    `${CREATED} ${created}`,
    `${REVISION} ${types.INTEGER} NOT NULL`,
    ...(reference ? [`${PARENT} ${types.TEXT} NOT NULL ${reference}`] : []),
    ...listFieldColumns(collection).map((column) => `${column.name} ${types[column.type]}`),
    `${keyKind} (${reference ? `${PARENT}, ` : ''}${quote(key.name)})`,
  ];
  return `CREATE TABLE ${quote(name)} (${columns.join(', ')})`;
}

export function addColumns(
  collection: Collection,
  existing: ReadonlySet<string>,
  { types }: Dialect,
): readonly string[] {
  return listFieldColumns(collection)
    .filter((column) => !existing.has(column.name))
    .map((column) => `ALTER TABLE ${quote(collection.name)} ADD COLUMN ${column.name} ${types[column.type]}`);
}

export interface Index {
  readonly name: string;
  readonly table: string;
  /** Quoted. */
  readonly columns: readonly string[];
  readonly method?: 'gin';
  /** The field whose values must differ from each other. */
  readonly unique?: Field | undefined;
}

/** A GIN index has no pending list: a later transaction would have to add what others wrote to it, which takes a tenth of a second. */
export function createIndex({ name, table, columns, method, unique }: Index, way: '' | 'CONCURRENTLY ' = ''): string {
  const [using, options] = method === 'gin' ? ['USING gin ', ' WITH (fastupdate = off)'] : ['', ''];
  return `CREATE ${unique === undefined ? '' : 'UNIQUE '}INDEX ${way}IF NOT EXISTS ${quote(name)} ON ${quote(table)} ${using}(${columns.join(', ')})${options}`;
}

/** An index of compact values has a name of its own, so that databases change with the catalogue. */
function nameSortedSuffix({ name, compact }: Pick<Field, 'name' | 'compact'>): string {
  return compact ? `${name}_compact_sorted` : name;
}

function nameUniqueSuffix({ name, compact }: Pick<Field, 'name' | 'compact'>): string {
  return compact ? `${name}_compact` : `${name}_unique`;
}

function hasUniqueIndex({ unique, compact, isKey }: Field): boolean {
  return unique === true || (isKey && compact === true);
}

/** One index by creation, for pages far down; one by each indexed field; and one by revision, for changes. */
export function listIndexes({ name: table, fields, parent, all }: Collection): readonly Index[] {
  const indexed: readonly (readonly [suffix: string, columns: readonly string[], unique?: Field])[] = [
    ...(parent ? [['_parent', [PARENT, CREATED]] as const] : []),
    ...(parent && !all ? [] : [['_created', [CREATED]] as const]),
    ...fields
      .filter((field) => field.indexed)
      .map((field) => [nameSortedSuffix(field), [buildSortColumn(field), CREATED]] as const),
    ['revision', [REVISION]],
    ...fields.filter(hasUniqueIndex).map((field) => {
      const within = field.isKey && parent ? [PARENT] : [];
      return [nameUniqueSuffix(field), [...within, buildComparedColumn(field)], field] as const;
    }),
  ];
  return indexed.map(([suffix, columns, unique]) => ({ name: `${table}_${suffix}`, table, columns, unique }));
}

export function listObsoleteIndexes({ name: table, fields, parent, all }: Collection): readonly string[] {
  return [
    ...(parent && !all ? [`${table}__created`] : []),
    ...fields.filter((field) => field.indexed && isFolded(field)).map((field) => `${table}_${field.name}_sorted`),
    ...fields.flatMap((field) => {
      const { name, renamedFrom = name, compact } = field;
      const other = { ...field, compact: !compact };
      // If the field has no index, the plain name may be that of another index.
      const sorted = compact && !field.indexed ? [] : [nameSortedSuffix(other)];
      const unique = (hasUniqueIndex(field) ? [other] : [field, other]).flatMap((variant) =>
        [...new Set([name, renamedFrom])].map((own) => nameUniqueSuffix({ ...variant, name: own })),
      );
      return [...sorted, ...unique].map((suffix) => `${table}_${suffix}`);
    }),
  ];
}

const ENDS = /_(?:_created|_parent)$/;

/** @returns the tables of collections that a catalogue lacks, by the indexes of a database */
export function listUnknownTables(indexes: Iterable<string>, catalogue: Catalogue): readonly string[] {
  const tables = catalogue.flatMap(({ name, renamedFrom = name, parent }) =>
    [name, renamedFrom].map((table) => ({ table, parent })),
  );
  const knownIndexes = tables.flatMap(({ table, parent }) => [
    `${table}__created`,
    ...(parent ? [`${table}__parent`] : []),
  ]);
  return [...indexes]
    .filter((name) => ENDS.test(name) && !knownIndexes.includes(name))
    .map((name) => name.replace(ENDS, ''));
}

const WHICH = 'name the database that is meant, or its catalogue (CATALOGUE)';

/** @throws DatabaseError for tables, with their numbers of rows: a catalogue that lacks them may be the wrong one, or have renamed one */
export function refuseUnknownTables(tables: readonly (readonly [name: string, rows: number])[]): void {
  if (tables.length === 0) return;
  const list = [...new Map(tables)].map(([name, rows]) => `${name} (rows: ${rows.toLocaleString('en')})`).join(', ');
  throw new DatabaseError(
    `has collections that this catalogue lacks: ${list}; ${WHICH}, or say in the catalogue what a renamed collection was (words are in the locale tables)`,
  );
}

function findName(
  { name, renamedFrom = name }: Pick<Collection, 'name' | 'renamedFrom'>,
  has: (name: string) => boolean,
  path = '',
) {
  if (renamedFrom === name || !has(renamedFrom)) return name;
  if (!has(name)) return renamedFrom;
  throw new DatabaseError(
    `has both ${path}${name} and ${path}${renamedFrom}, which the catalogue says is the same: move the rows of one to the other, or take \`renamedFrom\` out of the catalogue`,
  );
}

type ListNames = (collection: Collection) => readonly { readonly name: string }[];

function findRenamed(
  old: Collection,
  now: Collection,
  list: ListNames,
): readonly (readonly [before: string, now: string])[] {
  const names = list(now);
  return list(old).flatMap(({ name: before }, at) => {
    const { name = before } = names[at] ?? {};
    return name === before ? [] : [[before, name] as const];
  });
}

export function planRenaming(
  collection: Collection,
  columnsIn: (table: string) => ReadonlySet<string> | undefined,
  listNames: ListNames,
  renameIndex: (before: string, now: string) => string,
): { readonly old: Collection; readonly statements: readonly string[] } | undefined {
  const { name } = collection;
  // A table without revisions is another program's.
  const table = findName(collection, (candidate) => columnsIn(candidate)?.has(REVISION) ?? false);
  const existing = columnsIn(table) ?? new Set();
  const fields = collection.fields.map((field) => ({
    ...field,
    name: findName(field, (candidate) => existing.has(quote(candidate)), `${table}.`),
  }));
  const key = fields.find(({ isKey }) => isKey)?.name ?? '';
  if (existing.has(REVISION) && !existing.has(quote(key))) {
    throw new DatabaseError(`has ${table} without the key ${key}, so another catalogue made it: ${WHICH}`);
  }
  const old = { ...collection, name: table, fields };
  const columns = findRenamed(old, collection, listFieldColumns).filter(([before]) => existing.has(before));
  if (table === name && columns.length === 0) return undefined;
  const referring = [tombstones, hooks].filter((systemTable) => columnsIn(systemTable.name));
  const statements = [
    ...findRenamed(old, collection, listNames).map(([before, now]) => renameIndex(quote(before), quote(now))),
    ...(table === name ? [] : [`ALTER TABLE ${quote(table)} RENAME TO ${quote(name)}`]),
    ...columns.map(([before, now]) => `ALTER TABLE ${quote(name)} RENAME COLUMN ${before} TO ${now}`),
    ...referring.map(
      (systemTable) => `UPDATE ${quote(systemTable.name)} SET "collection" = '${name}' WHERE "collection" = '${table}'`,
    ),
  ];
  return { old, statements };
}

const LISTED = 10;

export function selectRepeated({ table, columns, unique }: Index): Statement | undefined {
  if (unique === undefined) return undefined;
  const column = quote(unique.name);
  const value = unique.compact ? `string_agg(${column}, '" = "' ORDER BY ${column})` : `CAST(min(${column}) AS TEXT)`;
  return statement(
    `SELECT ${value}, CAST(count(*) AS TEXT) FROM ${quote(table)} WHERE ${columns.at(-1)} IS NOT NULL GROUP BY ${columns.join(', ')} HAVING count(*) > 1 ORDER BY 1 LIMIT ${LISTED + 1}`,
  );
}

export function refuseRepeated(
  { table, unique }: Index,
  repeated: readonly (readonly [value: string, rows: string])[],
): void {
  if (repeated.length === 0 || !unique) return;
  const rule = unique.compact ? 'compared without blanks, hyphens, dots and case' : 'unique';
  const list = repeated.slice(0, LISTED).map(([value, rows]) => `"${value}" (rows: ${rows})`);
  const more = repeated.length > LISTED ? ', …' : '';
  throw new DatabaseError(
    `the catalogue says that "${unique.name}" of ${table} is ${rule}, but values of it repeat: ${list.join(', ')}${more}; change or delete these rows first, with a catalogue that does not say so`,
  );
}

/** The characters that `trim` of JavaScript removes, except control characters, which no key has. */
const BLANKS =
  ' \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';

/** The version of the schema from which on no key has blanks at its ends. */
export const TRIMMED = 6;

/** Makes SQL that takes blanks away from the ends of keys: it selects those that have some, selects those that would be one or none without them, and updates each table. */
export function trimKeys(catalogue: Catalogue, trim: 'trim' | 'btrim') {
  const trimmed = (column: string): string => `${trim}(${column}, '${BLANKS}')`;
  const tables = catalogue.map(({ name, key: { name: keyName }, parent, fields }) => {
    const [table, key, parentColumn] = [quote(name), quote(keyName), parent ? [PARENT] : []];
    const keyFields = fields.filter(({ isKey, refersTo }) => isKey || refersTo !== undefined);
    const columns = [...parentColumn, ...keyFields.flatMap((field) => [quote(field.name), quoteFolded(field)])];
    const id = [...parentColumn, key].map(trimmed).join(', ');
    const isRepeated = `(${id}) IN (SELECT ${id} FROM ${table} GROUP BY ${id} HAVING count(*) > 1)`;
    return {
      name,
      blank: `SELECT '${name}', ${key} FROM ${table} WHERE ${key} <> ${trimmed(key)}`,
      colliding: `SELECT '${name}', ${key} FROM ${table} WHERE ${trimmed(key)} IN ('', '.', '..') OR ${isRepeated}`,
      update: `UPDATE ${table} SET ${columns.map((column) => `${column} = ${trimmed(column)}`).join(', ')} WHERE ${columns.map((column) => `${column} <> ${trimmed(column)}`).join(' OR ')}`,
    };
  });
  const selectAll = (which: 'blank' | 'colliding'): string =>
    `${tables.map((table) => table[which]).join(' UNION ALL ')} ORDER BY 1, 2 LIMIT ${LISTED + 1}`;
  return { selectBlank: selectAll('blank'), selectColliding: selectAll('colliding'), tables };
}

export type KeyRows = readonly (readonly [collection: string, key: string])[];

function listKeys(rows: KeyRows): string {
  const keys = rows.slice(0, LISTED).map(([collection, key]) => `${collection} ${JSON.stringify(key)}`);
  return keys.join(', ') + (rows.length > LISTED ? ', …' : '');
}

/** @throws DatabaseError for keys that would collide. @returns whether any keys are to be trimmed */
export function mustTrim(blank: KeyRows, colliding: KeyRows, warn: (line: string) => void): boolean {
  if (colliding.length > 0) {
    throw new DatabaseError(
      `has keys that would be one without the blanks at their ends, or none: ${listKeys(colliding)}; rename or delete these items with the version before`,
    );
  }
  if (blank.length > 0) warn(`the upgrade takes blanks away from the ends of keys: ${listKeys(blank)}`);
  return blank.length > 0;
}
