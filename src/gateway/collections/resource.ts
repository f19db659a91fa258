import type { MaybePromise } from '../../util/maybe-promise.ts';
import { itemRepresentations, listRepresentations } from '../formats/formats.ts';
import type { Representation } from '../formats/representation.ts';
import type { AddressOf, Env, Exchange } from '../http/context.ts';
import { keysIn, readQueryText } from '../http/request.ts';
import { type RequestIds, readRequestIds, respond, VARY_TYPE } from '../http/respond.ts';
import { itemTemplate, keyNames, type Tree } from '../http/urls.ts';
import type { Language } from '../locale/language.ts';
import type { Collection } from '../model/catalogue.ts';
import type { ImportOutcome } from '../model/import.ts';
import { valueChecker } from '../model/kinds/kinds.ts';
import { EVERYTHING } from '../model/query.ts';
import type { Items, Keys, Outcome, Row } from '../port/port.ts';
import { choose } from '../read/accept.ts';
import { readBody } from '../read/body/body.ts';
import { isArrayText, parseBody } from '../read/body/json-body.ts';
import { type Members, membersReader } from '../read/body/members.ts';
import { checkContentType } from '../read/content-type.ts';
import type { ReadBody, ReadFile } from '../read/files/threads/reading-threads.ts';
import { type ClientIdOf, idempotencyMismatch, idempotencyReader } from '../read/idempotency.ts';
import { misnamed } from '../read/misnamed.ts';
import { checkConditions, isNotModified, preconditionFailed } from '../read/preconditions.ts';
import { refuseQuery } from '../read/query/query.ts';
import { itemSentence } from '../texts/phrase.ts';
import { Problem } from '../texts/problem.ts';
import { createLinks } from '../write/links.ts';
import { conflictProblem, inUseSentence } from './conflicts.ts';
import type { Streams } from './streams.ts';

/** Options of the resources of every collection. */
export interface ResourceOptions {
  readonly store: Items;
  readonly trees: readonly Tree[];
  /** Makes a key where the client sent none. */
  readonly assignKey: () => string;
  /** The most bytes of a body: of any but a file, and of a file. */
  readonly bodyLimit: number;
  readonly importLimit: number;
  /** Read files, arrays and large bodies off the event loop. */
  readonly readFile: ReadFile;
  readonly readBody: ReadBody;
  /** The greatest share of a list, in percent, that an import may delete without `allow-deletions`. */
  readonly deletionShare: number;
  /** Milliseconds for which the result of a request with an idempotency key is stored. */
  readonly idempotencyTtl: number;
  /** The peer of the connection by default. */
  readonly addressOf?: AddressOf;
  /** Without it, keys of idempotency count per `Authorization` and `Cookie`. */
  readonly clientIdOf?: ClientIdOf;
  /** Streams of events, and whoever waits for a change. */
  readonly streams: Streams;
  /** The most streams of one client; any number by default. */
  readonly clientStreams?: number | undefined;
  /** Whether who has sent a request may still read, which is asked while it is answered by a stream. */
  readonly mayRead?: ((incoming: NonNullable<Env['Bindings']['incoming']>) => MaybePromise<boolean>) | undefined;
  /** Called with every change that was stored. */
  readonly onChange?: OnChange | undefined;
  /** Called with every fault that a response does not reveal. */
  readonly onFault: (error: unknown, request: RequestIds) => void;
}

/** Bytes of a body up to which the event loop reads it: at its worst, an object with 10,000 unknown members, for 20 ms. */
const LARGE = 65_536;

/** A collection in one tree: what its verbs share, made at start. */
export type Resource = ReturnType<typeof createResource>;

/**
 * @param ETag `undefined` where the response must not be kept
 * @returns 304 where the client already has this response
 * @throws Problem `precondition-failed`
 */
export const notModified = (c: Exchange, ETag: string | undefined): Response | undefined =>
  isNotModified(c.req.raw.headers, ETag) && ETag ? respond(c, 304, null, { ETag, ...VARY_TYPE }) : undefined;

const ITEM_CODES = { missing: 'not-found', exists: 'already-exists' } as const;

/** @returns the problem of an item that does not exist, or that exists already */
function itemProblem(language: Language, kind: 'missing' | 'exists', of: Collection, key: string): Problem {
  const { the } = language.nouns(of);
  const within = of.parent && language.nouns(of.parent).within;
  return new Problem(ITEM_CODES[kind], itemSentence(kind, { the, key }, within));
}

/** What is sent with a body: an item, or an array of items to be created. */
interface SentItem {
  readonly representation: Representation;
  readonly members: Members;
  readonly array?: undefined;
}
type SentArray = Omit<SentItem, 'members' | 'array'> & { readonly members?: undefined; readonly array: Uint8Array };

export async function readSent(c: Exchange, resource: Resource, purpose: 'update'): Promise<SentItem>;
export async function readSent(c: Exchange, resource: Resource, purpose: 'create'): Promise<SentItem | SentArray>;
/** The first steps of every request with a body: negotiation, then the body, then the check that there is no query. */
export async function readSent(
  c: Exchange,
  { language, collection, options, ofItem, readMembers }: Resource,
  purpose: 'create' | 'update',
): Promise<SentItem | SentArray> {
  const { headers } = c.req.raw;
  const representation = choose(headers, ofItem);
  checkContentType(c.req.raw);
  const body = await readBody(c, options.bodyLimit);
  const takesArray = purpose === 'create';
  const read = async (): Promise<SentItem | SentArray> => {
    if (takesArray && isArrayText(body)) return { representation, array: body };
    const job = { tag: language.tag, collection: collection.id, purpose };
    const uses = c.env?.formerWords;
    const readHere = (): Members => readMembers(parseBody(body), purpose);
    const members =
      body.length > LARGE
        ? await options.readBody(job, body, c.req.raw.signal, uses)
        : uses
          ? uses.during(readHere)
          : readHere();
    return { representation, members };
  };
  const sent = await read().catch((problem) => {
    throw (takesArray && misnamed(body, 'json')) || problem;
  });
  checkConditions(headers);
  refuseQuery(readQueryText(c));
  return sent;
}

/** @param tree the tree of the language in which the resource reads and writes */
export const createResource = (tree: Tree, collection: Collection, options: ResourceOptions) => {
  const { store, trees, onChange, idempotencyTtl, clientIdOf } = options;
  const { language } = tree;
  const names = keyNames(collection);
  const ancestors = collection.parent ? [collection.parent] : [];

  /** @returns the problem `not-found` for an item of this collection or of its parent */
  const missing = (of: Collection, keys: Keys): Problem =>
    itemProblem(language, 'missing', of, keys[names.indexOf(of.name)] ?? '');
  /** Throws `not-found` where the item or one of its parents does not exist. */
  const requireItem = async (of: Collection, keys: Keys): Promise<void> => {
    if (of.parent) await requireItem(of.parent, keys.slice(0, -1));
    const plan = store.plan({ of: 'item', collection: of, keys, query: EVERYTHING });
    if (!(await store.read(plan))) throw missing(of, keys);
  };

  const checks = [...ancestors, collection].map((of) => ({ of, check: valueChecker(of.key) }));
  /** Throws `not-found` where no item can have one of the keys. */
  const requireKeys = (keys: Keys): void => {
    const impossible = checks.find(({ check }, at) => at < keys.length && check(keys[at]).fault !== undefined);
    if (impossible) throw missing(impossible.of, keys);
  };

  return {
    tree,
    language,
    collection,
    options,
    /** The representations of its items, and of its lists. */
    ofItem: itemRepresentations(language, collection),
    ofList: listRepresentations(language, collection),
    readMembers: membersReader(language, collection),
    links: createLinks(tree, trees, collection),
    itemTemplate: itemTemplate(language, collection),
    readIdempotency: idempotencyReader(idempotencyTtl, clientIdOf),
    others: trees.filter((each) => each !== tree).map((each) => each.language),
    /** The keys of the addressed item, or of the parent of the addressed list. */
    itemKeys: keysIn(names),
    parentKeys: keysIn(names.slice(0, -1)),
    requireItem,
    requireKeys,
    missing,
    /**
     * @param keys those of the item that was written
     * @returns the row that was written
     * @throws Problem where nothing was written
     */
    rowOf: async (outcome: Outcome, keys: Keys): Promise<Row> => {
      switch (outcome.kind) {
        case 'written':
          return outcome.row;
        case 'missing':
          throw missing(ancestors.find(({ name }) => name === outcome.collection) ?? collection, keys);
        case 'precondition-failed':
          throw preconditionFailed(outcome.condition);
        case 'conflict':
          throw await conflictProblem(language, collection, outcome.conflicts, store);
        case 'in-use':
          throw new Problem('in-use', inUseSentence(language, collection, outcome));
        case 'idempotency-mismatch':
          throw idempotencyMismatch();
        default:
          throw itemProblem(language, 'exists', collection, keys.at(-1) ?? '');
      }
    },
    changes: changeReporter(collection, onChange),
  };
};

/** Tells of what requests have changed. */

/** What a request has changed. */
export interface ChangeEvent {
  readonly action: 'created' | 'updated' | 'deleted' | 'imported';
  readonly collection: string;
  /** Of the item; of an import those of the parent. */
  readonly identifiers: readonly string[];
  /** The number of the change; an import has many. */
  readonly revision?: number;
  /** Of an import. */
  readonly created?: number;
  readonly updated?: number;
  readonly deleted?: number;
}

/** @param incoming absent in tests that call the app directly */
export type OnChange = (
  change: ChangeEvent,
  ids: RequestIds,
  incoming: Env['Bindings']['incoming'] | undefined,
) => void;

/**
 * Each returns the id of the request, for its response, if it has changed something and somebody is told.
 *
 * @param onChange called with every change that was stored
 */
const changeReporter = ({ name: collection }: Collection, onChange: OnChange | undefined) => {
  const tell = (c: Exchange, change: Omit<ChangeEvent, 'collection'>): string | undefined => {
    if (!onChange) return undefined;
    const ids = readRequestIds(c.req.raw);
    onChange({ ...change, collection }, ids, c.env?.incoming);
    return ids.id;
  };
  return {
    wrote: (c: Exchange, action: ChangeEvent['action'], identifiers: Keys, outcome: Outcome): string | undefined => {
      if (outcome.kind === 'removed') return tell(c, { action, identifiers, revision: outcome.change });
      if (outcome.kind !== 'written' || outcome.isUnchanged) return undefined;
      return tell(c, { action, identifiers, revision: outcome.row[0] });
    },
    imported: (c: Exchange, identifiers: Keys, outcome: ImportOutcome): string | undefined => {
      if (outcome.kind !== 'imported' || outcome.earlier) return undefined;
      const { created, updated, deleted } = outcome.report;
      if (created + updated + deleted === 0) return undefined;
      return tell(c, { action: 'imported', identifiers, created, updated, deleted });
    },
  };
};
