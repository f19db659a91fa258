import type { Field, Value } from './field.ts';

/** The parameters of every list, besides its fields. */
export const parameters = [
  'sort_by',
  'order',
  'number_of_elements',
  'page',
  'format',
  'search',
  'group_by',
  'fields',
  'include',
] as const;
export type ParameterName = (typeof parameters)[number];

/** The member that says how many items a group has. */
export const TOTAL = 'total';

/** The values of `order`. */
export const directions = { asc: true, desc: true } as const;
export type Direction = keyof typeof directions;

/** The formats of lists, as `format` names them in every language; the first is for clients that take any. */
export const formatNames = ['json', 'ndjson', 'csv', 'xlsx'] as const;
export type FormatName = (typeof formatNames)[number];

/** The ends of a range, both of them within it: what the name of a field ends with where it is the name of a parameter. */
export const suffixes = ['from', 'to'] as const;
export type Suffix = (typeof suffixes)[number];

/** @returns the name of a range's parameter, or its word, of those of its field and its end */
export const withSuffix = (field: string, suffix: string): string => `${field}_${suffix}`;

/**
 * A list's items are those whose field equals one of the values, or is not below, or not above, the only one. Texts compare
 * without case and accents; an item without a value matches no filter.
 */
export interface Filter {
  readonly field: Field;
  readonly operator: 'equals' | Suffix;
  /** At least one, unfolded, which may be outside the field's limits. */
  readonly values: readonly Value[];
}

/** A collection inside each item. */
export interface Nested {
  readonly name: string;
  readonly fields: readonly Field[];
}

/** What a list request asks for, in canonical names. */
export interface Query {
  /** In the order sent; an item must match all of them. */
  readonly filters: readonly Filter[];
  /** Each word of it begins a word of a searchable text of the item (see `words.ts`). `undefined`: not sent. */
  readonly search: string | undefined;
  /** The items are counted by its values, and the list has a row for each of them (see `groups.ts`). `undefined`: not grouped. */
  readonly group: Field | undefined;
  /** The first decides. None: order of creation. */
  readonly sort: readonly Field[];
  /** As sent: the direction of each field, or else of the order of creation; `asc` where there is none. */
  readonly order: readonly Direction[];
  /** Page size; `undefined`: not sent. */
  readonly size: number | undefined;
  /** From 1; `undefined`: not sent. */
  readonly page: number | undefined;
  /** How the response is written, which no store needs to know; absent: not sent, so that `Accept` decides. */
  readonly format?: FormatName | undefined;
  /** As sent, of which a response has the members, and the key; absent: all of them. */
  readonly fields?: readonly Field[] | undefined;
  /** What each item has its nested items of; absent: nothing. */
  readonly include?: readonly Nested[] | undefined;
}

/** The query of a list without any parameters. */
export const EVERYTHING: Query = {
  filters: [],
  search: undefined,
  group: undefined,
  sort: [],
  order: [],
  size: undefined,
  page: undefined,
};

/** A field that a list is sorted by. */
export interface Sort {
  readonly field: Field;
  readonly direction: Direction;
}

/** @returns the fields to sort by, each with its direction */
export const sortsOf = ({ sort, order }: Query): readonly Sort[] =>
  sort.map((field, at) => ({ field, direction: order[at] ?? 'asc' }));

/** Page size where `page` was sent without `number_of_elements`. */
export const DEFAULT_SIZE = 20;

/** The part of a list that one response has. */
export interface Window {
  readonly offset: number;
  /** `Infinity`: everything. */
  readonly limit: number;
}

/** @returns the page that a query asks for, or `undefined` where it asks for everything */
export const pageOf = ({ size, page }: Query): { readonly size: number; readonly page: number } | undefined =>
  size === undefined && page === undefined ? undefined : { size: size ?? DEFAULT_SIZE, page: page ?? 1 };

/** @returns the rows that a query asks for; offsets beyond 2^53 are so far beyond any end that rounding does no harm */
export const windowOf = (query: Query): Window => {
  const page = pageOf(query);
  return page ? { offset: (page.page - 1) * page.size, limit: page.size } : { offset: 0, limit: Infinity };
};

/** @returns how many rows a query's response has, of all that match */
export const rowsOf = (query: Query, total: number): number => {
  const { offset, limit } = windowOf(query);
  return Math.max(0, Math.min(limit, total - offset));
};
