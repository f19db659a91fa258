/** Reads: what the API can do exactly is left to it; for the rest its items are read, as many as a limit allows, and it is done here. */
import type { Field } from '../../gateway/model/field.ts';
import { EVERYTHING, type Query, TOTAL, windowOf } from '../../gateway/model/query.ts';
import type { CallerOf, Chunks, Found, ListSummary, ReadPlan, ReadRequest, Row } from '../../gateway/port/port.ts';
import { gateOf } from '../gate.ts';
import { itemOf } from '../in-memory/items.ts';
import { select } from '../in-memory/select.ts';
import { streamsOf } from '../streams.ts';
import type { Api, Client } from './api.ts';
import type { Condition, Dialect } from './dialects/dialect.ts';
import { tooLong } from './mapping/faults.ts';
import type { MappedCollection, Mapping } from './mapping/mapping.ts';
import { groupRow, listedRow } from './rows.ts';

/** Items of one exchange, unless a client asks for a page of another size. */
const CHUNK = 500;
/** A longer page is read in several exchanges where the API allows it. */
const LONGEST = 1_000;
/** Long lists, and lists that are made here. */
const PLACES = { places: 8, waiting: 64, giveUpMs: 10_000, reason: 'lists' } as const;

/** A read, and how much of it the API does. */
interface UpstreamPlan extends ReadPlan {
  readonly mapped: MappedCollection;
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

  const plan = (request: ReadRequest): UpstreamPlan => {
    const { of, collection, query } = request;
    const mapped = mapping.of(collection);
    const window = windowOf(query);
    const { conditions, rest } = api.conditionsOf(mapped, query.filters);
    const { search, group, sort, order } = query;
    const isUnsorted = sort.length === 0 && order.length === 0;
    const isDone =
      rest.length === 0 &&
      (search === undefined || dialect.can.includes('search')) &&
      (!group || dialect.can.includes('groups')) &&
      (isUnsorted || dialect.sorts(query));
    const here = isDone ? undefined : { ...query, filters: rest };
    const shape = of === 'item' ? 'item' : window.limit <= LONGEST ? 'page' : 'list';
    return { ...request, shape, cost: here ? 'scan' : 'index', window, mapped, conditions, here };
  };

  const rowWriter = (mapped: MappedCollection, group: Field | undefined): ((item: unknown) => Row) => {
    if (!group) return (item) => listedRow(mapped, item);
    const field = mapped.of(group);
    return (item) => groupRow(field, total, item);
  };

  /** Reads from a place of a list to another one, chunk by chunk: no snapshot, but as many as there were at the beginning. */
  const openRange = async (
    { mapped, keys, conditions }: UpstreamPlan,
    query: Query,
    { offset, limit }: ReadPlan['window'],
    client: Client,
  ): Promise<Found | undefined> => {
    const size = limit <= LONGEST || (dialect.isPaged && Number.isFinite(limit)) ? limit : CHUNK;
    const rowOf = rowWriter(mapped, query.group);
    const pageAt = (at: number) => api.page(mapped, keys, conditions, { query, offset: at, limit: size }, client);
    const first = await pageAt(offset);
    if (!first) return undefined;
    const end = Math.min(offset + limit, first.total);
    const found = { total: first.total, change: 0, rows: first.items.map(rowOf) };
    async function* rest(): AsyncGenerator<readonly Row[], undefined> {
      for (let at = offset + found.rows.length; at < end; ) {
        const items = dialect.isPaged && (at - offset) % size !== 0 ? [] : ((await pageAt(at))?.items ?? []);
        if (items.length === 0) throw new Error(`upstream: the list ends at ${at}, of ${first?.total}`);
        yield items.slice(0, end - at).map(rowOf);
        at += items.length;
      }
    }
    return offset + found.rows.length >= end ? found : { ...found, rest: rest() };
  };

  const rowsOf = async (found: Found): Promise<readonly Row[]> => {
    const rows = [...found.rows];
    const rest: Chunks | undefined = found.rest;
    for (let chunk = await rest?.next(); chunk && !chunk.done; chunk = await rest?.next()) rows.push(...chunk.value);
    return rows;
  };

  /** @throws Problem `not-supported` where there are too many items */
  const selectHere = async (asked: UpstreamPlan, here: Query, client: Client): Promise<Found | undefined> => {
    const all = await openRange(asked, EVERYTHING, { offset: 0, limit: Number.POSITIVE_INFINITY }, client);
    if (!all) return undefined;
    if (all.total > mapping.here) throw tooLong(mapping.here);
    const { collection, keys, window } = asked;
    const items = (await rowsOf(all)).map((row, at) => itemOf(collection, [...keys, String(row[1])], at, row));
    const rows = select(collection, items, here, ({ row }) => row);
    const part = rows.slice(window.offset, window.offset + window.limit);
    return { total: rows.length, change: 0, rows: part.map((row) => row()) };
  };

  /** A nested list of its own is empty, whether its parent exists or not. */
  const ofParent = async (
    asked: UpstreamPlan,
    found: Found | undefined,
    client: Client,
  ): Promise<Found | undefined> => {
    const { parent } = asked.collection;
    const isUnclear = parent && asked.mapped.parent !== undefined && found?.total === 0 && asked.keys.length > 0;
    return !isUnclear || (await api.find(parent, asked.keys, client)) ? found : undefined;
  };

  const read = async (planned: ReadPlan, callerOf?: CallerOf): Promise<Found | undefined> => {
    const asked = planned as UpstreamPlan;
    const caller = callerOf?.();
    if (asked.of === 'item') {
      const found = await api.find(asked.collection, asked.keys, caller);
      return found && { total: 1, change: 0, rows: [found.row], caching: found.caching };
    }
    const { here } = asked;
    const open = here
      ? () => selectHere(asked, here, caller)
      : () => openRange(asked, asked.query, asked.window, caller);
    const found = here || asked.shape === 'list' ? await streams.read(open, caller) : await open();
    return ofParent(asked, found, caller);
  };

  const summarize = async (planned: ReadPlan, callerOf?: CallerOf): Promise<ListSummary | undefined> => {
    const asked = planned as UpstreamPlan;
    const window = { offset: 0, limit: asked.here ? 0 : 1 };
    const found = await read({ ...asked, window, shape: 'page' } as UpstreamPlan, callerOf);
    return found && { total: found.total, change: found.change };
  };

  return { plan, read, summarize, close: () => streams.endAll('the service stops') };
};
