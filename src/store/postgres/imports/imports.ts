import { type Catalogue, type Collection, collectionOf } from '../../../model/catalogue.ts';
import type { Cell } from '../../../model/field.ts';
import type { FileRow, ImportOutcome } from '../../../model/import.ts';
import type { Idempotency } from '../../../model/precondition.ts';
import type { TransactionRows } from '../../apply.ts';
import { type ChangeSet, openChangeSet } from '../../change-set.ts';
import { keepImport, knownImport } from '../../imports/idempotency.ts';
import { type Plan, planOf } from '../../imports/plan.ts';
import { idempotencyOf, requestOf, stage, throwIfAborted } from '../../imports/stage.ts';
import { stageTables } from '../../imports/stage-tables.ts';
import type { Keys, Store } from '../../port.ts';
import { selectItemSince, selectKeysSince } from '../../sql/imports.ts';
import { statement } from '../../sql/statement.ts';
import type { RecordRow } from '../../sql/system/idempotency.ts';
import { readChange } from '../../sql/system-tables.ts';
import { connect } from '../../sqlite/connection/connection.ts';
import { unavailable } from '../../unavailable.ts';
import { type Connection, type Reader, settleAll } from '../connection/connection.ts';
import type { Pool } from '../connection/pool.ts';
import { batchesOf, finderIn, restWrites, SELECT_RECORDS } from '../writes/batch.ts';
import { commit, LOCK_CHANGE } from '../writes/writes.ts';
import { countLacking, deleteLacking, type Lacking } from './lacking.ts';
import { writePlanned } from './write-planned.ts';

interface Import extends Lacking {
  readonly idempotency: Idempotency | undefined;
  readonly plan: Plan;
  /** The last change number before anything was read. */
  readonly since: number;
}

/** @param pool whose statements have no time limit: one waits for all other writers, and another writes many rows */
export const postgresImports = (pool: Pool, catalogue: Catalogue): Store['importRows'] => {
  const batches = batchesOf(catalogue);

  /** @returns the items of some keys, and the list's parent, in memory */
  const readItems = async (reader: Reader, collection: Collection, parents: Keys, keys: readonly string[]) => {
    const parent = collection.parent && ([collection.parent, parents] as const);
    const items = keys.map((key) => [collection, [...parents, key]] as const);
    const reads = batches.readsOf([...items, ...(parent ? [parent] : [])]);
    const found = await settleAll(reads.map(([, read]) => reader.rows<Cell[]>(read)));
    return batches.open({ rows: reads.map(([each], at) => [each, found[at] ?? []] as const), records: [] });
  };
  const keysIn = (rows: readonly FileRow[]): readonly string[] =>
    rows.flatMap(({ cells: [key] }) => (typeof key === 'string' ? [key] : []));

  /** Reads some items, changes them in memory and writes them. */
  const change = async (
    connection: Connection,
    { collection, options }: Import,
    keys: readonly string[],
    work: (rows: TransactionRows) => void,
  ): Promise<void> => {
    const { rows, writes } = await readItems(connection, collection, options.parents, keys);
    work(rows);
    await settleAll(writes().map((each) => connection.rows(each)));
  };

  const missingParent = async (
    connection: Connection,
    { collection: { parent }, options }: Import,
  ): Promise<ImportOutcome | undefined> => {
    const [read] = parent ? batches.readsOf([[parent, options.parents]]) : [];
    if (!parent || !read || (await connection.rows(read[1])).length > 0) return undefined;
    return { kind: 'missing', collection: parent.name };
  };

  /** Applies the rows whose items others have changed to what is stored now. */
  const catchUp = async (connection: Connection, work: Import, changeSet: ChangeSet): Promise<void> => {
    const { collection, options, tables, plan, since } = work;
    const { parents } = options;
    const { parent } = collection;
    const isParentChanged = parent && (await connection.rows(selectItemSince(parent, parents, since))).length > 0;
    if (isParentChanged) for (const { rows } of tables.chunks()) tables.addChanged(keysIn(rows));
    else {
      const changed = await connection.rows<[string]>(selectKeysSince(collection, parents, since));
      tables.addChanged(changed.map(([key]) => key));
    }
    for (const rows of plan.withdraw(changeSet)) {
      await change(connection, work, keysIn(rows), (stored) => {
        for (const row of rows) plan.tally.apply({ rows: stored, changeSet }, row);
      });
    }
  };

  /** @param changeSet `undefined` where nothing is to be written */
  const applyPlan = async (
    connection: Connection,
    work: Import,
    changeSet: ChangeSet | undefined,
  ): Promise<ImportOutcome> => {
    const { collection, options, tables, plan, since } = work;
    const { parents, signal, onDuplicate, onProgress } = options;
    const { tally } = plan;
    const base = changeSet?.reserve(plan.size()) ?? 0;
    const [items, lacking] = onDuplicate === 'replace-all' ? await countLacking(connection, work) : [0, 0];
    if (changeSet && changeSet.last !== since) await catchUp(connection, work, changeSet);
    const refused = tally.refused() ?? tally.mayDelete(items, lacking);
    if (refused) return refused;
    if (!changeSet) {
      tally.wouldRemove(lacking);
      return tally.outcome();
    }
    plan.count(changeSet);
    const onDone = (done: number): void => {
      throwIfAborted(signal);
      onProgress?.('applying', done);
    };
    await writePlanned(connection, { collection, parents, tables, base, onDone });
    if (lacking > 0) {
      await deleteLacking(connection, work, (keys, remove) =>
        change(connection, work, keys, (rows) => remove({ rows, changeSet })),
      );
    }
    return tally.outcome();
  };

  const apply = async (work: Import): Promise<ImportOutcome> => {
    const { options, plan, idempotency } = work;
    const { signal, isCheck, note = () => '' } = options;
    const isDry = isCheck || plan.tally.refused() !== undefined;
    const [mode, read] = isDry
      ? ['ISOLATION LEVEL REPEATABLE READ READ ONLY', statement(readChange)]
      : ['ISOLATION LEVEL READ COMMITTED', LOCK_CHANGE];
    let hasBegun = false;
    const inTransaction = async (connection: Connection): Promise<ImportOutcome> => {
      const [, [[first] = [0]], records] = await settleAll([
        connection.begin(mode, 0),
        connection.rows<[number]>(read),
        connection.rows<RecordRow>({ sql: SELECT_RECORDS, values: [idempotency ? [idempotency.key] : []] }),
      ]);
      hasBegun = true;
      const changeSet = openChangeSet(first);
      const outcome =
        knownImport(idempotency, finderIn(records)) ??
        (await missingParent(connection, work)) ??
        (await applyPlan(connection, work, isDry ? undefined : changeSet));
      if (outcome.kind !== 'imported' || outcome.note !== undefined) {
        await connection.exec('ROLLBACK');
        return outcome;
      }
      if (idempotency) keepImport(changeSet, idempotency, { report: plan.tally.report(), note: note() });
      const end = await commit(connection, restWrites(changeSet));
      if (end.kind === 'unknown') throw unavailable(end.error);
      if (end.kind !== 'committed') throw end.error;
      return outcome;
    };
    // Tried again only before the transaction has begun, because the counts of `catchUp` cannot be repeated.
    return pool.use(inTransaction, { mayRetry: () => !hasBegun, signal });
  };

  return async ({ name }, rows, options) => {
    const collection = collectionOf(catalogue, name);
    const temporary = connect('');
    try {
      const tables = stageTables(temporary, 'main', collection);
      const request = requestOf(collection, options);
      const plan = planOf(catalogue, request, tables, ({ row, error }) => options.onRejected(row, error));
      const [[since] = [0]] = await pool.read((reader) => reader.rows<[number]>(statement(readChange)));
      /** While a chunk is read from the database, the next one is read from the file. */
      let planned = Promise.resolve();
      await stage(collection, rows, options, async (bytes, chunk) => {
        const before = planned;
        const reading = pool.read(
          (reader) => readItems(reader, collection, options.parents, keysIn(chunk)),
          options.signal,
        );
        planned = Promise.all([reading, before]).then(([{ rows: stored }]) =>
          tables.together(() => plan.add(chunk, bytes, stored.read)),
        );
        // Thrown where it is awaited.
        planned.catch(() => {});
        await before;
      });
      await planned;
      return await apply({ collection, options, idempotency: idempotencyOf(options), plan, tables, since });
    } finally {
      temporary.close();
    }
  };
};
