import { andThen, type MaybePromise } from '../../util/maybe-promise.ts';
import { type Representation, writeWhole } from '../formats/representation.ts';
import type { Exchange } from '../http/context.ts';
import { type HeaderRecord, idsOf } from '../http/headers.ts';
import type { Tree } from '../http/tree.ts';
import { countOfRows, isWalked, type Query, windowOf } from '../model/query.ts';
import type { Found, Keys, ListSummary } from '../port/port.ts';
import { Unavailable } from '../port/unavailable.ts';
import { callerOf, remoteAddress } from '../read/caller.ts';
import { listPrecondition, listTag } from '../read/preconditions.ts';
import { sentence } from '../texts/phrase.ts';
import { Problem } from '../texts/problem.ts';
import { streamList } from '../write/list.ts';
import { respond } from '../write/respond.ts';
import { scheduled } from '../write/scheduler.ts';
import { selected } from '../write/selected.ts';
import { commaHint } from './comma-hint.ts';
import { contentHeaders, type Resource, type ResourceOptions, validatorHeaders } from './resource.ts';

/** The most rows of a list that is read at once; a longer list is scheduled. */
const SHORT = 100;

/** A list that a client requests. */
interface Wanted {
  readonly parents: Keys;
  readonly query: Query;
  readonly representation: Representation;
}

type ReadList = (c: Exchange, whole: Representation, query: Query) => MaybePromise<Response>;

const tooLong = ({ query, representation: { format } }: Wanted, { total }: ListSummary): Problem | undefined => {
  const rows = countOfRows(query, total);
  const most = format.maxRows ?? Number.POSITIVE_INFINITY;
  return rows > most ? new Problem('not-acceptable', sentence('list-too-long', { rows, most })) : undefined;
};

/** @returns a function that reads the requested list from the store and responds with it */
export const listReader = (
  { language }: Tree,
  { collection, links, parentKeys, ...resource }: Resource,
  { store, onFault, addressOf = remoteAddress }: ResourceOptions,
): ReadList => {
  const tagOf = ({ query, representation: { format, tagMark } }: Wanted, { change }: ListSummary) =>
    query.isPure && format.isPure ? listTag(change, tagMark) : undefined;
  const headersOf = (wanted: Wanted, found: ListSummary & Pick<Found, 'next'>) => ({
    ...contentHeaders(wanted.representation, links.ofList(wanted.parents, wanted.query, found.total, found.next)),
    'X-Total-Count': String(found.total),
    ...validatorHeaders(tagOf(wanted, found)),
  });
  const required = <T>(found: T | undefined, parents: Keys): T => {
    if (found === undefined) throw resource.missing(collection.parent ?? collection, parents);
    return found;
  };
  /** Headers of a list that is read whole; where it is empty, with what finds something. */
  const hinted = (wanted: Wanted, found: ListSummary): MaybePromise<HeaderRecord> => {
    const { parents, query } = wanted;
    const headers = headersOf(wanted, found);
    if (found.total > 0) return headers;
    const count = (other: Query) =>
      andThen(
        store.summarize(store.plan({ of: 'list', collection, keys: parents, query: other })),
        (summary) => summary?.total ?? 0,
      );
    return andThen(commaHint(language, collection, query, count), (hint) => ({ ...headers, ...hint }));
  };
  const write = (c: Exchange, wanted: Wanted, found: Found): MaybePromise<Response> => {
    const { list, pack } = wanted.representation;
    const { rows, written, rest } = found;
    const problem = tooLong(wanted, found);
    if (problem) {
      void rest?.return?.();
      throw problem;
    }
    if (!rest && !pack) {
      return andThen(hinted(wanted, found), (headers) => respond(c, 200, written ?? writeWhole(list, rows), headers));
    }
    const headers = headersOf(wanted, found);
    const ids = idsOf(c.req.raw);
    const onBreak = (error: unknown): void => onFault(error instanceof Unavailable ? error.cause : error, ids);
    const text = streamList(found, list, onBreak);
    return respond(c, 200, pack ? pack(text) : text, headers, ids.id);
  };

  return (c, whole, query) => {
    const representation = selected(whole, language, collection, query);
    const parents = parentKeys(c);
    const wanted = { parents, query, representation };
    const precondition = listPrecondition(c.req.raw.headers, (mark) => mark === representation.tagMark);
    const caller = callerOf(c, addressOf);
    const isHead = c.req.method === 'HEAD';
    const isKept = representation === whole && !whole.format.isFile && whole.format.isPure && query.isPure;
    const format = isKept ? whole.list : undefined;
    const plan = store.plan({ of: 'list', collection, keys: parents, query, format });
    const readNow = () =>
      andThen(store.read(plan, caller), (found) => {
        if (!isHead) return write(c, wanted, required(found, parents));
        void found?.rest?.return?.();
        return andThen(hinted(wanted, required(found, parents)), (headers) => respond(c, 200, null, headers));
      });
    const readList = () => (windowOf(query).limit > SHORT ? scheduled(readNow) : readNow());
    if (!isHead && !precondition) return readList();
    // The rows are read only where they will be sent.
    return andThen(store.summarize(plan, caller), (found) => {
      const summary = required(found, parents);
      const problem = tooLong(wanted, summary);
      if (problem) throw problem;
      const tag = tagOf(wanted, summary);
      const notModified = resource.evaluatePreconditions(c, precondition, summary.change, tag);
      if (notModified) return notModified;
      // Only the rows tell where a page ends.
      if (!isHead || isWalked(query)) return readList();
      return andThen(hinted(wanted, summary), (headers) => respond(c, 200, null, headers));
    });
  };
};
