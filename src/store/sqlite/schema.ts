import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Catalogue, Collection } from '../../gateway/model/catalogue.ts';
import { moveInto } from '../../util/move-into.ts';
import {
  addColumns,
  type ColumnsOf,
  createIndex,
  createTable,
  indexesOf,
  type OtherCollections,
  obsoleteIndexes,
  othersIn,
  refuseOthers,
  refuseRepeated,
  renamingOf,
  selectRepeated,
} from '../sql/schema.ts';
import { searchName } from '../sql/search.ts';
import { quote, sqlite, statement } from '../sql/statement.ts';
import { CHANGE, migrations, unusedTables } from '../sql/system-tables.ts';
import { type CommonOptions, DatabaseError } from '../store.ts';
import {
  type Connection,
  connect,
  hasSchemaObject,
  inTransaction,
  namingRights,
  pragma,
  readUnlocked,
  waitingForLock,
} from './connection.ts';
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
const checkFile = (file: string): void => {
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

export interface OpenOptions extends Pick<CommonOptions, 'report'> {
  /** What becomes of collections that the catalogue lacks, by default `refuse`. */
  readonly others?: OtherCollections | undefined;
}

export const MEMORY = ':memory:';

/**
 * Opens a database, creating what is missing.
 *
 * @param location a path, its folder created where missing; or `:memory:`
 * @throws DatabaseError with the location and the reason, where the database cannot be used; what is there is left untouched
 */
export const openDatabase = (
  location: string,
  catalogue: Catalogue,
  { report = () => {}, others }: OpenOptions,
): Connection => {
  const tell = (line: string): void => report(`${location}: ${line}`);
  try {
    if (location !== MEMORY && !existsSync(location)) mkdirSync(dirname(resolve(location)), { recursive: true });
    else if (location !== MEMORY) checkFile(location);
    const connection = connect(location);
    const copy = (): void => {
      if (location !== MEMORY) copyBeforeUpgrade(connection, location, tell);
    };
    try {
      prepareDatabase(connection, catalogue, tell, others, copy);
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  } catch (error) {
    const { message } = namingRights(location, error) as Error;
    throw new DatabaseError(`${location}: ${message}`, { cause: error });
  }
};

/** Values of `PRAGMA application_id`: "CDLC", and "cdlc", with which earlier versions marked a file whose log has more. */
const APPLICATION = 0x43444c43;
const FORMER_MARK = 0x63646c63;

/** Writes only what is not there, because a database is opened on a full disk, too. */
function setHeader(connection: Connection, version: number): void {
  if (pragma(connection, 'application_id') !== APPLICATION) connection.exec(`PRAGMA application_id = ${APPLICATION}`);
  if (pragma(connection, 'user_version') !== version) connection.exec(`PRAGMA user_version = ${version}`);
}

/** @returns whose database it is, by its header */
export function ownerOf(connection: Connection): 'ours' | 'nobody' | 'another program' {
  const application = pragma(connection, 'application_id');
  if (application === 0) return 'nobody';
  return application === APPLICATION || application === FORMER_MARK ? 'ours' : 'another program';
}

/** Ends of the names of files that SQLite makes beside a database. */
const BESIDE = ['', '-journal', '-wal', '-shm'];

/**
 * Copies a database that an earlier version of the schema wrote, because the upgrade drops what nothing uses any more. The copy
 * has its name once it is whole, so that a start which was interrupted is repeated from its beginning.
 *
 * @param report called with a line that names the copy
 * @throws DatabaseError if there is no room for it, or for another reason; nothing is changed then
 */
function copyBeforeUpgrade(connection: Connection, location: string, report: (line: string) => void): void {
  const version = pragma(connection, 'user_version');
  if (version === 0 || version >= migrations.length) return;
  const copy = `${location}.version-${version}`;
  const part = `${copy}.part`;
  const removePart = (): void => {
    for (const end of BESIDE) rmSync(part + end, { force: true });
  };
  removePart();
  try {
    connection.run('VACUUM INTO ?', [part]);
    moveInto(part, copy);
  } catch (error) {
    removePart();
    const reason = (error as Error).message;
    throw new DatabaseError(`cannot be copied to ${copy} before its upgrade: ${reason}`, { cause: error });
  }
  // Where earlier versions counted the requests of clients.
  for (const end of BESIDE) rmSync(`${location}-limits${end}`, { force: true });
  report(`was copied to ${copy} before its upgrade from version ${version} of the schema to ${migrations.length}`);
}
