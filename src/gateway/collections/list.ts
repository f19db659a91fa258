/** What is read of a collection's list, and what is sent to it. */
import type { Methods } from '../dispatch/methods.ts';
import type { Representation } from '../formats/representation.ts';
import type { Exchange, HeaderRecord } from '../http/context.ts';
import { createCaller, isConditional } from '../http/request.ts';
import {
  APPLIED_HEADER,
  CHANGE_HEADER,
  EVENT_STREAM,
  linkHeader,
  listTag,
  NO_STORE,
  readRequestIds,
  respond,
  tagHeader,
} from '../http/respond.ts';
import { countOfRows, isPartial, isWalked, type Query, windowOf } from '../model/query.ts';
import { type View, views } from '../model/views.ts';
import type { Found, Keys, ListSummary } from '../port/port.ts';
import { Unavailable } from '../port/unavailable.ts';
import { get } from '../read/accept.ts';
import { findFileFormat, isForm } from '../read/content-type.ts';
import { malformed } from '../read/files/text.ts';
import { waitIn } from '../read/prefer.ts';
import { changeAfter, isBeyond } from '../read/query/paging.ts';
import type { ParameterName } from '../read/query/parameter.ts';
import { queryReader, requiring } from '../read/query/query.ts';
import { sentence } from '../texts/phrase.ts';
import { Problem } from '../texts/problem.ts';
import { scheduled, streamList, writeWhole } from '../write/list.ts';
import { selected } from '../write/selected.ts';
import { commaHint } from './comma-hint.ts';
import { followList } from './events.ts';
import { createItem } from './item.ts';
import { notModified, type Resource, readSent } from './resource.ts';
import { readUntil } from './streams.ts';

/** The most rows of a list that is read at once; a longer list is scheduled. */
const SHORT = 100;

/** A request for a list. */
interface ListRequest {
  readonly c: Exchange;
  readonly resource: Resource;
  readonly parents: Keys;
  readonly query: Query;
  /** Writes what the query asks for. */
  readonly representation: Representation;
}

/** What was read of a list, perhaps without its rows. */
type ReadSummary = ListSummary & Pick<Found, 'next'>;

/** @returns the problem of a list that does not exist, or is too long for its format */
function findRefusal(request: ListRequest, found: ListSummary | undefined): Problem | undefined {
  const { resource, parents, query, representation } = request;
  const { collection, language, links } = resource;
  if (!found) return resource.missing(collection.parent ?? collection, parents);
  if (query.since && isBeyond(query.since, found.change)) {
    const word = language.parameters.word('changed_since');
    return new Problem('gone', sentence('position-gone', { word }), {
      headers: { Link: links.ofStart(parents), ...NO_STORE },
    });
  }
  const { maxRows: most = Number.POSITIVE_INFINITY } = representation.format;
  const rows = countOfRows(query, found.total);
  return rows > most ? new Problem('not-acceptable', sentence('list-too-long', { rows, most })) : undefined;
}

/** @returns the tag of a list; `undefined` if its response must not be kept */
function makeTag({ query, representation }: ListRequest, { change }: ListSummary): string | undefined {
  return query.isPure && representation.format.isPure ? listTag(change, representation.tagMark) : undefined;
}

/** Makes the headers of a list. If it is empty, they say what finds something. */
async function makeHeaders(request: ListRequest, found: ReadSummary): Promise<HeaderRecord> {
  const { resource, parents, query, representation } = request;
  const { collection, language, links, itemTemplate: template, options } = resource;
  const headers = {
    ...representation.headers,
    ...linkHeader(links.ofList(parents, query, found)),
    ...(template && !query.group ? { 'Link-Template': `"${template}"; rel="item"` } : {}),
    ...tagHeader(makeTag(request, found)),
    [CHANGE_HEADER]: changeAfter(collection, query, found),
    // How much is still to come changes with every write.
    ...(query.since ? {} : { 'X-Total-Count': String(found.total) }),
  };
  if (query.since || found.total > 0) return headers;
  const { store } = options;
  const count = async (other: Query): Promise<number> =>
    (await store.summarize(store.plan({ of: 'list', collection, keys: parents, query: other })))?.total ?? 0;
  return { ...headers, ...(await commaHint(language, collection, query, count)) };
}

/** @throws Problem if there is no such list, or it cannot be written */
async function respondTo(request: ListRequest, found: Found | undefined): Promise<Response> {
  const { c, resource, representation } = request;
  const { list, pack } = representation;
  try {
    const refusal = findRefusal(request, found);
    if (!found || refusal) throw refusal;
    const headers = await makeHeaders(request, found);
    if (c.req.method === 'HEAD') {
      void found.rest?.return?.();
      return respond(c, 200, null, headers);
    }
    if (!found.rest && !pack) return respond(c, 200, writeWhole(list, found.rows), headers);
    const ids = readRequestIds(c.req.raw);
    const text = streamList(found, list, (error) =>
      resource.options.onFault(error instanceof Unavailable ? error.cause : error, ids),
    );
    return respond(c, 200, pack ? pack(text) : text, headers, ids.id);
  } catch (error) {
    // Nobody reads the rest.
    void found?.rest?.return?.();
    throw error;
  }
}

/** Reads a list from the store and responds with it. */
async function respondWithList(
  c: Exchange,
  resource: Resource,
  whole: Representation,
  query: Query,
): Promise<Response> {
  const { collection, language, options } = resource;
  const { store, streams, addressOf } = options;
  const parents = resource.parentKeys(c);
  const representation = isPartial(query) ? selected(whole, language, collection, query) : whole;
  const request: ListRequest = { c, resource, parents, query, representation };
  // A position must not be ahead of what is read.
  const plan = store.plan({ of: 'list', collection, keys: parents, query });
  const caller = () => createCaller(c, addressOf);
  const read = () => store.read(plan, caller);

  const { headers, signal } = c.req.raw;
  const isHead = c.req.method === 'HEAD';
  const wait = query.since && !isHead ? waitIn(headers) : 0;
  if (wait > 0) {
    const isEnough = (found: Found | undefined) =>
      !found || found.rows.length > 0 || findRefusal(request, found) !== undefined;
    const response = await respondTo(request, await readUntil(streams.waking, wait, signal, read, isEnough));
    response.headers.set(APPLIED_HEADER, `wait=${wait}`);
    return response;
  }
  // The rows are read only if they will be sent.
  if (isHead || isConditional(headers)) {
    const summary = await store.summarize(plan, caller);
    const refusal = findRefusal(request, summary);
    if (!summary || refusal) throw refusal;
    const unchanged = notModified(c, makeTag(request, summary));
    if (unchanged) return unchanged;
    // Only the rows tell where a page ends.
    if (isHead && !isWalked(query)) return respond(c, 200, null, await makeHeaders(request, summary));
  }
  const work = async () => respondTo(request, await read());
  return windowOf(query).limit > SHORT ? scheduled(work) : work();
}

type HandleBody = (c: Exchange, resource: Resource) => Promise<Response>;

/** Imports a file. @param handleJson handles a body that is none */
async function postTo(c: Exchange, resource: Resource, handleJson: HandleBody): Promise<Response> {
  const contentType = c.req.raw.headers.get('content-type');
  const format = findFileFormat(contentType);
  if (!format && !isForm(contentType)) return handleJson(c, resource);
  // Loaded with the first import, because the readers of all formats are loaded with it.
  return (await import('./import.ts')).importFile(c, resource, format);
}

/** @throws Problem if the body is no array */
async function importJson(c: Exchange, resource: Resource): Promise<Response> {
  const { array } = await readSent(c, resource, 'create');
  const { of } = resource.language.nouns(resource.collection);
  if (!array) throw malformed(sentence('body-not-array', { of }));
  return (await import('./import.ts')).importArray(c, resource, array);
}

/** @returns the verbs of a collection's list, and of what there is beside its items */
export function listRoutes(resource: Resource): {
  readonly list: Methods;
  readonly beside: Readonly<Record<View, Methods>>;
} {
  const { collection, language, others, ofList } = resource;
  const readQuery = queryReader(language, others, collection);
  const followed: Representation = { ...ofList[0], type: EVENT_STREAM };
  const named = ({ format }: Query): Representation | undefined => ofList.find((each) => each.format.name === format);
  const answer = (c: Exchange, chosen: Representation, query: Query): Promise<Response> =>
    chosen.type === EVENT_STREAM ? followList(c, resource, chosen, query) : respondWithList(c, resource, chosen, query);
  const OPTIONS: Methods['OPTIONS'] = (c) => resource.requireKeys(resource.parentKeys(c));
  const reading = (parameter?: ParameterName): Methods => ({
    GET: get(
      parameter === undefined || parameter === views.changes ? [...ofList, followed] : ofList,
      parameter === undefined ? readQuery : requiring(readQuery, language, parameter),
      answer,
      named,
    ),
    OPTIONS,
  });

  const writing = (handleJson: HandleBody): Methods => ({ POST: (c) => postTo(c, resource, handleJson), OPTIONS });
  return {
    // An item is created where it lies.
    list: { ...reading(), ...(collection.nested ? {} : writing(createItem)) },
    beside: {
      imports: writing(importJson),
      exports: reading(views.exports),
      groups: reading(views.groups),
      selections: reading(views.selections),
      changes: reading(views.changes),
      events: { GET: get([followed], readQuery, answer), OPTIONS },
    },
  };
}
