import { andThen, type MaybePromise } from '../../model/maybe-promise.ts';
import { countOfRows, type Query, windowOf } from '../../model/query.ts';
import type { Found, Keys, ListSummary } from '../../store/port.ts';
import { Unavailable } from '../../store/unavailable.ts';
import { sentence } from '../../texts/phrase.ts';
import { Problem } from '../../texts/problem.ts';
import type { Exchange } from '../context.ts';
import { idsOf } from '../headers.ts';
import { callerOf, remoteAddress } from '../read/caller.ts';
import { listPrecondition, listTag } from '../read/preconditions.ts';
import type { Tree } from '../tree.ts';
import { groupRepresentations } from '../write/formats/groups.ts';
import { streamList } from '../write/list.ts';
import { type ListRepresentation, writeWhole } from '../write/representation.ts';
import { respond } from '../write/respond.ts';
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
  { language }: Tree,
  { collection, links, parentKeys, ...resource }: Resource,
  { store, onFault, addressOf = remoteAddress }: ResourceOptions,
): ReadList => {
  const headersOf = ({ parents, query, representation }: Wanted, { total, change }: ListSummary) => ({
    ...contentHeaders(representation, links.ofList(parents, query, total)),
    'X-Total-Count': String(total),
    ETag: listTag(change, representation.tagMark),
  });
  const required = <T>(found: T | undefined, parents: Keys): T => {
    if (found === undefined) throw resource.missing(collection.parent ?? collection, parents);
    return found;
  };
  const write = (c: Exchange, wanted: Wanted, found: Found): Response => {
    const { list, pack } = wanted.representation;
    const { rows, written, rest } = found;
    const problem = tooLong(wanted, found);
    if (problem) {
      void rest?.return?.();
      throw problem;
    }
    const headers = headersOf(wanted, found);
    if (!rest && !pack) return respond(c, 200, written ?? writeWhole(list, rows), headers);
    const ids = idsOf(c.req.raw);
    const onBreak = (error: unknown): void => onFault(error instanceof Unavailable ? error.cause : error, ids);
    const text = streamList(found, list, onBreak);
    return respond(c, 200, pack ? pack(text) : text, headers, ids.id);
  };

  const groupsIn = groupRepresentations(language, collection);
  return (c, whole, query) => {
    const representation = query.group ? groupsIn(query.group, whole) : resource.selected(whole, query);
    const parents = parentKeys(c);
    const wanted = { parents, query, representation };
    const precondition = listPrecondition(c.req.raw.headers, (mark) => mark === representation.tagMark);
    const caller = callerOf(c, addressOf);
    const isHead = c.req.method === 'HEAD';
    const format = representation.isKept && representation === whole ? representation.list : undefined;
    const plan = store.plan({ of: 'list', collection, keys: parents, query, format });
    const readNow = () => andThen(store.read(plan, caller), (found) => write(c, wanted, required(found, parents)));
    const readList = () => (windowOf(query).limit > SHORT ? inTurn(readNow) : readNow());
    if (!isHead && !precondition) return readList();
    // The rows are read only where they will be sent.
    return andThen(store.summarize(plan, caller), (found) => {
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
