/** Writes, one by one. What an API does not check by itself is looked up before; only some can do that and the write in one step. */
import { type Catalogue, type Collection, collectionOf } from '../../gateway/model/catalogue.ts';
import type { Cell } from '../../gateway/model/field.ts';
import { unmet } from '../../gateway/model/precondition.ts';
import type { Intent, Keys, Outcome } from '../../gateway/port/port.ts';
import { sentence } from '../../gateway/texts/phrase.ts';
import { Problem } from '../../gateway/texts/problem.ts';
import { checkWidth } from '../apply.ts';
import type { Api, Client } from './api.ts';
import type { Dialect } from './dialects/dialect.ts';
import type { Answer, Exchange } from './exchange/exchange.ts';
import { badGateway, unknownOutcome } from './mapping/faults.ts';
import type { MappedCollection, Mapping } from './mapping/mapping.ts';
import { refusalIn, refused } from './refusals.ts';

/** Items nested in one that is deleted. */
const MOST_NESTED = 1_000;

type Intended<Kind extends Intent['kind']> = Extract<Intent, { kind: Kind }>;

/** @returns the members of a body; the fields whose values cannot be written there, where there are any */
const bodyOf = ({ fields }: MappedCollection, cells: readonly (Cell | undefined)[]) => {
  const body: Record<string, unknown> = {};
  for (const [at, { name, write }] of fields.entries()) {
    const cell = cells[at];
    if (cell !== undefined) body[name] = cell === null ? null : write(cell);
  }
  const lost = fields.filter(({ name }) => name in body && body[name] === undefined);
  return { body, unwritable: lost.map(({ field }) => field.name) };
};

export const writesOf = (exchange: Exchange, api: Api, mapping: Mapping, dialect: Dialect, catalogue: Catalogue) => {
  const { headers } = dialect;

  /** Names the parent where both it and the item are missing. */
  const missing = async (collection: Collection, keys: Keys, client: Client): Promise<Outcome> => {
    const { parent } = collection;
    const isParent = parent && !(await api.find(parent, keys.slice(0, -1), client));
    return { kind: 'missing', collection: isParent ? parent.name : collection.name };
  };

  /** @returns the item in an answer to a write, or as it is read now; where neither can be had, what was written is not known */
  const written = async (mapped: MappedCollection, keys: Keys, answer: Answer, client: Client): Promise<Outcome> => {
    try {
      const row = api.rowIn(mapped, answer) ?? (await api.find(mapped.collection, keys, client))?.row;
      if (!row) throw badGateway('an item is not there after it was written');
      const isReplayed = answer.headers['idempotency-replayed'] !== undefined;
      return { kind: 'written', row, ...(isReplayed ? { isUnchanged: true } : {}) };
    } catch (error) {
      throw unknownOutcome(Object(error).cause ?? error);
    }
  };

  /** @returns what became of a write that was not done */
  const failed = (mapped: MappedCollection, answer: Answer, method: string): Outcome => {
    const { status } = answer;
    if (status === 412) return { kind: 'precondition-failed', condition: 'match' };
    if ([400, 409, 422].includes(status)) return refusalIn(mapped, answer);
    const problem = refused(answer, method);
    throw status >= 500 && status !== 501 ? unknownOutcome(problem.cause) : problem;
  };

  const create = async (intent: Intended<'create'>, client: Client): Promise<Outcome> => {
    const { parents, cells, isKeyAssigned, idempotency } = intent;
    const collection = collectionOf(catalogue, intent.collection);
    const { parent } = collection;
    checkWidth(collection, cells);
    const keys = [...parents, String(cells[0])];
    const isOwn = dialect.assigned === mapping.of(collection).key.name;
    if (isOwn && !isKeyAssigned) return { kind: 'refused', fields: [collection.key.name] };
    // A key that was made here would make a request that is sent again another one.
    const assigns = isOwn || (isKeyAssigned === true && idempotency !== undefined);
    const place = api.placeOf(collection, parents);
    if (!place || (parent && !(await api.find(parent, parents, client)))) {
      return { kind: 'missing', collection: (parent ?? collection).name };
    }
    if (!dialect.isStrict && !assigns && (await api.find(collection, keys, client))) return { kind: 'already-exists' };
    const { mapped, path, conditions } = place;
    const present = cells.map((cell, at) => (cell === null || (assigns && at === 0) ? undefined : cell));
    const { body, unwritable } = bodyOf(mapped, present);
    if (unwritable.length > 0) return { kind: 'refused', fields: unwritable };
    // What a parent's items have in common, a new one has.
    for (const { name, values } of conditions) body[name] = values[0];
    const own = idempotency ? { ...headers, 'idempotency-key': `"${idempotency.key}"` } : headers;
    const answer = await exchange({ method: 'POST', path, body, headers: own }, client);
    if (answer.status < 300) return written(mapped, keys, answer, client);
    if (answer.status === 404 && parent) return { kind: 'missing', collection: parent.name };
    if (answer.status === 409) return { kind: 'already-exists' };
    if (idempotency && Object(answer.content).code === 'idempotency-mismatch') return { kind: 'idempotency-mismatch' };
    return failed(mapped, answer, 'POST');
  };

  /**
   * @returns the paths of the items nested in one that are in lists of their own, where some APIs leave them
   * @throws Problem `not-supported` where there are too many
   */
  const nestedIn = async ({ children }: Collection, keys: Keys, client: Client): Promise<readonly string[]> => {
    const places = children.flatMap((child) => (mapping.of(child).parent && api.placeOf(child, keys)) || []);
    const paths = places.map(async (place) => {
      const { items, total } = (await api.page(place, { limit: MOST_NESTED }, client)) ?? { items: [], total: 0 };
      if (items.length < total) throw new Problem('not-supported', sentence('upstream-limit', { most: items.length }));
      return items.map((item) => api.pathOf(place, Object(item)));
    });
    return (await Promise.all(paths)).flat();
  };

  /** Deletes what is left of an item that is deleted. */
  const removeNested = async (paths: readonly string[], client: Client): Promise<void> => {
    try {
      for (const path of paths) {
        const { status } = await exchange({ method: 'DELETE', path, headers }, client);
        if (status >= 300 && status !== 404) throw badGateway(`status ${status} to DELETE of ${path}`);
      }
    } catch (error) {
      throw unknownOutcome(Object(error).cause ?? error);
    }
  };

  /** Looks the item up, checks the condition, and sends what differs, where the item is still what it was. */
  const change = async (intent: Intended<'update' | 'remove'>, client: Client): Promise<Outcome> => {
    const { keys, precondition } = intent;
    const collection = collectionOf(catalogue, intent.collection);
    const mapped = mapping.of(collection);
    const changes = intent.kind === 'update' ? intent.changes : undefined;
    if (changes) checkWidth(collection, changes);
    const found = await api.find(collection, keys, client);
    if (!found) return missing(collection, keys, client);
    const { row, path, tag } = found;
    const condition = precondition && unmet(precondition, row[0]);
    if (condition) return { kind: 'precondition-failed', condition };
    if (precondition && tag === undefined) throw badGateway('an item has no strong ETag');
    const own = precondition && tag !== undefined ? { ...headers, 'if-match': tag } : headers;
    const [, ...old] = row;
    const differing = changes?.map((cell, at) => (cell === old[at] ? undefined : cell)) ?? [];
    const { body, unwritable } = bodyOf(mapped, differing);
    if (unwritable.length > 0) return { kind: 'refused', fields: unwritable };
    if (changes && Object.keys(body).length === 0) return { kind: 'written', row, isUnchanged: true };
    const nested = changes ? [] : await nestedIn(collection, keys, client);
    const sent = changes ? ({ method: 'PATCH', body } as const) : ({ method: 'DELETE' } as const);
    const answer = await exchange({ ...sent, path: path(), headers: own }, client);
    if (answer.status === 404) return missing(collection, keys, client);
    if (answer.status >= 300) return failed(mapped, answer, sent.method);
    if (changes) return written(mapped, keys, answer, client);
    await removeNested(nested, client);
    return { kind: 'removed', change: 0 };
  };

  return (intent: Intent, client: Client): Promise<Outcome> =>
    intent.kind === 'create' ? create(intent, client) : change(intent, client);
};
