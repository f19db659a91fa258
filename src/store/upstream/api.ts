/** The requests that reads and writes are made of: pages of a list, and single items. */
import type { Collection } from '../../gateway/model/catalogue.ts';
import { EVERYTHING, type Filter } from '../../gateway/model/query.ts';
import type { Caller, Keys } from '../../gateway/port/port.ts';
import type { Condition, Dialect, Page, Parameter, Selection } from './dialects/dialect.ts';
import type { Answer, Exchange } from './exchange/exchange.ts';
import { badGateway, refused } from './mapping/faults.ts';
import type { MappedCollection, Mapping } from './mapping/mapping.ts';
import { itemRow, type Json } from './rows.ts';

export type Client = Pick<Caller, 'headers'> | undefined;

/** What an API says of an item that others may not keep; the stricter one comes first. */
const CACHING = ['no-store', 'private'] as const;

const queryOf = (asked: readonly Parameter[]): string =>
  asked.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');

/** @returns values as they are written there; `undefined` where one of them cannot be */
const writtenIn = (mapped: MappedCollection, { field, values }: Filter): Condition['values'] | undefined => {
  const written = values.map(mapped.of(field).write);
  return written.includes(undefined) ? undefined : written.flatMap((value) => value ?? []);
};

export const apiOf = (exchange: Exchange, mapping: Mapping, dialect: Dialect) => {
  /** @returns a key as it is written there; `undefined` where no item there can have it */
  const keyIn = ({ fields: [key] }: MappedCollection, sent: string | undefined) => key?.write(sent ?? '');

  /** @returns the path of a list; `undefined` where its parent cannot exist there */
  const listPath = ({ path, collection: { parent } }: MappedCollection, keys: Keys): string | undefined => {
    if (!parent || !path.includes('{')) return path;
    const key = keyIn(mapping.of(parent), keys[0]);
    return key === undefined ? undefined : path.replaceAll(`{${parent.name}}`, encodeURIComponent(String(key)));
  };
  /** @returns the condition that a list of its own is that of a parent; `undefined` where this cannot exist there */
  const ofParent = (mapped: MappedCollection, keys: Keys): readonly Condition[] | undefined => {
    const { parent } = mapped.collection;
    // All parents' items are counted by no keys.
    if (!parent || mapped.parent === undefined || keys.length === 0) return [];
    const key = keyIn(mapping.of(parent), keys[0]);
    return key === undefined ? undefined : [{ name: mapped.parent, operator: 'is', values: [key] }];
  };
  const { envelope } = mapping;
  /** @returns what is at a place of an answer; all of it where the mapping names none */
  const within = (content: unknown, place: readonly string[] = []): unknown =>
    place.reduce((outer, name) => Object(outer)[name], content);
  const itemIn = ({ content }: Answer): unknown => within([content].flat()[0], envelope.item);

  /** @returns a usable answer; `undefined` where there is nothing at that address */
  const get = async (path: string, client: Client): Promise<Answer | undefined> => {
    const sent = { method: 'GET', path, ...(dialect.headers ? { headers: dialect.headers } : {}) } as const;
    const answer = await exchange(sent, client);
    if (answer.status === 404) return undefined;
    if (answer.status >= 400 && answer.status !== 416) throw refused(answer, 'GET');
    return answer;
  };

  /** @returns items of a list, and how many it has; `undefined` where it is missing */
  const page = async (
    mapped: MappedCollection,
    keys: Keys,
    conditions: readonly Condition[],
    { query = EVERYTHING, offset = 0, limit }: Partial<Selection> & Pick<Selection, 'limit'>,
    client: Client,
  ): Promise<{ readonly items: readonly unknown[]; readonly total: number } | undefined> => {
    const [path, own] = [listPath(mapped, keys), ofParent(mapped, keys)];
    if (path === undefined || own === undefined) return undefined;
    const asked = dialect.parameters({ mapped, conditions: [...own, ...conditions], query, offset, limit });
    const answer = await get(`${path}?${queryOf(asked)}`, client);
    if (!answer) {
      if (mapped.collection.parent) return undefined;
      throw badGateway(`${path} does not exist`);
    }
    const said: Page = dialect.page(answer);
    const items = envelope.items ? within(answer.content, envelope.items) : said.items;
    const total = envelope.total ? within(answer.content, envelope.total) : said.total;
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

  const ofKey = ({ fields }: MappedCollection, key: Condition['values'][number]): Condition => ({
    name: fields[0]?.name ?? '',
    operator: 'is',
    values: [key],
  });

  /** @returns an item as it is there; `undefined` where it is missing */
  const find = async (collection: Collection, keys: Keys, client: Client) => {
    const mapped = mapping.of(collection);
    const key = keyIn(mapped, keys.at(-1));
    if (key === undefined) return undefined;
    let item: unknown;
    let headers: Answer['headers'] = {};
    if (!dialect.address && mapped.id === undefined) {
      const path = listPath(mapped, keys);
      if (path === undefined) return undefined;
      const answer = await get(`${path}/${encodeURIComponent(String(key))}`, client);
      if (!answer) return undefined;
      item = itemIn(answer);
      headers = answer.headers;
    } else {
      const found = await page(mapped, keys.slice(0, -1), [ofKey(mapped, key)], { limit: 2 }, client);
      item = found?.items.find((each) => itemRow(mapped, each)[1] === keys.at(-1));
      if (item === undefined) return undefined;
    }
    const row = itemRow(mapped, item);
    // Some compare keys in another way.
    if (row[1] !== keys.at(-1)) return undefined;
    const caching = CACHING.find((name) => headers['cache-control']?.includes(name));
    return { mapped, item: item as Json, row, caching, tag: headers.etag?.startsWith('"') ? headers.etag : undefined };
  };

  /** @returns the path to write to, of an item that was found */
  const itemPath = (mapped: MappedCollection, keys: Keys, item: Json): string => {
    const path = listPath(mapped, keys) ?? '';
    const key = keyIn(mapped, keys.at(-1)) ?? '';
    if (!dialect.address)
      return `${path}/${encodeURIComponent(String(mapped.id === undefined ? key : item[mapped.id]))}`;
    const asked = dialect.address([...(ofParent(mapped, keys.slice(0, -1)) ?? []), ofKey(mapped, key)]);
    return `${path}?${queryOf(asked)}`;
  };

  return {
    page,
    find,
    itemIn,
    itemPath,
    listPath,
    keyIn,
    /** @returns the conditions of filters that the API can do exactly; `undefined` where there are others */
    conditionsOf: (mapped: MappedCollection, filters: readonly Filter[]) => {
      const able = filters.flatMap((filter): readonly (readonly [Filter, Condition])[] => {
        const { field, operator } = filter;
        const own = mapped.of(field);
        const values = dialect.filters(own, operator) ? writtenIn(mapped, filter) : undefined;
        return values ? [[filter, { name: own.name, operator, values }]] : [];
      });
      return {
        conditions: able.map(([, condition]) => condition),
        rest: filters.filter((each) => !able.some(([own]) => own === each)),
      };
    },
  };
};

export type Api = ReturnType<typeof apiOf>;
