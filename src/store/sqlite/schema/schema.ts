import { statSync } from 'node:fs';
import type { Catalogue, Collection } from '../../../gateway/model/catalogue.ts';
import { DatabaseError } from '../../database-error.ts';
import { sqlite } from '../../sql/dialects.ts';
import { addColumns, createIndex, createTable, indexesOf, obsoleteIndexes } from '../../sql/schema.ts';
import { searchName } from '../../sql/search.ts';
import { quote, statement } from '../../sql/statement.ts';
import { type OtherCollections, othersIn, refuseOthers } from '../../sql/system/other-collections.ts';
import { type ColumnsOf, renamingOf } from '../../sql/system/renaming.ts';
import { refuseRepeated, selectRepeated } from '../../sql/system/repeated-values.ts';
import { CHANGE, migrations, unusedTables } from '../../sql/system-tables.ts';
import {
  type Connection,
  hasSchemaObject,
  inTransaction,
  pragma,
  readUnlocked,
  waitingForLock,
} from '../connection/connection.ts';
import { ownerOf, setHeader } from './header.ts';
import { dropSearchIndex, hasSearchIndex, isIndexed, makeSearchIndex } from './search-index.ts';
import { setCheckpointSize } from './wal.ts';

const FOREIGN = 'is a database of another program';

const checkVersion = (version: number): void => {
  if (version <= migrations.length) return;
  throw new DatabaseError(
    `was written by a newer version of this service (schema ${version}; this one knows ${migrations.length})`,
  );
};

/**
 * Checks a file without opening it as a database: SQLite would checkpoint another program's log into its file. Without
 * checkpoints it would report a file of ours as damaged if the log still has pages of it.
 *
 * @throws DatabaseError where it is no file, another program's, or was written by a newer version
 */
export const checkFile = (file: string): void => {
  // Opening a named pipe would block.
  if (!statSync(file).isFile()) throw new DatabaseError('is not a file');
  readUnlocked(file, (connection) => {
    const owner = ownerOf(connection);
    if (owner === 'ours') checkVersion(pragma(connection, 'user_version'));
    // A database of ours whose first commit is still in its log has no schema here yet.
    else if (owner !== 'nobody' || pragma(connection, 'schema_version') !== 0) throw new DatabaseError(FOREIGN);
  });
};

const checkCollections = (connection: Connection, catalogue: Catalogue): void => {
  const indexes = connection.rows<[string]>(statement("SELECT name FROM sqlite_schema WHERE type = 'index'")).flat();
  const rowsIn = (table: string): number =>
    connection.row<[number]>(`SELECT count(*) FROM ${quote(table)}`, [])?.[0] ?? 0;
  refuseOthers(othersIn(indexes, catalogue).map((table) => [table, rowsIn(table)]));
};

/** Checks an open database in the same way, including the content of its log, and that the catalogue is its own. */
export const checkDatabase = (connection: Connection, catalogue: Catalogue, others: OtherCollections): void => {
  const owner = ownerOf(connection);
  if (owner === 'ours') {
    checkVersion(pragma(connection, 'user_version'));
    if (others === 'refuse') checkCollections(connection, catalogue);
    return;
  }
  const [tables] = connection.row<[number]>('SELECT count(*) FROM sqlite_schema', []) ?? [0];
  if (owner !== 'nobody' || tables > 0) throw new DatabaseError(FOREIGN);
};

const columnsIn =
  (connection: Connection): ColumnsOf =>
  (table) => {
    const columns = connection.rows<[number, string]>(statement(`PRAGMA table_info(${quote(table)})`));
    return columns.length === 0 ? undefined : new Set(columns.map(([, column]) => quote(column)));
  };

/** Renames the tables and columns that an older catalogue called otherwise. Their indexes are made anew. */
const rename = (connection: Connection, collection: Collection): void => {
  const renaming = renamingOf(
    collection,
    columnsIn(connection),
    indexesOf,
    (before) => `DROP INDEX IF EXISTS ${before}`,
  );
  if (!renaming) return;
  dropSearchIndex(connection, renaming.old);
  for (const sql of renaming.statements) connection.exec(sql);
};

/** Adds the tables and columns that an older catalogue's database lacks. */
const addTables = (connection: Connection, collection: Collection): void => {
  const existing = columnsIn(connection)(collection.name);
  if (!existing) {
    for (const sql of [createTable(collection, sqlite), ...indexesOf(collection).map((each) => createIndex(each))]) {
      connection.exec(sql);
    }
    return;
  }
  for (const sql of addColumns(collection, existing, sqlite)) connection.exec(sql);
};

const migrate = (connection: Connection, catalogue: Catalogue): void => {
  const version = pragma(connection, 'user_version');
  for (const step of migrations.slice(version)) for (const sql of step(sqlite)) connection.exec(sql);
  for (const table of unusedTables) connection.exec(`DROP TABLE IF EXISTS ${quote(table)}`);
  for (const collection of catalogue) rename(connection, collection);
  for (const collection of catalogue) addTables(connection, collection);
  setHeader(connection, migrations.length);
  // Changes nothing, and fails where the file can only be read.
  connection.exec(`UPDATE ${quote(CHANGE)} SET "number" = "number" WHERE 0`);
};

/** KiB of pages that a writing connection caches: each row touches some ten pages. */
const CACHE = 16_384;

/** Sets up a writing connection. FULL: a commit is on the disk before it is acknowledged. */
export const prepareWriting = (connection: Connection): void => {
  connection.exec(`PRAGMA synchronous = FULL; PRAGMA cache_size = -${CACHE}`);
  setCheckpointSize(connection);
};

/** Changes each index in its own transaction, so that others can write in between: an index of a million rows takes a second. */
const changeIndexes = (connection: Connection, catalogue: Catalogue, report: (line: string) => void): void => {
  for (const index of catalogue.flatMap(indexesOf).filter(({ name }) => !hasSchemaObject(connection, name))) {
    report(`the upgrade makes the index ${quote(index.name)}`);
    const repeated = selectRepeated(index);
    if (repeated) refuseRepeated(index, connection.rows<[string, string]>(repeated));
    inTransaction(connection, () => connection.exec(createIndex(index)));
  }
  for (const name of catalogue.flatMap(obsoleteIndexes).filter((name) => hasSchemaObject(connection, name))) {
    inTransaction(connection, () => connection.exec(`DROP INDEX IF EXISTS ${quote(name)}`));
  }
};

/** Makes each index of terms in its own transaction, for the rows that are there already. */
const makeSearchIndexes = (connection: Connection, catalogue: Catalogue, report: (line: string) => void): void => {
  for (const collection of catalogue.filter((each) => isIndexed(each) && !hasSearchIndex(connection, each))) {
    const isUpgrade = connection.row(`SELECT 1 FROM ${quote(collection.name)} LIMIT 1`, []) !== undefined;
    if (isUpgrade) report(`the upgrade makes the index of words ${quote(searchName(collection))}`);
    inTransaction(connection, () => makeSearchIndex(connection, collection));
  }
};

/**
 * Prepares an opened database for a catalogue. It adds whatever an older database lacks, so that the next start finishes one
 * that was interrupted.
 *
 * @param report called with a line about each step that takes long
 * @param copy called once the database is known to be the catalogue's, before anything in it is changed
 * @throws DatabaseError where it is another program's or another catalogue's, or was written by a newer version
 */
export const prepareDatabase = (
  connection: Connection,
  catalogue: Catalogue,
  report: (line: string) => void = () => {},
  others: OtherCollections = 'refuse',
  copy: () => void = () => {},
): void =>
  // No request waits for it yet.
  waitingForLock(connection, () => {
    checkDatabase(connection, catalogue, others);
    copy();
    // Readers never wait for a writer.
    connection.exec('PRAGMA journal_mode = WAL');
    prepareWriting(connection);
    inTransaction(connection, () => migrate(connection, catalogue));
    changeIndexes(connection, catalogue, report);
    makeSearchIndexes(connection, catalogue, report);
  });
