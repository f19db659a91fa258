/** Writes, one by one. What an API does not check by itself is looked up before; only some can do that and the write in one step. */
import { type Catalogue, type Collection, collectionOf } from '../../gateway/model/catalogue.ts';
import type { Cell } from '../../gateway/model/field.ts';
import { unmet } from '../../gateway/model/precondition.ts';
import type { Intent, Keys, Outcome } from '../../gateway/port/port.ts';
import { checkWidth } from '../apply.ts';
import type { Api, Client } from './api.ts';
import type { Dialect } from './dialects/dialect.ts';
import type { Answer, Exchange } from './exchange/exchange.ts';
import { badGateway, refused, unknownOutcome } from './mapping/faults.ts';
import type { MappedCollection, Mapping } from './mapping/mapping.ts';
import { refusalIn } from './refusals.ts';
import { itemRow } from './rows.ts';

/** Items nested in one that is deleted. */
const MOST_NESTED = 1_000;

type Body = Record<string, unknown>;

/** @returns the members of a body; the names of fields whose values cannot be written there, where there are any */
const bodyOf = (
  { fields }: MappedCollection,
  cells: readonly (Cell | undefined)[],
): { readonly body: Body; readonly unwritable: readonly string[] } => {
  const body: Body = {};
  const unwritable: string[] = [];
  for (const [at, { field, name, write }] of fields.entries()) {
    const cell = cells[at];
    if (cell === undefined) continue;
    body[name] = cell === null ? null : write(cell);
    if (body[name] === undefined) unwritable.push(field.name);
  }
  return { body, unwritable };
};

export const writesOf = (exchange: Exchange, api: Api, mapping: Mapping, dialect: Dialect, catalogue: Catalogue) => {
  const headers = dialect.headers ?? {};

  /** Names the parent where both it and the item are missing. */
  const missing = async (collection: Collection, keys: Keys, client: Client): Promise<Outcome> => {
    const { parent } = collection;
    const isParent = parent && !(await api.find(parent, keys.slice(0, -1), client));
    return { kind: 'missing', collection: isParent ? parent.name : collection.name };
  };

  /** @returns the item in an answer to a write, or as it is read now; where neither can be had, what was written is not known */
  const written = async (mapped: MappedCollection, keys: Keys, answer: Answer, client: Client): Promise<Outcome> => {
    const replayed = answer.headers['idempotency-replayed'] === undefined ? {} : { isUnchanged: true as const };
    try {
      const item = api.itemIn(answer);
      const row = item === undefined ? (await api.find(mapped.collection, keys, client))?.row : itemRow(mapped, item);
      if (!row) throw badGateway('an item is not there after it was written');
      return { kind: 'written', row, ...replayed };
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

  const create = async (
    { collection: name, parents, cells, isKeyAssigned, idempotency }: Extract<Intent, { kind: 'create' }>,
    client: Client,
  ): Promise<Outcome> => {
    const mapped = mapping.of(collectionOf(catalogue, name));
    const { collection } = mapped;
    const { parent } = collection;
    checkWidth(collection, cells);
    const keys = [...parents, String(cells[0])];
    const isOwn = dialect.assigned === mapped.fields[0]?.name;
    if (isOwn && !isKeyAssigned) return { kind: 'refused', fields: [collection.key.name] };
    // A key that was made here would make a request that is sent again another one.
    const assigns = isOwn || (isKeyAssigned === true && idempotency !== undefined);
    if (parent && !(await api.find(parent, parents, client))) return { kind: 'missing', collection: parent.name };
    if (!dialect.isStrict && !assigns && (await api.find(collection, keys, client))) return { kind: 'already-exists' };
    const present = cells.map((cell, at) => (cell === null || (assigns && at === 0) ? undefined : cell));
    const { body, unwritable } = bodyOf(mapped, present);
    if (unwritable.length > 0) return { kind: 'refused', fields: unwritable };
    if (parent && mapped.parent !== undefined) body[mapped.parent] = api.keyIn(mapping.of(parent), parents[0]);
    const path = api.listPath(mapped, parents) ?? '';
    const own = idempotency ? { ...headers, 'idempotency-key': `"${idempotency.key}"` } : headers;
    const answer = await exchange({ method: 'POST', path, body, headers: own }, client);
    if (answer.status < 300) return written(mapped, keys, answer, client);
    if (answer.status === 404 && parent) return { kind: 'missing', collection: parent.name };
    if (answer.status === 409) return { kind: 'already-exists' };
    if (idempotency && Object(answer.content).code === 'idempotency-mismatch') return { kind: 'idempotency-mismatch' };
    return failed(mapped, answer, 'POST');
  };

  /** Looks the item up, checks the condition, and does the rest only where the item is still what it was. */
  const withItem = async (
    { collection: name, keys, precondition }: Exclude<Intent, { kind: 'create' }>,
    client: Client,
    change: (
      path: string,
      found: NonNullable<Awaited<ReturnType<Api['find']>>>,
      own: Readonly<Record<string, string>>,
    ) => Promise<Outcome>,
  ): Promise<Outcome> => {
    const collection = collectionOf(catalogue, name);
    const found = await api.find(collection, keys, client);
    if (!found) return missing(collection, keys, client);
    const condition = precondition && unmet(precondition, found.row[0]);
    if (condition) return { kind: 'precondition-failed', condition };
    if (precondition && found.tag === undefined) throw badGateway('an item has no strong ETag');
    const tag: Record<string, string> = precondition && found.tag !== undefined ? { 'if-match': found.tag } : {};
    return change(api.itemPath(found.mapped, keys, found.item), found, { ...headers, ...tag });
  };

  const update = (intent: Extract<Intent, { kind: 'update' }>, client: Client): Promise<Outcome> =>
    withItem(intent, client, async (path, { mapped, row }, own) => {
      checkWidth(mapped.collection, intent.changes);
      const [, ...old] = row;
      const changes = intent.changes.map((cell, at) => (cell === old[at] ? undefined : cell));
      if (changes.every((cell) => cell === undefined)) return { kind: 'written', row, isUnchanged: true };
      const { body, unwritable } = bodyOf(mapped, changes);
      if (unwritable.length > 0) return { kind: 'refused', fields: unwritable };
      const answer = await exchange({ method: 'PATCH', path, body, headers: own }, client);
      if (answer.status < 300) return written(mapped, intent.keys, answer, client);
      if (answer.status === 404) return missing(mapped.collection, intent.keys, client);
      return failed(mapped, answer, 'PATCH');
    });

  /** @returns the paths of the items nested in one that are in lists of their own, where some APIs leave them */
  const nestedIn = async ({ children }: Collection, keys: Keys, client: Client): Promise<readonly string[]> => {
    const paths: string[] = [];
    for (const child of children.map(mapping.of)) {
      if (child.parent === undefined) continue;
      const found = await api.page(child, keys, [], { limit: MOST_NESTED }, client);
      for (const item of found?.items ?? []) {
        const row = itemRow(child, item);
        paths.push(api.itemPath(child, [...keys, String(row[1])], Object(item)));
      }
    }
    return paths;
  };

  const remove = (intent: Extract<Intent, { kind: 'remove' }>, client: Client): Promise<Outcome> =>
    withItem(intent, client, async (path, { mapped }, own) => {
      const nested = await nestedIn(mapped.collection, intent.keys, client);
      const answer = await exchange({ method: 'DELETE', path, headers: own }, client);
      if (answer.status < 300) {
        for (const path of nested) await exchange({ method: 'DELETE', path, headers }, client);
        return { kind: 'removed', change: 0 };
      }
      if (answer.status === 404) return missing(mapped.collection, intent.keys, client);
      return failed(mapped, answer, 'DELETE');
    });

  return (intent: Intent, client: Client): Promise<Outcome> => {
    if (intent.kind === 'create') return create(intent, client);
    return intent.kind === 'update' ? update(intent, client) : remove(intent, client);
  };
};
