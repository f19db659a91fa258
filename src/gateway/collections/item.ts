import { andThen, type MaybePromise } from '../../util/maybe-promise.ts';
import type { Methods } from '../dispatch/methods.ts';
import { isOfMembers, isOfSelection, type Representation } from '../formats/representation.ts';
import type { Exchange, Handler } from '../http/context.ts';
import { callerOf, isConditional, queryTextOf } from '../http/request.ts';
import {
  addTag,
  CHANGE_HEADER,
  contentHeaders,
  inDigits,
  itemTag,
  nestedMark,
  respond,
  respondWith,
} from '../http/respond.ts';
import type { Tree } from '../http/urls.ts';
import { isPartial, type Query } from '../model/query.ts';
import type { Keys } from '../port/port.ts';
import { get } from '../read/accept.ts';
import { checkConditions, itemPrecondition } from '../read/preconditions.ts';
import { itemParameters, queryReader } from '../read/query/query.ts';
import { refuseQuery } from '../read/query/refusing.ts';
import { sentence } from '../texts/phrase.ts';
import { Problem } from '../texts/problem.ts';
import { selected } from '../write/selected.ts';
import { notModified, type Resource, type ResourceOptions } from './resource.ts';

/** The verbs of a collection's items: read → store → write. */
export const itemRoutes = (tree: Tree, resource: Resource, { store, addressOf }: ResourceOptions): Methods => {
  const { language } = tree;
  const { collection, links, itemKeys } = resource;
  const representations = resource.ofItem;
  const keyWord = language.fields(collection).word(collection.key.name);
  /** The tag of any representation, and of any selection of its members, contains the revision. */
  const isOwn = (mark: string): boolean => representations.some(({ tagMark }) => isOfSelection(mark, tagMark));
  /** The revision says nothing about nested items, which are deleted with the item. */
  const isOfItemAlone = (mark: string): boolean => representations.some(({ tagMark }) => isOfMembers(mark, tagMark));

  /** A missing parent or item takes precedence over any other problem. */
  const refuse = async (keys: Keys, problem: Problem): Promise<never> => {
    await resource.requireItem(collection, keys);
    throw problem;
  };

  /**
   * Changes the members that are sent and leaves the others unchanged (RFC 7396).
   *
   * @param hasTag whether the response has the new tag
   */
  const merge = (hasTag: boolean): Handler =>
    resource.withBody('update', async (c, { cells: changes, problem }, representation) => {
      const keys = itemKeys(c);
      if (problem) return refuse(keys, problem);
      const key = keys.at(-1) ?? '';
      const [sent = key] = changes;
      if (sent !== key) {
        const detail = sentence('key-mismatch', { word: keyWord, sent: String(sent), key });
        return refuse(keys, new Problem('key-mismatch', detail));
      }
      const precondition = itemPrecondition(c.req.raw.headers, isOwn);
      const outcome = await store.write({ kind: 'update', collection: collection.name, keys, changes, precondition });
      const row = await resource.rowOf(outcome, keys);
      const headers = contentHeaders(representation.headers, links.ofItem(keys));
      headers[CHANGE_HEADER] = inDigits(row[0]);
      if (hasTag) addTag(headers, itemTag(row[0], representation.tagMark));
      const requestId = resource.changes.wrote(c, 'updated', keys, outcome);
      return respondWith(c, 200, representation.list.row(row, 0), headers, requestId);
    });

  const read = (c: Exchange, whole: Representation, query: Query): MaybePromise<Response> => {
    const representation = isPartial(query) ? selected(whole, language, collection, query) : whole;
    const keys = itemKeys(c);
    const hasCondition = isConditional(c.req.raw.headers);
    const freshness = query.include || hasCondition ? 'latest' : 'any';
    const plan = store.plan({ of: 'item', collection, keys, query, freshness });
    return andThen(
      store.read(plan, () => callerOf(c, addressOf)),
      (found) => {
        const row = found?.rows[0];
        if (!row) return refuse(keys, resource.missing(collection, keys));
        const mark = query.include ? nestedMark(representation.tagMark, found.change) : representation.tagMark;
        const tag = query.isPure && representation.format.isPure ? itemTag(row[0], mark) : undefined;
        const unchanged = hasCondition ? notModified(c, tag) : undefined;
        if (unchanged) return unchanged;
        const headers = contentHeaders(representation.headers, links.ofItem(keys, query));
        addTag(headers, tag);
        return respondWith(c, 200, representation.list.row(row, 0), headers);
      },
    );
  };

  return {
    GET: get(representations, queryReader(language, resource.others, collection, itemParameters), read),
    OPTIONS: (c) => resource.requireKeys(itemKeys(c)),

    // No entity tag: what is stored is not what was sent, but merged with it (RFC 9110 §9.3.4).
    PUT: merge(false),

    PATCH: merge(true),

    DELETE: async (c) => {
      checkConditions(c.req.raw.headers);
      refuseQuery(queryTextOf(c));
      const keys = itemKeys(c);
      const precondition = itemPrecondition(c.req.raw.headers, isOfItemAlone);
      const outcome = await store.write({ kind: 'remove', collection: collection.name, keys, precondition });
      const change = outcome.kind === 'removed' ? outcome.change : (await resource.rowOf(outcome, keys))[0];
      const headers = { [CHANGE_HEADER]: inDigits(change) };
      return respond(c, 204, null, headers, resource.changes.wrote(c, 'deleted', keys, outcome));
    },
  };
};
