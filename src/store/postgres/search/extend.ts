/** Makes an index of words, for the rows that are there already from the last to the first. */
import type { Collection } from '../../../model/catalogue.ts';
import { CREATED } from '../../sql/columns.ts';
import { quote, type Statement, statement } from '../../sql/statement.ts';
import { createTables, EXISTING, LAST_BIT, numberAt, numbersTable, PROGRESS, wordsTable } from './tables.ts';
import { addWordsOf, createTriggers } from './triggers.ts';

/** Statements of one transaction. Creating the triggers locks the table until its end, so that no row is missed by both. */
export const beginWords = (collection: Collection): readonly Statement[] => [
  ...[...createTables(collection), ...createTriggers(collection)].map((sql) => statement(sql)),
  statement(
    `INSERT INTO ${PROGRESS} SELECT ?, coalesce(max(${CREATED}) + 1, 0) FROM ${quote(collection.name)} ON CONFLICT ("collection") DO UPDATE SET "from" = excluded."from"`,
    [collection.name],
  ),
];

/** Reads the collections whose index is not complete. */
export const INCOMPLETE = statement(`SELECT "collection" FROM ${PROGRESS} WHERE "from" > 0`);

/** Rows of one step, as many as a chunk has. */
export const STEP_ROWS = LAST_BIT + 1;

/** Statements of one transaction that adds a chunk of rows. Writers wait for it, a tenth of a second. */
export const extendWords = (collection: Collection, step = STEP_ROWS): readonly Statement[] => {
  const [numbers, table] = [numbersTable(collection), quote(collection.name)];
  // Below all numbers that were ever given, not only those of rows that exist: a deleted row's bits are those of its number.
  const lowestChunk = `SELECT ${numberAt('min("chunk")', '0')} FROM ${wordsTable(collection)} WHERE "word" = ${EXISTING}`;
  const least = `least((SELECT min("number") FROM ${numbers}), (${lowestChunk}), 0)`;
  const from = `(SELECT "from" FROM ${PROGRESS} WHERE "collection" = '${collection.name}')`;
  const rows = `SELECT ${CREATED} FROM ${table} WHERE ${CREATED} < ${from} ORDER BY ${CREATED} DESC LIMIT ${step}`;
  return [
    statement(`LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`),
    statement(
      `INSERT INTO ${numbers} SELECT ${CREATED}, ${least} - row_number() OVER (ORDER BY ${CREATED} DESC) FROM (${rows}) AS "rows" ON CONFLICT ("created") DO NOTHING`,
    ),
    statement(addWordsOf(collection, least, `${least} + ${step - 1}`)),
    statement(
      `UPDATE ${PROGRESS} SET "from" = coalesce((SELECT min(${CREATED}) FROM (${rows}) AS "rows"), 0) WHERE "collection" = ?`,
      [collection.name],
    ),
  ];
};

/** Updates the statistics, so that searches are planned for a full table. */
export const analyzeWords = (collection: Collection): string =>
  `ANALYZE ${numbersTable(collection)}, ${wordsTable(collection)}`;
