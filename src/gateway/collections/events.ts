/** What changes in a list, as events. */
import { andThen, type MaybePromise } from '../../util/maybe-promise.ts';
import { cellIndex, type Representation } from '../formats/representation.ts';
import type { Exchange } from '../http/context.ts';
import { EVENT_STREAM, LAST_EVENT_HEADER } from '../http/headers.ts';
import { callerOf } from '../http/request.ts';
import { CHANGE_HEADER, respondWith } from '../http/respond.ts';
import type { Tree } from '../http/urls.ts';
import { changesOf, eventPrefix } from '../model/derived.ts';
import type { Cell } from '../model/field.ts';
import { DELETED, type Position, type Query } from '../model/query.ts';
import type { Found, Row } from '../port/port.ts';
import { changeAfter, filtersOf, following, isBeyond, NOW, readSince } from '../read/query/paging.ts';
import { sentence } from '../texts/phrase.ts';
import { Problem } from '../texts/problem.ts';
import { selected } from '../write/selected.ts';
import type { Resource, ResourceOptions } from './resource.ts';
import type { Follower, Page } from './streams.ts';

/** No proxy may keep it back, nor compress it. */
const HEADERS = { 'Content-Type': EVENT_STREAM, 'Cache-Control': 'no-store, no-transform', 'X-Accel-Buffering': 'no' };

/** Reads are shared, so that no client's leaving ends one. */
const { signal: UNENDING } = new AbortController();

/** Seconds after which a client that has too many streams may try again. */
const LATER = '60';

/** The state in which whoever is told of an item has it. */
type Kind = 'created' | 'changed' | 'deleted';

const encoder = new TextEncoder();

/** Apart from what else is made of a request, all of which it would keep. */
const followerOf = (
  env: Exchange['env'] | undefined,
  client: string | undefined,
  mayRead: ResourceOptions['mayRead'],
): Follower => {
  const { incoming, outgoing } = env ?? {};
  return {
    client,
    mayRead: () => incoming === undefined || (mayRead?.(incoming) ?? true),
    breakOff: () => void outgoing?.destroy(),
  };
};

/** @returns responds to who follows a list. @param json of its items */
export const eventReader = (
  { language }: Tree,
  { collection, links, parentKeys, missing }: Resource,
  { store, streams, addressOf, clientIdOf, clientStreams, mayRead }: ResourceOptions,
) => {
  const word = language.parameters.word('changed_since');
  const prefix = eventPrefix(collection);
  const deletedAt = cellIndex(changesOf(collection), { ...collection.key, name: DELETED });

  return (c: Exchange, json: Representation, sent: Query): MaybePromise<Response> => {
    const query = following(language, sent, NOW, EVENT_STREAM);
    const parents = parentKeys(c);
    const { list } = selected(json, language, collection, query);
    const caller = () => ({ ...callerOf(c, addressOf), signal: UNENDING });

    const eventOf = (kind: string, position: string, data: string): string =>
      `event: ${kind}\nid: ${position}\ndata: ${data}\n\n`;
    /** @returns the positions of a client that has to begin anew are not known: it goes on from now */
    const gone = async (): Promise<Page> => {
      const { position, isLast } = await read(NOW);
      const data = JSON.stringify({ [word]: links.startOf(parents) });
      return { position, isMore: false, isLast, events: encoder.encode(eventOf('gone', position, data)) };
    };
    const pageOf = (following: Query, { rows, next, change }: Found): Page => {
      const positionAt = (end: Position | undefined): string =>
        changeAfter(collection, following, { change, next: end });
      const { since } = following;
      // Whoever reads from the beginning knows nothing yet.
      const known = since?.floor === undefined ? (since?.change ?? 0) : 0;
      const kindOf = (row: Row, created: Cell): Kind =>
        row[deletedAt] === 1 ? 'deleted' : Number(created ?? 0) > known ? 'created' : 'changed';
      const events = rows.map((row) => {
        const created = row.at(-1) ?? null;
        return eventOf(prefix + kindOf(row, created), positionAt([row[0], created]), list.row(row, 0));
      });
      const isMore = next !== undefined;
      return { events: encoder.encode(events.join('')), position: positionAt(next), isMore, isLast: false };
    };
    const read = (token: string): MaybePromise<Page> => {
      const since = readSince(collection, query, token);
      if (!since) return gone();
      const own = { ...query, since };
      const plan = store.plan({ of: 'list', collection, keys: parents, query: own, freshness: 'latest' });
      return andThen(store.read(plan, caller), (found): MaybePromise<Page> => {
        if (!found) {
          const position = token;
          return { position, isMore: false, isLast: true, events: encoder.encode(eventOf('gone', position, '{}')) };
        }
        return isBeyond(since, found.change) ? gone() : pageOf(own, found);
      });
    };

    const { headers } = c.req.raw;
    const client = clientIdOf?.(c.env?.mountedBy ?? c);
    if (client !== undefined && clientStreams !== undefined && streams.countOf(client) >= clientStreams) {
      throw new Problem('rate-limited', sentence('client-streams', { most: clientStreams }), {
        headers: { 'Retry-After': LATER },
      });
    }
    const parts = [query.fields, query.include].map((each) => each?.map(({ name }) => name));
    const feed = {
      name: JSON.stringify([language.tag, collection.id, parents, filtersOf(collection, query), ...parts, query.size]),
      read,
    };
    return andThen(read(headers.get(LAST_EVENT_HEADER) || (query.since?.token ?? NOW)), (first) => {
      if (first.isLast) throw missing(collection.parent ?? collection, parents);
      const content = c.req.method === 'HEAD' ? null : streams.open(feed, followerOf(c.env, client, mayRead), first);
      return respondWith(c, 200, content, { ...json.headers, ...HEADERS, [CHANGE_HEADER]: first.position });
    });
  };
};
