/** What changes in a list, as events. */
import { cellIndex, type Representation } from '../formats/representation.ts';
import type { Exchange } from '../http/context.ts';
import { createCaller } from '../http/request.ts';
import { CHANGE_HEADER, EVENT_STREAM, LAST_EVENT_HEADER, respond } from '../http/respond.ts';
import { changesOf, eventPrefix } from '../model/derived.ts';
import type { Cell } from '../model/field.ts';
import { DELETED, type Position, type Query } from '../model/query.ts';
import type { Caller, Found, Keys, ListFormat, Row } from '../port/port.ts';
import { changeAfter, filtersOf, following, isBeyond, NOW, readSince } from '../read/query/paging.ts';
import { sentence } from '../texts/phrase.ts';
import { Problem } from '../texts/problem.ts';
import { selected } from '../write/selected.ts';
import type { Resource } from './resource.ts';
import type { Follower, Page } from './streams.ts';

/** No proxy may keep it back, nor compress it. */
const HEADERS = { 'Content-Type': EVENT_STREAM, 'Cache-Control': 'no-store, no-transform', 'X-Accel-Buffering': 'no' };

/** Reads are shared, so that no client's leaving ends one. */
const { signal: UNENDING } = new AbortController();

/** Seconds after which a client that has too many streams may try again. */
const LATER = '60';

/** What an event says happened to the item. */
type Kind = 'created' | 'changed' | 'deleted';

/** A list that somebody follows. It holds nothing else of the request. */
interface Followed {
  readonly resource: Resource;
  readonly parents: Keys;
  readonly query: Query;
  /** Writes its rows. */
  readonly list: ListFormat;
  readonly caller: Caller;
}

const encoder = new TextEncoder();

function writeEvent(kind: string, position: string, data: string): string {
  return `event: ${kind}\nid: ${position}\ndata: ${data}\n\n`;
}

/** Says that the list must be read again, and continues from the current change. */
async function writeGone(followed: Followed): Promise<Page> {
  const { language, links } = followed.resource;
  const { position, isLast } = await readPage(followed, NOW);
  const data = JSON.stringify({ [language.parameters.word('changed_since')]: links.startOf(followed.parents) });
  return { position, isMore: false, isLast, events: encoder.encode(writeEvent('gone', position, data)) };
}

function writePage({ resource, list }: Followed, query: Query, { rows, next, change }: Found): Page {
  const { collection } = resource;
  const { since } = query;
  const deletedAt = cellIndex(changesOf(collection), { ...collection.key, name: DELETED });
  const positionAt = (end: Position | undefined): string => changeAfter(collection, query, { change, next: end });
  // A client that reads from the beginning knows no items yet.
  const known = since?.floor === undefined ? (since?.change ?? 0) : 0;
  const kindOf = (row: Row, created: Cell): Kind =>
    row[deletedAt] === 1 ? 'deleted' : Number(created ?? 0) > known ? 'created' : 'changed';
  const events = rows.map((row) => {
    const created = row.at(-1) ?? null;
    return writeEvent(eventPrefix(collection) + kindOf(row, created), positionAt([row[0], created]), list.row(row, 0));
  });
  return {
    events: encoder.encode(events.join('')),
    position: positionAt(next),
    isMore: next !== undefined,
    isLast: false,
  };
}

/** @param token is the position behind which it begins */
async function readPage(followed: Followed, token: string): Promise<Page> {
  const { resource, parents, query, caller } = followed;
  const { collection, options } = resource;
  const since = readSince(collection, query, token);
  if (!since) return writeGone(followed);
  const own = { ...query, since };
  const plan = options.store.plan({ of: 'list', collection, keys: parents, query: own });
  const found = await options.store.read(plan, () => caller);
  if (found) return isBeyond(since, found.change) ? writeGone(followed) : writePage(followed, own, found);
  const events = encoder.encode(writeEvent('gone', token, '{}'));
  return { position: token, isMore: false, isLast: true, events };
}

/** @throws Problem `rate-limited` if a client has as many streams as it may */
function findFollower(c: Exchange, { options }: Resource): Follower {
  const { streams, clientIdOf, clientStreams, mayRead } = options;
  const { incoming, outgoing } = c.env ?? {};
  const client = clientIdOf?.(c.env?.mountedBy ?? c);
  if (client !== undefined && clientStreams !== undefined && streams.countOf(client) >= clientStreams) {
    throw new Problem('rate-limited', sentence('client-streams', { most: clientStreams }), {
      headers: { 'Retry-After': LATER },
    });
  }
  return {
    client,
    mayRead: () => incoming === undefined || (mayRead?.(incoming) ?? true),
    breakOff: () => void outgoing?.destroy(),
  };
}

/** Responds to whoever follows a list. @param json writes its items */
export async function followList(
  c: Exchange,
  resource: Resource,
  json: Representation,
  sent: Query,
): Promise<Response> {
  const { collection, language, options } = resource;
  const query = following(language, sent, NOW, EVENT_STREAM);
  const parents = resource.parentKeys(c);
  const { list } = selected(json, language, collection, query);
  const caller = { client: createCaller(c, options.addressOf).client, signal: UNENDING };
  const followed: Followed = { resource, parents, query, list, caller };
  const follower = findFollower(c, resource);
  const parts = [query.fields, query.include].map((each) => each?.map(({ name }) => name));
  const feed = {
    name: JSON.stringify([language.tag, collection.id, parents, filtersOf(collection, query), ...parts, query.size]),
    read: (position: string) => readPage(followed, position),
  };
  const position = c.req.raw.headers.get(LAST_EVENT_HEADER) || (query.since?.token ?? NOW);
  const first = await readPage(followed, position);
  if (first.isLast) throw resource.missing(collection.parent ?? collection, parents);
  const content = c.req.method === 'HEAD' ? null : options.streams.open(feed, follower, first);
  return respond(c, 200, content, { ...json.headers, ...HEADERS, [CHANGE_HEADER]: first.position });
}
