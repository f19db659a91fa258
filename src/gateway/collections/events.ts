/** Server-sent events about the changes of a list. */
import { cellIndex, type ListFormat } from '../formats/representation.ts';
import type { Exchange } from '../http/context.ts';
import { createCaller, readKeys, respond } from '../http/exchange.ts';
import { deriveChanges, eventPrefix } from '../model/catalogue.ts';
import { type Cursor, DELETED, type Query } from '../model/query.ts';
import type { Caller, Keys, ReadResult } from '../port/port.ts';
import {
  digestFilters,
  isFutureCursor,
  NOW,
  readSince,
  withChangesAfter,
  writeEndCursor,
} from '../read/query/query.ts';
import { startPath } from '../write/links.ts';
import { selectParts } from '../write/list.ts';
import { missingProblem, type Resource } from './resource.ts';
import type { Follower, Page } from './streams.ts';

/** No proxy may hold a stream back, nor compress it. */
const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
};

/** Reads are shared, so that no client's leaving ends one. */
const { signal: UNENDING } = new AbortController();

/** A list that a client follows. It holds nothing else of the request, which may last for days. */
interface FollowedList {
  readonly resource: Resource;
  readonly parents: Keys;
  readonly query: Query;
  readonly list: ListFormat;
  readonly caller: Caller;
}

const encoder = new TextEncoder();

function writeEvent(kind: string, position: string, data: string): string {
  return `event: ${kind}\nid: ${position}\ndata: ${data}\n\n`;
}

/** Says that the list must be read again, and continues from the current change. */
async function writeGone(followed: FollowedList): Promise<Page> {
  const { language, links } = followed.resource;
  const { position, isLast } = await readPage(followed, NOW);
  const data = JSON.stringify({ [language.parameters.word('changed_since')]: startPath(links, followed.parents) });
  return { position, isMore: false, isLast, events: encoder.encode(writeEvent('gone', position, data)) };
}

function writePage({ resource, list }: FollowedList, query: Query, { rows, nextCursor, change }: ReadResult): Page {
  const { collection } = resource;
  const { changesAfter } = query;
  const deletedAt = cellIndex(deriveChanges(collection), { ...collection.key, name: DELETED });
  const positionAt = (end: Cursor | undefined): string =>
    writeEndCursor(collection, query, { change, nextCursor: end });
  // A client that reads from the beginning knows no items yet.
  const lastKnown = changesAfter?.snapshotStart === undefined ? (changesAfter?.change ?? 0) : 0;
  const events = rows.map((row) => {
    const created = row.at(-1) ?? null;
    const kind = row[deletedAt] === 1 ? 'deleted' : Number(created ?? 0) > lastKnown ? 'created' : 'changed';
    return writeEvent(eventPrefix(collection) + kind, positionAt([row[0], created]), list.row(row, 0));
  });
  const isMore = nextCursor !== undefined;
  return { events: encoder.encode(events.join('')), position: positionAt(nextCursor), isMore, isLast: false };
}

async function readPage(followed: FollowedList, token: string): Promise<Page> {
  const { resource, parents, caller } = followed;
  const { collection, options } = resource;
  const changesAfter = readSince(collection, followed.query, token);
  if (!changesAfter) return writeGone(followed);
  const query = { ...followed.query, changesAfter };
  const plan = options.store.plan({ of: 'list', collection, keys: parents, query });
  const result = await options.store.read(plan, () => caller);
  if (result)
    return isFutureCursor(changesAfter, result.change) ? writeGone(followed) : writePage(followed, query, result);
  const events = encoder.encode(writeEvent('gone', token, '{}'));
  return { position: token, isMore: false, isLast: true, events };
}

/** Responds to a client that follows a list. @throws Problem or Unavailable if it, or all clients, follow as many as they may */
export async function followList(c: Exchange, resource: Resource, sentQuery: Query): Promise<Response> {
  const { collection, language, options, eventFormat } = resource;
  const query = withChangesAfter(language, collection, sentQuery, NOW, 'text/event-stream');
  const parents = readKeys(c, resource.parentNames);
  const { list } = selectParts(eventFormat, language, collection, query);
  const { client } = createCaller(c, options.readClient);
  const followed: FollowedList = { resource, parents, query, list, caller: { client, signal: UNENDING } };
  const parts = [query.fields, query.include].map((selection) => selection?.map(({ name }) => name));
  const rows = [collection.routeId, parents, digestFilters(collection, query), query.size];
  const name = JSON.stringify([language.tag, [...language.units], ...rows, ...parts]);
  const feed = { name, read: (position: string) => readPage(followed, position) };
  const position = c.req.raw.headers.get('Last-Event-ID') || (query.changesAfter?.token ?? NOW);
  const release = await options.streams.limiter.acquire({ client });
  let content: ReadableStream<Uint8Array<ArrayBuffer>> | undefined;
  try {
    const first = await readPage(followed, position);
    if (first.isLast) throw missingProblem(resource, collection.parent ?? collection, parents);
    if (c.req.method !== 'HEAD') content = options.streams.open(feed, createFollower(c, resource, release), first);
    const headers = { ...eventFormat.headers, ...HEADERS, 'X-Change': first.position };
    return respond(c, 200, content ?? null, headers);
  } finally {
    if (!content) release();
  }
}

function createFollower({ env }: Exchange, { options: { mayRead } }: Resource, release: () => void): Follower {
  const { incoming, outgoing } = env ?? {};
  return {
    mayRead: () => incoming === undefined || (mayRead?.(incoming) ?? true),
    breakOff: () => void outgoing?.destroy(),
    release,
  };
}
