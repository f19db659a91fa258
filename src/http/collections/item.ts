import { andThen, type MaybePromise } from '../../model/maybe-promise.ts';
import type { Precondition } from '../../model/precondition.ts';
import type { Nested, Query } from '../../model/query.ts';
import type { Keys, Row } from '../../store/port.ts';
import { sentence } from '../../texts/phrase.ts';
import { Problem } from '../../texts/problem.ts';
import type { CacheableResponse, Exchange, Handler } from '../context.ts';
import type { Methods } from '../dispatch/methods.ts';
import type { HeaderRecord } from '../headers.ts';
import { get } from '../read/get.ts';
import { itemPrecondition, itemTag, nestedMark } from '../read/preconditions.ts';
import { itemQueryReader } from '../read/query/list-query.ts';
import { refuseQuery } from '../read/query/query-string.ts';
import { queryTextOf } from '../target.ts';
import type { Tree } from '../tree.ts';
import { type ItemRepresentation, isOfMembers, isOfSelection, selected } from '../write/representation.ts';
import { respond, respondCacheable } from '../write/respond.ts';
import { contentHeaders, type Resource, type ResourceOptions } from './resource.ts';

/** The verbs of a collection's items: read → store → write. */
export const itemRoutes = (tree: Tree, resource: Resource, { store, trees }: ResourceOptions): Methods => {
  const { language } = tree;
  const { collection, links, itemKeys } = resource;
  const { representations, dependsOn } = resource.ofItem;
  const { validator } = store;
  const keyWord = language.fields(collection).word(collection.key.name);
  const others = trees.filter((each) => each !== tree).map((each) => each.language);
  /** The tag of any representation, and of any selection of its members, contains the revision. */
  const isOwn = (mark: string): boolean => representations.some(({ tagMark }) => isOfSelection(mark, tagMark));
  /** The revision says nothing about nested items, which are deleted with the item. */
  const isOfItemAlone = (mark: string): boolean => representations.some(({ tagMark }) => isOfMembers(mark, tagMark));

  /** An item that a client requests. */
  interface Wanted {
    readonly keys: Keys;
    readonly query: Query;
    readonly representation: ItemRepresentation;
    readonly tagMark: string;
  }
  const conditionOf = (c: Exchange, tagMark: string): Precondition | undefined =>
    itemPrecondition(c.req.raw.headers, (mark) => mark === tagMark);

  const writeRow = (
    c: Exchange,
    { keys, query, representation, tagMark }: Wanted,
    row: Row,
    precondition: Precondition | undefined,
    source?: CacheableResponse['source'],
  ): Response => {
    const [revision] = row;
    const ETag = itemTag(revision, tagMark);
    const notModified = resource.evaluatePreconditions(c, precondition, revision, ETag);
    if (notModified) return notModified;
    const headers = { ...contentHeaders(representation, links.ofItem(keys, query)), ETag };
    return respondCacheable(c, representation.item(row), headers, dependsOn, source);
  };
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
  const merge = (validators: (row: Row, representation: ItemRepresentation) => HeaderRecord): Handler =>
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
      return respond(c, 200, representation.item(row), headers);
    });

  const refuseMissing = (keys: Keys): Promise<never> => refuse(keys, resource.missing(collection, keys));

  /** A function of its own: one that is made where the request is in scope would keep it as long as the cached response. */
  const sourceOf = (keys: Keys, [revision]: Row): CacheableResponse['source'] =>
    validator && {
      name: validator.nameOf(collection, keys),
      isCurrent: () => validator.revision(collection, keys) === revision,
    };
  const read = (c: Exchange, wanted: Wanted): MaybePromise<Response> => {
    const { keys, tagMark } = wanted;
    const precondition = conditionOf(c, tagMark);
    return andThen(store.get(collection, keys, precondition ? 'latest' : 'any'), (row) => {
      if (!row) return refuseMissing(keys);
      return writeRow(c, wanted, row, precondition, sourceOf(keys, row));
    });
  };
  /** Reads an item with the items nested in it: no validator tells whether those are current. */
  const readNested = (c: Exchange, wanted: Wanted, include: readonly Nested[]): MaybePromise<Response> =>
    andThen(store.getWithNested(collection, wanted.keys, include), (found) => {
      if (!found) return refuseMissing(wanted.keys);
      const tagMark = nestedMark(wanted.tagMark, found.change);
      return writeRow(c, { ...wanted, tagMark }, found.row, conditionOf(c, tagMark));
    });

  return {
    GET: get(representations, itemQueryReader(language, others, collection), (c, whole, query) => {
      const representation = selected(whole, collection, query);
      const wanted = { keys: itemKeys(c), query, representation, tagMark: representation.tagMark };
      return query.include ? readNested(c, wanted, query.include) : read(c, wanted);
    }),

    // No entity tag: what is stored is not what was sent, but merged with it (RFC 9110 §9.3.4).
    PUT: merge(() => ({})),

    PATCH: merge(([revision], { tagMark }) => ({ ETag: itemTag(revision, tagMark) })),

    OPTIONS: (c) => resource.requireKeys(itemKeys(c)),

    DELETE: async (c) => {
      refuseQuery(queryTextOf(c));
      const keys = itemKeys(c);
      const precondition = itemPrecondition(c.req.raw.headers, isOfItemAlone);
      const outcome = await store.write({ kind: 'remove', collection: collection.name, keys, precondition });
      if (outcome.kind !== 'removed') resource.rowOf(outcome, keys);
      return respond(c, 204, null, {});
    },
  };
};
