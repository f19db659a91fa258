/** Parts of lists, chunk by chunk, with what is nested in their items. */
import type { Cell } from '../../gateway/model/field.ts';
import { EVERYTHING, type Query, TOTAL, windowOf } from '../../gateway/model/query.ts';
import type { Found, ReadPlan, Row } from '../../gateway/port/port.ts';
import { chunksOf } from '../../util/chunks-of.ts';
import type { MaybePromise } from '../../util/maybe-promise.ts';
import { type Api, type Client, embeddedIn, type Place } from './api.ts';
import type { Condition, Dialect } from './dialects/dialect.ts';
import { badGateway } from './mapping/faults.ts';
import type { MappedCollection, Mapping } from './mapping/mapping.ts';

/** Items of one exchange, unless a client asks for a page of another size. */
const CHUNK = 500;
/** A longer page is read in several exchanges where the API allows it. */
export const LONGEST = 1_000;
/** Characters of keys whose nested items are read at once, with what stands around each, so that an address has room for them, however they are written. */
const [ROOM, AROUND] = [2_000, 20];
/** A part of a list that the API selects. */
interface Part {
  readonly place: Place;
  readonly conditions: readonly Condition[];
  readonly query: Query;
  readonly window: ReadPlan['window'];
}
export const ALL = { query: EVERYTHING, window: windowOf(EVERYTHING) } as const;

export const allOf = async (found: Found): Promise<readonly Row[]> => {
  const rows = [...found.rows];
  for (let chunk = await found.rest?.next(); chunk && !chunk.done; chunk = await found.rest?.next()) {
    rows.push(...chunk.value);
  }
  return rows;
};

export const rangesOf = (api: Api, { words }: Mapping, dialect: Dialect) => {
  const { [TOTAL]: total = TOTAL } = words;

  /** @returns what makes rows: of a group a value, or none, and how many items have it */
  const rowsOf = (place: Place, { group }: Query): ((item: unknown) => Row) => {
    const { of, row } = place.mapped;
    if (!group) return place.embedded.length === 0 ? row : (item) => [...row(item), ...embeddedIn(item, place)];
    const { name, read } = of(group);
    return (item) => {
      const { [name]: value, [total]: count } = Object(item);
      if (!Number.isSafeInteger(count)) throw badGateway(`a group has no "${total}"`);
      return [0, read(value), count];
    };
  };

  /** Reads a part of a list chunk by chunk: no snapshot, but as many as there were at the beginning. */
  const openRange = async (
    { place, conditions, query, window: { offset, limit } }: Part,
    client: Client,
    rowOf = rowsOf(place, query),
  ): Promise<Found | undefined> => {
    const size = limit <= LONGEST || (dialect.isPaged && Number.isFinite(limit)) ? limit : CHUNK;
    const pageAt = (at: number) => api.page(place, { conditions, query, offset: at, limit: size }, client);
    const first = await pageAt(offset);
    if (!first) return undefined;
    const end = Math.min(offset + limit, first.total);
    const isNested = query.include !== undefined;
    const rowsIn = (items: readonly unknown[]): MaybePromise<readonly Row[]> =>
      isNested ? withNested(place, items.map(rowOf), client) : items.map(rowOf);
    const [total, length] = [first.total, first.items.length];
    const found = { total, change: 0, rows: await rowsIn(first.items) };
    async function* rest(): AsyncGenerator<readonly Row[], undefined> {
      for (let at = offset + length; at < end; ) {
        const items = dialect.isPaged && (at - offset) % size !== 0 ? [] : ((await pageAt(at))?.items ?? []);
        if (items.length === 0) throw badGateway(`the list ends at ${at}, of ${total}`);
        yield rowsIn(items.slice(0, end - at));
        at += items.length;
      }
    }
    return offset + length >= end ? found : { ...found, rest: rest() };
  };

  /** @returns items of a nested list of its own by the key of the item above, which is the last cell of their rows */
  const listedBelow = async (
    child: MappedCollection,
    { key }: MappedCollection,
    rows: readonly Row[],
    client: Client,
  ): Promise<ReadonlyMap<Cell | undefined, readonly Row[]>> => {
    const place = api.wholeOf(child.collection);
    const { parent: name = '' } = child;
    const values = rows.map(([, own]) => key.write(own ?? '') ?? '');
    const part = { place, conditions: [{ name, operator: 'equals', values }], ...ALL } as const;
    const found = await openRange(part, client, (item) => [...child.row(item), key.read(Object(item)[name])]);
    return Map.groupBy(found ? await allOf(found) : [], (row) => row.at(-1));
  };

  /** @returns the same rows, each with what is nested in its item as JSON, unless it came within the item */
  const withNested = async (
    { mapped, nested, embedded }: Place,
    rows: readonly Row[],
    client: Client,
  ): Promise<readonly Row[]> => {
    if (nested.length === 0 || embedded.length > 0) return rows;
    const whole: Row[] = [];
    const longest = Math.max(...rows.map(([, key]) => String(key).length));
    for (const some of chunksOf(rows, Math.floor(ROOM / (longest + AROUND)))) {
      const lists = await Promise.all(nested.map((child) => listedBelow(child, mapped, some, client)));
      whole.push(...some.map((row): Row => [...row, ...lists.map((list) => JSON.stringify(list.get(row[1]) ?? []))]));
    }
    return whole;
  };

  return { openRange, withNested };
};
