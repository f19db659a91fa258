import type { Catalogue, Collection } from '../../model/catalogue.ts';
import { DatabaseError } from '../database-error.ts';
import { quote, statement } from '../sql/columns.ts';
import { addColumns, createBooks, createIndexes, createTable } from '../sql/schema.ts';
import { fillTotals } from '../sql/totals.ts';
import type { Connection } from './connection.ts';

/** Stands in the file's header (`PRAGMA application_id`): "CDLC". */
const APPLICATION = 0x43444c43;

/**
 * What leads from each version of the schema to the next; the last one's number is today's version. What follows from the
 * catalogue needs no version: it is added wherever it is missing.
 */
const migrations: readonly (readonly string[])[] = [createBooks];

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

/** What an older catalogue's database lacks: tables, columns, indexes, totals. Each is added where it is missing. */
const complete = (connection: Connection, collection: Collection): void => {
  const { name } = collection;
  const columns = connection.rows<[number, string]>(statement(`PRAGMA table_info(${quote(name)})`));
  if (columns.length === 0) connection.exec(createTable(collection));
  else
    for (const sql of addColumns(collection, new Set(columns.map(([, column]) => quote(column))))) connection.exec(sql);
  for (const sql of createIndexes(collection)) connection.exec(sql);
  const isKept = (field: string): boolean =>
    connection.row('SELECT 1 FROM "_totals" WHERE "collection" = ? AND "field" = ?', [name, field]) !== undefined;
  for (const { sql, values } of fillTotals(collection, isKept)) connection.run(sql, values);
};

const migrate = (connection: Connection, catalogue: Catalogue): void => {
  const version = pragma(connection, 'user_version');
  for (const step of migrations.slice(version)) for (const sql of step) connection.exec(sql);
  for (const collection of catalogue) complete(connection, collection);
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
