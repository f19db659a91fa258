/** Reads of a store, planned and done in one step. */
import type { Collection } from '../../../src/gateway/model/catalogue.ts';
import { EVERYTHING, type Included, type Query } from '../../../src/gateway/model/query.ts';
import type { Caller, CallerOf, Chunks, Keys, ReadRequest, ReadResult, Row } from '../../../src/gateway/port/port.ts';
import type { Store } from '../../../src/store/store.ts';
import { andThen, type MaybePromise } from '../../../src/util/maybe-promise.ts';

type Reader = Pick<Store, 'plan' | 'read' | 'summarize'>;

const readItem = (store: Reader, collection: Collection, keys: Keys, options: Partial<ReadRequest>) =>
  store.read(store.plan({ of: 'item', collection, keys, query: EVERYTHING, ...options }));

/** @returns an item as it is stored */
export const getItem = (store: Reader, collection: Collection, keys: Keys): MaybePromise<Row | undefined> =>
  andThen(readItem(store, collection, keys, {}), (found) => found?.rows[0]);

/** @returns an item as it is stored, with what is nested in it */
export const getWithNested = (store: Reader, collection: Collection, keys: Keys, include: readonly Included[]) =>
  andThen(readItem(store, collection, keys, { query: { ...EVERYTHING, include } }), (found) => {
    const row = found?.rows[0];
    return row && { row, change: found.change };
  });

/** A list as chunks. */
export interface Listing extends Pick<ReadResult, 'total' | 'change'> {
  readonly chunks: Chunks;
  /** Whether there is more than one chunk. */
  readonly long: boolean;
}

const listingOf = ({ total, change, rows, rest }: ReadResult): Listing => {
  let first: readonly Row[] | undefined = rows.length > 0 ? rows : undefined;
  return {
    total,
    change,
    long: rest !== undefined,
    chunks: {
      next: async () => {
        const value = first;
        first = undefined;
        return value ? { done: false, value } : ((await rest?.next()) ?? { done: true, value: undefined });
      },
      return: async () => (await rest?.return?.()) ?? { done: true, value: undefined },
    },
  };
};

const planOf = (store: Reader, collection: Collection, keys: Keys, query: Query) =>
  store.plan({ of: 'list', collection, keys, query });

export const openList = (
  store: Reader,
  collection: Collection,
  parents: Keys,
  query: Query,
  caller?: Caller,
): MaybePromise<Listing | undefined> =>
  andThen(
    store.read(planOf(store, collection, parents, query), caller && (() => caller)),
    (found) => found && listingOf(found),
  );

export const summarize = (store: Reader, collection: Collection, parents: Keys, query: Query, caller?: Caller) =>
  store.summarize(planOf(store, collection, parents, query), caller && (() => caller));

/** @returns the reverse of `listingOf`, for lists that tests make */
export const foundOf = ({ total, change, chunks }: Listing): ReadResult => ({ total, change, rows: [], rest: chunks });

/** @returns chunks as a list has them */
export const chunked = (chunks: Iterable<readonly Row[]>): Pick<ReadResult, 'rows' | 'rest'> => {
  const all = chunks[Symbol.iterator]();
  return {
    rows: [],
    rest: {
      next: async () => {
        const { done, value } = all.next();
        return done ? { done, value: undefined } : { done: false, value };
      },
      return: async () => {
        all.return?.();
        return { done: true, value: undefined };
      },
    },
  };
};

/** @returns what a store reads, with something else in place of lists, but not of items */
export const spoilLists = (
  store: Reader,
  list: (
    read: () => MaybePromise<ReadResult | undefined>,
    caller: CallerOf | undefined,
  ) => MaybePromise<ReadResult | undefined>,
): Pick<Store, 'read'> => ({
  read: (plan, caller) =>
    plan.of === 'item' ? store.read(plan, caller) : list(() => store.read(plan, caller), caller),
});
