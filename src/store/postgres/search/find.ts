/** What a search finds, from the index of words: bits of whole chunks at a time. */
import type { Collection } from '../../../model/catalogue.ts';
import { RANKS, type Rank, searchedIn } from '../../../model/search/ranks.ts';
import { isCut, LONGEST, searchWords as wordsOfText } from '../../../model/search/words.ts';
import { CREATED } from '../../sql/columns.ts';
import type { Search, SearchIn } from '../../sql/search.ts';
import { type Statement, statement } from '../../sql/statement.ts';
import { nestedSearch } from './nested.ts';
import { EXISTING, isWordIndexed, LAST_BIT, NONE, numberAt, numbersTable, wordsTable } from './tables.ts';

/** Sorts after every text that begins with a word. */
const LAST_OF_ALL = '\u{10ffff}'.repeat(LONGEST);

const rankName = ({ isWhole, isMain }: Rank): string => `"${isWhole ? 'whole' : 'begun'}${isMain ? 'Main' : 'Any'}"`;

/** @returns a statement for the items that contain a word, as bits by chunk */
const bitsOf = (collection: Collection, word: string): Statement => {
  const whole = isCut(word) ? '' : ' FILTER (WHERE "word" = ?)';
  const exact = isCut(word) ? [] : [word, word];
  return statement(
    `SELECT "chunk", bit_or("main")${whole} AS "wholeMain", bit_or("rest")${whole} AS "wholeRest", bit_or("main") AS "begunMain", bit_or("rest") AS "begunRest" FROM ${wordsTable(collection)} WHERE "word" BETWEEN ? AND ? GROUP BY "chunk"`,
    [...exact, word, word + LAST_OF_ALL],
  );
};

/** SQL of the bits of a rank; a chunk may have none. */
const rankedBits = ({ isWhole, isMain }: Rank, table: string): string => {
  const [main, rest] = isWhole ? ['"wholeMain"', '"wholeRest"'] : ['"begunMain"', '"begunRest"'];
  if (isMain) return `coalesce(${table}.${main}, ${NONE})`;
  return `coalesce(${table}.${main} | ${table}.${rest}, ${table}.${main}, ${table}.${rest}, ${NONE})`;
};

/** @returns a statement for existing items that contain all words, with a column of bits for each rank */
const hitsOf = (collection: Collection, words: readonly string[]): Statement => {
  const each = words.map((word) => bitsOf(collection, word));
  const columns = RANKS.map(
    (rank) => `"rest"${each.map((_, at) => ` & ${rankedBits(rank, `"word${at}"`)}`).join('')} AS ${rankName(rank)}`,
  );
  const tables = each.map(({ sql }, at) => ` JOIN (${sql}) AS "word${at}" USING ("chunk")`);
  return statement(
    `WITH "hits" AS MATERIALIZED (SELECT "chunk", ${columns.join(', ')} FROM (SELECT "chunk", "rest" FROM ${wordsTable(collection)} WHERE "word" = ${EXISTING}) AS "existing"${tables.join('')}) `,
    each.flatMap(({ values }) => values),
  );
};

/** The items of each rank that have no better one, in the order of ranks. An item of the first rank has the second, too. */
const BY_RANK = RANKS.map((rank, at) => {
  const better = RANKS.slice(at > 1 ? 1 : 0, at).map((each) => ` & ~${rankName(each)}`);
  return `(${at}, ${rankName(rank)}${better.join('')})`;
}).join(', ');

const RANKED = `SELECT "rank", "chunk", "bits", bit_count("bits") AS "count" FROM "hits" CROSS JOIN LATERAL (VALUES ${BY_RANK}) AS "each" ("rank", "bits") WHERE bit_count("bits") > 0`;

/** A row for each bit that is set. */
const itemsIn = (collection: Collection, source: string, columns: string): string =>
  `SELECT "created" AS ${CREATED}${columns} FROM ${source} CROSS JOIN generate_series(0, ${LAST_BIT}) AS "bit" JOIN ${numbersTable(collection)} ON "number" = ${numberAt('"chunk"', '"bit"')} WHERE get_bit("bits", "bit") = 1`;

/** Expands only chunks that the window overlaps. Binds offset and limit. */
const pageOf = (collection: Collection): string => {
  const window = 'SELECT CAST(? AS BIGINT) AS "offset", CAST(? AS BIGINT) AS "limit"';
  const counted = `SELECT *, sum("count") OVER (ORDER BY "rank", "chunk") - "count" AS "before" FROM (${RANKED}) AS "ranked"`;
  const within = `SELECT * FROM (${counted}) AS "counted", (${window}) AS "window" WHERE "before" < "offset" + "limit" AND "before" + "count" > "offset"`;
  const position = '"before" + row_number() OVER (PARTITION BY "rank", "chunk" ORDER BY "bit")';
  const numbered = itemsIn(
    collection,
    `(${within}) AS "within"`,
    `, "rank", "offset", "limit", ${position} AS "position"`,
  );
  return `SELECT ${CREATED}, "rank" FROM (${numbered}) AS "items" WHERE "position" > "offset" AND "position" <= "offset" + "limit"`;
};

const LAST_RANK = RANKS.map(rankName).at(-1);

const indexedSearch = (collection: Collection, search: string): Search => {
  const all = itemsIn(collection, `(SELECT "chunk", ${LAST_RANK} AS "bits" FROM "hits") AS "all"`, '');
  return {
    all: { condition: statement(`${CREATED} IN (${all})`) },
    ranks: [],
    counted: {
      hits: hitsOf(collection, wordsOfText(search)),
      total: statement(`SELECT CAST(coalesce(sum(bit_count(${LAST_RANK})), 0) AS BIGINT) FROM "hits"`),
      page: statement(pageOf(collection)),
      ranked: statement(itemsIn(collection, `(${RANKED}) AS "ranked"`, ', "rank"')),
    },
  };
};

export const postgresSearch: SearchIn = (collection, search) => {
  const searched = searchedIn(collection);
  if (!searched) return undefined;
  return isWordIndexed(collection) ? indexedSearch(collection, search) : nestedSearch(searched, search);
};
