import type { Collection } from '../model/catalogue.ts';
import type { Cell } from '../model/field.ts';
import { andThen, type MaybePromise } from '../model/maybe-promise.ts';
import { sentence } from '../model/phrase.ts';
import { Problem } from '../model/problem.ts';
import type { Keys, Listing, Outcome, Row, Store } from '../store/port.ts';
import type { Exchange } from './env.ts';
import { linksOf } from './links.ts';
import type { Methods } from './methods.ts';
import { checkAccept, checkContentType, JSON_TYPE } from './negotiate.ts';
import { readJson } from './read-body.ts';
import { type Members, membersReader } from './read-members.ts';
import { queryReader, refuseQuery } from './read-query.ts';
import { EVERYWHERE, requestIdOf, respond } from './respond.ts';
import { searchOf, targetOf } from './target.ts';
import { keyNames, type Tree } from './tree.ts';
import { itemWriter } from './write-json.ts';
import { streamList } from './write-list.ts';

export interface Resources {
  readonly store: Store;
  readonly trees: readonly Tree[];
  /** Makes a key where the client sends none. */
  readonly assignKey: () => string;
  /** Bytes. */
  readonly bodyLimit: number;
}

/**
 * The verbs of one collection, written once and closed over one tree's words: read → store → write.
 *
 * @returns the methods of the collection and of its items
 */
export const resourceRoutes = (
  tree: Tree,
  collection: Collection,
  { store, trees, assignKey, bodyLimit }: Resources,
): { readonly list: Methods; readonly item: Methods } => {
  const { language } = tree;
  const paths = tree.paths(collection);
  const links = linksOf(tree, trees, collection);
  const readQuery = queryReader(language, collection);
  const readMembers = membersReader(language, collection);
  const writeItem = itemWriter(language, collection);
  const itemKeys = keyNames(collection);
  const parentKeys = itemKeys.slice(0, -1);
  const keyWord = language.fields(collection).word(collection.key.name);
  const constant = { 'Content-Type': JSON_TYPE, 'Content-Language': language.tag, Vary: 'Accept', ...EVERYWHERE };

  // Read.
  const keysOf = (c: Exchange, names: readonly string[]): Keys => names.map((name) => c.req.param(name) ?? '');
  const search = (c: Exchange): string => searchOf(targetOf(c.req.raw, c.env));

  const readBody = async (c: Exchange, purpose: 'create' | 'update'): Promise<Members> => {
    checkAccept(c.req.raw.headers);
    checkContentType(c.req.raw.headers);
    const body = await readJson(c.req.raw, bodyLimit);
    refuseQuery(search(c));
    return readMembers(body, purpose);
  };

  // Store.
  const missing = (of: Collection, keys: Keys): Problem => {
    const key = keys[itemKeys.indexOf(of.name)] ?? '';
    return new Problem('not-found', sentence('item-missing', { the: language.nouns(of).the, key }));
  };
  /** Throws the 404 that comes before any other problem of an item. */
  const requireItem = async (of: Collection, keys: Keys): Promise<void> => {
    const { parent } = of;
    if (parent) await requireItem(parent, keys.slice(0, -1));
    if (!(await store.get(of, keys))) throw missing(of, keys);
  };
  const refuseMissing = async (keys: Keys): Promise<never> => {
    await requireItem(collection, keys);
    throw missing(collection, keys);
  };
  const rowOf = (outcome: Outcome, keys: Keys): Row => {
    if (outcome.kind === 'written') return outcome.row;
    if (outcome.kind === 'missing') throw missing(outcome.collection, keys);
    const { the } = language.nouns(collection);
    throw new Problem('already-exists', sentence('item-exists', { the, key: keys.at(-1) ?? '' }));
  };

  // Write.
  const headersOf = (c: Exchange, Link: string): Record<string, string> => ({
    ...constant,
    'X-Request-Id': requestIdOf(c.req.raw),
    ...(Link === '' ? {} : { Link }),
  });
  const writeRow = (c: Exchange, keys: Keys, row: Row): Response =>
    respond(c, 200, writeItem(row), headersOf(c, links.ofItem(keys)));

  const writeListing = (
    c: Exchange,
    headers: Record<string, string>,
    { chunks, long }: Listing,
  ): MaybePromise<Response> => {
    if (long) return new Response(streamList(chunks, writeItem), { headers });
    return andThen(chunks.next(), ({ value = [] }) => respond(c, 200, `[${value.map(writeItem).join(',')}]`, headers));
  };

  const list: Methods = {
    GET: (c) => {
      checkAccept(c.req.raw.headers);
      const parents = keysOf(c, parentKeys);
      const query = readQuery(search(c));
      const headersFor = (total: number) => ({
        ...headersOf(c, links.ofList(parents, query, total)),
        'X-Total-Count': String(total),
      });
      const noParent = () => missing(collection.parent ?? collection, parents);

      if (c.req.method === 'HEAD') {
        return andThen(store.summarize(collection, parents, query), (summary) => {
          if (!summary) throw noParent();
          return new Response(null, { headers: headersFor(summary.total) });
        });
      }
      return andThen(store.list(collection, parents, query), (listing) => {
        if (!listing) throw noParent();
        return writeListing(c, headersFor(listing.total), listing);
      });
    },

    POST: async (c) => {
      const parents = keysOf(c, parentKeys);
      const { cells, problem } = await readBody(c, 'create');
      if (problem) {
        if (collection.parent) await requireItem(collection.parent, parents);
        throw problem;
      }
      const [sentKey, ...rest] = cells.map((cell): Cell => cell ?? null);
      const key = String(sentKey ?? assignKey());
      const keys = [...parents, key];
      const row = rowOf(await store.write({ kind: 'create', collection, parents, cells: [key, ...rest] }), keys);
      const Location = paths.item(keys);
      const headers = { ...headersOf(c, links.ofItem(keys)), Location, 'Content-Location': Location };
      return respond(c, 201, writeItem(row), headers);
    },
  };

  const item: Methods = {
    GET: (c) => {
      checkAccept(c.req.raw.headers);
      refuseQuery(search(c));
      const keys = keysOf(c, itemKeys);
      return andThen(store.get(collection, keys), (row) => (row ? writeRow(c, keys, row) : refuseMissing(keys)));
    },

    PUT: async (c) => {
      const keys = keysOf(c, itemKeys);
      const { cells, problem } = await readBody(c, 'update');
      if (problem) {
        await requireItem(collection, keys);
        throw problem;
      }
      const [sent] = cells;
      const key = keys.at(-1) ?? '';
      if (sent !== undefined && sent !== key) {
        await requireItem(collection, keys);
        throw new Problem('key-mismatch', sentence('key-mismatch', { word: keyWord, sent: sent ?? '', key }));
      }
      return writeRow(c, keys, rowOf(await store.write({ kind: 'update', collection, keys, changes: cells }), keys));
    },

    DELETE: async (c) => {
      refuseQuery(search(c));
      const keys = keysOf(c, itemKeys);
      const outcome = await store.write({ kind: 'remove', collection, keys });
      if (outcome.kind === 'missing') throw missing(outcome.collection, keys);
      return new Response(null, { status: 204, headers: { ...EVERYWHERE, 'X-Request-Id': requestIdOf(c.req.raw) } });
    },
  };
  return { list, item };
};
