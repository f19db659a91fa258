import type { Collection } from '../model/catalogue.ts';
import type { Cell } from '../model/field.ts';
import type { ImportOptions, ImportOutcome } from '../model/import.ts';
import type { MaybePromise } from '../model/maybe-promise.ts';
import type { Idempotency, Precondition } from '../model/precondition.ts';
import type { Nested, Query } from '../model/query.ts';
import type { RowBatch } from '../model/row-batch.ts';
import type { KeyStore, TakeQuota } from './clients.ts';

/** Keys from the top down: a car's, or a car's and an oil's. */
export type Keys = readonly string[];

/** An item: its revision (the number of its last change), then its cells in the order of the collection's fields. */
export type Row = readonly [revision: number, ...cells: Cell[]];

/** An item whose row has, behind its cells, the rows nested in it as JSON. */
export interface RowWithNested {
  readonly row: Row;
  /** The database's change number, of the same snapshot. */
  readonly change: number;
}

/** One write, as plain data that can be sent to a thread: it refers to its collection by name. */
export type Intent =
  | {
      readonly kind: 'create';
      readonly collection: string;
      /** Keys of the parent. */
      readonly parents: Keys;
      /** One for each field, the key's first (see `toCells`). */
      readonly cells: readonly Cell[];
      readonly idempotency?: Idempotency | undefined;
    }
  | {
      readonly kind: 'update';
      readonly collection: string;
      readonly keys: Keys;
      /** One for each field, `undefined` where it stays as it is (see `toChanges`). */
      readonly changes: readonly (Cell | undefined)[];
      /** Checked and written in one atomic step. */
      readonly precondition?: Precondition | undefined;
    }
  | {
      readonly kind: 'remove';
      readonly collection: string;
      readonly keys: Keys;
      readonly precondition?: Precondition | undefined;
    };

/** The outcome of an intent. */
export type Outcome =
  /** The row of this write, or of the first one with the same idempotency key, as it was then. */
  | { readonly kind: 'written'; readonly row: Row }
  | { readonly kind: 'removed' }
  /** The item, or its parent, does not exist. */
  | { readonly kind: 'missing'; readonly collection: string }
  | { readonly kind: 'precondition-failed' }
  /** The key belongs to another item. */
  | { readonly kind: 'already-exists' }
  /** The idempotency key belongs to a request with another payload. */
  | { readonly kind: 'idempotency-mismatch' };

/** Numbers of a whole list, whichever part of it is read. */
export interface ListSummary {
  /** How many items match. */
  readonly total: number;
  /** The database's change number, of the same snapshot. */
  readonly change: number;
}

/** A list, all of it from one snapshot. */
export interface Listing extends ListSummary {
  /** In chunks. A caller that stops early must call `return()`, which releases the snapshot. */
  readonly chunks: Iterator<readonly Row[]> | AsyncIterator<readonly Row[]>;
  /** Whether there is more than one chunk, so that the list should be streamed. */
  readonly long: boolean;
}

/** How a list is written: its start, each row, the separator of two rows, its end. */
export interface ListFormat {
  readonly start: string;
  /** @param at the row's index in the list */
  readonly row: (row: Row, at: number) => string;
  readonly separator: string;
  readonly end: string;
}

/** A short list, written. */
export interface Page extends ListSummary {
  readonly content: Uint8Array<ArrayBuffer>;
}

/**
 * Reads a page, which may come from a replica.
 *
 * @returns its rows unwritten where they are not worth caching; `undefined` where `list` must read it
 */
export type PageReader = (parents: Keys, query: Query, caller?: Caller) => MaybePromise<Page | Listing | undefined>;

/** The client that a slow read is for. */
export interface Caller {
  /** Ends the read once the client has gone away. */
  readonly signal: AbortSignal;
  /** The client's address; `undefined` where it is not known, and then has no limit of its own. */
  readonly client: string | undefined;
}

/** What a read must see: every write acknowledged before it, or possibly the older state of a replica. */
type Freshness = 'latest' | 'any';

type ListReader<T> = (
  collection: Collection,
  parents: Keys,
  query: Query,
  caller?: Caller,
) => MaybePromise<T | undefined>;

/** Tells whether what was read before is still current. Nothing throws: `undefined` where it is not known. */
export interface Validator {
  /** A number that differs after every commit, whichever process made it. */
  readonly dataVersion: () => number | undefined;
  /** The last change number that was taken; every commit takes one, but those of other programs. */
  readonly lastChange: () => number | undefined;
  /** @returns the revision of an item, `undefined` where there is none, too */
  readonly revision: (collection: Collection, keys: Keys) => number | undefined;
  /** @returns an item's name in `changedSince`, which knows of no nested items */
  readonly nameOf: (collection: Collection, keys: Keys) => string | undefined;
  /** @returns the items that were created, changed or deleted after a change number; `undefined` where they are too many, too */
  readonly changedSince: (change: number) => readonly string[] | undefined;
}

/** Bytes of a database; those of its log where it has one of its own. */
interface DatabaseSize {
  readonly bytes: number;
  readonly logBytes?: number;
}

/** What every database must do. A method whose database does not respond throws `Unavailable`. */
export interface Store {
  /** @param freshness by default `latest`; with `any` an item may be stale, but an existing item is never reported missing */
  readonly get: (collection: Collection, keys: Keys, freshness?: Freshness) => MaybePromise<Row | undefined>;
  /** The latest, in one snapshot. */
  readonly getWithNested: (
    collection: Collection,
    keys: Keys,
    nested: readonly Nested[],
  ) => MaybePromise<RowWithNested | undefined>;
  /** May come from a replica. `undefined` where the parent of the list is missing. */
  readonly summarize: ListReader<ListSummary>;
  /** May come from a replica. `undefined` where the parent of the list is missing. */
  readonly list: ListReader<Listing>;
  /**
   * Makes a reader that writes a row once and caches it as long as it is current.
   *
   * @param format whose rows do not depend on their index
   * @param capacity bytes of the cached rows
   */
  readonly pages?: (collection: Collection, format: ListFormat, capacity: number) => PageReader;
  /**
   * Resolves once the write is durable. Writes that arrive together are committed together; each has its own outcome.
   * Rejects with `Unavailable` where nothing was written, or where that is not known.
   */
  readonly write: (intent: Intent) => Promise<Outcome>;
  /**
   * Applies rows in order, as if each were a request of its own, but all of them in one step or none. It blocks no other writes
   * until the last row is read. Rejects with `Unavailable`, or with what `rows` throws; then nothing is stored, unless it is
   * not known whether the last step was done.
   */
  readonly importRows: (
    collection: Collection,
    rows: AsyncIterable<RowBatch>,
    options: ImportOptions,
  ) => Promise<ImportOutcome>;
  /** Only in stores where it costs much less than reading an item. */
  readonly validator?: Validator;
  readonly keys: KeyStore;
  /** Counts for all processes that share the database. */
  readonly takeQuota: TakeQuota;
  /** Counts all rows of a collection, in all parents. */
  readonly countRows: (collection: Collection) => MaybePromise<number>;
  readonly size: () => MaybePromise<DatabaseSize>;
  /** @param toWrite whether it must take writes, too. @returns whether the database responds */
  readonly ready: (toWrite?: boolean) => MaybePromise<boolean>;
  /** Finishes the work in progress, then closes the database. */
  readonly close: () => MaybePromise<void>;
}
