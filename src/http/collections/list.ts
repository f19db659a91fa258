import type { Cell } from '../../model/field.ts';
import { andThen, type MaybePromise } from '../../model/maybe-promise.ts';
import { type Query, rowsOf, windowOf } from '../../model/query.ts';
import type { Keys, Listing, ListSummary, Page, PageReader } from '../../store/port.ts';
import { Unavailable } from '../../store/unavailable.ts';
import { sentence } from '../../texts/phrase.ts';
import { Problem } from '../../texts/problem.ts';
import type { Exchange } from '../context.ts';
import type { Methods } from '../dispatch/methods.ts';
import { requestIdOf } from '../headers.ts';
import { callerOf, remoteAddress } from '../read/caller.ts';
import { fileFormatOf } from '../read/content-type.ts';
import { get } from '../read/get.ts';
import { idempotencyReader, payloadOf } from '../read/idempotency.ts';
import { itemTag, listPrecondition, listTag } from '../read/preconditions.ts';
import { queryReader } from '../read/query/list-query.ts';
import { invalid, throwAny } from '../read/query/query-string.ts';
import type { Tree } from '../tree.ts';
import { canNest } from '../write/formats.ts';
import { groupRepresentations } from '../write/groups.ts';
import { streamList } from '../write/list.ts';
import { joinRendered, type ListRepresentation, selected, writeWhole } from '../write/representation.ts';
import { respond, respondCacheable } from '../write/respond.ts';
import { inTurn } from '../write/turns.ts';
import { importsOf } from './import.ts';
import { contentHeaders, type Resource, type ResourceOptions } from './resource.ts';

/** Rows of a page that is read as soon as it is asked for; reading more takes long enough to wait in line. */
const SHORT = 100;

/** The verbs of a collection: read → store → write. */
export const listRoutes = (tree: Tree, resource: Resource, options: ResourceOptions): Methods => {
  const { store, trees, assignKey, rowRoom, onFault, addressOf = remoteAddress, idempotencyTtl, clientOf } = options;
  const { collection, links, parentKeys } = resource;
  const { representations, dependsOn } = resource.ofList;
  const paths = tree.paths(collection);
  const imports = importsOf(tree, resource, options);
  const readIdempotency = idempotencyReader(idempotencyTtl, clientOf);
  const others = trees.filter((each) => each !== tree).map(({ language }) => language);

  const room = rowRoom / trees.length / representations.filter(({ isKept }) => isKept).length;
  const readerFor = ({ list, isKept }: ListRepresentation): PageReader | undefined =>
    isKept && room > 0 ? store.pages?.(collection, (row) => Buffer.from(list.row(row, 0)), room) : undefined;
  const pageReaders = new Map(representations.map((each) => [each, readerFor(each)]));

  /** One list as one client asks for it. */
  interface Wanted {
    readonly parents: Keys;
    readonly query: Query;
    readonly representation: ListRepresentation;
  }
  const headersOf = ({ parents, query, representation }: Wanted, { total, change }: ListSummary) => ({
    ...contentHeaders(representation, links.ofList(parents, query, total)),
    'X-Total-Count': String(total),
    ETag: listTag(change, representation.tagMark),
  });
  const tooLong = ({ query, representation: { most } }: Wanted, { total }: ListSummary): Problem | undefined => {
    const rows = rowsOf(query, total);
    if (most === undefined || rows <= most) return undefined;
    return new Problem('not-acceptable', sentence('list-too-long', { rows, most }));
  };
  const required = <T>(found: T | undefined, parents: Keys): T => {
    if (found === undefined) throw resource.missing(collection.parent ?? collection, parents);
    return found;
  };
  const writePage = (c: Exchange, wanted: Wanted, page: Page): Response => {
    const content = joinRendered(wanted.representation.list, page.rows);
    return respondCacheable(c, content, headersOf(wanted, page), dependsOn);
  };
  const writeListing = (c: Exchange, wanted: Wanted, listing: Listing): MaybePromise<Response> => {
    const { list, isKept, pack } = wanted.representation;
    const { chunks, long } = listing;
    const problem = tooLong(wanted, listing);
    if (problem) {
      void chunks.return?.();
      throw problem;
    }
    const headers = headersOf(wanted, listing);
    if (!long && !pack) {
      return andThen(chunks.next(), ({ value = [] }) => {
        const content = writeWhole(list, value);
        return isKept ? respondCacheable(c, content, headers, dependsOn) : respond(c, 200, content, headers);
      });
    }
    const id = requestIdOf(c.req.raw);
    const onBreak = (error: unknown): void => onFault(error instanceof Unavailable ? error.cause : error, id);
    const text = streamList(chunks, list, onBreak);
    return respond(c, 200, pack ? pack(text) : text, headers, id);
  };

  const named = ({ format }: Query): ListRepresentation | undefined =>
    format && representations.find(({ name }) => name === format);
  const groupsIn = groupRepresentations(tree.language, collection);
  const includeWord = tree.language.parameters.word('include');
  const read = (c: Exchange, whole: ListRepresentation, query: Query): MaybePromise<Response> => {
    if (query.include && !canNest(whole.name)) {
      throwAny([invalid(includeWord, sentence('include-flat', { word: includeWord, type: whole.type }))]);
    }
    const representation = query.group ? groupsIn(query.group, whole) : selected(whole, collection, query);
    const parents = parentKeys(c);
    const wanted = { parents, query, representation };
    const precondition = listPrecondition(c.req.raw.headers, (mark) => mark === representation.tagMark);
    const caller = callerOf(c, addressOf);
    const isHead = c.req.method === 'HEAD';
    const readNow = () => {
      const page = pageReaders.get(representation)?.(parents, query);
      if (page) return writePage(c, wanted, page);
      return andThen(store.list(collection, parents, query, caller), (listing) =>
        writeListing(c, wanted, required(listing, parents)),
      );
    };
    const readList = () => (windowOf(query).limit > SHORT ? inTurn(readNow) : readNow());
    if (!isHead && !precondition) return readList();
    // The rows are read only where they will be sent.
    return andThen(store.summarize(collection, parents, query, caller), (found) => {
      const summary = required(found, parents);
      const problem = tooLong(wanted, summary);
      if (problem) throw problem;
      const { change } = summary;
      const tag = listTag(change, representation.tagMark);
      const notModified = resource.evaluatePreconditions(c, precondition, change, tag);
      if (notModified) return notModified;
      return isHead ? respond(c, 200, null, headersOf(wanted, summary)) : readList();
    });
  };

  const create = resource.withBody(
    'create',
    async (c, { cells, problem }, representation) => {
      const parents = parentKeys(c);
      const idempotency = readIdempotency(c);
      if (problem) {
        if (collection.parent) await resource.requireItem(collection.parent, parents);
        throw problem;
      }
      const [sentKey, ...rest] = cells.map((cell): Cell => cell ?? null);
      const key = String(sentKey ?? assignKey());
      const outcome = await store.write({
        kind: 'create',
        collection: collection.name,
        parents,
        cells: [key, ...rest],
        idempotency: idempotency?.(payloadOf(collection, parents, cells)),
      });
      const row = resource.rowOf(outcome, [...parents, key]);
      // Of the first request with this idempotency key.
      const keys = [...parents, String(row[1])];
      const Location = paths.item(keys);
      return respond(c, 201, representation.item(row), {
        ...contentHeaders(representation, links.ofItem(keys)),
        Location,
        'Content-Location': Location,
        ETag: itemTag(row[0], representation.tagMark),
      });
    },
    imports.ofArray,
  );

  return {
    GET: get(representations, queryReader(tree.language, others, collection), read, named),

    OPTIONS: (c) => resource.requireKeys(parentKeys(c)),

    POST: (c) => {
      const format = fileFormatOf(c.req.raw.headers.get('content-type'));
      return format ? imports.ofFile(c, format) : create(c);
    },
  };
};
