import type { Catalogue } from '../../model/catalogue.ts';
import { DatabaseError } from '../database-error.ts';
import { addableColumns, addColumn, createChanges, createIndexes, createTable } from '../sql.ts';
import type { Connection } from './connection.ts';

/** Stands in the file's header (`PRAGMA application_id`): "CDLC". */
const APPLICATION = 0x43444c43;

/**
 * What leads from each version of the schema to the next; the last one's number is today's version. New fields of the
 * catalogue need no version: their columns are added wherever they are missing.
 */
const migrations: readonly ((catalogue: Catalogue) => readonly string[])[] = [
  (catalogue) => [...createChanges, ...catalogue.map(createTable)],
];

const pragma = (connection: Connection, name: string): number =>
  connection.row<[number]>(`PRAGMA ${name}`, [])?.[0] ?? 0;

/** @throws DatabaseError where it is another program's, or was written by a newer version; nothing is changed */
export const checkDatabase = (connection: Connection): void => {
  const version = pragma(connection, 'user_version');
  const application = pragma(connection, 'application_id');
  if (application === APPLICATION) {
    if (version <= migrations.length) return;
    throw new DatabaseError(
      `was written by a newer version of this service (schema ${version}; this one knows ${migrations.length})`,
    );
  }
  const [tables] = connection.row<[number]>('SELECT count(*) FROM sqlite_schema', []) ?? [0];
  if (application !== 0 || tables > 0) throw new DatabaseError('is a database of another program');
};

const missingColumns = (connection: Connection, catalogue: Catalogue): readonly string[] =>
  catalogue.flatMap((collection) => {
    const columns = connection.rows<[number, string]>({ sql: `PRAGMA table_info("${collection.name}")`, values: [] });
    const names = new Set(columns.map(([, name]) => `"${name}"`));
    return addableColumns(collection)
      .filter((column) => !names.has(column.name))
      .map((column) => addColumn(collection, column));
  });

const hasTable = (connection: Connection, name: string): boolean =>
  connection.row("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", [name]) !== undefined;

const migrate = (connection: Connection, catalogue: Catalogue): void => {
  const version = pragma(connection, 'user_version');
  for (const step of migrations.slice(version)) for (const sql of step(catalogue)) connection.exec(sql);
  for (const collection of catalogue) {
    if (!hasTable(connection, collection.name)) connection.exec(createTable(collection));
  }
  for (const sql of missingColumns(connection, catalogue)) connection.exec(sql);
  for (const sql of catalogue.flatMap(createIndexes)) connection.exec(sql);
  connection.exec(`PRAGMA application_id = ${APPLICATION}; PRAGMA user_version = ${migrations.length}`);
};

/** Milliseconds to wait for others that start on the same file: nothing is served yet that could be held up. */
const PATIENCE = 5_000;

/** Makes a database that passed the check ready for a catalogue: all of it, or nothing. */
export const prepareDatabase = (connection: Connection, catalogue: Catalogue): void => {
  connection.exec(`PRAGMA busy_timeout = ${PATIENCE}`);
  // WAL: readers never wait for a writer. FULL: a commit is on the disk before it is answered.
  connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  connection.exec('BEGIN IMMEDIATE');
  try {
    migrate(connection, catalogue);
    connection.exec('COMMIT');
  } catch (error) {
    connection.exec('ROLLBACK');
    throw error;
  }
  connection.exec('PRAGMA busy_timeout = 0');
};
