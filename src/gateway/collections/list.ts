import { findMisnamed } from '../files/detect-format.ts';
import type { Representation } from '../formats/representation.ts';
import type { Exchange, Methods } from '../http/context.ts';
import {
  createCaller,
  encodeChange,
  isConditional,
  itemTag,
  listTag,
  readKeys,
  readRequestIds,
  respond,
  tagHeader,
} from '../http/exchange.ts';
import { newCells } from '../model/catalogue.ts';
import {
  countSelectedRows,
  isPartial,
  type Query,
  type Subresource,
  selectWindow,
  subresources,
  usesCursor,
} from '../model/query.ts';
import type { Keys, ListSummary, ReadResult } from '../port/port.ts';
import { Unavailable } from '../port/unavailable.ts';
import { negotiate } from '../read/accept.ts';
import { findFileFormat, isArrayText, isForm, parseBody } from '../read/body/body.ts';
import { describePayload, readIdempotency } from '../read/conditions.ts';
import { readWait } from '../read/prefer.ts';
import { isFutureCursor, requireParameter, writeEndCursor } from '../read/query/query.ts';
import { sentence } from '../texts/phrase.ts';
import { headerProblem, Problem } from '../texts/problem.ts';
import { startPath, writeItemLinks, writeListLinks } from '../write/links.ts';
import { scheduler, selectParts, streamList, writeWhole } from '../write/list.ts';
import { followList } from './events.ts';
import { hintAtOthers } from './hints.ts';
import {
  hintAtUnusual,
  missingProblem,
  parseMembers,
  type Resource,
  receiveJson,
  requireItem,
  requireKeys,
  requireWritten,
  respondNotModified,
  spellKeys,
  write,
} from './resource.ts';
import { readUntil } from './streams.ts';

/** The most rows of a list that is read at once; a longer list is scheduled. */
const SHORT = 100;

interface ListRequest {
  readonly c: Exchange;
  readonly resource: Resource;
  readonly parents: Keys;
  readonly query: Query;
  readonly representation: Representation;
}

/** @returns the problem of a list that does not exist, or is too long for its format */
function findRefusal(request: ListRequest, result: ListSummary | undefined): Problem | undefined {
  const { resource, parents, query, representation } = request;
  const { collection, language, links } = resource;
  if (!result) return missingProblem(resource, collection.parent ?? collection, parents);
  if (query.changesAfter && isFutureCursor(query.changesAfter, result.change)) {
    const word = language.parameters.word('changed_since');
    return new Problem('gone', sentence('position-gone', { word }), {
      headers: { Link: `<${startPath(links, parents)}>; rel="start"`, 'Cache-Control': 'no-store' },
    });
  }
  const { maxRows: most = Infinity } = representation.format;
  const rows = countSelectedRows(query, result.total);
  return rows > most ? new Problem('not-acceptable', sentence('list-too-long', { rows, most })) : undefined;
}

/** @returns the tag of a list; `undefined` if its response must not be stored */
function makeTag({ query, representation }: ListRequest, { change }: ListSummary): string | undefined {
  return query.isPure && representation.format.isPure !== false ? listTag(change, representation.tagMark) : undefined;
}

async function writeHeaders(request: ListRequest, result: ListSummary & Pick<ReadResult, 'nextCursor'>) {
  const { resource, parents, query, representation } = request;
  const { collection, links, itemTemplate: template } = resource;
  return {
    ...representation.headers,
    ...writeListLinks(links, parents, query, result),
    ...(template && !query.group ? { 'Link-Template': `"${template}"; rel="item"` } : {}),
    ...tagHeader(makeTag(request, result)),
    'X-Change': writeEndCursor(collection, query, { change: result.change, nextCursor: result.nextCursor }),
    // How much is still to come changes with every write.
    ...(query.changesAfter ? {} : { 'X-Total-Count': String(result.total) }),
    ...(query.changesAfter || result.total > 0 ? {} : await hintAtOthers(request)),
  };
}

async function writeList(request: ListRequest, result: ReadResult | undefined): Promise<Response> {
  const { c, resource, representation } = request;
  const { list, pack } = representation;
  try {
    const refusal = findRefusal(request, result);
    if (!result || refusal) throw refusal;
    const headers = await writeHeaders(request, result);
    if (c.req.method === 'HEAD') {
      void result.rest?.return?.();
      return respond(c, 200, null, headers);
    }
    if (!result.rest && !pack) return respond(c, 200, writeWhole(list, result.rows), headers);
    const ids = readRequestIds(c.req.raw);
    const text = streamList(result, list, (error) =>
      resource.options.onFault(error instanceof Unavailable ? error.cause : error, ids),
    );
    return respond(c, 200, pack ? pack(text) : text, headers, ids.id);
  } catch (error) {
    // Nobody reads the rest.
    void result?.rest?.return?.();
    throw error;
  }
}

async function readList(request: ListRequest): Promise<Response> {
  const { c, resource, parents, query } = request;
  const { collection, options } = resource;
  const { store, streams } = options;
  const { headers, signal } = c.req.raw;
  const isHead = c.req.method === 'HEAD';
  const plan = store.plan({ of: 'list', collection, keys: parents, query });
  const caller = () => createCaller(c, options.readClient);
  const read = () => store.read(plan, caller);

  const wait = query.changesAfter && !isHead ? readWait(headers) : 0;
  if (wait > 0) {
    const isEnough = (current: ReadResult | undefined): boolean =>
      !current || current.rows.length > 0 || findRefusal(request, current) !== undefined;
    const result = await streams.limiter.run(() => readUntil(streams.watcher, wait, signal, read, isEnough), {
      client: caller().client,
    });
    const response = await writeList(request, result);
    response.headers.append('Preference-Applied', `wait=${wait}`);
    return response;
  }
  // The rows are read only if they will be sent.
  if (isHead || isConditional(headers)) {
    const summary = await store.summarize(plan, caller);
    const refusal = findRefusal(request, summary);
    if (!summary || refusal) throw refusal;
    const unchanged = respondNotModified(c, makeTag(request, summary), request.representation);
    if (unchanged) return unchanged;
    // The end of a page by position is known only when its rows are read.
    if (isHead && !usesCursor(query)) return respond(c, 200, null, await writeHeaders(request, summary));
  }
  const work = async () => writeList(request, await read());
  return selectWindow(query).limit > SHORT ? scheduler.run(work) : work();
}

/** @param view is the endpoint beside the list, which requires a parameter; without it the list itself is read */
async function getList(c: Exchange, resource: Resource, view?: Subresource): Promise<Response> {
  const { collection, language, listFormats, eventFormat, readListQuery } = resource;
  const parameter = view && subresources[view];
  const { choice, query } = negotiate(
    c,
    view === undefined || view === 'changes' ? [...listFormats, eventFormat] : listFormats,
    parameter ? (search) => requireParameter(readListQuery(search), language, parameter) : readListQuery,
    ({ format }) => listFormats.find((choice) => choice.format.name === format),
  );
  if (choice.type === 'text/event-stream') return followList(c, resource, query);
  const representation = isPartial(query) ? selectParts(choice, language, collection, query) : choice;
  return readList({ c, resource, parents: readKeys(c, resource.parentNames), query, representation });
}

function getEvents(c: Exchange, resource: Resource): Promise<Response> {
  const { query } = negotiate(c, [resource.eventFormat], resource.readListQuery);
  return followList(c, resource, query);
}

async function createItem(c: Exchange, resource: Resource): Promise<Response> {
  const { collection, links, tree, options } = resource;
  const { representation, content } = await receiveJson(c, resource, async (body) => {
    if (isArrayText(body)) return body;
    try {
      return await parseMembers(c, resource, 'create', body);
    } catch (error) {
      throw findMisnamed(body, 'json') ?? error;
    }
  });
  if (content instanceof Uint8Array) return (await import('./import.ts')).importArray(c, resource, content);
  const { cells, problem } = content;
  // A single item is always stored.
  if (/\bcheck\b/i.test(c.req.raw.headers.get('Prefer') ?? '')) {
    throw headerProblem('Prefer', 'invalid-header', sentence('check-single', { header: 'Prefer' }));
  }
  const parents = readKeys(c, resource.parentNames);
  const idempotency = readIdempotency(c, options);
  if (problem) {
    if (collection.parent) await requireItem(resource, collection.parent, parents);
    throw problem;
  }
  const [sentKey, ...rest] = newCells(collection, cells);
  const key = String(sentKey ?? options.assignKey());
  const { outcome, requestId } = await write(c, resource, {
    kind: 'create',
    collection: collection.name,
    parents,
    cells: [key, ...rest],
    idempotency: idempotency?.(describePayload(collection, parents, cells)),
  });
  const row = requireWritten(resource, outcome, [...parents, key]);
  // The item may be that of an earlier request with this idempotency key, and have another key.
  const keys = await spellKeys(resource, [...parents, String(row[1])], row);
  const Location = tree.paths(collection).item(keys);
  const headers = {
    ...representation.headers,
    ...writeItemLinks(links, keys),
    Location,
    'Content-Location': Location,
    ETag: itemTag(row[0], representation.tagMark),
    'X-Change': encodeChange(row[0]),
    ...hintAtUnusual(resource, cells),
    ...(outcome.kind === 'written' && outcome.isUnchanged ? { 'Idempotency-Replayed': 'true' } : {}),
  };
  return respond(c, 201, representation.list.row(row, 0), headers, requestId);
}

/** Imports a body that is a file, and hands any other one on. */
async function postTo(c: Exchange, resource: Resource, handleJson: typeof createItem): Promise<Response> {
  const contentType = c.req.raw.headers.get('content-type');
  const format = findFileFormat(contentType);
  if (!format && !isForm(contentType)) return handleJson(c, resource);
  // Loaded with the first import, because the readers of all formats are loaded with it.
  return (await import('./import.ts')).importFile(c, resource, format);
}

async function importJson(c: Exchange, resource: Resource): Promise<Response> {
  const { of } = resource.language.nouns(resource.collection);
  const { content } = await receiveJson(c, resource, (body) => {
    if (isArrayText(body)) return body;
    parseBody(body);
    throw new Problem('malformed-file', sentence('body-not-array', { of }));
  });
  return (await import('./import.ts')).importArray(c, resource, content);
}

function checkParents(c: Exchange, resource: Resource): void {
  requireKeys(resource, readKeys(c, resource.parentNames));
}

export const listMethods: Methods<Resource> = {
  GET: getList,
  POST: (c, resource) => postTo(c, resource, createItem),
  OPTIONS: checkParents,
};

/** The methods of a list across parents, which takes no POST: an item is created under its parent. */
export const acrossParentsMethods: Methods<Resource> = {
  GET: getList,
  OPTIONS: checkParents,
};

export const subresourceMethods: Readonly<Record<Subresource, Methods<Resource>>> = {
  imports: { POST: (c, resource) => postTo(c, resource, importJson), OPTIONS: checkParents },
  exports: { GET: (c, resource) => getList(c, resource, 'exports'), OPTIONS: checkParents },
  groups: { GET: (c, resource) => getList(c, resource, 'groups'), OPTIONS: checkParents },
  selections: { GET: (c, resource) => getList(c, resource, 'selections'), OPTIONS: checkParents },
  changes: { GET: (c, resource) => getList(c, resource, 'changes'), OPTIONS: checkParents },
  events: { GET: getEvents, OPTIONS: checkParents },
};
