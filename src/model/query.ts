import type { Field, Value } from './field.ts';

/** The parameters of every list, beside its fields, with what their values are: a field's word, a direction's, or a count from 1. */
export const parameters = {
  sort_by: 'field',
  order: 'value',
  number_of_elements: 'integer',
  page: 'integer',
} as const;
export type ParameterName = keyof typeof parameters;

/** The values of `order`. */
export const directions = { asc: true, desc: true } as const;
export type Direction = keyof typeof directions;

/** What a list is filtered by: one field's value is one of the values, whatever their case and accents. */
export interface Filter {
  readonly field: Field;
  readonly operator: 'equals';
  /** At least one, as they were sent; a row never holds one that is outside the field's limits. */
  readonly values: readonly Value[];
}

/** What a list request asks for, in canonical names. */
export interface Query {
  /** In the order sent; all must hold. */
  readonly filters: readonly Filter[];
  /** `undefined`: order of creation. */
  readonly sort: Field | undefined;
  /** `undefined`: not sent, which means `asc`. */
  readonly order: Direction | undefined;
  /** Page size; `undefined`: not sent. */
  readonly size: number | undefined;
  /** From 1; `undefined`: not sent. */
  readonly page: number | undefined;
}

/** What a list without a query asks for. */
export const EVERYTHING: Query = { filters: [], sort: undefined, order: undefined, size: undefined, page: undefined };

/** Of a list with `page` and no `number_of_elements`. */
export const DEFAULT_SIZE = 20;

/** The part of a list that one answer holds. */
export interface Window {
  readonly offset: number;
  /** `Infinity`: everything. */
  readonly limit: number;
}

/** @returns the page that a query asks for, or `undefined` where it asks for everything */
export const pageOf = ({ size, page }: Query): { readonly size: number; readonly page: number } | undefined =>
  size === undefined && page === undefined ? undefined : { size: size ?? DEFAULT_SIZE, page: page ?? 1 };

/** @returns the rows that a query asks for; sizes and pages beyond 2^53 are so far beyond any end that rounding is harmless */
export const windowOf = (query: Query): Window => {
  const page = pageOf(query);
  return page ? { offset: (page.page - 1) * page.size, limit: page.size } : { offset: 0, limit: Infinity };
};
