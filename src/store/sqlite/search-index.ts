/** The index of terms (FTS5). Triggers maintain it, so that it is right whatever program writes to the file. */
import type { Collection } from '../../gateway/model/catalogue.ts';
import { SEPARATORS, searchedIn } from '../../gateway/model/search.ts';
import { searchName } from '../sql/search.ts';
import { CREATED, quote, sortColumn, statement } from '../sql/statement.ts';
import type { Connection } from './connection.ts';

/** Has a row during a transaction that creates many: what is created at or after `from` is added together at its end. */
const LATER = quote('_searchLater');

/** Control characters separate words, as their category does; U+0000 cannot be stored. */
const CONTROL = /\p{Cc}/u;

/** Has FTS5 split texts as `wordsOf` does: every character except the separators is part of a word. */
const TOKENIZER = (() => {
  const separators = SEPARATORS.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at)),
  ).filter((each) => !CONTROL.test(each));
  const listed = separators.join('').replaceAll("'", "''").replaceAll('"', '""');
  return `"unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Z* Cf Cn Co Cs' separators '${listed}'"`;
})();

/** Length of the prefixes that have a list of their own: many words begin with the same letter. */
const PREFIXES = '1';

function searchedColumns(collection: Collection): readonly string[] {
  const { main = [], rest = [] } = searchedIn(collection) ?? {};
  return [...main, ...rest].map(sortColumn);
}

export function isIndexed(collection: Collection): boolean {
  return !collection.isChild && searchedIn(collection) !== undefined;
}

function createTriggers(collection: Collection): readonly string[] {
  const [name, table] = [searchName(collection), quote(collection.name)];
  const index = quote(name);
  const columns = searchedColumns(collection);
  const listed = columns.join(', ');
  const [oldRow, newRow] = ['old', 'new'].map((row) =>
    [CREATED, ...columns].map((column) => `${row}.${column}`).join(', '),
  );
  const add = `INSERT INTO ${index} (rowid, ${listed}) VALUES (${newRow});`;
  const remove = `INSERT INTO ${index} (${index}, rowid, ${listed}) VALUES ('delete', ${oldRow});`;
  const [isOldLater, isNewLater] = ['old', 'new'].map(
    (row) =>
      `EXISTS (SELECT 1 FROM ${LATER} WHERE "collection" = '${collection.name}' AND "from" <= ${row}.${CREATED})`,
  );
  const isChanged = columns.map((column) => `old.${column} IS NOT new.${column}`).join(' OR ');
  return [
    `CREATE TRIGGER ${quote(`${name}_insert`)} AFTER INSERT ON ${table} WHEN NOT ${isNewLater} BEGIN ${add} END`,
    `CREATE TRIGGER ${quote(`${name}_delete`)} AFTER DELETE ON ${table} WHEN NOT ${isOldLater} BEGIN ${remove} END`,
    `CREATE TRIGGER ${quote(`${name}_update`)} AFTER UPDATE OF ${listed} ON ${table} WHEN (${isChanged}) AND NOT ${isOldLater} BEGIN ${remove} ${add} END`,
  ];
}

function createIndex(collection: Collection): readonly string[] {
  const columns = searchedColumns(collection).join(', ');
  return [
    `CREATE VIRTUAL TABLE ${quote(searchName(collection))} USING fts5(${columns}, content=${quote(collection.name)}, content_rowid=${CREATED}, columnsize=0, detail=column, prefix='${PREFIXES}', tokenize=${TOKENIZER})`,
    ...createTriggers(collection),
  ];
}

/** @returns `false` if there is none, or one that was created for another catalogue or by other triggers */
export function hasSearchIndex(connection: Connection, collection: Collection): boolean {
  const statements = createIndex(collection);
  const existing = connection.rows<[string]>(
    statement(`SELECT sql FROM sqlite_schema WHERE name = ? OR (type = 'trigger' AND tbl_name = ?)`, [
      searchName(collection),
      collection.name,
    ]),
  );
  return existing.length === statements.length && existing.every(([sql]) => statements.includes(sql));
}

/** @returns a statement that compares the index with the rows, three seconds of CPU for a million, and fails if they differ */
export function checkSearchIndex(collection: Collection): string {
  const index = quote(searchName(collection));
  return `INSERT INTO ${index} (${index}, rank) VALUES ('integrity-check', 1)`;
}

export function dropSearchIndex(connection: Connection, collection: Collection): void {
  const name = searchName(collection);
  for (const end of ['insert', 'delete', 'update'])
    connection.exec(`DROP TRIGGER IF EXISTS ${quote(`${name}_${end}`)}`);
  // An earlier version stored in the last one how far it was.
  for (const table of [name, '_search']) connection.exec(`DROP TABLE IF EXISTS ${quote(table)}`);
}

/** Makes the index in the caller's transaction: two seconds of CPU for a million rows. */
export function makeSearchIndex(connection: Connection, collection: Collection): void {
  const index = quote(searchName(collection));
  dropSearchIndex(connection, collection);
  connection.exec(
    `CREATE TABLE IF NOT EXISTS ${LATER} ("collection" TEXT NOT NULL PRIMARY KEY, "from" INTEGER NOT NULL)`,
  );
  for (const sql of createIndex(collection)) connection.exec(sql);
  connection.exec(`INSERT INTO ${index} (${index}) VALUES ('rebuild')`);
}

/** @returns a statement that adds rows to the index in order; it binds the lowest number of a creation */
function addRows(collection: Collection): string {
  const columns = searchedColumns(collection).join(', ');
  return `INSERT INTO ${quote(searchName(collection))} (rowid, ${columns}) SELECT ${CREATED}, ${columns} FROM ${quote(collection.name)} WHERE ${CREATED} >= ? ORDER BY ${CREATED}`;
}

/** Postpones the indexing of new rows. @returns a function to call at the end of the transaction */
export function indexLater(connection: Connection, collections: readonly Collection[], from: number): () => void {
  const indexed = collections.filter(isIndexed);
  for (const { name } of indexed) connection.run(`INSERT INTO ${LATER} VALUES (?, ?)`, [name, from]);
  return () => {
    for (const each of indexed) connection.run(addRows(each), [from]);
    // A catalogue without any text that is searched has no such table.
    if (indexed.length > 0) connection.run(`DELETE FROM ${LATER}`);
  };
}
