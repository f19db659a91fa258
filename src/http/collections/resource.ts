import type { Language } from '../../locale/language.ts';
import type { Collection } from '../../model/catalogue.ts';
import { isRuledOut, matches, type Precondition } from '../../model/precondition.ts';
import type { Keys, Outcome, Row, Store } from '../../store/port.ts';
import { sentence } from '../../texts/phrase.ts';
import { Problem } from '../../texts/problem.ts';
import type { Dependency, Exchange } from '../context.ts';
import { COMMON_HEADERS, JSON_TYPE, requestIdOf } from '../headers.ts';
import { readJson } from '../read/json-body.ts';
import { type Members, membersReader } from '../read/members.ts';
import { acceptedType, checkAccept, checkContentType } from '../read/negotiate.ts';
import { preconditionFailed, type Tags, tagsOf } from '../read/preconditions.ts';
import { refuseQuery } from '../read/query-string.ts';
import { searchIn } from '../target.ts';
import { keyNames, type Tree } from '../tree.ts';
import { itemWriter } from '../write/item.ts';
import { type Links, linksOf } from '../write/links.ts';

/** What the resources of every collection share. */
export interface ResourceOptions {
  readonly store: Store;
  readonly trees: readonly Tree[];
  /** Makes a key where the client sends none. */
  readonly assignKey: () => string;
  /** Bytes. */
  readonly bodyLimit: number;
  /** Told of every fault that the client is told nothing of. */
  readonly onFault: (error: unknown, requestId: string) => void;
}

/** One collection in one tree, with all that its verbs share made at start. */
export interface Resource {
  readonly collection: Collection;
  readonly tags: Tags;
  readonly links: Links;
  readonly writeItem: (row: Row) => string;
  /** What its responses depend on beside their address and the database. */
  readonly dependsOn: readonly Dependency[];
  /** The keys of the addressed item, or of the item around the addressed list. */
  readonly itemKeys: (c: Exchange) => Keys;
  readonly parentKeys: (c: Exchange) => Keys;
  readonly readBody: (c: Exchange, purpose: 'create' | 'update') => Promise<Members>;
  /** Headers of an answer with content; may be added to. */
  readonly headers: (c: Exchange, link: string) => Record<string, string>;
  /** 304, where a condition says that the client has this answer; throws 412 where one does not hold. */
  readonly evaluatePreconditions: (
    c: Exchange,
    precondition: Precondition | undefined,
    revision: number,
    tag: string,
  ) => Response | undefined;
  /** Throws the 404 that comes before any other problem of an item. */
  readonly requireItem: (of: Collection, keys: Keys) => Promise<void>;
  /** The 404 that names the item of this collection, or of the one around it. */
  readonly missing: (of: Collection, keys: Keys) => Problem;
  readonly rowOf: (outcome: Outcome, keys: Keys) => Row;
}

const alreadyExists = (language: Language, collection: Collection, key: string): Problem =>
  new Problem('already-exists', sentence('item-exists', { the: language.nouns(collection).the, key }));

const keysFrom =
  (names: readonly string[]) =>
  (c: Exchange): Keys =>
    names.map((name) => c.req.param(name) ?? '');

/**
 * @param tree whose words the resource speaks
 * @param collection what it is about
 */
export const resourceOf = (
  tree: Tree,
  collection: Collection,
  { store, trees, bodyLimit }: ResourceOptions,
): Resource => {
  const { language } = tree;
  const names = keyNames(collection);
  const ancestors = collection.parent ? [collection.parent] : [];
  const readMembers = membersReader(language, collection);
  const varying = { Vary: 'Accept', ...COMMON_HEADERS };
  const constant = { 'Content-Type': JSON_TYPE, 'Content-Language': language.tag, ...varying };

  const missing = (of: Collection, keys: Keys): Problem => {
    const key = keys[names.indexOf(of.name)] ?? '';
    return new Problem('not-found', sentence('item-missing', { the: language.nouns(of).the, key }));
  };
  const requireItem = async (of: Collection, keys: Keys): Promise<void> => {
    if (of.parent) await requireItem(of.parent, keys.slice(0, -1));
    if (!(await store.get(of, keys))) throw missing(of, keys);
  };

  return {
    collection,
    tags: tagsOf(language),
    links: linksOf(tree, trees, collection),
    writeItem: itemWriter(language, collection),
    dependsOn: [(incoming) => acceptedType(incoming.headers.accept, [JSON_TYPE])],
    itemKeys: keysFrom(names),
    parentKeys: keysFrom(names.slice(0, -1)),
    readBody: async (c, purpose) => {
      checkAccept(c.req.raw.headers);
      checkContentType(c.req.raw.headers);
      const body = await readJson(c.req.raw, bodyLimit);
      refuseQuery(searchIn(c));
      return readMembers(body, purpose);
    },
    headers: (c, Link) => ({
      ...constant,
      'X-Request-Id': requestIdOf(c.req.raw),
      ...(Link === '' ? {} : { Link }),
    }),
    evaluatePreconditions: (c, precondition, revision, ETag) => {
      if (!matches(precondition, revision)) throw preconditionFailed();
      if (!isRuledOut(precondition, revision)) return undefined;
      return new Response(null, {
        status: 304,
        headers: { ETag, ...varying, 'X-Request-Id': requestIdOf(c.req.raw) },
      });
    },
    requireItem,
    missing,
    rowOf: (outcome, keys) => {
      switch (outcome.kind) {
        case 'written':
          return outcome.row;
        case 'missing':
          throw missing(ancestors.find(({ name }) => name === outcome.collection) ?? collection, keys);
        case 'precondition-failed':
          throw preconditionFailed();
        default:
          throw alreadyExists(language, collection, keys.at(-1) ?? '');
      }
    },
  };
};
