/** How each database finds words. Words have no character that means anything in its query language. */
import type { Collection } from '../../model/catalogue.ts';
import { RANKS, type Rank, type Searched, searchedIn } from '../../model/search.ts';
import { isCut, LONGEST, separatorClass, wordsOf } from '../../model/words.ts';
import { CREATED, sortColumn } from './columns.ts';
import { quote, type Statement, statement } from './statement.ts';

/** A condition on a collection's rows. */
export interface Matching {
  readonly condition: Statement;
  /** Selects `_created` of the same rows, where an index has them without their table. */
  readonly found?: Statement;
}

/** One search in one collection. */
export interface Search {
  readonly all: Matching;
  /** Parts of it, best first: those of each rank that have no better one. */
  readonly ranks: readonly Matching[];
}

/** @returns `undefined` where nothing of the collection is searched */
export type SearchIn = (collection: Collection, search: string) => Search | undefined;

/** A query language with logical operators. */
interface Language {
  readonly term: (word: string, rank: Rank, searched: Searched) => string;
  readonly and: string;
  readonly or: string;
  readonly butNot: (text: string, other: string) => string;
}

const searchIn = (
  { term, and, or, butNot }: Language,
  searched: Searched,
  search: string,
  match: (text: string) => Matching,
): Search => {
  const words = wordsOf(search);
  const texts = RANKS.map((rank) => words.map((word) => term(word, rank, searched)).join(and));
  // What has the first rank has the second, too.
  const better = (at: number): string =>
    texts
      .slice(at > 1 ? 1 : 0, at)
      .map((each) => `(${each})`)
      .join(or);
  return {
    all: match(texts.at(-1) ?? ''),
    ranks: texts.map((text, at) => match(at === 0 ? text : butNot(text, better(at)))),
  };
};

/** The index of a collection's words. */
export const searchName = ({ name }: Collection): string => `${name}_search`;

/** SQL that joins texts, which may be absent. */
const joined = (fields: readonly Searched['main'][number][]): string =>
  fields.length === 0 ? `''` : fields.map((field) => `coalesce(${sortColumn(field)}, '')`).join(` || ' ' || `);

/** https://sqlite.org/fts5.html#full_text_query_syntax */
const fts5: Language = {
  term: (word, { isWhole, isMain }, { main, rest }) =>
    `{${[...main, ...(isMain ? [] : rest)].map(sortColumn).join(' ')}} : "${word}"${isWhole && !isCut(word) ? '' : ' *'}`,
  and: ' AND ',
  or: ' OR ',
  butNot: (text, other) => `(${text}) NOT (${other})`,
};

/** The function that finds words in texts that no index has: the result is that of `rankOf`. */
export const RANK = 'rank_of';

/** Items that are nested in another are few, and looked at one by one. */
const inNested = ({ main, rest }: Searched, search: string): Search => {
  const matching = (comparison: string): Matching => ({
    condition: statement(`${RANK}(?, ${joined(main)}, ${joined(rest)}) ${comparison}`, [search]),
  });
  return { all: matching('> 0'), ranks: RANKS.map((_, at) => matching(`= ${at + 1}`)) };
};

export const sqliteSearch: SearchIn = (collection, search) => {
  const searched = searchedIn(collection);
  if (!searched) return undefined;
  if (collection.parent) return inNested(searched, search);
  const table = quote(searchName(collection));
  return searchIn(fts5, searched, search, (text) => {
    const found = statement(`SELECT rowid AS ${CREATED} FROM ${table} WHERE ${table} MATCH ?`, [text]);
    return { condition: statement(`${CREATED} IN (${found.sql})`, found.values), found };
  });
};

/** Each word is marked with the kind of text that it is in, so that one index has both. */
const [MAIN, REST] = ['+', '-'] as const;

/** https://www.postgresql.org/docs/current/datatype-textsearch.html#DATATYPE-TSQUERY */
const tsquery: Language = {
  term: (word, { isWhole, isMain }) => {
    const end = isWhole && !isCut(word) ? '' : ':*';
    return `(${(isMain ? [MAIN] : [MAIN, REST]).map((mark) => `'${mark}${word}'${end}`).join(' | ')})`;
  },
  and: ' & ',
  or: ' | ',
  butNot: (text, other) => `(${text}) & !(${other})`,
};

const SEPARATOR = separatorClass(1);
const LONG_WORD = `'([^${SEPARATOR}]{${LONGEST}})[^${SEPARATOR}]+', '\\1', 'g'`;

const marked = (mark: string, text: string): string => {
  const short = `CASE WHEN length(${text}) > ${LONGEST} THEN regexp_replace(${text}, ${LONG_WORD}) ELSE ${text} END`;
  return `regexp_replace(' ' || ${short}, '[${SEPARATOR}]+', ' ${mark}', 'g')`;
};

/** The words of a row as the index has them. */
const vectorOf = ({ main, rest }: Searched): string =>
  `array_to_tsvector(string_to_array(btrim(${marked(MAIN, joined(main))} || ${marked(REST, joined(rest))}), ' '))`;

/** @returns what the index of a collection's words is made of, where it has one */
export const wordVector = (collection: Collection): string | undefined => {
  const searched = collection.parent ? undefined : searchedIn(collection);
  return searched && vectorOf(searched);
};

export const postgresSearch: SearchIn = (collection, search) => {
  const searched = searchedIn(collection);
  if (!searched) return undefined;
  const vector = vectorOf(searched);
  return searchIn(tsquery, searched, search, (text) => ({
    condition: statement(`${vector} @@ CAST(? AS tsquery)`, [text]),
  }));
};
