import { type Collection, keyIds } from '../../gateway/model/catalogue.ts';
import type { Cell, Field } from '../../gateway/model/field.ts';
import { BETWEEN_KEYS } from '../../gateway/model/import.ts';
import { kinds } from '../../gateway/model/kinds/kinds.ts';
import { LINE } from '../../gateway/model/kinds/texts.ts';
import { comparedCell, type Filter, foldCell, LEFT_OUT } from '../../gateway/model/query.ts';
import type { Keys } from '../../gateway/port/port.ts';

/** SQL with a `?` for each value. Client text is always bound as a value, never part of the SQL. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly Cell[];
}

export function statement(sql: string, values: readonly Cell[] = []): Statement {
  return { sql, values };
}

/** Quotes a name, which must come from the catalogue or from our own code. */
export function quote(name: string): string {
  return `"${name}"`;
}

export function repeatMarks(count: number): string {
  return '?, '.repeat(count).slice(0, -2);
}

type ColumnType = 'TEXT' | 'INTEGER';

export interface Column {
  /** Quoted. */
  readonly name: string;
  readonly type: ColumnType;
}

export interface StoredTable {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly optional?: readonly string[];
}

export function joinColumnNames({ columns }: StoredTable): string {
  return columns.map(({ name }) => name).join(', ');
}

export interface Dialect {
  readonly types: Readonly<Record<ColumnType, string>>;
  readonly created: string;
  readonly key: 'UNIQUE' | 'PRIMARY KEY';
  /** The rows of an `INSERT`: one row, bound value by value, or any number of rows, bound column by column. */
  readonly boundRows: (types: readonly ColumnType[]) => string;
  readonly asJson: (columns: string) => string;
  readonly rowsAsJson: (columns: string, order: string) => string;
}

export const sqlite: Dialect = {
  types: { TEXT: 'TEXT', INTEGER: 'INTEGER' },
  created: 'INTEGER PRIMARY KEY',
  key: 'UNIQUE',
  boundRows: ({ length }) => `VALUES (${repeatMarks(length)})`,
  asJson: (columns) => `json_array(${columns})`,
  rowsAsJson: (columns, order) => `json_group_array(json_array(${columns}) ORDER BY ${order})`,
};

const ARRAYS: Readonly<Record<ColumnType, string>> = { TEXT: 'text[]', INTEGER: 'bigint[]' };

export const postgres: Dialect = {
  // Texts compare by bytes, which is the order of code points, as in SQLite, whatever the database's locale.
  types: { TEXT: 'TEXT COLLATE "C"', INTEGER: 'BIGINT' },
  created: 'BIGINT NOT NULL',
  key: 'PRIMARY KEY',
  boundRows: (types) => `SELECT * FROM unnest(${types.map((type) => `?::${ARRAYS[type]}`).join(', ')})`,
  asJson: (columns) => `CAST(json_build_array(${columns}) AS TEXT)`,
  rowsAsJson: (columns, order) =>
    `coalesce(CAST(json_agg(json_build_array(${columns}) ORDER BY ${order}) AS TEXT), '[]')`,
};

export function insertInto(dialect: Dialect, table: StoredTable): string {
  const rows = dialect.boundRows(table.columns.map(({ type }) => type));
  return `INSERT INTO ${quote(table.name)} (${joinColumnNames(table)}) ${rows}`;
}

/** The store's own columns; no field's name can begin with an underscore. */
export const CREATED = quote('_created');
export const REVISION = quote('_revision');
export const PARENT = quote('_parent');

export function isFolded(field: Field): boolean {
  return kinds[field.kind].folded === true;
}

function hasFolded(field: Field): boolean {
  return isFolded(field) && field.owner === undefined;
}

function quoteFoldedName(name: string): string {
  return quote(`_${name}`);
}

/** The stored column that comparisons begin with. */
export function quoteFolded(field: Field): string {
  return isFolded(field) ? quoteFoldedName(field.name) : quote(field.name);
}

/** The functions are those of every database, so that the index of an expression is right whatever program writes. */
function leaveOut({ compact }: Field, column: string): string {
  return compact ? [...LEFT_OUT].reduce((sql, character) => `replace(${sql}, '${character}', '')`, column) : column;
}

export function quoteColumn({ name, owner }: Field): string {
  return owner === undefined ? quote(name) : PARENT;
}

export function buildComparedColumn(field: Field): string {
  const { name, owner } = field;
  if (owner === undefined) return leaveOut(field, quoteFolded(field));
  return `(SELECT ${leaveOut(field, quoteFoldedName(owner))} FROM ${quote(name)} WHERE ${quote(owner)} = ${PARENT})`;
}

/** @returns what sorts order by: the column, or the place of its value among those of a language; others come behind them */
export function buildSortColumn(field: Field): string {
  const { sortedChoices } = field;
  const column = buildComparedColumn(field);
  if (!sortedChoices) return column;
  const places = sortedChoices.map((choice, at) => `WHEN '${choice}' THEN ${at}`);
  return `CASE ${column} ${places.join(' ')} ELSE CASE WHEN ${column} IS NOT NULL THEN ${places.length} END END`;
}

export function listFieldColumns({ fields }: Collection): readonly Column[] {
  return [
    ...fields.map((field) => ({ name: quoteColumn(field), type: kinds[field.kind].column })),
    ...fields.filter(hasFolded).map(({ name }) => ({ name: quoteFoldedName(name), type: 'TEXT' as const })),
  ];
}

export function listFieldValues({ fields }: Collection, cells: readonly Cell[]): readonly Cell[] {
  return [...cells, ...fields.flatMap((field, at) => (hasFolded(field) ? [foldCell(cells[at] ?? null)] : []))];
}

/** @returns SQL of the text in which a search looks for terms: what is compact is there in both forms */
export function joinForms(field: Field, row = ''): string {
  const column = row + quoteFolded(field);
  return field.compact ? `${column} || ' ' || ${leaveOut(field, column)}` : column;
}

/** The column, or the expression, that has an item's `keyId`. */
export function quoteKey(key: Field): string {
  return key.compact ? buildComparedColumn(key) : quote(key.name);
}

/** @returns the stored key of the parent that each `?` of the test names by its `keyId` */
export function testParent({ parent }: Collection, test: '= ?' | '= ANY(?)'): string {
  if (!parent?.key.compact) return test;
  const { name, key } = parent;
  return `IN (SELECT ${quote(key.name)} FROM ${quote(name)} WHERE ${quoteKey(key)} ${test})`;
}

export function buildIdentityColumn({ key, flattens }: Collection): string {
  return flattens ? `${PARENT} || '${BETWEEN_KEYS}' || ${quote(key.name)}` : quote(key.name);
}

export function describeTable(collection: Collection): StoredTable {
  return {
    name: collection.name,
    columns: [
      { name: CREATED, type: 'INTEGER' },
      { name: REVISION, type: 'INTEGER' },
      ...(collection.parent ? [{ name: PARENT, type: 'TEXT' } as const] : []),
      ...listFieldColumns(collection),
    ],
  };
}

export function listColumns({ fields }: Pick<Collection, 'fields'>): readonly string[] {
  return [REVISION, ...fields.map(quoteColumn)];
}

const comparisons: Readonly<Record<Filter['operator'], (column: string, values: readonly Cell[]) => string>> = {
  equals: (column, { length }) => (length === 1 ? `${column} = ?` : `${column} IN (${repeatMarks(length)})`),
  from: (column) => `${column} >= ?`,
  to: (column) => `${column} <= ?`,
};

export function buildFilter({ field, operator, values: wantedValues }: Filter): Statement {
  const { name, owner } = field;
  const values = [...new Set(wantedValues.map((value) => comparedCell(field, value)))];
  if (kinds[field.kind].isList) {
    // Both databases understand this, and it has no wildcards.
    const lines = `'${LINE}' || ${buildComparedColumn(field)} || '${LINE}'`;
    const isLine = values.map(() => `replace(${lines}, ?, '') <> ${lines}`).join(' OR ');
    return statement(
      `(${isLine})`,
      values.map((value) => LINE + value + LINE),
    );
  }
  if (owner === undefined) return statement(comparisons[operator](buildSortColumn(field), values), values);
  // This uses the indexes of both tables.
  const parents = comparisons[operator](leaveOut(field, quoteFoldedName(owner)), values);
  return statement(`${PARENT} IN (SELECT ${quote(owner)} FROM ${quote(name)} WHERE ${parents})`, values);
}

export function joinConditions(conditions: readonly Statement[]): Statement {
  return statement(
    conditions.map(({ sql }) => sql).join(' AND '),
    conditions.flatMap(({ values }) => values),
  );
}

export function countRows({ name }: Collection, { sql, values }: Statement): Statement {
  return statement(`SELECT count(*) FROM ${quote(name)}${sql}`, values);
}

export function countUpTo({ name }: Collection, { sql, values }: Statement, most: number): Statement {
  return statement(`SELECT count(*) FROM (SELECT 1 FROM ${quote(name)}${sql} LIMIT CAST(? AS bigint)) AS "_some"`, [
    ...values,
    Math.min(most, Number.MAX_SAFE_INTEGER),
  ]);
}

export function buildWhere(
  collection: Collection,
  parents: Keys,
  filters: readonly Filter[],
  more: readonly (Statement | undefined)[] = [],
): Statement {
  const { parent } = collection;
  const all = [
    parent && statement(`${PARENT} ${testParent(collection, '= ?')}`, keyIds(collection, parents)),
    ...filters.map(buildFilter),
    ...more,
  ];
  const { sql, values } = joinConditions(all.filter((condition) => condition !== undefined));
  return statement(sql === '' ? '' : ` WHERE ${sql}`, values);
}
