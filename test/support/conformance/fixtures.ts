import { type Collection, findCollection } from '../../../src/gateway/model/catalogue.ts';
import type { Cell, Field } from '../../../src/gateway/model/field.ts';
import type { Idempotency } from '../../../src/gateway/model/precondition.ts';
import type { Direction, Filter, Query } from '../../../src/gateway/model/query.ts';
import type { Caller, Keys, ListSummary, Outcome, Row } from '../../../src/gateway/port/port.ts';
import { openStore } from '../../../src/host/service/open-store.ts';
import { changeAt } from '../../../src/store/change-set.ts';
import type { Store } from '../../../src/store/store.ts';
import { catalogue } from '../cars/catalogue.ts';
import { type CellRecord, toCells, toChanges } from '../database/cells.ts';
import { type Listing, openList } from '../database/reads.ts';

export const cars = findCollection(catalogue, 'cars');
export const oils = findCollection(catalogue, 'oils');

const fieldOf = ({ fields }: Collection, name: string): Field => {
  const found = fields.find((field) => field.name === name);
  if (!found) throw new TypeError(`no field "${name}"`);
  return found;
};

export const createCar = (
  store: Store,
  identifier: string,
  values: CellRecord = {},
  idempotency?: Idempotency,
): Promise<Outcome> =>
  store.write({
    kind: 'create',
    collection: 'cars',
    parents: [],
    cells: toCells(cars, { brand: 'Seat', model: 'Ibiza', ...values, identifier }),
    idempotency,
  });

export const createOil = (store: Store, car: string, type: string, values: CellRecord = {}): Promise<Outcome> =>
  store.write({ kind: 'create', collection: 'oils', parents: [car], cells: toCells(oils, { ...values, type }) });

/** `changes`: only the fields that are named change. */
export const update = (store: Store, collection: Collection, keys: Keys, changes: CellRecord): Promise<Outcome> =>
  store.write({ kind: 'update', collection: collection.name, keys, changes: toChanges(collection, changes) });

export const remove = (store: Store, collection: Collection, keys: Keys): Promise<Outcome> =>
  store.write({ kind: 'remove', collection: collection.name, keys });

/** @throws where nothing was written */
export const rowOf = (outcome: Outcome): Row => {
  if (outcome.kind !== 'written') throw new TypeError(`expected a written row, got ${outcome.kind}`);
  return outcome.row;
};
export const revisionOf = (outcome: Outcome): number => rowOf(outcome)[0];

/** Ahead of the clock, so that the change numbers of a database that holds it go on one by one. */
export const AHEAD = changeAt(Date.UTC(2100, 0));

/** The one cell of a row that a field names. */
export const cellOf = (collection: Collection, row: Row | undefined, name: string): Cell | undefined =>
  row?.[collection.fields.indexOf(fieldOf(collection, name)) + 1];
export const keyOf = (row: Row): string => String(row[1]);

/** A query by names, for people. */
export interface ListRequest {
  readonly filters?: Readonly<Record<string, Filter['values']>>;
  readonly from?: Readonly<Record<string, number>>;
  readonly to?: Readonly<Record<string, number>>;
  readonly search?: string;
  readonly group?: string;
  /** Several are separated by commas. */
  readonly sort?: string;
  readonly order?: string;
  readonly size?: number;
  readonly page?: number;
  /** Whether each car has its oils behind its cells. */
  readonly withOils?: boolean;
}

const filtersOf = (
  collection: Collection,
  operator: Filter['operator'],
  asked: Readonly<Record<string, Filter['values'] | number>> = {},
): readonly Filter[] =>
  Object.entries(asked).map(([name, sent]) => ({ field: fieldOf(collection, name), operator, values: [sent].flat() }));

export const queryOf = (
  collection: Collection,
  { filters, from, to, search, group, sort, order, size, page, withOils }: ListRequest,
): Query => ({
  sentParameters: [],
  filters: [
    ...filtersOf(collection, 'equals', filters),
    ...filtersOf(collection, 'from', from),
    ...filtersOf(collection, 'to', to),
  ],
  search,
  group: group === undefined ? undefined : fieldOf(collection, group),
  include: withOils ? [oils] : undefined,
  sort: sort?.split(',').map((name) => fieldOf(collection, name)) ?? [],
  order: (order?.split(',') ?? []) as Direction[],
  size,
  page,
  isPure: true,
});

/** Creates cars in a file that nobody has open, before or after. @returns its address */
export const fillFile = async (url: string, ...keys: readonly string[]): Promise<string> => {
  const store = await openStore(url, catalogue);
  for (const key of keys) await createCar(store, key);
  await store.close();
  return url;
};

/** @throws where there is no list */
export const openCars = async (store: Store, asked: ListRequest = {}, caller?: Caller): Promise<Listing> => {
  const listing = await openList(store, cars, [], queryOf(cars, asked), caller);
  if (!listing) throw new TypeError('no list');
  return listing;
};

interface ReadList extends ListSummary {
  readonly rows: readonly Row[];
}

export const readList = async (
  store: Store,
  collection: Collection,
  parents: Keys,
  asked: ListRequest = {},
): Promise<ReadList | undefined> => {
  const listing = await openList(store, collection, parents, queryOf(collection, asked));
  if (!listing) return undefined;
  const rows: Row[] = [];
  for (let read = await listing.chunks.next(); !read.done; read = await listing.chunks.next()) rows.push(...read.value);
  return { total: listing.total, change: listing.change, rows };
};

/** What of a list does not depend on when it was written. */
export const cellsListed = async (...asked: Parameters<typeof readList>): Promise<unknown> => {
  const found = await readList(...asked);
  return found && { total: found.total, rows: found.rows.map(([, ...cells]) => cells) };
};

export const carsListed = async (store: Store, asked: ListRequest = {}): Promise<readonly string[]> =>
  (await readList(store, cars, [], asked))?.rows.map(keyOf) ?? [];

/** More rows than one chunk of any store should hold. */
export const MANY = 700;

/** Writes that wait together. Where more do, on a busy machine the last would wait for longer than a write may. */
const PORTION = 100;

/** Makes many, some of them at a time. @param make called with their places, from 0 */
export const inPortions = async (count: number, make: (at: number) => Promise<unknown>): Promise<void> => {
  for (let from = 0; from < count; from += PORTION) {
    await Promise.all(Array.from({ length: Math.min(PORTION, count - from) }, (_, at) => make(from + at)));
  }
};

export const createMany = async (store: Store, count = MANY): Promise<void> => {
  await inPortions(count, (at) => createCar(store, `car-${at}`, { year: 1900 + (at % 100) }));
};
