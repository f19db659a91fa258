import type { MaybePromise } from '../../util/maybe-promise.ts';
import type { Collection } from '../model/catalogue.ts';
import type { Cell } from '../model/field.ts';
import type { FieldConflict, ImportOptions, ImportOutcome, InUse, RowSource } from '../model/import.ts';
import type { Condition, Idempotency, Precondition } from '../model/precondition.ts';
import type { Cursor, Query, Window } from '../model/query.ts';

/** Keys from the top down: a car's, or a car's and an oil's. */
export type Keys = readonly string[];

/** An item: its revision, which is the number of its last change; then its cells in the order of the collection's fields. */
export type Row = readonly [revision: number, ...cells: Cell[]];

export interface KeyedRow {
  readonly keys: Keys;
  readonly row: Row;
}

/** One write, as plain data that can be sent to a thread: it refers to its collection by name. */
export type Intent =
  | {
      readonly kind: 'create';
      readonly collection: string;
      readonly parents: Keys;
      readonly cells: readonly Cell[];
      readonly idempotency?: Idempotency | undefined;
    }
  | {
      readonly kind: 'update';
      readonly collection: string;
      readonly keys: Keys;
      /** A cell for each field, `undefined` if it stays as it is. */
      readonly changes: readonly (Cell | undefined)[];
      readonly precondition?: Precondition | undefined;
    }
  | {
      readonly kind: 'remove';
      readonly collection: string;
      readonly keys: Keys;
      readonly precondition?: Precondition | undefined;
    };

export type Outcome =
  /** The row of this write, or of the first one with the same idempotency key, as it was then. */
  | {
      readonly kind: 'written';
      readonly row: Row;
      /** Set if nothing was written: an earlier request did, or nothing differs. */
      readonly isUnchanged?: true;
    }
  | { readonly kind: 'removed'; readonly change: number }
  | { readonly kind: 'missing'; readonly collection: string }
  | { readonly kind: 'precondition-failed'; readonly condition: Condition }
  | { readonly kind: 'conflict'; readonly conflicts: readonly FieldConflict[] }
  | InUse
  | { readonly kind: 'already-exists' }
  | { readonly kind: 'idempotency-mismatch' };

export interface ListSummary {
  readonly total: number;
  /** The database's change number, of the same snapshot. */
  readonly change: number;
}

export interface ReadRequest {
  readonly of: 'item' | 'list';
  readonly collection: Collection;
  readonly keys: Keys;
  readonly query: Query;
}

/** A read, decided once: every later step asks the plan, and nothing else. What is in it besides belongs to the store that made it. */
export interface ReadPlan extends ReadRequest {
  /** A `page` has one chunk of rows at most; a `list` may have any number. */
  readonly shape: 'item' | 'page' | 'list';
  /** An `index` makes it fast at any size; a `scan` reads every row. */
  readonly cost: 'index' | 'scan';
  readonly window: Window;
}

export interface ReadResult extends ListSummary {
  /**
   * The first chunk of rows, which is the only one if there is no `rest`. What an item includes follows its cells, as JSON. A row
   * of a changes feed has the number of the change as its revision, and as its last cell the number of the item's creation, or
   * `null` if the item is not in the list any more.
   */
  readonly rows: readonly Row[];
  /** Where the page ends, if it is followed by another one by position. */
  readonly nextCursor?: Cursor | undefined;
  /** The chunks that follow. A caller that stops early must call `return()`, which releases the snapshot. */
  readonly rest?: Chunks | undefined;
}

export type Chunks = AsyncIterator<readonly Row[], undefined>;

export interface Caller {
  /** Ends the read once the client has gone away. */
  readonly signal: AbortSignal;
  /** The client's address; `undefined` if it is not known, and then without a limit of its own. */
  readonly client: string | undefined;
}

/** Makes the caller of a read, which most reads never ask for. */
export type CallerOf = () => Caller;

/** What the gateway asks of a catalogue's items, wherever they are kept. A method whose database does not respond throws `Unavailable`. */
export interface Items {
  /** @throws TypeError if the store does not know a member of the query (see `requireKnown` of `model/query.ts`) */
  readonly plan: (request: ReadRequest) => ReadPlan;
  /** @returns `undefined` if the item, or the parent of the list, is missing */
  readonly read: (plan: ReadPlan, caller?: CallerOf) => MaybePromise<ReadResult | undefined>;
  readonly summarize: (plan: ReadPlan, caller?: CallerOf) => MaybePromise<ListSummary | undefined>;
  /**
   * Resolves once the write is durable. Writes that arrive together are committed together; each has its own outcome.
   * Rejects with `Unavailable` if nothing was written, and with `OutcomeUnknown` if a database does not say.
   */
  readonly write: (intent: Intent) => Promise<Outcome>;
  /**
   * Applies rows in order, as if each were a request of its own, but all of them in one step or none. It blocks no other writes
   * until all rows are read. Rejects with `Unavailable`, or with what `source` throws; then nothing is stored. `OutcomeUnknown`
   * says that the last step may have been done.
   */
  readonly importRows: (collection: Collection, source: RowSource, options: ImportOptions) => Promise<ImportOutcome>;
  /** Calls a listener soon after anything has changed, by whatever process, or more often, until the returned function is called */
  readonly watch: (listener: () => void) => () => void;
  readonly countRows: (collection: Collection) => MaybePromise<number>;
  /** @param toWrite whether it must take writes, too. @returns whether the database responds */
  readonly ready: (toWrite?: boolean) => MaybePromise<boolean>;
}
