import type { Cell } from '../../model/field.ts';
import { andThen, type MaybePromise } from '../../model/maybe-promise.ts';
import type { Query } from '../../model/query.ts';
import type { Keys, Listing, ListSummary } from '../../store/port.ts';
import { Unavailable } from '../../store/unavailable.ts';
import type { Exchange } from '../context.ts';
import type { Methods } from '../dispatch/methods.ts';
import { queryReader } from '../read/list-query.ts';
import { checkAccept } from '../read/negotiate.ts';
import { searchIn } from '../target.ts';
import type { Tree } from '../tree.ts';
import { streamList } from '../write/list.ts';
import { respond, respondCacheable } from '../write/respond.ts';
import type { Resource, ResourceOptions } from './resource.ts';

/** The verbs of a collection: read → store → write. */
export const listRoutes = (tree: Tree, resource: Resource, { store, assignKey, onFault }: ResourceOptions): Methods => {
  const { collection, tags, links, writeItem } = resource;
  const paths = tree.paths(collection);
  const readQuery = queryReader(tree.language, collection);

  const headersOf = (
    c: Exchange,
    parents: Keys,
    query: Query,
    { total, change }: ListSummary,
  ): Record<string, string> => ({
    ...resource.headers(c, links.ofList(parents, query, total)),
    'X-Total-Count': String(total),
    ETag: tags.ofList(change),
  });
  const required = <T>(found: T | undefined, parents: Keys): T => {
    if (found === undefined) throw resource.missing(collection.parent ?? collection, parents);
    return found;
  };
  const writeListing = (c: Exchange, parents: Keys, query: Query, listing: Listing): MaybePromise<Response> => {
    const headers = headersOf(c, parents, query, listing);
    const { chunks, long } = listing;
    if (long) {
      const id = headers['X-Request-Id'] ?? '';
      return new Response(
        streamList(chunks, writeItem, (error) => onFault(error instanceof Unavailable ? error.cause : error, id)),
        { headers },
      );
    }
    return andThen(chunks.next(), ({ value = [] }) =>
      respondCacheable(c, `[${value.map(writeItem).join(',')}]`, headers, resource.dependsOn),
    );
  };

  return {
    GET: (c) => {
      checkAccept(c.req.raw.headers);
      const parents = resource.parentKeys(c);
      const query = readQuery(searchIn(c));
      const precondition = tags.onList(c.req.raw.headers);
      const isHead = c.req.method === 'HEAD';
      const readList = () =>
        andThen(store.list(collection, parents, query), (listing) =>
          writeListing(c, parents, query, required(listing, parents)),
        );
      if (!isHead && !precondition) return readList();
      // The rows are read only where they will be sent.
      return andThen(store.summarize(collection, parents, query), (found) => {
        const summary = required(found, parents);
        const { change } = summary;
        const known = resource.evaluatePreconditions(c, precondition, change, tags.ofList(change));
        if (known) return known;
        return isHead ? new Response(null, { headers: headersOf(c, parents, query, summary) }) : readList();
      });
    },

    POST: async (c) => {
      const parents = resource.parentKeys(c);
      const { cells, problem } = await resource.readBody(c, 'create');
      if (problem) {
        if (collection.parent) await resource.requireItem(collection.parent, parents);
        throw problem;
      }
      const [sentKey, ...rest] = cells.map((cell): Cell => cell ?? null);
      const key = String(sentKey ?? assignKey());
      const keys = [...parents, key];
      const outcome = await store.write({
        kind: 'create',
        collection: collection.name,
        parents,
        cells: [key, ...rest],
      });
      const row = resource.rowOf(outcome, keys);
      const Location = paths.item(keys);
      return respond(c, 201, writeItem(row), {
        ...resource.headers(c, links.ofItem(keys)),
        Location,
        'Content-Location': Location,
        ETag: tags.ofItem(row[0]),
      });
    },
  };
};
