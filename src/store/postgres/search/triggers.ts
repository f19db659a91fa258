/** Triggers that maintain the index of words, so that it is right whatever writes: an older version, another program. */
import type { Collection } from '../../../model/catalogue.ts';
import { type Searched, searchedIn } from '../../../model/search/ranks.ts';
import { CREATED, sortColumn } from '../../sql/columns.ts';
import { quote } from '../../sql/statement.ts';
import {
  bitOf,
  chunkOf,
  EXISTING,
  LAST_BIT,
  NONE,
  numberAt,
  numbersTable,
  wordArrays,
  wordsTable,
  wordsTableName,
} from './tables.ts';

const nothingSearched: Searched = { main: [], rest: [] };
const searchedOf = (collection: Collection): Searched => searchedIn(collection) ?? nothingSearched;

/** @returns SQL of the bits of numbered words, as rows of the table of words, in order */
const bitsOf = (rows: string): string =>
  `SELECT "word", ${chunkOf('"number"')}, bit_or(${bitOf('"number"')}) FILTER (WHERE "isMain"), bit_or(${bitOf('"number"')}) FILTER (WHERE NOT "isMain")
    FROM (${rows}) AS "added" GROUP BY 1, 2 ORDER BY 1, 2`;

/** Adds bits to the rows of words, always in the same order, so that no two transactions deadlock. */
const addBits = (collection: Collection, rows: string): string => {
  const both = (bits: string): string => `coalesce("w".${bits} | excluded.${bits}, "w".${bits}, excluded.${bits})`;
  return `INSERT INTO ${wordsTable(collection)} AS "w" ("word", "chunk", "main", "rest")
    ${bitsOf(rows)}
    ON CONFLICT ("word", "chunk") DO UPDATE SET "main" = ${both('"main"')}, "rest" = ${both('"rest"')}`;
};

/** @returns SQL of the words of numbered rows */
const numberedWords = (collection: Collection, rows: string, condition = 'TRUE'): string => {
  const [main, rest] = wordArrays(searchedOf(collection));
  return `SELECT "n"."number", "words"."isMain", "words"."word" FROM ${quote(rows)} JOIN ${numbersTable(collection)} AS "n" ON "n"."created" = ${CREATED}
    CROSS JOIN LATERAL (SELECT TRUE, unnest(${main}) UNION ALL SELECT FALSE, unnest(array_append(${rest}, ${EXISTING}))) AS "words" ("isMain", "word")
    WHERE ${condition}`;
};

/** @returns SQL of what the table of words has to contain */
export const wordsOf = (collection: Collection): string => bitsOf(numberedWords(collection, collection.name));

/** @returns a statement that adds the words of numbered rows; adding them again changes nothing */
const addWords = (collection: Collection, rows: string, condition?: string): string =>
  addBits(collection, numberedWords(collection, rows, condition));

/** @returns a statement that adds the words of the rows with some numbers */
export const addWordsOf = (collection: Collection, first: string, last: string): string =>
  addWords(collection, collection.name, `"n"."number" BETWEEN ${first} AND ${last}`);

/** Uses no index of the table, which may have none while it is filled. */
const onInsert = (collection: Collection): string => `
BEGIN
  INSERT INTO ${numbersTable(collection)} ("created") SELECT ${CREATED} FROM "_added" ORDER BY ${CREATED};
  ${addWords(collection, '_added')};
  RETURN NULL;
END`;

/**
 * The words of a row without a number are added later. Variables have an underscore inside their names, so that none has the
 * name of a column.
 */
const onUpdate = (collection: Collection): string => {
  const [main, rest] = wordArrays(searchedOf(collection));
  const words = wordsTable(collection);
  const clear = (bits: string, before: string, after: string): string =>
    `UPDATE ${words} SET ${bits} = ${bits} & ~${bitOf('"v_number"')} WHERE "chunk" = ${chunkOf('"v_number"')} AND "word" = ANY("${before}") AND "word" <> ALL("${after}")`;
  const added = (isMain: string, before: string, after: string): string =>
    `SELECT "v_number" AS "number", ${isMain} AS "isMain", "word" FROM unnest("${after}") AS "word" WHERE "word" <> ALL("${before}")`;
  return `
DECLARE "v_number" BIGINT; "v_mainOld" TEXT[]; "v_restOld" TEXT[]; "v_mainNew" TEXT[]; "v_restNew" TEXT[];
BEGIN
  SELECT "number" INTO "v_number" FROM ${numbersTable(collection)} WHERE "created" = NEW.${CREATED};
  IF NOT FOUND THEN RETURN NULL; END IF;
  SELECT ${main}, ${rest} INTO "v_mainOld", "v_restOld" FROM (SELECT OLD.*) AS "row";
  SELECT ${main}, ${rest} INTO "v_mainNew", "v_restNew" FROM (SELECT NEW.*) AS "row";
  ${clear('"main"', 'v_mainOld', 'v_mainNew')};
  ${clear('"rest"', 'v_restOld', 'v_restNew')};
  ${addBits(collection, `${added('TRUE', 'v_mainOld', 'v_mainNew')} UNION ALL ${added('FALSE', 'v_restOld', 'v_restNew')}`)};
  RETURN NULL;
END`;
};

/** Rows of a chunk without items are deleted once no more items are added to it. */
const onDelete = (collection: Collection): string => {
  const [numbers, words] = [numbersTable(collection), wordsTable(collection)];
  return `
DECLARE "v_empty" BIGINT[];
BEGIN
  WITH "gone" AS (
    DELETE FROM ${numbers} AS "n" USING "_removed" WHERE "n"."created" = ${CREATED} RETURNING "n"."number"
  ), "bits" AS (
    SELECT ${chunkOf('"number"')} AS "chunk", bit_or(${bitOf('"number"')}) AS "gone" FROM "gone" GROUP BY 1 ORDER BY 1
  ), "left" AS (
    UPDATE ${words} AS "w" SET "rest" = "rest" & ~"gone" FROM "bits" WHERE "w"."word" = ${EXISTING} AND "w"."chunk" = "bits"."chunk"
    RETURNING "w"."chunk", "rest"
  ) SELECT array_agg("chunk") INTO "v_empty" FROM "left"
    WHERE "rest" = ${NONE} AND ${numberAt('"chunk"', String(LAST_BIT))} < (SELECT max("number") FROM ${numbers});
  IF "v_empty" IS NOT NULL THEN DELETE FROM ${words} WHERE "chunk" = ANY("v_empty"); END IF;
  RETURN NULL;
END`;
};

const onTruncate = (collection: Collection): string => `
BEGIN
  TRUNCATE ${numbersTable(collection)}, ${wordsTable(collection)};
  RETURN NULL;
END`;

/** The bodies of the functions, by the name that a function and its trigger share. */
export const functionsOf = (collection: Collection): ReadonlyMap<string, string> =>
  new Map(
    [
      ['insert', onInsert(collection)],
      ['update', onUpdate(collection)],
      ['delete', onDelete(collection)],
      ['truncate', onTruncate(collection)],
    ].map(([end, body = '']) => [`${wordsTableName(collection)}_${end}`, body]),
  );

/** When each trigger fires, in the order of the functions. */
const events = (collection: Collection): readonly string[] => {
  const { main, rest } = searchedOf(collection);
  const isChanged = [...main, ...rest]
    .map(sortColumn)
    .map((column) => `OLD.${column} IS DISTINCT FROM NEW.${column}`)
    .join(' OR ');
  const table = quote(collection.name);
  return [
    `INSERT ON ${table} REFERENCING NEW TABLE AS "_added" FOR EACH STATEMENT`,
    `UPDATE ON ${table} FOR EACH ROW WHEN (${isChanged})`,
    `DELETE ON ${table} REFERENCING OLD TABLE AS "_removed" FOR EACH STATEMENT`,
    `TRUNCATE ON ${table} FOR EACH STATEMENT`,
  ];
};

/** Each connection caches plans: those made for an empty table must suit a full one, too. */
const SETTINGS = [
  'search_path FROM CURRENT',
  'enable_seqscan = off',
  'enable_hashjoin = off',
  'enable_mergejoin = off',
];

export const createTriggers = (collection: Collection): readonly string[] => {
  const when = events(collection);
  const settings = SETTINGS.map((each) => `SET ${each}`).join(' ');
  return [...functionsOf(collection)].flatMap(([name, body], at) => [
    `DROP FUNCTION IF EXISTS ${quote(name)}() CASCADE`,
    `CREATE FUNCTION ${quote(name)}() RETURNS trigger LANGUAGE plpgsql ${settings} AS $function$${body}$function$`,
    `CREATE TRIGGER ${quote(name)} AFTER ${when[at]} EXECUTE FUNCTION ${quote(name)}()`,
  ]);
};
