import { andThen } from '../../model/maybe-promise.ts';
import type { Precondition } from '../../model/precondition.ts';
import type { Keys, Row } from '../../store/port.ts';
import { sentence } from '../../texts/phrase.ts';
import { Problem } from '../../texts/problem.ts';
import type { Exchange, Handler } from '../context.ts';
import type { Methods } from '../dispatch/methods.ts';
import type { HeaderRecord } from '../headers.ts';
import { get } from '../read/get.ts';
import { itemPrecondition, itemTag } from '../read/preconditions.ts';
import { refuseQuery } from '../read/query-string.ts';
import { searchIn } from '../target.ts';
import type { Tree } from '../tree.ts';
import type { ItemRepresentation } from '../write/representation.ts';
import { respond, respondCacheable } from '../write/respond.ts';
import { contentHeaders, type Resource, type ResourceOptions } from './resource.ts';

/** The verbs of a collection's items: read → store → write. */
export const itemRoutes = ({ language }: Tree, resource: Resource, { store }: ResourceOptions): Methods => {
  const { collection, links, itemKeys } = resource;
  const { representations, dependsOn } = resource.ofItem;
  const { validator } = store;
  const keyWord = language.fields(collection).word(collection.key.name);
  /** Whichever representation a client has read, its tag tells the revision. */
  const anyMark = representations.map(({ tagMark }) => tagMark);

  const writeRow = (
    c: Exchange,
    keys: Keys,
    row: Row,
    representation: ItemRepresentation,
    precondition: Precondition | undefined,
  ): Response => {
    const [revision] = row;
    const ETag = itemTag(revision, representation.tagMark);
    const notModified = resource.evaluatePreconditions(c, precondition, revision, ETag);
    if (notModified) return notModified;
    const headers = { ...contentHeaders(representation, links.ofItem(keys)), ETag };
    const source = validator && {
      name: validator.nameOf(collection, keys),
      isCurrent: () => validator.revision(collection, keys) === revision,
    };
    return respondCacheable(c, representation.item(row), headers, dependsOn, source);
  };
  /** A missing parent, or a missing item, comes before any other problem. */
  const refuse = async (keys: Keys, problem: Problem): Promise<never> => {
    await resource.requireItem(collection, keys);
    throw problem;
  };

  /**
   * Changes the members that are sent and leaves the others (RFC 7396).
   *
   * @param validators of the response, beside the headers of its content
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
      const precondition = itemPrecondition(c.req.raw.headers, anyMark);
      const outcome = await store.write({ kind: 'update', collection: collection.name, keys, changes, precondition });
      const row = resource.rowOf(outcome, keys);
      const headers = { ...contentHeaders(representation, links.ofItem(keys)), ...validators(row, representation) };
      return respond(c, 200, representation.item(row), headers);
    });

  return {
    GET: get(representations, refuseQuery, (c, representation) => {
      const keys = itemKeys(c);
      const precondition = itemPrecondition(c.req.raw.headers, [representation.tagMark]);
      return andThen(store.get(collection, keys, precondition ? 'latest' : 'any'), (row) =>
        row ? writeRow(c, keys, row, representation, precondition) : refuse(keys, resource.missing(collection, keys)),
      );
    }),

    // No entity tag: what is stored is not what was sent, but merged with it (RFC 9110 §9.3.4).
    PUT: merge(() => ({})),

    PATCH: merge(([revision], { tagMark }) => ({ ETag: itemTag(revision, tagMark) })),

    OPTIONS: (c) => resource.requireKeys(itemKeys(c)),

    DELETE: async (c) => {
      refuseQuery(searchIn(c));
      const keys = itemKeys(c);
      const precondition = itemPrecondition(c.req.raw.headers, anyMark);
      const outcome = await store.write({ kind: 'remove', collection: collection.name, keys, precondition });
      if (outcome.kind !== 'removed') resource.rowOf(outcome, keys);
      return respond(c, 204, null, {});
    },
  };
};
