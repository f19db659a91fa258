/** PostgreSQL's own check, and its index of words. */
import type { Collection } from '../model/catalogue.ts';
import { searchedIn } from '../model/search/ranks.ts';
import { searchWords as differentWords } from '../model/search/words.ts';
import type { RawDatabase } from '../raw-database/raw-database.ts';
import { DatabaseError } from '../store/database-error.ts';
import { beginWords } from '../store/postgres/search/extend.ts';
import { LAST_BIT, numbersTable, PROGRESS, wordsTable, wordsTableName } from '../store/postgres/search/tables.ts';
import { sortColumn } from '../store/sql/columns.ts';
import { statement } from '../store/sql/statement.ts';
import type { Finding } from './finding.ts';
import type { WordIndex } from './words.ts';

const BITS = LAST_BIT + 1;

/** @returns the places of the bits that are set */
function* setIn(bits: string): Generator<number> {
  for (let at = bits.indexOf('1'); at >= 0; at = bits.indexOf('1', at + 1)) yield at;
}

const numbersIn = async (database: RawDatabase, collection: Collection): Promise<ReadonlyMap<number, number>> => {
  const createdOf = new Map<number, number>();
  for await (const rows of database.stream(statement(`SELECT "number", "created" FROM ${numbersTable(collection)}`))) {
    for (const [number, created] of rows) createdOf.set(Number(number), Number(created));
  }
  return createdOf;
};

export const postgresWords =
  (collection: Collection) =>
  (database: RawDatabase): WordIndex => {
    const main = new Set((searchedIn(collection)?.main ?? []).map(sortColumn));
    return {
      open: async () => (await database.tables()).has(wordsTableName(collection)),
      readAll: async (add) => {
        const createdOf = await numbersIn(database, collection);
        const all = statement(`SELECT "word", "chunk", "main", "rest" FROM ${wordsTable(collection)}`);
        for await (const rows of database.stream(all)) {
          for (const [word, chunk, ofMain, ofRest] of rows) {
            for (const [place, bits] of Object.entries({ main: ofMain, rest: ofRest })) {
              for (const at of setIn(String(bits ?? ''))) {
                const created = createdOf.get(Number(chunk) * BITS + at);
                // A deleted item keeps its bits, except in the row of the empty word, which tells what exists.
                if (created !== undefined || word === '') add(String(word), created ?? -1, place);
              }
            }
          }
        }
        const unmade = statement(`SELECT 1 FROM ${PROGRESS} WHERE "collection" = ? AND "from" > 0`, [collection.name]);
        return (await database.rows(unmade)).length === 0;
      },
      addRow: (add, created, texts) => {
        add('', created, 'rest');
        for (const isMain of [true, false]) {
          const own = texts.filter(([column]) => main.has(column) === isMain).map(([, text]) => text);
          for (const word of differentWords(own.join(' '))) add(word, created, isMain ? 'main' : 'rest');
        }
      },
      empty: async () => {
        for (const each of beginWords(collection)) await database.rows(each);
      },
    };
  };

const INDEXES = statement(
  `SELECT "c"."oid"::text, "c"."relname" FROM pg_index AS "i" JOIN pg_class AS "c" ON "c"."oid" = "i"."indexrelid" JOIN pg_am AS "a" ON "a"."oid" = "c"."relam"
  WHERE "a"."amname" = 'btree' AND "i"."indisvalid" AND "c"."relnamespace" = current_schema()::regnamespace ORDER BY 2`,
);

/**
 * Compares every index with its table, where the extension `amcheck` is installed. Outside the snapshot, because an error would
 * end it.
 */
export const postgresFindings = async (
  database: RawDatabase,
): Promise<{ readonly findings: readonly Finding[]; readonly isChecked: boolean }> => {
  const found = await database.rows(statement(`SELECT 1 FROM pg_extension WHERE extname = 'amcheck'`));
  if (found.length === 0) return { findings: [], isChecked: false };
  const findings: Finding[] = [];
  for (const [oid] of await database.rows<[string, string]>(INDEXES)) {
    try {
      await database.rows(statement('SELECT bt_index_check(CAST(CAST(? AS BIGINT) AS regclass), true)', [Number(oid)]));
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      findings.push({ text: 'verify-own', values: { reason: error.message } });
    }
  }
  return { findings, isChecked: true };
};
