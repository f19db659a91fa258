/**
 * The staging tables of one import, in a temporary database: its rows, and the plan for each item. Beyond some MiB SQLite
 * writes it to a file, which the operating system removes however the process ends.
 */
import { deserialize, serialize } from 'node:v8';
import type { Collection } from '../../gateway/model/catalogue.ts';
import type { Cell } from '../../gateway/model/field.ts';
import type { FileRow, ItemChange } from '../../gateway/model/import.ts';
import { type Packed, unpack } from '../../gateway/model/row-batch.ts';
import { fold } from '../../gateway/model/search/fold.ts';
import type { Row } from '../../gateway/port/port.ts';
import { memoized } from '../../util/memoized.ts';
import { columnOf, fieldColumns, hasFolded, idIn, marks, quote, statement } from '../sql/statement.ts';
import type { Connection } from '../sqlite/connection/connection.ts';

/** An item as it will be stored. */
export interface PlannedItem {
  /** Its place among the changes of the import, from 1, and that of its last change. */
  readonly number: number;
  /** The row of the file that says so; `null` where the item is deleted, and has no cells, because the file lacks it. */
  readonly row: number | null;
  readonly last: number;
  /** As it is stored; `undefined` where it will be created. */
  readonly before: Row | undefined;
  readonly cells: readonly Cell[];
}

/** A chunk of rows, and what was planned for each of them. */
interface Chunk {
  readonly rows: readonly FileRow[];
  readonly kinds: Uint8Array;
}

export type PlannedColumns = readonly [number: number, last: number, ...columns: Cell[]];

export type StageTables = ReturnType<typeof stageTables>;

/** Columns beside those of the fields; no field's name has a plus sign. */
export const PLAN_NUMBER = quote('+number');
export const PLAN_ROW = quote('+row');
export const PLAN_LAST = quote('+last');
/** `NULL` where the item will be created. */
export const PLAN_BEFORE = quote('+before');

type PlannedRow = readonly [
  number: number,
  row: number | null,
  last: number,
  before: Uint8Array | null,
  ...cells: Cell[],
];

/** Changes that are listed at once. */
const LISTED_AT_ONCE = 250;

const itemOf = ([number, row, last, before, ...cells]: PlannedRow): PlannedItem => ({
  number,
  row,
  last,
  before: before ? (deserialize(before) as Row) : undefined,
  cells,
});

/** @param schema SQL name of an empty temporary database of the connection */
export const stageTables = (connection: Connection, schema: string, collection: Collection) => {
  const { exec, run, row, iterate } = connection;
  const table = (name: string): string => `${schema}.${quote(name)}`;
  /** SQL names: of the database, of the planned items, of all keys of the file, of those that others have changed since. */
  const names = {
    schema,
    plan: table('plan'),
    keys: table('keys'),
    changed: table('changed'),
    obsolete: table('obsolete'),
  };
  const columns = fieldColumns(collection);
  const key = idIn(collection);
  exec(`PRAGMA ${schema}.journal_mode = MEMORY; PRAGMA ${schema}.synchronous = OFF;
    CREATE TABLE ${table('chunks')} ("rows" BLOB, "kinds" BLOB);
    CREATE TABLE ${names.keys} ("key" TEXT PRIMARY KEY, "row" INTEGER, "done" INTEGER) WITHOUT ROWID;
    CREATE TABLE ${names.changed} ("key" TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE TABLE ${names.obsolete} ("key" TEXT UNIQUE);
    CREATE TABLE ${names.plan} (${PLAN_NUMBER} INTEGER PRIMARY KEY, ${PLAN_ROW} INTEGER, ${PLAN_LAST} INTEGER, ${PLAN_BEFORE} BLOB,
      ${columns.map(({ name, type }) => `${name} ${type}`).join(', ')})`);
  const INSERT = `INSERT INTO ${names.plan} VALUES (${marks(4 + columns.length)})`;
  const UPDATE = `UPDATE ${names.plan} SET ${[PLAN_ROW, PLAN_LAST, ...columns.map(({ name }) => name)].map((name) => `${name} = ?`).join(', ')} WHERE ${PLAN_NUMBER} = ?`;
  const ADD_KEY = `INSERT INTO ${names.keys} VALUES (?, ?, ?) ON CONFLICT DO UPDATE
    SET "row" = excluded."row", "done" = excluded."done" WHERE excluded."row" IS NOT NULL`;
  const planned = `SELECT ${[PLAN_NUMBER, PLAN_ROW, PLAN_LAST, PLAN_BEFORE, ...collection.fields.map(columnOf)].join(', ')} FROM ${names.plan}`;
  const FIND = `${planned} WHERE ${key} = ?`;
  const isChanged = `${key} IN (SELECT "key" FROM ${names.changed})`;
  const NEXT = `${planned} WHERE ${PLAN_NUMBER} > ? ORDER BY ${PLAN_NUMBER} LIMIT ${LISTED_AT_ONCE}`;
  let hasIndex = false;
  let listed = 0;
  const foldRecurring = memoized(fold);
  const foldedTexts = collection.fields.flatMap((field, at) =>
    hasFolded(field) ? [{ at, foldText: field.isKey ? fold : foldRecurring }] : [],
  );
  /** `fieldValues` with a cache, because many values recur in a file. */
  const valuesOf = (cells: readonly Cell[]): readonly Cell[] => {
    const values = [...cells];
    for (const { at, foldText } of foldedTexts) {
      const cell = cells[at];
      values.push(typeof cell === 'string' ? foldText(cell) : null);
    }
    return values;
  };

  return {
    names,
    exec,
    rows: connection.rows,
    /** Runs work in one transaction, which is faster and reads one state of the database. */
    inTransaction: <T>(work: () => T): T => {
      exec('BEGIN');
      try {
        return work();
      } finally {
        exec('COMMIT');
      }
    },
    addChunk: (bytes: Packed, kinds: Uint8Array): void =>
      void run(`INSERT INTO ${table('chunks')} VALUES (?, ?)`, [bytes, kinds]),
    chunks: function* (): Iterable<Chunk> {
      const all = statement(`SELECT "rows", "kinds" FROM ${table('chunks')} ORDER BY rowid`);
      for (const [bytes, kinds] of iterate<[Packed, Uint8Array]>(all)) yield { rows: unpack(bytes), kinds };
    },
    /** Keeps a key of the file. @param row the number of its row, `null` where that does not count. @param done what was done with it */
    addKey: (...values: readonly [key: string, row: number | null, done: number]): void => void run(ADD_KEY, values),
    hasKey: (each: string): boolean => row(`SELECT 1 FROM ${names.keys} WHERE "key" = ?`, [each]) !== undefined,
    /** @returns the row with this key that counts */
    rowOf: (each: string): readonly [row: number, done: number] | undefined =>
      row(`SELECT "row", "done" FROM ${names.keys} WHERE "key" = ? AND "row" IS NOT NULL`, [each]),
    find: (each: string): PlannedItem | undefined => {
      // Made on demand: few files repeat a key.
      if (!hasIndex) exec(`CREATE INDEX ${table('plan_key')} ON "plan" (${key})`);
      hasIndex = true;
      const found = row<PlannedRow>(FIND, [each]);
      return found && itemOf(found);
    },
    insert: ({ number, row: of, last, before, cells }: PlannedItem): void =>
      void run(INSERT, [number, of, last, before ? serialize(before) : null, ...valuesOf(cells)]),
    update: ({ number, row: of, last, cells }: PlannedItem): void =>
      void run(UPDATE, [of, last, ...valuesOf(cells), number]),
    remove: ({ number }: PlannedItem): void => void run(`DELETE FROM ${names.plan} WHERE ${PLAN_NUMBER} = ?`, [number]),
    isEmpty: (): boolean => row(`SELECT 1 FROM ${names.plan} LIMIT 1`, []) === undefined,
    /** Records the keys of items that were changed meanwhile. */
    addChanged: (keys: Iterable<string>): void => {
      for (const each of keys) run(`INSERT OR IGNORE INTO ${names.changed} VALUES (?)`, [each]);
    },
    changed: (): Iterable<string> =>
      iterate<[string]>(statement(`SELECT "key" FROM ${names.changed}`)).map(([each]) => each),
    isChanged: (each: string): boolean => row(`SELECT 1 FROM ${names.changed} WHERE "key" = ?`, [each]) !== undefined,
    /** Records the keys of items that the file does not have, or deletes. @returns how many were not recorded before */
    addObsolete: (keys: readonly string[]): number =>
      keys.reduce((sum, each) => sum + run(`INSERT OR IGNORE INTO ${names.obsolete} VALUES (?)`, [each]), 0),
    isObsolete: (each: string): boolean => row(`SELECT 1 FROM ${names.obsolete} WHERE "key" = ?`, [each]) !== undefined,
    /** @returns whether the key was among them */
    keepObsolete: (each: string): boolean => run(`DELETE FROM ${names.obsolete} WHERE "key" = ?`, [each]) > 0,
    obsolete: (): Iterable<string> =>
      iterate<[string]>(statement(`SELECT "key" FROM ${names.obsolete} ORDER BY rowid`)).map(([each]) => each),
    /** Those of them that the file creates before it deletes them. */
    plannedObsolete: (): readonly string[] =>
      connection
        .rows<[string]>(
          statement(`SELECT "key" FROM ${names.obsolete} WHERE "key" IN (SELECT ${key} FROM ${names.plan})`),
        )
        .map(([each]) => each),
    /** The items to create, or to change, in the order of their numbers: a row for each, with the columns of its fields. */
    planned: (kind: 'new' | 'old'): Iterable<PlannedColumns> =>
      iterate<PlannedColumns>(
        statement(
          `SELECT ${[PLAN_NUMBER, PLAN_LAST, ...columns.map(({ name }) => name)].join(', ')} FROM ${names.plan} WHERE ${PLAN_BEFORE} IS ${kind === 'new' ? '' : 'NOT '}NULL ORDER BY ${PLAN_NUMBER}`,
        ),
      ),
    /** Lists an item that is deleted. */
    addDeleted: (before: Row): void =>
      void run(INSERT, [null, null, null, serialize(before), ...columns.map(() => null)]),
    /** @returns the next changes, each listed once; none at the end */
    nextChanges: (): readonly ItemChange[] => {
      const items = [...iterate<PlannedRow>(statement(NEXT, [listed]))].map(itemOf);
      listed = items.at(-1)?.number ?? listed;
      return items.map(({ row: of, before, cells }) => ({
        row: of,
        before: before?.slice(1) as readonly Cell[] | undefined,
        after: of === null ? undefined : cells,
      }));
    },
    /** Yields the plan for these items, and removes it. */
    takeChanged: function* (): Iterable<PlannedItem> {
      for (const each of iterate<PlannedRow>(statement(`${planned} WHERE ${isChanged}`))) yield itemOf(each);
      run(`DELETE FROM ${names.plan} WHERE ${isChanged}`, []);
    },
  };
};
