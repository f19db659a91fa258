import { type Collection, keyIds } from '../../gateway/model/catalogue.ts';
import type { Field } from '../../gateway/model/field.ts';
import {
  type ChangeCursor,
  type Cursor,
  compact,
  DELETED,
  type Filter,
  type Included,
  isReferring,
  NEVER,
  TOTAL,
} from '../../gateway/model/query.ts';
import { findSearchedFields, isCut, RANKS, type Rank, type Searched, searchTerms } from '../../gateway/model/search.ts';
import type { Keys } from '../../gateway/port/port.ts';
import {
  buildComparedColumn,
  buildFilter,
  buildSortColumn,
  buildWhere,
  CREATED,
  isFolded,
  joinConditions,
  joinForms,
  PARENT,
  quote,
  quoteColumn,
  quoteFolded,
  quoteKey,
  REVISION,
  type Statement,
  statement,
  testParent,
} from './statement.ts';
import { readChange, testForgotten, tombstones } from './system-tables.ts';

export interface Selection {
  readonly columns?: Statement;
  readonly rows: Statement;
  readonly join: string;
}

/** Selects groups, the largest first and equal ones by value; items that lack the field come last. A group shows its most frequent spelling. */
export function selectGroups(
  { name }: Collection,
  field: Field,
  where: Statement,
): { readonly total: Statement; readonly selection: Selection } {
  const [table, column, text] = [quote(name), buildSortColumn(field), quoteColumn(field)];
  const values = `SELECT ${column} AS "value", count(*) AS "count" FROM ${table}${where.sql} GROUP BY ${column}`;
  const spellings = `SELECT ${column} AS "value", ${text} AS "text", count(*) AS "count" FROM ${table}${where.sql} GROUP BY ${column}, ${text}`;
  const ranked = `SELECT "value", "text", CAST(sum("count") OVER (PARTITION BY "value") AS BIGINT) AS "count", row_number() OVER (PARTITION BY "value" ORDER BY "count" DESC, "text") AS "rank" FROM (${spellings}) AS "_each"`;
  const [rows, value] = isFolded(field)
    ? [`SELECT "value", "text", "count" FROM (${ranked}) AS "_ranked" WHERE "rank" = 1`, '"_found"."text"']
    : [values, '"_found"."value"'];
  const ordered = `SELECT * FROM (${rows}) AS "_groups" ORDER BY "value" IS NULL, "count" DESC, "value"`;
  return {
    total: statement(`SELECT count(*) FROM (${values}) AS "_groups"`, where.values),
    selection: {
      columns: statement(`0 AS ${REVISION}, ${value} AS ${quote(field.name)}, "_found"."count" AS ${quote(TOTAL)}`),
      rows: statement(ordered, where.values),
      join: '',
    },
  };
}

interface SearchedList {
  readonly collection: Collection;
  readonly parents: Keys;
  readonly filters: readonly Filter[];
  readonly after: Cursor | undefined;
}

function selectRank(
  { collection, parents, filters }: SearchedList,
  { condition, rowIds }: Matching,
  rank: number,
): Statement {
  if (rowIds && filters.length === 0 && !collection.parent) {
    return statement(`SELECT ${CREATED}, ${rank} AS "rank" FROM (${rowIds.sql}) AS "_matching"`, rowIds.values);
  }
  const where = buildWhere(collection, parents, filters, [condition]);
  return statement(`SELECT ${CREATED}, ${rank} AS "rank" FROM ${quote(collection.name)}${where.sql}`, where.values);
}

export function selectRanked(list: SearchedList, { ranks }: Search): Selection {
  const table = quote(list.collection.name);
  const { filters, after = [] } = list;
  const parts = ranks.map((matching, at) => selectRank(list, matching, at));
  const union = parts.map(({ sql }) => sql).join(' UNION ALL ');
  // An index of terms alone has its rows in order, and those of a rank are looked for only if the ones before do not suffice.
  const isOrdered = filters.length === 0 && ranks.every(({ rowIds }) => rowIds);
  const afterCursor = after.length === 0 ? '' : ` WHERE ("rank", ${CREATED}) > (CAST(? AS bigint), ?)`;
  const order = isOrdered ? '' : ` ORDER BY "rank", ${CREATED}`;
  const sql = isOrdered && afterCursor === '' ? union : `SELECT * FROM (${union}) AS "_ranked"${afterCursor}${order}`;
  return {
    rows: statement(sql, [...parts.flatMap(({ values }) => values), ...after]),
    // A join need not preserve an order.
    join: ` JOIN ${table} ON ${table}.${CREATED} = "_found".${CREATED} ORDER BY "_found"."rank", "_found".${CREATED}`,
  };
}

export function countRanked({ all }: Search, list: SearchedList): Statement {
  const { sql, values } = selectRank(list, all, 0);
  return statement(`SELECT count(*) FROM (${sql}) AS "_all"`, values);
}

interface ChangedList {
  readonly collection: Collection;
  readonly parents: Keys;
  readonly filters: readonly Filter[];
  readonly matching: Statement | undefined;
  readonly include: readonly Included[];
  readonly since: ChangeCursor;
  readonly most: number;
}

const [AT, ROW] = ['"_found"."at"', '"_found"."row"'];

/** Columns of changes that bring other items again. No field, nor its folded text, has such a name. */
const [CAUSE_AT, CAUSE_KEY, CAUSE_FOLDED] = ['"__at"', '"__of"', '"__folded"'];

/** @returns the change up to which a client knows all deletions and included items: a client that reads the list from its beginning sees older ones in its items */
function findKnownChange({ change, snapshotStart = 0 }: ChangeCursor): number {
  return Math.max(change, snapshotStart);
}

function buildOwnerColumn({ flattens }: Collection, column: string): string {
  return flattens ? `, ${column} AS "owner"` : '';
}

function selectListedNumber({ filters, matching }: ChangedList): Statement {
  const conditions = [...filters.map(buildFilter), ...(matching ? [matching] : [])];
  if (conditions.length === 0) return statement(CREATED);
  const { sql, values } = joinConditions(conditions);
  return statement(`CASE WHEN ${sql} THEN ${CREATED} END`, values);
}

/** Selects written items. Those that are not in the list have no number, and are left out if the client never learnt of them. */
function selectWritten(list: ChangedList): Statement {
  const { collection, parents, filters, matching, since } = list;
  const number = selectListedNumber(list);
  const isWhole = filters.length === 0 && !matching;
  const isKnown =
    isWhole || since.snapshotStart === undefined
      ? undefined
      : statement(`(${number.sql} IS NOT NULL OR ${REVISION} > ?)`, [...number.values, since.snapshotStart]);
  const where = buildWhere(collection, parents, [], [statement(`${REVISION} > ?`, [since.change]), isKnown]);
  return statement(
    `SELECT ${REVISION} AS "at", ${quote(collection.key.name)} AS "key", ${number.sql} AS "row"${buildOwnerColumn(collection, PARENT)} FROM ${quote(collection.name)}${where.sql}`,
    [...number.values, ...where.values],
  );
}

function selectDeleted({ collection, parents, since }: ChangedList): Statement {
  const { name, key } = collection;
  const table = quote(tombstones.name);
  const inParent = parents.map(() => `"parent" ${testParent(collection, '= ?')} AND `).join('');
  const isSame = collection.isChild ? `${PARENT} = ${table}."parent" AND ` : '';
  const recreated = `SELECT 1 FROM ${quote(name)} WHERE ${isSame}${quote(name)}.${quote(key.name)} = ${table}."key"`;
  return statement(
    `SELECT "number", "key", CAST(NULL AS bigint)${buildOwnerColumn(collection, '"parent"')} FROM ${table} WHERE "number" > ? AND ${inParent}"collection" = ? AND NOT EXISTS (${recreated})`,
    [findKnownChange(since), ...keyIds(collection, parents), name],
  );
}

function selectNesting(list: ChangedList, { name: nested }: Included): readonly Statement[] {
  const { collection, since } = list;
  const [item, number] = [`${quote(collection.name)}.${quote(collection.key.name)}`, selectListedNumber(list)];
  const writes = `SELECT ${REVISION} AS ${CAUSE_AT}, ${PARENT} AS ${CAUSE_KEY} FROM ${quote(nested)} WHERE ${REVISION} > ?`;
  const deletions = `SELECT "number" AS ${CAUSE_AT}, "parent" AS ${CAUSE_KEY} FROM ${quote(tombstones.name)} WHERE "number" > ? AND "collection" = '${nested}'`;
  return [writes, deletions].map((causes) =>
    statement(
      `SELECT ${CAUSE_AT}, ${item}, ${number.sql} FROM (${causes}) AS "_cause" JOIN ${quote(collection.name)} ON ${item} = ${CAUSE_KEY}`,
      [...number.values, findKnownChange(since)],
    ),
  );
}

function selectReferringTo(list: ChangedList, { key, through }: Required<Included>): Statement {
  const { collection, parents, filters, matching, since } = list;
  const knownChange = findKnownChange(since);
  const tieBreaker = knownChange === since.change ? since.tieBreaker : undefined;
  const columns = `${REVISION} AS ${CAUSE_AT}, ${quote(key.name)} AS ${CAUSE_KEY}, ${buildComparedColumn(key)} AS ${CAUSE_FOLDED}`;
  const writes = `SELECT ${columns} FROM ${quote(through.refersTo ?? '')} WHERE ${REVISION} >= ?`;
  // The folded text has an index.
  const isSame = `${buildComparedColumn(through)} = ${CAUSE_FOLDED} AND ${quoteColumn(through)} = ${CAUSE_KEY}`;
  const isLater = statement(`(${CAUSE_AT} > ? OR ${CREATED} > ?)`, [knownChange, tieBreaker ?? NEVER]);
  const where = buildWhere(collection, parents, filters, [matching, isLater]);
  return statement(
    `SELECT ${CAUSE_AT}, ${quote(collection.key.name)}, ${CREATED}${buildOwnerColumn(collection, PARENT)} FROM (${writes}) AS "_cause" JOIN ${quote(collection.name)} ON ${isSame}${where.sql}`,
    [knownChange, ...where.values],
  );
}

/** Reads 0 if what was deleted since is not known any more, or the list has begun again with its parent since then. */
function selectLastChange({ collection, parents, since }: ChangedList): Statement {
  const { parent } = collection;
  const knownChange = findKnownChange(since);
  if (knownChange === NEVER) return statement(readChange);
  const begins = parent && `(SELECT ${CREATED} FROM ${quote(parent.name)} WHERE ${quoteKey(parent.key)} = ?) > ? OR `;
  const forgotten = testForgotten(knownChange);
  return statement(`SELECT CASE WHEN ${begins ?? ''}${forgotten.sql} THEN 0 ELSE (${readChange}) END`, [
    ...(begins === undefined ? [] : [...keyIds(collection, parents), knownChange]),
    ...forgotten.values,
  ]);
}

export function selectChanges(list: ChangedList, inclusions: readonly string[]) {
  const { collection, include, since, most } = list;
  const { name, fields, key } = collection;
  const [table, number] = [quote(name), `${quote(name)}.${CREATED}`];
  const including = include.flatMap((reference) => {
    const { through } = reference;
    return through ? [selectReferringTo(list, { ...reference, through })] : selectNesting(list, reference);
  });
  const parts = [selectWritten(list), ...(since.snapshotStart === NEVER ? [] : [selectDeleted(list), ...including])];
  const [byRow, byFoundRow] = isReferring(list) ? [', "row"', `, ${ROW}`] : ['', ''];
  const rows = statement(
    `${parts.map(({ sql }) => sql).join(' UNION ALL ')} ORDER BY "at"${byRow}`,
    parts.flatMap(({ values }) => values),
  );
  const selection: Selection = { rows, join: ` LEFT JOIN ${table} ON ${number} = ${ROW} ORDER BY ${AT}${byFoundRow}` };
  return {
    columns: [
      `${AT} AS ${REVISION}`,
      ...fields.map((field) => {
        if (field.owner !== undefined) return '"_found"."owner"';
        return field === key ? '"_found"."key"' : `${table}.${quote(field.name)}`;
      }),
      `CASE WHEN ${number} IS NULL THEN 1 END AS ${quote(DELETED)}`,
      ...inclusions.map((column) => `CASE WHEN ${number} IS NOT NULL THEN ${column} END`),
    ],
    cursorColumns: [AT, number],
    total: statement(`SELECT count(*) FROM (${rows.sql} LIMIT CAST(? AS bigint)) AS "_all"`, [...rows.values, most]),
    change: selectLastChange(list),
    isFoundFirst: undefined,
    selection,
  };
}

export interface Matching {
  readonly condition: Statement;
  readonly rowIds?: Statement;
}

export interface Search {
  readonly all: Matching;
  /** Parts of it, best first: those of each rank that have no better one. */
  readonly ranks: readonly Matching[];
  /** Set if the matches have to be found before they are sorted: a planner that expects many would walk the list in its order instead. */
  readonly isFoundFirst?: boolean;
}

export type SearchIn = (collection: Collection, search: string) => Search | undefined;

export interface QueryLanguage {
  readonly operand: (term: string, rank: Rank, fields: Searched) => string;
  readonly and: string;
  readonly or: string;
  readonly butNot: (text: string, other: string) => string;
}

export function buildSearch(
  { operand, and, or, butNot }: QueryLanguage,
  searchFields: Searched,
  search: string,
  match: (text: string) => Matching,
): Search {
  const terms = searchTerms(search);
  const ranks = RANKS.filter(({ isMain }) => !isMain || searchFields.main.length > 0);
  // A plate that is searched in two words is one in a text that is compact.
  const isCompact = [...searchFields.main, ...searchFields.rest].some((field) => field.compact);
  const [whole, ...others] = isCompact && terms.length > 1 ? searchTerms(compact(search)) : [];
  const texts = ranks.map((rank) => {
    const text = terms.map((term) => operand(term, rank, searchFields)).join(and);
    return whole === undefined || others.length > 0 ? text : `(${text})${or}${operand(whole, rank, searchFields)}`;
  });
  return {
    all: match(texts.at(-1) ?? ''),
    ranks: texts.map((text, at) => {
      // An item of the first rank has the second rank, too.
      const better = texts.slice(at > 1 ? 1 : 0, at).map((text) => `(${text})`);
      return match(at === 0 ? text : butNot(text, better.join(or)));
    }),
  };
}

export function nameSearchIndex({ name }: Collection): string {
  return `${name}_search`;
}

export function concatenate(fields: readonly Searched['main'][number][]): string {
  return fields.length === 0 ? `''` : fields.map((field) => `coalesce(${joinForms(field)}, '')`).join(` || ' ' || `);
}

/** https://sqlite.org/fts5.html#full_text_query_syntax */
const fts5: QueryLanguage = {
  operand: (term, { isWhole, isMain }, { main, rest }) =>
    `{${[...main, ...(isMain ? [] : rest)].map(quoteFolded).join(' ')}} : "${term}"${isWhole && !isCut(term) ? '' : ' *'}`,
  and: ' AND ',
  or: ' OR ',
  butNot: (text, other) => `(${text}) NOT (${other})`,
};

/** The function that finds terms in texts that no index has: the result is that of `findRank`. */
export const RANK = 'rank_of';

export function sqliteSearch(collection: Collection, search: string): Search | undefined {
  const searchFields = findSearchedFields(collection);
  if (!searchFields) return undefined;
  if (collection.isChild) {
    // Items that are nested in another are few, and looked at one by one.
    const rank = `${RANK}(?, ${concatenate(searchFields.main)}, ${concatenate(searchFields.rest)})`;
    const match = (comparison: string): Matching => ({ condition: statement(`${rank} ${comparison}`, [search]) });
    return { all: match('> 0'), ranks: RANKS.map((_, at) => match(`= ${at + 1}`)) };
  }
  const table = quote(nameSearchIndex(collection));
  return buildSearch(fts5, searchFields, search, (text) => {
    const rowIds = statement(`SELECT rowid AS ${CREATED} FROM ${table} WHERE ${table} MATCH ?`, [text]);
    return { condition: statement(`${CREATED} IN (${rowIds.sql})`, rowIds.values), rowIds };
  });
}
