import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Catalogue, Collection } from '../../gateway/model/catalogue.ts';
import type { Field } from '../../gateway/model/field.ts';
import { findSearchedFields, SEPARATORS } from '../../gateway/model/search.ts';
import { moveInto } from '../../util/move-into.ts';
import { changeAt } from '../change-set.ts';
import {
  addColumns,
  createIndex,
  createTable,
  type Index,
  listIndexes,
  listObsoleteIndexes,
  listUnknownTables,
  mustTrim,
  planRenaming,
  refuseRepeated,
  refuseUnknownTables,
  selectRepeated,
  TRIMMED,
  trimKeys,
} from '../sql/schema.ts';
import { nameSearchIndex } from '../sql/selections.ts';
import { CREATED, insertInto, joinForms, quote, quoteFolded, sqlite, statement } from '../sql/statement.ts';
import {
  CHANGE,
  listGapValues,
  migrations,
  readChange,
  tombstones,
  unusedTables,
  writeChange,
} from '../sql/system-tables.ts';
import { DatabaseError } from '../store.ts';
import { type Connection, connect, explainRights, readUnlocked, setCheckpointSize } from './connection.ts';

export const MEMORY = ':memory:';

/** Values of `PRAGMA application_id`: "CDLC", and "cdlc", with which earlier versions marked a file whose log has more. */
const APPLICATION = 0x43444c43;
const FORMER_MARK = 0x63646c63;
const FOREIGN = 'is a database of another program';

/** KiB of pages that a writing connection caches: each row touches some ten pages. */
const CACHE = 16_384;

const BESIDE = ['', '-journal', '-wal', '-shm'];

type Warn = (line: string) => void;

/** Opens a database, creating what is missing. @throws DatabaseError if it cannot be used; it is left untouched then */
export function openDatabase(location: string, catalogue: Catalogue, warn: Warn): Connection {
  const isFile = location !== MEMORY;
  try {
    if (isFile && existsSync(location)) checkFile(location);
    else if (isFile) mkdirSync(dirname(resolve(location)), { recursive: true });
    const connection = connect(location);
    try {
      prepareDatabase(connection, catalogue, (line) => warn(`${location}: ${line}`), isFile ? location : undefined);
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  } catch (error) {
    const { message } = explainRights(location, error) as Error;
    throw new DatabaseError(`${location}: ${message}`, { cause: error });
  }
}

export function readOwner(connection: Connection): 'ours' | 'nobody' | 'another program' {
  const application = connection.pragma('application_id');
  if (application === 0) return 'nobody';
  return application === APPLICATION || application === FORMER_MARK ? 'ours' : 'another program';
}

/**
 * Checks a file without opening it as a database: SQLite would checkpoint another program's log into its file. Without
 * checkpoints it would report a file of ours as damaged if the log still has pages of it.
 */
function checkFile(file: string): void {
  // Opening a named pipe would block.
  if (!statSync(file).isFile()) throw new DatabaseError('is not a file');
  readUnlocked(file, (connection) => {
    const owner = readOwner(connection);
    if (owner === 'ours') checkVersion(connection);
    // A database of ours whose first commit is still in its log has no schema here yet.
    else if (owner !== 'nobody' || connection.pragma('schema_version') !== 0) throw new DatabaseError(FOREIGN);
  });
}

function checkVersion(connection: Connection): void {
  const version = connection.pragma('user_version');
  if (version <= migrations.length) return;
  throw new DatabaseError(
    `was written by a newer version of this service (schema ${version}; this one knows ${migrations.length})`,
  );
}

export function checkDatabase(connection: Connection, catalogue: Catalogue): void {
  const owner = readOwner(connection);
  if (owner !== 'ours') {
    const tables = connection.number(statement('SELECT count(*) FROM sqlite_schema'));
    if (owner !== 'nobody' || tables > 0) throw new DatabaseError(FOREIGN);
    return;
  }
  checkVersion(connection);
  const indexes = connection.rows<[string]>(statement("SELECT name FROM sqlite_schema WHERE type = 'index'")).flat();
  const countRows = (table: string): number => connection.number(statement(`SELECT count(*) FROM ${quote(table)}`));
  refuseUnknownTables(listUnknownTables(indexes, catalogue).map((table) => [table, countRows(table)]));
}

/** Adds whatever an older database of the catalogue lacks, so that the next start finishes one that was interrupted. */
export function prepareDatabase(
  connection: Connection,
  catalogue: Catalogue,
  warn: Warn = () => {},
  location?: string,
): void {
  connection.waitingForLock(() => {
    checkDatabase(connection, catalogue);
    if (location !== undefined) copyBeforeUpgrade(connection, location, warn);
    // Readers never wait for a writer.
    connection.exec('PRAGMA journal_mode = WAL');
    prepareWriting(connection);
    connection.inTransaction(() => migrate(connection, catalogue, warn));
    changeIndexes(connection, catalogue, warn);
    makeSearchIndexes(connection, catalogue, warn);
  });
}

export function prepareWriting(connection: Connection): void {
  // A commit is on the disk before it is acknowledged.
  connection.exec(`PRAGMA synchronous = FULL; PRAGMA cache_size = -${CACHE}`);
  setCheckpointSize(connection);
}

/** Copies a database before an upgrade, which drops unused tables. The copy gets its name only when it is complete. */
function copyBeforeUpgrade(connection: Connection, location: string, warn: Warn): void {
  const version = connection.pragma('user_version');
  if (version === 0 || version >= migrations.length) return;
  const copy = `${location}.version-${version}`;
  removeFiles(`${copy}.part`);
  try {
    connection.run('VACUUM INTO ?', [`${copy}.part`]);
    moveInto(`${copy}.part`, copy);
  } catch (error) {
    removeFiles(`${copy}.part`);
    const reason = (error as Error).message;
    throw new DatabaseError(`cannot be copied to ${copy} before its upgrade: ${reason}`, { cause: error });
  }
  // Earlier versions counted the requests of clients there.
  removeFiles(`${location}-limits`);
  warn(`was copied to ${copy} before its upgrade from version ${version} of the schema to ${migrations.length}`);
}

function removeFiles(database: string): void {
  for (const end of BESIDE) rmSync(database + end, { force: true });
}

function migrate(connection: Connection, catalogue: Catalogue, warn: Warn): void {
  const version = connection.pragma('user_version');
  for (const step of migrations.slice(version)) for (const sql of step(sqlite)) connection.exec(sql);
  for (const table of unusedTables) connection.exec(`DROP TABLE IF EXISTS ${quote(table)}`);
  for (const collection of catalogue) rename(connection, collection);
  for (const collection of catalogue) addTables(connection, collection);
  for (const index of findMissingIndexes(connection, catalogue)) {
    const repeated = selectRepeated(index);
    if (repeated) refuseRepeated(index, connection.rows<[string, string]>(repeated));
  }
  if (version > 0 && version < TRIMMED) removeBlanks(connection, catalogue, warn);
  // Nothing is written that is there already, so that a database opens on a full disk, too.
  if (connection.pragma('application_id') !== APPLICATION) connection.exec(`PRAGMA application_id = ${APPLICATION}`);
  if (version !== migrations.length) connection.exec(`PRAGMA user_version = ${migrations.length}`);
  // Changes nothing, and fails if the file can only be read.
  connection.exec(`UPDATE ${quote(CHANGE)} SET "number" = "number" WHERE 0`);
}

/** Takes blanks away from the ends of keys. Earlier cursors are gone, so that mirrors read the list again. */
function removeBlanks(connection: Connection, catalogue: Catalogue, warn: Warn): void {
  const { selectBlank, selectColliding, tables } = trimKeys(catalogue, 'trim');
  const read = (sql: string) => connection.rows<[string, string]>(statement(sql));
  if (!mustTrim(read(selectBlank), read(selectColliding), warn)) return;
  connection.exec('PRAGMA defer_foreign_keys = ON');
  for (const { update } of tables) connection.exec(update);
  const newChange = Math.max(connection.number(statement(readChange)) + 1, changeAt(Date.now()));
  connection.exec(`DELETE FROM ${quote(tombstones.name)}`);
  connection.run(insertInto(sqlite, tombstones), listGapValues(newChange, newChange));
  connection.run(writeChange, [newChange]);
}

function readColumns(connection: Connection, table: string): ReadonlySet<string> | undefined {
  const columns = connection.rows<[number, string]>(statement(`PRAGMA table_info(${quote(table)})`));
  return columns.length === 0 ? undefined : new Set(columns.map(([, column]) => quote(column)));
}

function dropIndex(name: string): string {
  return `DROP INDEX IF EXISTS ${name}`;
}

function rename(connection: Connection, collection: Collection): void {
  const renaming = planRenaming(collection, (table) => readColumns(connection, table), listIndexes, dropIndex);
  if (!renaming) return;
  dropSearchIndex(connection, renaming.old);
  for (const sql of renaming.statements) connection.exec(sql);
}

function addTables(connection: Connection, collection: Collection): void {
  const existing = readColumns(connection, collection.name);
  const statements = existing
    ? addColumns(collection, existing, sqlite)
    : [createTable(collection, sqlite), ...listIndexes(collection).map((index) => createIndex(index))];
  for (const sql of statements) connection.exec(sql);
}

function findMissingIndexes(connection: Connection, catalogue: Catalogue): readonly Index[] {
  return catalogue.flatMap(listIndexes).filter(({ name }) => !connection.hasSchemaObject(name));
}

/** Changes each index in its own transaction, so that others can write in between: an index of a million rows takes a second. */
function changeIndexes(connection: Connection, catalogue: Catalogue, warn: Warn): void {
  for (const index of findMissingIndexes(connection, catalogue)) {
    warn(`the upgrade makes the index ${quote(index.name)}`);
    connection.inTransaction(() => connection.exec(createIndex(index)));
  }
  for (const name of catalogue.flatMap(listObsoleteIndexes).filter((index) => connection.hasSchemaObject(index))) {
    connection.inTransaction(() => connection.exec(dropIndex(quote(name))));
  }
}

function makeSearchIndexes(connection: Connection, catalogue: Catalogue, warn: Warn): void {
  for (const collection of catalogue.filter(isIndexed)) {
    if (hasSearchIndex(connection, collection)) continue;
    const isUpgrade = connection.row(`SELECT 1 FROM ${quote(collection.name)} LIMIT 1`) !== undefined;
    if (isUpgrade) warn(`the upgrade makes the index of words ${quote(nameSearchIndex(collection))}`);
    connection.inTransaction(() => makeSearchIndex(connection, collection));
  }
}

/** A table that has a row while a transaction creates many items: those created at or after `from` are indexed together at its end. */
const LATER = quote('_searchLater');

/** Control characters separate words, as their category does; U+0000 cannot be stored. */
const CONTROL = /\p{Cc}/u;

/** Makes FTS5 split texts as `searchTerms` does: every character except the separators is part of a word. */
const TOKENIZER = (() => {
  const separators = SEPARATORS.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at)),
  ).filter((character) => !CONTROL.test(character));
  const separatorList = separators.join('').replaceAll("'", "''").replaceAll('"', '""');
  return `"unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Z* Cf Cn Co Cs' separators '${separatorList}'"`;
})();

function listSearchedFields(collection: Collection): readonly Field[] {
  const { main = [], rest = [] } = findSearchedFields(collection) ?? {};
  return [...main, ...rest];
}

function listSearchedColumns(collection: Collection): readonly string[] {
  return listSearchedFields(collection).map(quoteFolded);
}

function searchedTexts(collection: Collection, row = ''): string {
  return [CREATED, ...listSearchedFields(collection).map((field) => joinForms(field, row))].join(', ');
}

export function isIndexed(collection: Collection): boolean {
  return !collection.isChild && findSearchedFields(collection) !== undefined;
}

/** The triggers keep the index of terms (FTS5) right, whatever program writes to the file. */
function createTriggers(collection: Collection): readonly string[] {
  const [name, table] = [nameSearchIndex(collection), quote(collection.name)];
  const index = quote(name);
  const columns = listSearchedColumns(collection);
  const columnList = columns.join(', ');
  const [oldRow, newRow] = ['old.', 'new.'].map((row) => row + searchedTexts(collection, row));
  const add = `INSERT INTO ${index} (rowid, ${columnList}) VALUES (${newRow});`;
  const remove = `INSERT INTO ${index} (${index}, rowid, ${columnList}) VALUES ('delete', ${oldRow});`;
  const [isOldLater, isNewLater] = ['old', 'new'].map(
    (row) =>
      `EXISTS (SELECT 1 FROM ${LATER} WHERE "collection" = '${collection.name}' AND "from" <= ${row}.${CREATED})`,
  );
  const isChanged = columns.map((column) => `old.${column} IS NOT new.${column}`).join(' OR ');
  return [
    `CREATE TRIGGER ${quote(`${name}_insert`)} AFTER INSERT ON ${table} WHEN NOT ${isNewLater} BEGIN ${add} END`,
    `CREATE TRIGGER ${quote(`${name}_delete`)} AFTER DELETE ON ${table} WHEN NOT ${isOldLater} BEGIN ${remove} END`,
    `CREATE TRIGGER ${quote(`${name}_update`)} AFTER UPDATE OF ${columnList} ON ${table} WHEN (${isChanged}) AND NOT ${isOldLater} BEGIN ${remove} ${add} END`,
  ];
}

function nameSearchView(collection: Collection): string {
  return `${nameSearchIndex(collection)}_texts`;
}

function listSearchStatements(collection: Collection): readonly string[] {
  const columns = listSearchedColumns(collection).join(', ');
  const view = quote(nameSearchView(collection));
  const hasView = listSearchedFields(collection).some(({ compact }) => compact);
  return [
    // The index reads its texts from a table or a view when it is made and checked.
    ...(hasView
      ? [
          `CREATE VIEW ${view} (${CREATED}, ${columns}) AS SELECT ${searchedTexts(collection)} FROM ${quote(collection.name)}`,
        ]
      : []),
    `CREATE VIRTUAL TABLE ${quote(nameSearchIndex(collection))} USING fts5(${columns}, content=${hasView ? view : quote(collection.name)}, content_rowid=${CREATED}, columnsize=0, detail=column, prefix='1', tokenize=${TOKENIZER})`,
    ...createTriggers(collection),
  ];
}

export function hasSearchIndex(connection: Connection, collection: Collection): boolean {
  const statements = listSearchStatements(collection);
  const existing = connection.rows<[string]>(
    statement(`SELECT sql FROM sqlite_schema WHERE name IN (?, ?) OR (type = 'trigger' AND tbl_name = ?)`, [
      nameSearchIndex(collection),
      nameSearchView(collection),
      collection.name,
    ]),
  );
  return existing.length === statements.length && existing.every(([sql]) => statements.includes(sql));
}

/** @returns a statement that compares the index with the rows, three seconds of CPU for a million, and fails if they differ */
export function checkSearchIndex(collection: Collection): string {
  const index = quote(nameSearchIndex(collection));
  return `INSERT INTO ${index} (${index}, rank) VALUES ('integrity-check', 1)`;
}

function dropSearchIndex(connection: Connection, collection: Collection): void {
  const name = nameSearchIndex(collection);
  for (const end of ['insert', 'delete', 'update'])
    connection.exec(`DROP TRIGGER IF EXISTS ${quote(`${name}_${end}`)}`);
  connection.exec(`DROP VIEW IF EXISTS ${quote(nameSearchView(collection))}`);
  // An earlier version stored in the last one how far it was.
  for (const table of [name, '_search']) connection.exec(`DROP TABLE IF EXISTS ${quote(table)}`);
}

/** Makes the index in the caller's transaction: two seconds of CPU for a million rows. */
export function makeSearchIndex(connection: Connection, collection: Collection): void {
  const index = quote(nameSearchIndex(collection));
  dropSearchIndex(connection, collection);
  connection.exec(
    `CREATE TABLE IF NOT EXISTS ${LATER} ("collection" TEXT NOT NULL PRIMARY KEY, "from" INTEGER NOT NULL)`,
  );
  for (const sql of listSearchStatements(collection)) connection.exec(sql);
  connection.exec(`INSERT INTO ${index} (${index}) VALUES ('rebuild')`);
}

export function indexLater(connection: Connection, collections: readonly Collection[], from: number): () => void {
  const indexed = collections.filter(isIndexed);
  for (const { name } of indexed) connection.run(`INSERT INTO ${LATER} VALUES (?, ?)`, [name, from]);
  return () => {
    for (const collection of indexed) {
      const columns = listSearchedColumns(collection).join(', ');
      const add = `INSERT INTO ${quote(nameSearchIndex(collection))} (rowid, ${columns}) SELECT ${searchedTexts(collection)} FROM ${quote(collection.name)} WHERE ${CREATED} >= ? ORDER BY ${CREATED}`;
      connection.run(add, [from]);
    }
    // A catalogue without any text that is searched has no such table.
    if (indexed.length > 0) connection.run(`DELETE FROM ${LATER}`);
  };
}
