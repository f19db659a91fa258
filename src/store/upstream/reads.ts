/** Reads: what the API can do exactly is left to it; for the rest its items are read, as many as a limit allows, and it is done here. */
import { type Filter, type Query, windowOf } from '../../gateway/model/query.ts';
import type { CallerOf, Found, ListSummary, ReadPlan, ReadRequest } from '../../gateway/port/port.ts';
import { sentence } from '../../gateway/texts/phrase.ts';
import { Problem } from '../../gateway/texts/problem.ts';
import { gateOf } from '../gate.ts';
import { itemOf } from '../in-memory/items.ts';
import { select } from '../in-memory/select.ts';
import { streamsOf } from '../streams.ts';
import { type Api, type Client, digestOf, type Place } from './api.ts';
import type { Condition, Dialect } from './dialects/dialect.ts';
import type { MappedCollection, Mapping } from './mapping/mapping.ts';
import { ALL, allOf, LONGEST, rangesOf } from './ranges.ts';

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
  const { openRange, withNested } = rangesOf(api, mapping, dialect);
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
      place: api.placeOf(collection, of === 'item' ? keys.slice(0, -1) : keys, query.include),
      conditions: conditions.filter((each) => each !== undefined),
      here: isDone ? undefined : { ...query, filters: rest },
    };
  };

  /** @throws Problem `not-supported` where there are too many items */
  const selectHere = async (
    asked: UpstreamPlan,
    place: Place,
    here: Query,
    client: Client,
  ): Promise<Found | undefined> => {
    const { collection, keys, conditions, window } = asked;
    const all = await openRange({ place, conditions, ...ALL }, client);
    if (!all) return undefined;
    if (all.total > mapping.here) {
      throw new Problem('not-supported', sentence('upstream-limit', { most: mapping.here }));
    }
    const items = (await allOf(all)).map((row, at) => itemOf(collection, [...keys, String(row[1])], at, row));
    const rows = select(collection, items, here, ({ row }) => row);
    const part = rows.slice(window.offset, window.offset + window.limit).map((row) => row());
    return { total: rows.length, change: 0, rows: await withNested(place, part, client) };
  };

  const read = async (planned: ReadPlan, callerOf?: CallerOf): Promise<Found | undefined> => {
    const asked = planned as UpstreamPlan;
    const { collection, keys, query, here, place } = asked;
    const caller = callerOf?.();
    if (!place) return undefined;
    if (asked.of === 'item') {
      const found = await api.find(collection, keys, caller, query.include);
      if (!found) return undefined;
      const rows = await withNested(place, [found.row], caller);
      // A tag is of what is nested, too.
      return { total: 1, change: query.include ? digestOf(rows[0] ?? []) : 0, rows, caching: found.caching };
    }
    const open = () => (here ? selectHere(asked, place, here, caller) : openRange({ ...asked, place }, caller));
    const found = here || asked.shape === 'list' ? await streams.read(open, caller) : await open();
    // A nested list of its own is empty, whether its parent exists or not.
    const parent = found?.total === 0 && place.conditions.length > 0 ? collection.parent : undefined;
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
