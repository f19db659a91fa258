/** The requests that reads and writes are made of: pages of a list, and single items. */
import { hash } from 'node:crypto';
import type { Collection } from '../../gateway/model/catalogue.ts';
import type { Cell } from '../../gateway/model/field.ts';
import { EVERYTHING } from '../../gateway/model/query.ts';
import type { Included } from '../../gateway/model/references.ts';
import type { Caller, Found, Keys, Row } from '../../gateway/port/port.ts';
import type { Condition, Dialect, Parameter, Selection } from './dialects/dialect.ts';
import type { Answer, Exchange } from './exchange/exchange.ts';
import { badGateway } from './mapping/faults.ts';
import type { Json, MappedCollection, Mapping } from './mapping/mapping.ts';
import { refused } from './refusals.ts';

export type Client = Pick<Caller, 'headers'> | undefined;

/** A list as it is there: at a path, those items that the conditions leave. */
export interface Place {
  readonly mapped: MappedCollection;
  readonly path: string;
  readonly conditions: readonly Condition[];
  /** What is nested in its items, and how that is asked for where it comes within them. */
  readonly nested: readonly MappedCollection[];
  readonly embedded: readonly Parameter[];
}

/** What an API says of an item that others may not keep; the stricter one comes first. */
const CACHING = ['no-store', 'private'] as const satisfies readonly Found['caching'][];

/** Hexadecimal digits, 4 bits each, of a number that is exact. */
const DIGITS = 13;

/** @returns what takes the place of a number of a change: the same for the same values only */
export const digestOf = (cells: readonly Cell[]): number =>
  Number.parseInt(hash('sha256', JSON.stringify(cells)).slice(0, DIGITS), 16);

const itemRow = (mapped: MappedCollection, item: unknown): Row => {
  const [, ...cells] = mapped.row(item);
  return [digestOf(cells), ...cells];
};

/** @returns the rows of what is nested in an item, within it, each list as JSON */
export const embeddedIn = (item: unknown, { nested, embedded }: Place): readonly Cell[] => {
  if (embedded.length === 0) return [];
  return nested.map(({ member, row }) => {
    const list = Object(item)[member];
    if (!Array.isArray(list)) throw badGateway(`an item has no list "${member}"`);
    return JSON.stringify(list.map(row));
  });
};

const withQuery = (path: string, asked: readonly Parameter[]): string => {
  const query = asked.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return query.length > 0 ? `${path}?${query.join('&')}` : path;
};

const below = (path: string, key: unknown): string => `${path}/${encodeURIComponent(String(key))}`;

export const apiOf = (exchange: Exchange, mapping: Mapping, dialect: Dialect) => {
  const { envelope } = mapping;

  /** @returns the list of all items. Of a nested collection that has no list of its own, the path cannot be asked for */
  const wholeOf = (collection: Collection, include: readonly Included[] = []): Place => {
    const mapped = mapping.of(collection);
    const nested = include
      .flatMap(({ name }) => collection.children.filter((child) => child.name === name))
      .map(mapping.of);
    const embedded = dialect.embeds && nested.length > 0 ? [dialect.embeds(nested.map(({ member }) => member))] : [];
    return { mapped, path: mapped.path, conditions: [], nested, embedded };
  };

  /** @returns a list, where it is nested that of one parent; `undefined` where its parent cannot exist there */
  const placeOf = (collection: Collection, keys: Keys, include?: readonly Included[]): Place | undefined => {
    const whole = wholeOf(collection, include);
    if (!collection.parent) return whole;
    const {
      path,
      mapped: { parent },
    } = whole;
    const key = mapping.of(collection.parent).key.write(keys[0] ?? '');
    if (key === undefined) return undefined;
    return {
      ...whole,
      path: path.replaceAll(`{${collection.parent.name}}`, encodeURIComponent(String(key))),
      conditions: parent === undefined ? [] : [{ name: parent, operator: 'is', values: [key] }],
    };
  };

  /** @returns what is at a place of an answer; all of it where the mapping names none */
  const within = (content: unknown, place: readonly string[] = []): unknown =>
    place.reduce((outer, name) => Object(outer)[name], content);
  const itemIn = ({ content }: Answer): unknown => within([content].flat()[0], envelope.item);

  /** @returns a usable answer; `undefined` where there is nothing at that address */
  const get = async (path: string, client: Client): Promise<Answer | undefined> => {
    const answer = await exchange({ method: 'GET', path, headers: dialect.headers }, client);
    if (answer.status === 404) return undefined;
    if (answer.status >= 400 && answer.status !== 416) throw refused(answer, 'GET');
    return answer;
  };

  /** @returns items of a list, and how many it has; `undefined` where the list of a parent is missing */
  const page = async (
    { mapped, path, conditions: own, embedded }: Place,
    { conditions = [], query = EVERYTHING, offset = 0, limit }: Partial<Selection> & Pick<Selection, 'limit'>,
    client?: Client,
  ): Promise<{ readonly items: readonly unknown[]; readonly total: number } | undefined> => {
    const selection = { mapped, conditions: [...own, ...conditions], query, offset, limit };
    const answer = await get(withQuery(path, [...dialect.parameters(selection), ...embedded]), client);
    if (!answer) {
      // Below an item that is missing there is no list.
      if (mapped.collection.parent && mapped.parent === undefined) return undefined;
      throw badGateway(`${path} does not exist`);
    }
    const { content, headers } = answer;
    const said = dialect.page?.(answer) ?? { items: content, total: Number(headers['x-total-count']) };
    const items = envelope.items ? within(content, envelope.items) : said.items;
    const total = envelope.total ? within(content, envelope.total) : said.total;
    if (!Array.isArray(items)) throw badGateway(`${path} is no list`);
    if (typeof total !== 'number' || !Number.isSafeInteger(total) || total < 0)
      throw badGateway(`${path} has no total`);
    // Beyond the end some APIs send their last page.
    if (offset >= total) return { items: [], total };
    if (items.length > Math.min(limit, total - offset)) {
      throw badGateway(`${path} has ${items.length} items from ${offset}, of ${total}, where ${limit} were asked for`);
    }
    return { items, total };
  };

  /** @returns the path of an item as it is there. @throws Problem `bad-gateway` where it cannot be addressed */
  const pathOf = ({ mapped: { id, key }, path, conditions }: Place, item: Json): string => {
    const name = id ?? key.name;
    const own = item[name];
    if (typeof own !== 'string' && typeof own !== 'number') throw badGateway(`an item of ${path} has no "${name}"`);
    const is: Condition = { name, operator: 'is', values: [own] };
    return dialect.address ? withQuery(path, dialect.address([...conditions, is])) : below(path, own);
  };

  /** @returns an item as it is there; `undefined` where it is missing */
  const find = async (collection: Collection, keys: Keys, client: Client, include?: readonly Included[]) => {
    const place = placeOf(collection, keys.slice(0, -1), include);
    const sent = keys.at(-1) ?? '';
    const { key, id } = mapping.of(collection);
    const own = key.write(sent);
    if (!place || own === undefined) return undefined;
    const { mapped, path } = place;
    const isAddressed = !dialect.address && id === undefined;
    const answer = isAddressed ? await get(withQuery(below(path, own), place.embedded), client) : undefined;
    const conditions: readonly Condition[] = [{ name: key.name, operator: 'is', values: [own] }];
    const listed = isAddressed ? undefined : await page(place, { conditions, limit: 2 }, client);
    const items = answer ? [itemIn(answer)] : (listed?.items ?? []);
    const rows = items.map((item) => [item as Json, itemRow(mapped, item)] as const);
    // Some compare keys in another way.
    const [item, row] = rows.find(([, [, found]]) => found === sent) ?? [];
    if (!item || !row) return undefined;
    const { 'cache-control': said, etag } = answer?.headers ?? {};
    return {
      row: [...row, ...embeddedIn(item, place)] satisfies Row,
      path: () => pathOf(place, item),
      caching: CACHING.find((name) => said?.includes(name)),
      tag: etag?.startsWith('"') ? etag : undefined,
    };
  };

  return {
    wholeOf,
    placeOf,
    page,
    pathOf,
    find,
    /** @returns the row of the item in an answer to a write; `undefined` where it has none */
    rowIn: (mapped: MappedCollection, answer: Answer): Row | undefined => {
      const item = itemIn(answer);
      return item === undefined ? undefined : itemRow(mapped, item);
    },
  };
};

export type Api = ReturnType<typeof apiOf>;
