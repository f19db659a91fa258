import { andThen } from '../../model/maybe-promise.ts';
import type { Precondition } from '../../model/precondition.ts';
import type { Keys, Row } from '../../store/port.ts';
import { sentence } from '../../texts/phrase.ts';
import { Problem } from '../../texts/problem.ts';
import type { Exchange } from '../context.ts';
import type { Methods } from '../dispatch/methods.ts';
import { COMMON_HEADERS, requestIdOf } from '../headers.ts';
import { checkAccept } from '../read/negotiate.ts';
import { refuseQuery } from '../read/query-string.ts';
import { searchIn } from '../target.ts';
import type { Tree } from '../tree.ts';
import { respond, respondCacheable } from '../write/respond.ts';
import type { Resource, ResourceOptions } from './resource.ts';

/** The verbs of a collection's items: read → store → write. */
export const itemRoutes = ({ language }: Tree, resource: Resource, { store }: ResourceOptions): Methods => {
  const { collection, tags, links, writeItem } = resource;
  const keyWord = language.fields(collection).word(collection.key.name);

  const writeRow = (c: Exchange, keys: Keys, row: Row, precondition: Precondition | undefined): Response => {
    const ETag = tags.ofItem(row[0]);
    const known = resource.evaluatePreconditions(c, precondition, row[0], ETag);
    if (known) return known;
    return respondCacheable(
      c,
      writeItem(row),
      { ...resource.headers(c, links.ofItem(keys)), ETag },
      resource.dependsOn,
    );
  };
  /** An item around it that is missing, or it itself, comes before any other problem. */
  const refuse = async (keys: Keys, problem: Problem): Promise<never> => {
    await resource.requireItem(collection, keys);
    throw problem;
  };

  return {
    GET: (c) => {
      checkAccept(c.req.raw.headers);
      refuseQuery(searchIn(c));
      const keys = resource.itemKeys(c);
      const precondition = tags.onItem(c.req.raw.headers);
      return andThen(store.get(collection, keys, precondition ? 'latest' : 'any'), (row) =>
        row ? writeRow(c, keys, row, precondition) : refuse(keys, resource.missing(collection, keys)),
      );
    },

    PUT: async (c) => {
      const keys = resource.itemKeys(c);
      const { cells: changes, problem } = await resource.readBody(c, 'update');
      if (problem) return refuse(keys, problem);
      const key = keys.at(-1) ?? '';
      const [sent = key] = changes;
      if (sent !== key) {
        const detail = sentence('key-mismatch', { word: keyWord, sent: String(sent), key });
        return refuse(keys, new Problem('key-mismatch', detail));
      }
      const precondition = tags.onItem(c.req.raw.headers);
      const outcome = await store.write({ kind: 'update', collection: collection.name, keys, changes, precondition });
      // No entity tag: what is stored is not what was sent, but merged with it (RFC 9110 §9.3.4).
      return respond(c, 200, writeItem(resource.rowOf(outcome, keys)), resource.headers(c, links.ofItem(keys)));
    },

    DELETE: async (c) => {
      refuseQuery(searchIn(c));
      const keys = resource.itemKeys(c);
      const precondition = tags.onItem(c.req.raw.headers);
      const outcome = await store.write({ kind: 'remove', collection: collection.name, keys, precondition });
      if (outcome.kind !== 'removed') resource.rowOf(outcome, keys);
      return new Response(null, {
        status: 204,
        headers: { ...COMMON_HEADERS, 'X-Request-Id': requestIdOf(c.req.raw) },
      });
    },
  };
};
