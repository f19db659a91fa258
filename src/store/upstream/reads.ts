/** Reads: what the API can do exactly is left to it; for the rest its items are read, as many as a limit allows, and it is done here. */
import { EVERYTHING, type Filter, type Query, TOTAL, windowOf } from '../../gateway/model/query.ts';
import type { CallerOf, Found, ListSummary, ReadPlan, ReadRequest, Row } from '../../gateway/port/port.ts';
import { sentence } from '../../gateway/texts/phrase.ts';
import { Problem } from '../../gateway/texts/problem.ts';
import { gateOf } from '../gate.ts';
import { itemOf } from '../in-memory/items.ts';
import { select } from '../in-memory/select.ts';
import { streamsOf } from '../streams.ts';
import type { Api, Client, Place } from './api.ts';
import type { Condition, Dialect } from './dialects/dialect.ts';
import { badGateway } from './mapping/faults.ts';
import type { MappedCollection, Mapping } from './mapping/mapping.ts';

/** Items of one exchange, unless a client asks for a page of another size. */
const CHUNK = 500;
/** A longer page is read in several exchanges where the API allows it. */
const LONGEST = 1_000;
/** Long lists, and lists that are made here. */
const PLACES = { places: 8, waiting: 64, giveUpMs: 10_000, reason: 'lists' } as const;

/** A read, and how much of it the API does. */
interface UpstreamPlan extends ReadPlan {
  /** `undefined` where its parent cannot exist there. */
  readonly place: Place | undefined;
  readonly conditions: readonly Condition[];
  /** What is left to be done here; absent where the API does all of it. */
  readonly here?: Query | undefined;
}

export interface ReadOptions {
  readonly listTimeout?: number | undefined;
  readonly clientShare?: number | undefined;
}

export const readsOf = (api: Api, mapping: Mapping, dialect: Dialect, options: ReadOptions) => {
  const { [TOTAL]: total = TOTAL } = mapping.words;
  const streams = streamsOf(gateOf(PLACES, options.clientShare ?? 1), options.listTimeout);

  /** @returns what a filter asks for there; `undefined` where the API compares values in another way: it knows case and accents of texts */
  const conditionOf = (mapped: MappedCollection, { field, operator, values }: Filter): Condition | undefined => {
    const { name, type, natural, write } = mapped.of(field);
    const isNumber = natural === 'number' || (operator === 'equals' && natural === 'boolean');
    const written = values.map(write).filter((value) => value !== undefined);
    const isExact = dialect.can.includes('folded') || (isNumber && type === natural);
    return isExact && written.length === values.length ? { name, operator, values: written } : undefined;
  };

  const plan = (request: ReadRequest): UpstreamPlan => {
    const { of, collection, keys, query } = request;
    const { search, group, sort, order } = query;
    const window = windowOf(query);
    const conditions = query.filters.map((filter) => conditionOf(mapping.of(collection), filter));
    const rest = query.filters.filter((_, at) => !conditions[at]);
    const isDone =
      rest.length === 0 &&
      (search === undefined || dialect.can.includes('search')) &&
      (!group || dialect.can.includes('groups')) &&
      ((sort.length === 0 && order.length === 0) || dialect.sorts?.(query) === true);
    return {
      ...request,
      shape: of === 'item' ? 'item' : window.limit <= LONGEST ? 'page' : 'list',
      cost: isDone ? 'index' : 'scan',
      window,
      place: api.placeOf(collection, of === 'item' ? keys.slice(0, -1) : keys),
      conditions: conditions.filter((each) => each !== undefined),
      here: isDone ? undefined : { ...query, filters: rest },
    };
  };

  /** @returns what makes rows: of a group a value, or none, and how many items have it */
  const rowsOf = ({ of, row }: MappedCollection, { group }: Query): ((item: unknown) => Row) => {
    if (!group) return row;
    const { name, read } = of(group);
    return (item) => {
      const { [name]: value, [total]: count } = Object(item);
      if (!Number.isSafeInteger(count)) throw badGateway(`a group has no "${total}"`);
      return [0, read(value), count];
    };
  };

  /** Reads a part of a list chunk by chunk: no snapshot, but as many as there were at the beginning. */
  const openRange = async (
    { place, conditions }: UpstreamPlan,
    query: Query,
    { offset, limit }: ReadPlan['window'],
    client: Client,
  ): Promise<Found | undefined> => {
    if (!place) return undefined;
    const size = limit <= LONGEST || (dialect.isPaged && Number.isFinite(limit)) ? limit : CHUNK;
    const rowOf = rowsOf(place.mapped, query);
    const pageAt = (at: number) => api.page(place, { conditions, query, offset: at, limit: size }, client);
    const first = await pageAt(offset);
    if (!first) return undefined;
    const end = Math.min(offset + limit, first.total);
    const found = { total: first.total, change: 0, rows: first.items.map(rowOf) };
    async function* rest(): AsyncGenerator<readonly Row[], undefined> {
      for (let at = offset + found.rows.length; at < end; ) {
        const items = dialect.isPaged && (at - offset) % size !== 0 ? [] : ((await pageAt(at))?.items ?? []);
        if (items.length === 0) throw new Error(`upstream: the list ends at ${at}, of ${found.total}`);
        yield items.slice(0, end - at).map(rowOf);
        at += items.length;
      }
    }
    return offset + found.rows.length >= end ? found : { ...found, rest: rest() };
  };

  /** @throws Problem `not-supported` where there are too many items */
  const selectHere = async (asked: UpstreamPlan, here: Query, client: Client): Promise<Found | undefined> => {
    const all = await openRange(asked, EVERYTHING, { offset: 0, limit: Number.POSITIVE_INFINITY }, client);
    if (!all) return undefined;
    if (all.total > mapping.here) {
      throw new Problem('not-supported', sentence('upstream-limit', { most: mapping.here }));
    }
    const read = [...all.rows];
    for (let chunk = await all.rest?.next(); chunk && !chunk.done; chunk = await all.rest?.next()) {
      read.push(...chunk.value);
    }
    const { collection, keys, window } = asked;
    const items = read.map((row, at) => itemOf(collection, [...keys, String(row[1])], at, row));
    const rows = select(collection, items, here, ({ row }) => row);
    const part = rows.slice(window.offset, window.offset + window.limit);
    return { total: rows.length, change: 0, rows: part.map((row) => row()) };
  };

  const read = async (planned: ReadPlan, callerOf?: CallerOf): Promise<Found | undefined> => {
    const asked = planned as UpstreamPlan;
    const { collection, keys, here, place } = asked;
    const caller = callerOf?.();
    if (asked.of === 'item') {
      const found = await api.find(collection, keys, caller);
      return found && { total: 1, change: 0, rows: [found.row], caching: found.caching };
    }
    const open = () => (here ? selectHere(asked, here, caller) : openRange(asked, asked.query, asked.window, caller));
    const found = here || asked.shape === 'list' ? await streams.read(open, caller) : await open();
    // A nested list of its own is empty, whether its parent exists or not.
    const parent = found?.total === 0 && place && place.conditions.length > 0 ? collection.parent : undefined;
    return !parent || (await api.find(parent, keys, caller)) ? found : undefined;
  };

  const summarize = async (planned: ReadPlan, callerOf?: CallerOf): Promise<ListSummary | undefined> => {
    const { here } = planned as UpstreamPlan;
    const window = { offset: 0, limit: here ? 0 : 1 };
    const found = await read({ ...planned, window, shape: 'page' }, callerOf);
    return found && { total: found.total, change: found.change };
  };

  return { plan, read, summarize, close: () => streams.endAll('the service stops') };
};
