import type { Collection } from '../../gateway/model/catalogue.ts';
import { isCut, RANKS, type Rank, type Searched, searchedIn, searchTerms } from '../../gateway/model/search.ts';
import { CREATED, quote, type Statement, sortColumn, statement } from './statement.ts';

export interface Matching {
  readonly condition: Statement;
  /** Selects `_created` of the same rows, if an index has them without their table. */
  readonly rowIds?: Statement;
}

export interface Search {
  readonly all: Matching;
  /** Parts of it, best first: those of each rank that have no better one. */
  readonly ranks: readonly Matching[];
  /** Whether a planner that expects many would look for them in the order of a list instead, one by one. */
  readonly isFoundFirst?: boolean;
}

export type SearchIn = (collection: Collection, search: string) => Search | undefined;

/** A query language with logical operators. */
export interface QueryLanguage {
  readonly operand: (term: string, rank: Rank, searched: Searched) => string;
  readonly and: string;
  readonly or: string;
  readonly butNot: (text: string, other: string) => string;
}

export function buildSearch(
  { operand, and, or, butNot }: QueryLanguage,
  searched: Searched,
  search: string,
  match: (text: string) => Matching,
): Search {
  const terms = searchTerms(search);
  // Nothing is found in main texts if there are none.
  const ranks = RANKS.filter(({ isMain }) => !isMain || searched.main.length > 0);
  const texts = ranks.map((rank) => terms.map((term) => operand(term, rank, searched)).join(and));
  return {
    all: match(texts.at(-1) ?? ''),
    ranks: texts.map((text, at) => {
      // What has the first rank has the second, too.
      const better = texts.slice(at > 1 ? 1 : 0, at).map((each) => `(${each})`);
      return match(at === 0 ? text : butNot(text, better.join(or)));
    }),
  };
}

export function searchName({ name }: Collection): string {
  return `${name}_search`;
}

export function concatenated(fields: readonly Searched['main'][number][]): string {
  return fields.length === 0 ? `''` : fields.map((field) => `coalesce(${sortColumn(field)}, '')`).join(` || ' ' || `);
}

/** https://sqlite.org/fts5.html#full_text_query_syntax */
const fts5: QueryLanguage = {
  operand: (term, { isWhole, isMain }, { main, rest }) =>
    `{${[...main, ...(isMain ? [] : rest)].map(sortColumn).join(' ')}} : "${term}"${isWhole && !isCut(term) ? '' : ' *'}`,
  and: ' AND ',
  or: ' OR ',
  butNot: (text, other) => `(${text}) NOT (${other})`,
};

/** The function that finds terms in texts that no index has: the result is that of `findRank`. */
export const RANK = 'rank_of';

export function sqliteSearch(collection: Collection, search: string): Search | undefined {
  const searched = searchedIn(collection);
  if (!searched) return undefined;
  if (collection.isChild) {
    // Items that are nested in another are few, and looked at one by one.
    const rank = `${RANK}(?, ${concatenated(searched.main)}, ${concatenated(searched.rest)})`;
    const match = (comparison: string): Matching => ({ condition: statement(`${rank} ${comparison}`, [search]) });
    return { all: match('> 0'), ranks: RANKS.map((_, at) => match(`= ${at + 1}`)) };
  }
  const table = quote(searchName(collection));
  return buildSearch(fts5, searched, search, (text) => {
    const rowIds = statement(`SELECT rowid AS ${CREATED} FROM ${table} WHERE ${table} MATCH ?`, [text]);
    return { condition: statement(`${CREATED} IN (${rowIds.sql})`, rowIds.values), rowIds };
  });
}
