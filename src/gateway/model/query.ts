import { fold } from '../../../packages/vocabularies/src/words.ts';
import type { Cell, Field, Value } from './field.ts';

const pageParameters = ['sort_by', 'order', 'number_of_elements', 'page', 'after', 'changed_since'] as const;

/** The names of the parameters of every list besides its fields and ranges. */
export const parameters = [...pageParameters, 'format', 'search', 'group_by', 'fields', 'include'] as const;

/** Extra endpoints of a list, such as `/api/exports/cars`, and the query parameter that each requires. One response type per path keeps generated clients simple. */
export const subresources = {
  imports: undefined,
  exports: 'format',
  groups: 'group_by',
  selections: 'fields',
  changes: 'changed_since',
  events: undefined,
} as const satisfies Readonly<Record<string, (typeof parameters)[number] | undefined>>;

export type Subresource = keyof typeof subresources;
export const subresourceNames = Object.keys(subresources) as readonly Subresource[];

/** The parameter that other services have instead of pages. Tables list words for it, so that an error can say how to ask for a page. */
export const OFFSET = 'offset';

export const TOTAL = 'total';

export const DELETED = 'deleted';

/** The column of tables that has the tag of each row. */
export const TAG = 'rowTag';

export const directions = { asc: true, desc: true } as const;
export type Direction = keyof typeof directions;

/** The ends of a range, both inclusive: the suffixes of a field's name that make it a range parameter. */
export const suffixes = ['from', 'to'] as const;
export type Suffix = (typeof suffixes)[number];

export const withSuffix = (field: string, suffix: string): string => `${field}_${suffix}`;

/** Ignores case and accents. A range has one value, and is inclusive; an item without a value matches no filter. */
export interface Filter {
  readonly field: Field;
  readonly operator: 'equals' | Suffix;
  /** The values to look for, at least one, unfolded; they may be outside the field's limits. */
  readonly values: readonly Value[];
}

export interface Included {
  readonly name: string;
  readonly fields: readonly Field[];
  readonly key: Field;
  readonly through?: Field;
}

export const includedCollection = ({ name, through }: Included): string => through?.refersTo ?? name;

/** The position after a page: the sort values of its last row, folded and shortened for a URL, then the row's creation number. */
export type Cursor = readonly Cell[];

export const CURSOR_TEXT = 64;

export interface ChangeCursor {
  readonly token: string;
  readonly change: number;
  /** The creation number of the last item that it knows of that change, if one change concerns several. */
  readonly tieBreaker?: number | undefined;
  /** Set while a client pages through an initial sync: the change at which it started. Earlier deletions are skipped; `NEVER` on the first page. */
  readonly snapshotStart?: number | undefined;
}

export const NEVER = Number.MAX_SAFE_INTEGER;

export interface Query {
  /** The names of the parameters that were sent, in the order in which links have them. */
  readonly sentParameters: readonly string[];
  readonly filters: readonly Filter[];
  /** A search: each of its words must begin a word in a searchable text of the item (see `search.ts`). `undefined`: not sent. */
  readonly search: string | undefined;
  /** The list has a row for each value of this field, with the number of items (see `deriveGroups`). `undefined`: not grouped. */
  readonly group: Field | undefined;
  /** The fields to sort by, the most significant first; none for the order of creation. */
  readonly sort: readonly Field[];
  /** The direction of each field, or of the order of creation, as sent; a missing one is `asc`. */
  readonly order: readonly Direction[];
  readonly size: number | undefined;
  readonly page: number | undefined;
  readonly after?: { readonly token: string; readonly position: Cursor } | undefined;
  readonly changesAfter?: ChangeCursor | undefined;
  /** The name of the format of the response, irrelevant to stores; absent: not sent, so that `Accept` decides. */
  readonly format?: string | undefined;
  readonly fields?: readonly Field[] | undefined;
  readonly include?: readonly Included[] | undefined;
  /** Whether it finds the same until something is written; if not, its response is `no-store`. */
  readonly isPure: boolean;
  /** Whether a parameter decides the order. If it orders by anything but fields, pages have no cursors. */
  readonly isOrdered?: boolean;
}

export const EVERYTHING: Query = {
  sentParameters: [],
  filters: [],
  search: undefined,
  group: undefined,
  sort: [],
  order: [],
  size: undefined,
  page: undefined,
  isPure: true,
};

/** Members of a query that are about the request, or about how rows are written: no store has to know them. */
const REQUEST_MEMBERS = ['sentParameters', 'format', 'fields', 'isPure', 'isOrdered'] satisfies (keyof Query)[];

/** Refuses queries that a store would answer in part; every store calls it as it plans a read. @throws TypeError for a member that it does not know */
export function requireKnown(query: Query, known: readonly (keyof Query)[]): void {
  const honoured: readonly string[] = [...REQUEST_MEMBERS, ...known];
  const other = Object.entries(query).find(([name, value]) => value !== undefined && !honoured.includes(name));
  if (other) throw new TypeError(`this store does not know "${other[0]}" of a query`);
}

export interface Sort {
  readonly field: Field;
  readonly direction: Direction;
}

export const readSorts = ({ sort, order }: Query): readonly Sort[] =>
  sort.map((field, at) => ({ field, direction: order[at] ?? 'asc' }));

/** @returns what a list is sorted by: a value, or its place among those of a language; others come behind them */
export function sortValue({ sortedChoices }: Field, value: Cell): Cell {
  if (!sortedChoices || value === null) return value;
  const at = sortedChoices.indexOf(String(value));
  return at === -1 ? sortedChoices.length : at;
}

export const DEFAULT_SIZE = 20;
/** Default and maximum size of a page of changes, which programs read. */
const CHANGES_SIZE = 250;
const NESTING_SIZE = 40;

export interface Window {
  readonly offset: number;
  /** The most rows; `Infinity` for all. */
  readonly limit: number;
}

export const isNesting = ({ include = [] }: Pick<Query, 'include'>): boolean => include.some(({ through }) => !through);

export const mostChanges = (query: Pick<Query, 'include'>): number => (isNesting(query) ? NESTING_SIZE : CHANGES_SIZE);

/** @returns whether items include others to which any number of them may refer: one change tells of all of these */
export const isReferring = ({ include = [] }: Pick<Query, 'include'>): boolean =>
  include.some(({ through }) => through);

export function selectPage(query: Query): { readonly size: number; readonly page: number } | undefined {
  const { size, page, after, changesAfter } = query;
  if (size === undefined && page === undefined && !after && !changesAfter) return undefined;
  return { size: size ?? (changesAfter ? mostChanges(query) : DEFAULT_SIZE), page: page ?? 1 };
}

export const isPartial = ({ fields, include, group, changesAfter }: Query): boolean =>
  (fields ?? include ?? group ?? changesAfter) !== undefined;

/** @returns whether lists are in the order of fields or of creation, in which a cursor says where a page ends */
export const isByFields = ({ sort, order, isOrdered = false }: Query): boolean =>
  !isOrdered || sort.length + order.length > 0;

export function usesCursor(query: Query): boolean {
  const { size, page, after, changesAfter, group } = query;
  return !group && isByFields(query) && page === undefined && (size ?? after ?? changesAfter) !== undefined;
}

export const isRanked = ({ search, sort, order, isOrdered = false }: Query): boolean =>
  search !== undefined && !isOrdered && sort.length === 0 && order.length === 0;

/** @returns the rows that a query asks for; offsets beyond 2^53 may be rounded, because no list is that long */
export function selectWindow(query: Query): Window {
  const page = selectPage(query);
  return page ? { offset: (page.page - 1) * page.size, limit: page.size } : { offset: 0, limit: Infinity };
}

export function countSelectedRows(query: Query, total: number): number {
  const { offset, limit } = selectWindow(query);
  return Math.max(0, Math.min(limit, total - offset));
}

/** @returns the cell in the form that filters, sorts and totals compare */
export const foldCell = (cell: Cell): Cell => (typeof cell === 'string' ? fold(cell) : cell);

/** What compact texts are compared without: every blank, hyphen and dot, but control characters, which no key has. Stores leave out the same ones. */
export const LEFT_OUT =
  ' \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff.-\u00ad\u2010\u2011\u2012\u2013\u2014\u2015\u2212';
const ALL_LEFT_OUT = new RegExp(`[${LEFT_OUT.replace('-', '\\-')}]`, 'gu');

export const compact = (text: string): string => fold(text).replaceAll(ALL_LEFT_OUT, '');

/** @returns a cell in the form that filters, sorts, totals and uniqueness compare */
export function comparedCell({ compact: isCompact }: Pick<Field, 'compact'>, cell: Cell): Cell {
  if (typeof cell !== 'string') return cell;
  return isCompact ? compact(cell) : fold(cell);
}

/** @returns the text that identifies an item: two keys with the same one are one key */
export const keyId = ({ compact: isCompact }: Pick<Field, 'compact'>, key: string): string =>
  isCompact ? compact(key) : key;
