import { andThen, type MaybePromise } from '../../model/maybe-promise.ts';
import { countOfRows, type Query, windowOf } from '../../model/query.ts';
import type { Keys, Listing, ListSummary, Page, PageReader } from '../../store/port.ts';
import { Unavailable } from '../../store/unavailable.ts';
import { sentence } from '../../texts/phrase.ts';
import { Problem } from '../../texts/problem.ts';
import type { Exchange } from '../context.ts';
import { idsOf } from '../headers.ts';
import { callerOf, remoteAddress } from '../read/caller.ts';
import { listPrecondition, listTag } from '../read/preconditions.ts';
import { invalid, throwAny } from '../read/query/query-string.ts';
import type { Tree } from '../tree.ts';
import { canNest } from '../write/formats/formats.ts';
import { groupRepresentations } from '../write/formats/groups.ts';
import { streamList } from '../write/list.ts';
import { type ListRepresentation, selected, writeWhole } from '../write/representation.ts';
import { respond, respondCacheable } from '../write/respond.ts';
import { inTurn } from '../write/turns.ts';
import { contentHeaders, type Resource, type ResourceOptions } from './resource.ts';

/** The most rows of a list that is read at once; a longer list waits in the turn queue. */
const SHORT = 100;

/** A list that a client requests. */
interface Wanted {
  readonly parents: Keys;
  readonly query: Query;
  readonly representation: ListRepresentation;
}

type ReadList = (c: Exchange, whole: ListRepresentation, query: Query) => MaybePromise<Response>;

const tooLong = ({ query, representation: { maxRows } }: Wanted, { total }: ListSummary): Problem | undefined => {
  const rows = countOfRows(query, total);
  if (maxRows === undefined || rows <= maxRows) return undefined;
  return new Problem('not-acceptable', sentence('list-too-long', { rows, most: maxRows }));
};

/** @returns a function that reads the requested list from the store and responds with it */
export const listReader = (
  tree: Tree,
  { collection, links, parentKeys, ...resource }: Resource,
  { store, trees, rowCacheCapacity, onFault, addressOf = remoteAddress }: ResourceOptions,
): ReadList => {
  const { representations, dependsOn } = resource.ofList;
  const capacity = rowCacheCapacity / trees.length / representations.filter(({ isCached }) => isCached).length;
  const readerFor = ({ list, isCached }: ListRepresentation): PageReader | undefined =>
    isCached && capacity > 0 ? store.pages?.(collection, list, capacity) : undefined;
  const pageReaders = new Map(representations.map((each) => [each, readerFor(each)]));

  const headersOf = ({ parents, query, representation }: Wanted, { total, change }: ListSummary) => ({
    ...contentHeaders(representation, links.ofList(parents, query, total)),
    'X-Total-Count': String(total),
    ETag: listTag(change, representation.tagMark),
  });
  const required = <T>(found: T | undefined, parents: Keys): T => {
    if (found === undefined) throw resource.missing(collection.parent ?? collection, parents);
    return found;
  };
  const writePage = (c: Exchange, wanted: Wanted, page: Page): Response =>
    respondCacheable(c, page.content, headersOf(wanted, page), dependsOn);
  const writeListing = (c: Exchange, wanted: Wanted, listing: Listing): MaybePromise<Response> => {
    const { list, isCached, pack } = wanted.representation;
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
        return isCached ? respondCacheable(c, content, headers, dependsOn) : respond(c, 200, content, headers);
      });
    }
    const ids = idsOf(c.req.raw);
    const onBreak = (error: unknown): void => onFault(error instanceof Unavailable ? error.cause : error, ids);
    const text = streamList(chunks, list, onBreak);
    return respond(c, 200, pack ? pack(text) : text, headers, ids.id);
  };

  const groupsIn = groupRepresentations(tree.language, collection);
  const includeWord = tree.language.parameters.word('include');
  return (c, whole, query) => {
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
      const readListing = () =>
        andThen(store.list(collection, parents, query, caller), (listing) =>
          writeListing(c, wanted, required(listing, parents)),
        );
      return andThen(pageReaders.get(representation)?.(parents, query, caller), (found) => {
        if (!found) return readListing();
        return 'content' in found ? writePage(c, wanted, found) : writeListing(c, wanted, found);
      });
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
};
