/** A transaction in three steps: it reads the rows that a batch of intents depends on, applies the intents in memory, and writes the result. */

import {
  type Catalogue,
  type Collection,
  findCollection,
  findReferences,
  keyIds,
} from '../../../gateway/model/catalogue.ts';
import type { Cell, Field, Value } from '../../../gateway/model/field.ts';
import type { ImportOutcome } from '../../../gateway/model/import.ts';
import { comparedCell } from '../../../gateway/model/query.ts';
import type { Intent, KeyedRow, Keys, Outcome, Row } from '../../../gateway/port/port.ts';
import { abandoned, OutcomeUnknown } from '../../../gateway/port/unavailable.ts';
import { applyIntent, type TransactionRows } from '../../apply.ts';
import { ChangeSet, type FindRecord, MIN_GAP } from '../../change-set.ts';
import type { ApplyOptions } from '../../imports/import-rows.ts';
import { ImportRun, type ImportWork, isStored, type Need } from '../../imports/import-run.ts';
import {
  createItemSql,
  type FindItemSql,
  listInsertValues,
  listKeyedColumns,
  listTombstoneValues,
  listUpdateValues,
  selectHaving,
  selectKeys,
  selectReferring,
  toKeyedRow,
} from '../../sql/items.ts';
import {
  CREATED,
  insertInto,
  listFieldColumns,
  PARENT,
  postgres,
  quote,
  REVISION,
  statement,
  testParent,
} from '../../sql/statement.ts';
import {
  listClosingWrites,
  type RecordRow,
  readChange,
  selectRecords,
  tombstones,
  toRecord,
} from '../../sql/system-tables.ts';
import { isRefused } from '../connection/errors.ts';
import { type BatchStatement, type Connection, type Pool, readChunks, settleAll } from '../connection/pool.ts';
import { joinKeys, selectItems } from '../reads/reads.ts';

const INSERT_TOMBSTONES = insertInto(postgres, tombstones);
const SELECT_RECORDS = selectRecords('= ANY(?)');

type Address = readonly [collection: Collection, keys: Keys];
type StoredItem = readonly [...Address, Row];

const pickCollection = ([collection]: readonly [Collection, ...unknown[]]): Collection => collection;
const pickKeys = (address: Address | StoredItem): Keys => address[1];

async function readItems(
  connection: Connection,
  collection: Collection,
  query: BatchStatement,
): Promise<readonly StoredItem[]> {
  const rows = await connection.rows<Cell[]>(query);
  return rows.map((cells) => toKeyedRow(collection, cells)).map(({ keys, row }) => [collection, keys, row]);
}

function readBelow(connection: Connection, child: Collection, parents: readonly Keys[]) {
  const values = [parents.flatMap((keys) => keyIds(child, keys.slice(0, 1)))];
  const all = `SELECT ${listKeyedColumns(child)} FROM ${quote(child.name)}`;
  return readItems(connection, child, {
    sql: `${all} WHERE ${PARENT} ${testParent(child, '= ANY(?)')} ORDER BY ${CREATED}`,
    values,
  });
}

function readChildren(connection: Connection, { children }: Collection, parents: readonly Keys[]) {
  const listedChildren = parents.length === 0 ? [] : children.filter(({ all }) => all);
  return listedChildren.map((child) => readBelow(connection, child, parents));
}

/** Reads the items that refer to one which is deleted, and to those that are deleted with it. */
async function readReferring(
  connection: Connection,
  catalogue: Catalogue,
  [target, [key = '']]: Address,
  visited = new Set<string>(),
): Promise<readonly StoredItem[]> {
  const address = `${target.name}\0${joinKeys(target, [key])}`;
  if (target.parent || visited.has(address)) return [];
  visited.add(address);
  const results = findReferences(catalogue, target).map(async ({ collection, field }) => {
    const items = await readItems(connection, collection, selectReferring(collection, field, key));
    if (field.onDelete !== 'delete') return items;
    const further = items.map(([, keys]) => readReferring(connection, catalogue, [collection, keys], visited));
    const children = readChildren(connection, collection, items.map(pickKeys));
    return [items, ...(await settleAll([...further, ...children]))].flat();
  });
  return (await settleAll(results)).flat();
}

/** Reads the items that the outcomes of intents depend on; an item may come twice. */
async function readConcerned(
  connection: Connection,
  catalogue: Catalogue,
  intents: readonly Intent[],
): Promise<readonly StoredItem[]> {
  const addresses: Address[] = [];
  const deletions: Address[] = [];
  const uniqueValues: (readonly [Collection, Field, Value])[] = [];
  for (const intent of intents) {
    const collection = findCollection(catalogue, intent.collection);
    const keys = intent.kind === 'create' ? [...intent.parents, String(intent.cells[0])] : intent.keys;
    addresses.push([collection, keys]);
    if (collection.parent) addresses.push([collection.parent, keys.slice(0, -1)]);
    if (intent.kind === 'remove') deletions.push([collection, keys]);
    const cells = intent.kind === 'create' ? intent.cells : intent.kind === 'update' ? intent.changes : [];
    for (const at of collection.constrained) {
      const [field, value = null] = [collection.fields[at], cells[at]];
      if (!field || value === null) continue;
      if (field.refersTo) addresses.push([findCollection(catalogue, field.refersTo), [String(value)]]);
      if (field.unique) uniqueValues.push([collection, field, value]);
    }
  }
  const results: Promise<readonly StoredItem[]>[] = [];
  for (const [collection, all] of Map.groupBy(addresses, pickCollection)) {
    results.push(readItems(connection, collection, selectItems(collection, all.map(pickKeys))));
  }
  for (const [collection, all] of Map.groupBy(uniqueValues, pickCollection)) {
    for (const [field, some] of Map.groupBy(all, ([, unique]) => unique)) {
      const sql = selectHaving(collection, field, '= ANY(?)');
      results.push(
        readItems(connection, collection, { sql, values: [some.map(([, , value]) => comparedCell(field, value))] }),
      );
    }
  }
  for (const [collection, all] of Map.groupBy(deletions, pickCollection)) {
    results.push(...all.map((address) => readReferring(connection, catalogue, address)));
    results.push(...readChildren(connection, collection, all.map(pickKeys)));
  }
  return (await settleAll(results)).flat();
}

async function readRecords(connection: Connection, keys: readonly string[]): Promise<FindRecord> {
  const rows = keys.length === 0 ? [] : await connection.rows<RecordRow>({ sql: SELECT_RECORDS, values: [keys] });
  const records = new Map(rows.map((row) => [row[0], toRecord(row)]));
  return (key) => records.get(key);
}

function toColumns(rows: readonly (readonly Cell[])[]): readonly (readonly Cell[])[] {
  return (rows[0] ?? []).map((_, at) => rows.map((row) => row[at] ?? null));
}

function insertAll(sql: string, rows: readonly (readonly Cell[])[]): readonly BatchStatement[] {
  return rows.length === 0 ? [] : [{ sql, values: toColumns(rows) }];
}

/** @returns a statement that updates all items; it binds the columns of their `listUpdateValues`, and their keys once more */
function updateAll(collection: Collection, entries: readonly Entry[]): BatchStatement {
  const table = quote(collection.name);
  const fields = listFieldColumns(collection);
  const key = [...(collection.isChild ? [PARENT] : []), quote(collection.key.name)];
  const bound = postgres.boundRows(['INTEGER', ...fields.map(({ type }) => type), ...key.map(() => 'TEXT' as const)]);
  const columns = [REVISION, ...fields.map(({ name }) => name)];
  const names = [...columns, ...key].map((_, at) => quote(`${at}`));
  const set = columns.map((column, at) => `${column} = "u".${names[at]}`).join(', ');
  const isSame = key.map((column, at) => `${table}.${column} = "u".${names[columns.length + at]}`).join(' AND ');
  // Otherwise a plan that was made for a small table reads all of a large one.
  const isAny = key.map((column) => `${table}.${column} = ANY(?)`).join(' AND ');
  const values = entries.map(({ keys, now = [0] }) => listUpdateValues(collection, now[0], keys, now.slice(1)));
  return {
    sql: `UPDATE ${table} SET ${set} FROM (${bound}) AS "u" (${names.join(', ')}) WHERE ${isSame} AND ${isAny}`,
    values: [...toColumns(values), ...toColumns(entries.map(({ keys }) => keys))],
  };
}

interface Entry {
  keys: Keys;
  readonly before: Row | undefined;
  now: Row | undefined;
  /** The number of the change that created it, if the batch did. */
  created: number | undefined;
}

const nameFamily = (child: Collection, keys: Keys): string => `${child.name}\0${keyIds(child, keys.slice(0, 1))}`;

class Batch implements TransactionRows {
  readonly record: FindRecord;
  readonly #catalogue: Catalogue;
  readonly #tables: ReadonlyMap<string, Map<string, Entry>>;
  /** Nested items, by their collection and their parent. */
  readonly #families = new Map<string, Entry[]>();
  readonly #tombstones: (readonly Cell[])[] = [];

  constructor(catalogue: Catalogue, items: readonly StoredItem[], record: FindRecord) {
    this.#catalogue = catalogue;
    this.#tables = new Map(catalogue.map(({ name }) => [name, new Map()]));
    this.record = record;
    for (const [collection, keys, row] of items) {
      const isThere = this.#entries(collection).has(joinKeys(collection, keys));
      if (!isThere) this.#add(collection, { keys, before: row, now: row, created: undefined });
    }
  }

  readonly read = (collection: Collection, keys: Keys): Row | undefined => this.#entry(collection, keys).now;

  readonly having = (collection: Collection, field: Field, value: Value): readonly KeyedRow[] => {
    const compared = comparedCell(field, value);
    return this.#filter(collection, field, (cell) => comparedCell(field, cell) === compared);
  };

  readonly referring = (collection: Collection, field: Field, key: string): readonly KeyedRow[] =>
    this.#filter(collection, field, (cell) => cell === key);

  readonly below = (child: Collection, keys: Keys): readonly string[] =>
    this.#within(child, keys).flatMap(({ keys, now }) => (now ? [keys.at(-1) ?? ''] : []));

  readonly insert = (collection: Collection, change: number, parents: Keys, cells: readonly Cell[]): void => {
    const keys = [...parents, String(cells[0])];
    const entry = this.#entry(collection, keys);
    // A deleted item that is created again may be written in another way.
    entry.keys = keys;
    entry.now = [change, ...cells];
    entry.created = change;
  };

  readonly update = (collection: Collection, change: number, keys: Keys, cells: readonly Cell[]): void => {
    this.#entry(collection, keys).now = [change, ...cells];
  };

  readonly remove = (collection: Collection, change: number, keys: Keys): void => {
    const children = this.#catalogue.filter(({ parent }) => parent === collection);
    const nested = children.flatMap((child) => this.#within(child, keys));
    for (const entry of [this.#entry(collection, keys), ...nested]) {
      entry.now = undefined;
      entry.created = undefined;
    }
    this.#tombstones.push(listTombstoneValues(collection, change, keys));
  };

  /** @returns statements that write what has changed: what is deleted or gives up unique values first, so that others can have these */
  writes(sql: FindItemSql): readonly BatchStatement[] {
    const [first, inserts, updates]: [BatchStatement[], BatchStatement[], BatchStatement[]] = [[], [], []];
    for (const collection of this.#catalogue) {
      const { remove, free, insert } = sql(collection);
      const newRows: (readonly Cell[])[] = [];
      const changedEntries: Entry[] = [];
      for (const entry of this.#entries(collection).values()) {
        const { keys, before, now, created: change } = entry;
        // A row that was removed and created again is deleted and inserted.
        if (before && (!now || change !== undefined))
          first.push({ sql: remove, values: [...keys.slice(0, -1), before[1] ?? null] });
        if (now && change !== undefined) {
          newRows.push(listInsertValues(collection, change, now[0], keys.slice(0, -1), now.slice(1)));
        } else if (before && now && now !== before) {
          changedEntries.push(entry);
          const frees = collection.fields.some(({ unique }, at) => unique && before[at + 1] !== now[at + 1]);
          if (frees) first.push({ sql: free, values: keys });
        }
      }
      inserts.push(...insertAll(insert, newRows));
      if (changedEntries.length > 0) updates.push(updateAll(collection, changedEntries));
    }
    return [...first, ...inserts, ...updates, ...insertAll(INSERT_TOMBSTONES, this.#tombstones)];
  }

  #entries({ name }: Collection): Map<string, Entry> {
    return this.#tables.get(name) ?? new Map();
  }

  #entry(collection: Collection, keys: Keys): Entry {
    const entry = this.#entries(collection).get(joinKeys(collection, keys));
    return entry ?? this.#add(collection, { keys, before: undefined, now: undefined, created: undefined });
  }

  #add(collection: Collection, entry: Entry): Entry {
    this.#entries(collection).set(joinKeys(collection, entry.keys), entry);
    if (!collection.parent) return entry;
    const family = nameFamily(collection, entry.keys);
    const others = this.#families.get(family);
    if (others) others.push(entry);
    else this.#families.set(family, [entry]);
    return entry;
  }

  #filter(collection: Collection, field: Field, isWanted: (cell: Cell) => boolean): readonly KeyedRow[] {
    const at = collection.fields.indexOf(field) + 1;
    const entries = [...this.#entries(collection).values()];
    return entries.flatMap(({ keys, now: row }) => (row && isWanted(row[at] ?? null) ? [{ keys, row }] : []));
  }

  #within(child: Collection, parents: Keys): readonly Entry[] {
    return this.#families.get(nameFamily(child, parents)) ?? [];
  }
}

type RowsNeed = Extract<Need, { readonly kind: 'rows' }>;

async function readBatch(
  connection: Connection,
  catalogue: Catalogue,
  intents: readonly Intent[],
  nested: RowsNeed['nested'] = [],
): Promise<Batch> {
  const keys = intents.flatMap((intent) =>
    intent.kind === 'create' && intent.idempotency ? [intent.idempotency.key] : [],
  );
  const [record, items, ...below] = await settleAll([
    readRecords(connection, [...new Set(keys)]),
    readConcerned(connection, catalogue, intents),
    ...nested.map(([list, parents]) => readBelow(connection, list, parents)),
  ]);
  return new Batch(catalogue, [...items, ...below.flat()], record);
}

function listWrites(batch: readonly BatchStatement[], changeSet: ChangeSet): readonly BatchStatement[] {
  const { inserts, statements } = listClosingWrites(postgres, changeSet);
  return [...batch, ...inserts.flatMap(([sql, rows]) => insertAll(sql, rows)), ...statements];
}

/** The lock of all writers: whichever instance holds this row writes, and sees what the one before it has written. */
const LOCK_CHANGE = statement(`${readChange} FOR UPDATE`);

/** @throws OutcomeUnknown if it may have been done; any other error if nothing was written */
async function commit(connection: Connection, writes: readonly BatchStatement[]): Promise<void> {
  const writing = Promise.allSettled(writes.map((write) => connection.rows(write)));
  const [end] = await Promise.allSettled([connection.exec('COMMIT')]);
  const failure = (await writing).find((result) => result.status === 'rejected');
  if (end.status === 'rejected') throw isRefused(end.reason) ? end.reason : new OutcomeUnknown({ cause: end.reason });
  if (end.value === 'COMMIT' && !failure) return;
  const error: unknown = failure?.reason ?? new Error(`${end.value} instead of COMMIT`);
  throw end.value === 'ROLLBACK' ? error : new OutcomeUnknown({ cause: error });
}

/** READ COMMITTED is enough: nothing is read before the lock is held, and each statement sees all that was committed before it. */
export class Committer {
  readonly #pool: Pool;
  readonly #catalogue: Catalogue;
  readonly #sql: FindItemSql;
  /** Whether this process has committed a change, so that a gap in the change numbers is one of this database. */
  #hasWritten = false;

  constructor(pool: Pool, catalogue: Catalogue) {
    this.#pool = pool;
    this.#catalogue = catalogue;
    this.#sql = createItemSql(catalogue, postgres);
  }

  /** @returns `undefined`, with nothing written, if the lock was not had within so many milliseconds */
  async commit(intents: readonly Intent[], patience: number): Promise<readonly Outcome[] | undefined> {
    let hasLock = false;
    const waiting = new AbortController();
    const { signal } = waiting;
    // Once the lock is held, nothing is given up: nobody would know whether an abandoned COMMIT was done.
    const timer = setTimeout(() => hasLock || waiting.abort(), patience);
    const work = async (connection: Connection): Promise<readonly Outcome[]> => {
      hasLock = false;
      const [, [[last] = [0]], batch] = await settleAll([
        connection.begin(),
        connection.rows<[number]>(LOCK_CHANGE),
        readBatch(connection, this.#catalogue, intents),
      ]);
      if (signal.aborted) throw abandoned();
      hasLock = true;
      const changeSet = new ChangeSet(last, Date.now(), this.#hasWritten ? MIN_GAP : 0);
      const outcomes = intents.map((intent) => applyIntent(this.#catalogue, batch, intent, changeSet));
      await commit(connection, listWrites(batch.writes(this.#sql), changeSet));
      // An update that changes nothing takes no number.
      this.#hasWritten ||= changeSet.lastChange() !== undefined;
      return outcomes;
    };
    try {
      // A commit whose outcome is not known is no transient error, and is not tried again: it may have been done.
      return await this.#pool.use(work, { signal });
    } catch (error) {
      // The commit was given up before anything was written.
      if (signal.aborted) return undefined;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}

const IDS = 1_000;

/** Answers what an import needs of the database, after what earlier rows have changed is written. */
async function answerNeed(
  connection: Connection,
  catalogue: Catalogue,
  work: ImportWork,
  need: Need,
  earlierWrites: readonly BatchStatement[],
): Promise<Batch | readonly string[]> {
  const writes = earlierWrites.map((write) => connection.rows(write));
  if (need.kind === 'rows') {
    return (await settleAll([readBatch(connection, catalogue, need.intents(), need.nested), ...writes]))[0];
  }
  await settleAll(writes);
  const keys = selectKeys(findCollection(catalogue, work.collection), work.rules.parents);
  const ids: string[] = [];
  for await (const rows of readChunks<[string]>(connection, keys, IDS)) {
    ids.push(...rows.map(([id]) => id).filter(need.select));
  }
  return ids;
}

/** @param pool is one whose statements may take long */
export function importRows(
  pool: Pool,
  catalogue: Catalogue,
  work: ImportWork,
  { signal, onProgress }: ApplyOptions,
): Promise<ImportOutcome> {
  const { idempotency } = work;
  let hasBegun = false;
  const apply = async (connection: Connection): Promise<ImportOutcome> => {
    const [, [[last] = [0]], record] = await settleAll([
      connection.begin(),
      connection.rows<[number]>(LOCK_CHANGE),
      readRecords(connection, idempotency ? [idempotency.key] : []),
    ]);
    hasBegun = true;
    const sql = createItemSql(catalogue, postgres);
    const changeSet = new ChangeSet(last, Date.now(), 0);
    const run = new ImportRun(catalogue, work, changeSet, (count) => {
      onProgress(count);
      if (signal.aborted) throw abandoned();
    });
    const steps = run.run(record);
    let batch: Batch | undefined;
    let step = steps.next();
    while (!step.done) {
      const answer = await answerNeed(connection, catalogue, work, step.value, batch?.writes(sql) ?? []);
      batch = answer instanceof Batch ? answer : undefined;
      step = steps.next(answer);
    }
    const outcome = step.value;
    if (!isStored(outcome, changeSet)) {
      await connection.exec('ROLLBACK');
      return outcome;
    }
    await commit(connection, listWrites(batch?.writes(sql) ?? [], changeSet));
    return outcome;
  };
  // It is tried again only before the transaction has begun, because the counts of an import cannot be repeated.
  return pool.use(apply, { mayRetry: () => !hasBegun, signal });
}
