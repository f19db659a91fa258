/** A collection in the words of one tree, as all of its handlers use it. */

import { andThen, type MaybePromise } from '../../util/maybe-promise.ts';
import type { ReadingData, ReadingThreads } from '../files/threads.ts';
import { itemRepresentations, listRepresentations } from '../formats/formats.ts';
import { isOfMembers, isOfSelection, type Representation } from '../formats/representation.ts';
import type { AddressOf, Env, Exchange, HeaderRecord, Limits, Methods } from '../http/context.ts';
import {
  createCaller,
  encodeChange,
  isConditional,
  itemTag,
  nestedMark,
  type RequestIds,
  readKeys,
  readQueryText,
  readRequestIds,
  respond,
  tagHeader,
} from '../http/exchange.ts';
import { itemTemplate, keyNames, type Tree } from '../http/urls.ts';
import { findDisplayUnit, getValues, withUnits } from '../locale/language.ts';
import { type Collection, hasCompactKey } from '../model/catalogue.ts';
import type { ImportOutcome } from '../model/import.ts';
import { createValueChecker } from '../model/kinds/kinds.ts';
import { EVERYTHING, isPartial, keyId } from '../model/query.ts';
import type { Intent, Items, Keys, Outcome, Row } from '../port/port.ts';
import { OutcomeUnknown } from '../port/unavailable.ts';
import { chooseType, negotiate, readWords } from '../read/accept.ts';
import { checkContentType, parseBody, readBody } from '../read/body/body.ts';
import { createMembersReader, type Members } from '../read/body/members.ts';
import {
  type ClientIdOf,
  checkConditions,
  isNotModified,
  mismatchProblem,
  preconditionProblem,
  readPrecondition,
} from '../read/conditions.ts';
import { encodeHeader } from '../read/prefer.ts';
import { createQueryReader, itemParameters, refuseQuery } from '../read/query/query.ts';
import { preferredUnits } from '../read/units.ts';
import { itemSentence, sentence } from '../texts/phrase.ts';
import { Problem } from '../texts/problem.ts';
import { createLinks, writeItemLinks } from '../write/links.ts';
import { selectParts } from '../write/list.ts';
import { conflictProblem, inUseSentence } from './conflicts.ts';
import type { Streams } from './streams.ts';

export interface ChangeEvent {
  readonly action: 'created' | 'updated' | 'deleted' | 'imported';
  readonly collection: string;
  /** The keys of the item; for an import those of the parent. */
  readonly identifiers: readonly string[];
  /** The number of the change; an import has many. */
  readonly revision?: number;
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

/** Loads what reads files and large bodies when the first of them arrives, so that a service without any starts faster. */
export function createReadersLoader(data: ReadingData): () => Promise<ReadingThreads> {
  let loading: Promise<ReadingThreads> | undefined;
  return () => (loading ??= import('../files/threads.ts').then(({ ReadingThreads: Readers }) => new Readers(data)));
}

export interface ResourceOptions extends Limits {
  readonly store: Items;
  readonly trees: readonly Tree[];
  /** Makes a key for an item without one. */
  readonly assignKey: () => string;
  /** Read files, arrays and large bodies off the event loop. */
  readonly loadReaders: () => Promise<ReadingThreads>;
  /** The folder of the profiles of imports; without it there are none. */
  readonly profiles?: string | undefined;
  /** Milliseconds for which the result of a request with an idempotency key is stored. */
  readonly idempotencyTtl: number;
  /** Says by what the client of a request is counted, by default by the peer of its connection. */
  readonly readClient?: AddressOf;
  /** Without it, keys of idempotency count per `Authorization` and `Cookie`. */
  readonly clientIdOf?: ClientIdOf;
  readonly streams: Streams;
  /** Says whether the client of an open stream may still read. */
  readonly mayRead?: ((incoming: NonNullable<Env['Bindings']['incoming']>) => MaybePromise<boolean>) | undefined;
  readonly onChange?: OnChange | undefined;
  /** Called with every fault that a response does not reveal. */
  readonly onFault: (error: unknown, request: RequestIds) => void;
}

/** Bytes of a body up to which the event loop reads it: at its worst, an object with 10,000 unknown members, for 20 ms. */
const LARGE = 65_536;

/** A collection in one tree, made at start; in other units than those of the tree, when a client first asks for these. */
export type Resource = ReturnType<typeof createResource>;

export function createResource(tree: Tree, collection: Collection, options: ResourceOptions) {
  const { language } = tree;
  const others = options.trees.map((other) => other.language).filter(({ tag }) => tag !== language.tag);
  const listFormats = listRepresentations(language, collection);
  const names = keyNames(collection);
  const keyed = collection.parent ? [collection.parent, collection] : [collection];
  return {
    tree,
    language,
    collection,
    options,
    itemFormats: itemRepresentations(language, collection),
    listFormats,
    eventFormat: { ...listFormats[0], type: 'text/event-stream' } satisfies Representation,
    readMembers: createMembersReader(language, collection),
    readItemQuery: createQueryReader(language, others, collection, itemParameters),
    readListQuery: createQueryReader(language, others, collection),
    links: createLinks(tree, options.trees, collection),
    itemTemplate: itemTemplate(language, collection),
    keyNames: names,
    parentNames: names.slice(0, -1),
    keyChecks: keyed.map((of) => ({ of, check: createValueChecker(of.key) })),
  };
}

/** Resources in the units that clients have asked for: as many as there are combinations. */
const inOtherUnits = new WeakMap<Resource, Map<string, Resource>>();

/** @returns the resource with numbers in the units that the client prefers. @throws Problem `invalid-header` if a field or unit is unknown */
export function inPreferredUnits({ req }: Exchange, resource: Resource): Resource {
  const { language, collection, options } = resource;
  const header = req.method === 'DELETE' ? null : req.raw.headers.get('Prefer');
  const units = header === null ? undefined : preferredUnits(header, language, collection);
  if (!units) return resource;
  const name = JSON.stringify([...units].sort());
  const resources = inOtherUnits.get(resource) ?? new Map<string, Resource>();
  const known = resources.get(name);
  if (known) return known;
  const trees = options.trees.map((tree) => ({ ...tree, language: withUnits(tree.language, units) }));
  const tree = trees.find((other) => other.language.tag === language.tag) ?? resource.tree;
  const created = createResource(tree, collection, { ...options, trees });
  inOtherUnits.set(resource, resources.set(name, created));
  return created;
}

function itemProblem({ language, keyNames }: Resource, kind: 'missing' | 'exists', of: Collection, keys: Keys) {
  const { the } = language.nouns(of);
  const within = of.parent && language.nouns(of.parent).within;
  const key = keys[keyNames.indexOf(of.name)] ?? '';
  return new Problem(kind === 'missing' ? 'not-found' : 'already-exists', itemSentence(kind, { the, key }, within));
}

export const missingProblem = (resource: Resource, of: Collection, keys: Keys): Problem =>
  itemProblem(resource, 'missing', of, keys);

export async function requireItem(resource: Resource, of: Collection, keys: Keys): Promise<void> {
  const { store } = resource.options;
  if (of.parent) await requireItem(resource, of.parent, keys.slice(0, -1));
  const plan = store.plan({ of: 'item', collection: of, keys, query: EVERYTHING });
  if (!(await store.read(plan))) throw missingProblem(resource, of, keys);
}

export function requireKeys(resource: Resource, keys: Keys): void {
  const impossible = resource.keyChecks.find(
    ({ check }, at) => at < keys.length && check(keys[at]).fault !== undefined,
  );
  if (impossible) throw missingProblem(resource, impossible.of, keys);
}

/** @param ETag `undefined` if the response must not be stored */
export function respondNotModified(
  c: Exchange,
  ETag: string | undefined,
  { headers }: Pick<Representation, 'headers'>,
) {
  const { Vary = '' } = headers;
  return isNotModified(c.req.raw.headers, ETag) && ETag ? respond(c, 304, null, { ETag, Vary }) : undefined;
}

/** The first steps of every request with a JSON body: negotiation, then the body, then the check that there is no query. */
export async function receiveJson<T>(
  c: Exchange,
  { options, itemFormats }: Resource,
  parse: (body: Uint8Array) => MaybePromise<T>,
): Promise<{ readonly representation: Representation; readonly content: T }> {
  const { headers } = c.req.raw;
  const representation = chooseType(headers, itemFormats);
  checkContentType(c.req.raw);
  const content = await parse(await readBody(c, options.bodyLimit));
  checkConditions(headers);
  refuseQuery(readQueryText(c));
  return { representation, content };
}

/** @returns the members of an item in a body; a large one is read off the event loop */
export function parseMembers(c: Exchange, resource: Resource, purpose: 'create' | 'update', body: Uint8Array) {
  const { language, collection, options, readMembers } = resource;
  if (body.length <= LARGE) return readWords(c, () => readMembers(parseBody(body), purpose));
  const job = { tag: language.tag, collection: collection.routeId, purpose, units: language.units };
  return options.loadReaders().then((readers) => readers.readBody(job, body, c.req.raw.signal, c.env?.formerWords));
}

/** @returns `X-Hint` for a number that is stored although few items have a greater one than is usual: it may be in another unit */
export function hintAtUnusual({ language, collection }: Resource, cells: Members['cells']): HeaderRecord {
  const at = collection.fields.findIndex(({ usualMax }, index) => Number(cells?.[index]) > (usualMax ?? Infinity));
  const { [at]: field } = collection.fields;
  if (!field) return {};
  const { toJson } = getValues(language, collection, field);
  const unit = findDisplayUnit(language, collection, field) ?? '';
  const [value = '', most = ''] = [Number(cells?.[at]), field.usualMax ?? 0].map(
    (number) => `${toJson(number)} ${unit}`,
  );
  const word = language.fields(collection).word(field.name);
  const hint = language.format(sentence('value-unusual', { word, value: value.trim(), most: most.trim() }));
  return { 'X-Hint': encodeHeader(hint) };
}

/** @throws Problem if nothing was written */
export function requireWritten(resource: Resource, outcome: Outcome, keys: Keys): Row {
  if (outcome.kind === 'written') return outcome.row;
  throw outcomeProblem(resource, outcome, keys);
}

export function outcomeProblem(resource: Resource, outcome: Outcome, keys: Keys): Problem {
  const { language, collection } = resource;
  const { parent } = collection;
  switch (outcome.kind) {
    case 'missing':
      return missingProblem(resource, parent?.name === outcome.collection ? parent : collection, keys);
    case 'precondition-failed':
      return preconditionProblem(outcome.condition);
    case 'conflict':
      return conflictProblem(language, collection, outcome.conflicts);
    case 'in-use':
      return new Problem('in-use', inUseSentence(language, collection, outcome));
    case 'idempotency-mismatch':
      return mismatchProblem();
    default:
      return itemProblem(resource, 'exists', collection, keys);
  }
}

/** Reports a change. @returns the id of its request, for the response; `undefined` if nobody is told */
function reportChange(c: Exchange, { collection, options }: Resource, change: Omit<ChangeEvent, 'collection'>) {
  if (!options.onChange) return undefined;
  const ids = readRequestIds(c.req.raw);
  options.onChange({ ...change, collection: collection.name }, ids, c.env?.incoming);
  return ids.id;
}

const ACTIONS = { create: 'created', update: 'updated', remove: 'deleted' } as const;

/** Writes, and reports a change, also if it becomes known only after the response. */
export async function write(c: Exchange, resource: Resource, intent: Intent) {
  const action = ACTIONS[intent.kind];
  const report = (outcome: Outcome): string | undefined => {
    const keys = intent.kind === 'create' ? [...intent.parents, ''] : intent.keys;
    if (outcome.kind === 'removed')
      return reportChange(c, resource, { action, identifiers: keys, revision: outcome.change });
    if (outcome.kind !== 'written' || outcome.isUnchanged) return undefined;
    const [revision, key] = outcome.row;
    return reportChange(c, resource, { action, identifiers: keys.with(-1, String(key)), revision });
  };
  try {
    const outcome = await resource.options.store.write(intent);
    return { outcome, requestId: report(outcome) };
  } catch (error) {
    if (error instanceof OutcomeUnknown) error.outcome?.then(report, () => {});
    throw error;
  }
}

/** Reports an import that has changed something. @returns the id of its request if somebody is told */
export function reportImport(c: Exchange, resource: Resource, identifiers: Keys, outcome: ImportOutcome) {
  if (outcome.kind !== 'imported' || outcome.isRepeated) return undefined;
  const { created, updated, deleted } = outcome.report;
  if (created + updated + deleted === 0) return undefined;
  return reportChange(c, resource, { action: 'imported', identifiers, created, updated, deleted });
}

/** @returns the keys of an item as they were first written, for links */
export function spellKeys({ collection, options: { store } }: Resource, keys: Keys, row: Row): MaybePromise<Keys> {
  if (!hasCompactKey(collection)) return keys;
  const [parents, key] = [keys.slice(0, -1), String(row[1])];
  const { parent } = collection;
  if (!parent?.key.compact) return [...parents, key];
  const plan = store.plan({ of: 'item', collection: parent, keys: parents, query: EVERYTHING });
  return andThen(store.read(plan), (result) => [String(result?.rows[0]?.[1] ?? parents[0]), key]);
}

function getItem(c: Exchange, resource: Resource): MaybePromise<Response> {
  const { collection, language, links, options } = resource;
  const { choice, query } = negotiate(c, resource.itemFormats, resource.readItemQuery);
  const representation = isPartial(query) ? selectParts(choice, language, collection, query) : choice;
  const keys = readKeys(c, resource.keyNames);
  const plan = options.store.plan({ of: 'item', collection, keys, query });
  // Not awaited: an item takes 8 % less time if the store answers at once.
  return andThen(
    options.store.read(plan, () => createCaller(c, options.readClient)),
    (result) => {
      const row = result?.rows[0];
      if (!row) return refuse(resource, keys, missingProblem(resource, collection, keys));
      const { format, headers, list, tagMark } = representation;
      const mark = query.include ? nestedMark(tagMark, result.change) : tagMark;
      const tag = query.isPure && format.isPure !== false ? itemTag(row[0], mark) : undefined;
      const unchanged = isConditional(c.req.raw.headers) ? respondNotModified(c, tag, representation) : undefined;
      if (unchanged) return unchanged;
      return andThen(spellKeys(resource, keys, row), (spelled) => {
        const link = writeItemLinks(links, spelled, query);
        return respond(c, 200, list.row(row, 0), { ...headers, ...link, ...tagHeader(tag) });
      });
    },
  );
}

/** @throws Problem `not-found` if the item or its parent is missing, and otherwise `problem` */
async function refuse(resource: Resource, keys: Keys, problem: Problem): Promise<never> {
  await requireItem(resource, resource.collection, keys);
  throw problem;
}

/** Changes the members that are sent and leaves the others unchanged (RFC 7396). @param hasTag whether the response has the new tag */
async function mergeItem(c: Exchange, resource: Resource, hasTag: boolean): Promise<Response> {
  const { collection, language, links, itemFormats } = resource;
  const { representation, content } = await receiveJson(c, resource, (body) =>
    parseMembers(c, resource, 'update', body),
  );
  const { cells: changes, problem } = content;
  const keys = readKeys(c, resource.keyNames);
  if (problem) return refuse(resource, keys, problem);
  const key = keys.at(-1) ?? '';
  const [sentKey = key] = changes;
  if (keyId(collection.key, String(sentKey)) !== keyId(collection.key, key)) {
    const word = language.fields(collection).word(collection.key.name);
    const detail = sentence('key-mismatch', { word, sent: String(sentKey), key });
    return refuse(resource, keys, new Problem('key-mismatch', detail));
  }
  // The tag of any representation, and of any selection of its members, contains the revision.
  const precondition = readPrecondition(c.req.raw.headers, (mark) =>
    itemFormats.some(({ tagMark }) => isOfSelection(mark, tagMark)),
  );
  const intent = { kind: 'update', collection: collection.name, keys, changes, precondition } as const;
  const { outcome, requestId } = await write(c, resource, intent);
  const row = requireWritten(resource, outcome, keys);
  const headers = {
    ...representation.headers,
    ...writeItemLinks(links, await spellKeys(resource, keys, row)),
    ...(hasTag ? tagHeader(itemTag(row[0], representation.tagMark)) : {}),
    'X-Change': encodeChange(row[0]),
    ...hintAtUnusual(resource, changes),
  };
  return respond(c, 200, representation.list.row(row, 0), headers, requestId);
}

async function deleteItem(c: Exchange, resource: Resource): Promise<Response> {
  const { collection, itemFormats } = resource;
  const { headers } = c.req.raw;
  checkConditions(headers);
  refuseQuery(readQueryText(c));
  const keys = readKeys(c, resource.keyNames);
  // The revision says nothing about nested items, which are deleted with the item.
  const precondition = readPrecondition(headers, (mark) =>
    itemFormats.some(({ tagMark }) => isOfMembers(mark, tagMark)),
  );
  const intent = { kind: 'remove', collection: collection.name, keys, precondition } as const;
  const { outcome, requestId } = await write(c, resource, intent);
  const change = outcome.kind === 'removed' ? outcome.change : requireWritten(resource, outcome, keys)[0];
  return respond(c, 204, null, { 'X-Change': encodeChange(change) }, requestId);
}

export const itemMethods: Methods<Resource> = {
  GET: getItem,
  // No entity tag: what is stored is not what was sent, but merged with it (RFC 9110 §9.3.4).
  PUT: (c, resource) => mergeItem(c, resource, false),
  PATCH: (c, resource) => mergeItem(c, resource, true),
  DELETE: deleteItem,
  OPTIONS: (c, resource) => requireKeys(resource, readKeys(c, resource.keyNames)),
};
