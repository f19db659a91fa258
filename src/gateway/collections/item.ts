import { andThen, type MaybePromise } from '../../util/maybe-promise.ts';
import type { Methods } from '../dispatch/methods.ts';
import { isOfMembers, isOfSelection, type Representation } from '../formats/representation.ts';
import type { Exchange, Handler } from '../http/context.ts';
import type { HeaderRecord } from '../http/headers.ts';
import { queryTextOf } from '../http/target.ts';
import type { Tree } from '../http/tree.ts';
import type { Query } from '../model/query.ts';
import type { Keys, Row } from '../port/port.ts';
import { get } from '../read/get.ts';
import { checkConditions, itemPrecondition, itemTag, nestedMark } from '../read/preconditions.ts';
import { itemQueryReader } from '../read/query/list-query.ts';
import { refuseQuery } from '../read/query/query-string.ts';
import { sentence } from '../texts/phrase.ts';
import { Problem } from '../texts/problem.ts';
import { respond } from '../write/respond.ts';
import { selected } from '../write/selected.ts';
import { contentHeaders, type Resource, type ResourceOptions, validatorHeaders } from './resource.ts';

/** The verbs of a collection's items: read → store → write. */
export const itemRoutes = (tree: Tree, resource: Resource, { store, trees }: ResourceOptions): Methods => {
  const { language } = tree;
  const { collection, links, itemKeys } = resource;
  const representations = resource.ofItem;
  const keyWord = language.fields(collection).word(collection.key.name);
  const others = trees.filter((each) => each !== tree).map((each) => each.language);
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
   * @param validators headers of the response, besides those of its content
   */
  const merge = (validators: (row: Row, representation: Representation) => HeaderRecord): Handler =>
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
      const row = resource.rowOf(outcome, keys);
      const headers = { ...contentHeaders(representation, links.ofItem(keys)), ...validators(row, representation) };
      return respond(c, 200, representation.item(row), headers, resource.changes.wrote(c, 'updated', keys, outcome));
    });

  const read = (c: Exchange, representation: Representation, query: Query): MaybePromise<Response> => {
    const keys = itemKeys(c);
    const { headers } = c.req.raw;
    const isConditional = headers.get('if-match') !== null || headers.get('if-none-match') !== null;
    const freshness = query.include || isConditional ? 'latest' : 'any';
    const plan = store.plan({ of: 'item', collection, keys, query, freshness });
    return andThen(store.read(plan), (found) => {
      const row = found?.rows[0];
      if (!row) return refuse(keys, resource.missing(collection, keys));
      const [revision] = row;
      const tagMark = query.include ? nestedMark(representation.tagMark, found.change) : representation.tagMark;
      const tag = query.isPure && representation.format.isPure ? itemTag(revision, tagMark) : undefined;
      const precondition = isConditional ? itemPrecondition(headers, (mark) => mark === tagMark) : undefined;
      const notModified = resource.evaluatePreconditions(c, precondition, revision, tag);
      if (notModified) return notModified;
      return respond(c, 200, representation.item(row), {
        ...contentHeaders(representation, links.ofItem(keys, query)),
        ...validatorHeaders(tag),
      });
    });
  };

  return {
    GET: get(representations, itemQueryReader(language, others, collection), (c, whole, query) =>
      read(c, selected(whole, language, collection, query), query),
    ),

    // No entity tag: what is stored is not what was sent, but merged with it (RFC 9110 §9.3.4).
    PUT: merge(() => ({})),

    PATCH: merge(([revision], { tagMark }) => ({ ETag: itemTag(revision, tagMark) })),

    OPTIONS: (c) => resource.requireKeys(itemKeys(c)),

    DELETE: async (c) => {
      checkConditions(c.req.raw.headers);
      refuseQuery(queryTextOf(c));
      const keys = itemKeys(c);
      const precondition = itemPrecondition(c.req.raw.headers, isOfItemAlone);
      const outcome = await store.write({ kind: 'remove', collection: collection.name, keys, precondition });
      if (outcome.kind !== 'removed') resource.rowOf(outcome, keys);
      return respond(c, 204, null, {}, resource.changes.wrote(c, 'deleted', keys, outcome));
    },
  };
};
