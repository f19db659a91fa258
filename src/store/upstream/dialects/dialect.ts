/** How an API is asked for lists, and what its answers say of them. */
import type { Capability } from '../../../gateway/model/capability.ts';
import type { Filter, Query } from '../../../gateway/model/query.ts';
import type { Answer } from '../exchange/exchange.ts';
import type { MappedCollection } from '../mapping/mapping.ts';

export type Parameter = readonly [name: string, value: string];

/** What a member there must have: any of some values, none below or none above one; `is` is exact, of keys. */
export interface Condition {
  readonly name: string;
  readonly operator: Filter['operator'] | 'is';
  readonly values: readonly (string | number | boolean)[];
}

/** A part of a list that the API can select by itself. */
export interface Selection {
  readonly mapped: MappedCollection;
  readonly conditions: readonly Condition[];
  /** Its sort, order, search and group, where the API can do them. */
  readonly query: Query;
  readonly offset: number;
  readonly limit: number;
}

export interface Dialect {
  /** What it can do exactly as this service does. */
  readonly can: readonly Capability[];
  /** How an item is addressed that has no address of its own, below that of its list. */
  readonly address?: (conditions: readonly Condition[]) => readonly Parameter[];
  /** Whether it refuses to create what exists, as 409. */
  readonly isStrict: boolean;
  /** The member whose value it always chooses by itself. */
  readonly assigned?: string;
  /** Whether pages are counted by the number of their items, so that one begins at a multiple of it. */
  readonly isPaged: boolean;
  /** How it is asked for what is nested in items, within them; without it, the nested lists are asked for themselves. */
  readonly embeds?: (members: readonly string[]) => Parameter;
  readonly headers?: Readonly<Record<string, string>>;
  /** @returns whether it sorts exactly as a query asks for it; by default it never does */
  readonly sorts?: (query: Query) => boolean;
  readonly parameters: (selection: Selection) => readonly Parameter[];
  /** @returns items, and how many match; by default of a bare list, whose total is in a header */
  readonly page?: (answer: Answer) => { readonly items: unknown; readonly total: unknown };
}
