import { type Catalogue, type Collection, collectionOf } from '../../../model/catalogue.ts';
import type { Cell } from '../../../model/field.ts';
import type { TransactionRows } from '../../apply.ts';
import { openChangeSet } from '../../change-set.ts';
import { type ImportRequest, type Tally, tallyOf } from '../../imports/apply-row.ts';
import { dryRows, isDry } from '../../imports/dry-rows.ts';
import { keepImport, knownImport } from '../../imports/idempotency.ts';
import { openSpool, type Spool } from '../../imports/spool.ts';
import { requestOf, stage, throwIfAborted } from '../../imports/stage.ts';
import type { ImportOptions, ImportOutcome, Keys, Store } from '../../port.ts';
import { type CreatedKey, selectKeys } from '../../sql/imports.ts';
import { statement } from '../../sql/statement.ts';
import type { RecordRow } from '../../sql/system/idempotency.ts';
import { readChange } from '../../sql/system-tables.ts';
import { unavailable } from '../../unavailable.ts';
import { type Connection, together } from '../connection/connection.ts';
import type { Pool } from '../connection/pool.ts';
import { batchesOf, finderIn, restWrites, SELECT_RECORDS } from '../writes/batch.ts';
import { commit, LOCK_CHANGE } from '../writes/writes.ts';

/** Keys that are read at one time. */
const KEYS = 1_000;

async function* keysOf(connection: Connection, collection: Collection, parents: Keys): AsyncGenerator<readonly Keys[]> {
  let after = 0;
  for (;;) {
    const found = await connection.rows<CreatedKey>(selectKeys(collection, parents, after, KEYS));
    yield found.map(([, key]) => [...parents, key]);
    if (found.length < KEYS) return;
    after = found.at(-1)?.[0] ?? after;
  }
}

interface Import {
  readonly collection: Collection;
  readonly request: ImportRequest;
  readonly options: ImportOptions;
  readonly spool: Spool;
}

/** @param pool whose statements have no time limit: one waits for all other writers, and another writes many rows */
export const postgresImports = (pool: Pool, catalogue: Catalogue): Store['importRows'] => {
  const batches = batchesOf(catalogue);

  /** Reads some items, changes them in memory and writes them. */
  const change = async (
    connection: Connection,
    { collection, request, spool }: Import,
    items: readonly Keys[],
    work: (rows: TransactionRows) => void,
  ): Promise<void> => {
    const parent = collection.parent && ([collection.parent, request.parents] as const);
    const reads = batches.readsOf([...items.map((keys) => [collection, keys] as const), ...(parent ? [parent] : [])]);
    const found = await together(reads.map(([, read]) => connection.rows<Cell[]>(read)));
    const { rows, writes } = batches.open({
      rows: reads.map(([each], at) => [each, found[at] ?? []] as const),
      records: [],
    });
    if (isDry(request, spool)) {
      work(dryRows(rows, spool));
      return;
    }
    work(rows);
    await together(writes().map((each) => connection.rows(each)));
  };

  const missingParent = async (
    connection: Connection,
    { collection: { parent }, request }: Import,
  ): Promise<ImportOutcome | undefined> => {
    const [read] = parent ? batches.readsOf([[parent, request.parents]]) : [];
    if (!parent || !read || (await connection.rows(read[1])).length > 0) return undefined;
    return { kind: 'missing', collection: parent.name };
  };

  const deleteLacking = async (
    connection: Connection,
    work: Import,
    tally: Tally,
  ): Promise<ImportOutcome | undefined> => {
    const { collection, request, options, spool } = work;
    const isLacking = (keys: Keys): boolean => !spool.hasKey(keys.at(-1) ?? '');
    let [items, lacking] = [isDry(request, spool) ? 0 : -tally.report().created, 0];
    for await (const keys of keysOf(connection, collection, options.parents)) {
      items += keys.length;
      lacking += keys.filter(isLacking).length;
    }
    const refused = tally.mayDelete(items, lacking);
    if (refused) return refused;
    for await (const keys of keysOf(connection, collection, options.parents)) {
      throwIfAborted(options.signal);
      const gone = keys.filter(isLacking);
      if (gone.length === 0) continue;
      await change(connection, work, gone, (rows) => {
        for (const each of gone) tally.remove(rows, each);
      });
    }
    return undefined;
  };

  const applyRows = async (connection: Connection, work: Import, tally: Tally): Promise<ImportOutcome> => {
    const { options, spool } = work;
    const { parents, onDuplicate, signal, onProgress } = options;
    let done = 0;
    for (const chunk of spool.chunks()) {
      throwIfAborted(signal);
      const items = chunk.flatMap(({ cells: [key] }) => (typeof key === 'string' ? [[...parents, key]] : []));
      await change(connection, work, items, (rows) => {
        for (const row of chunk) tally.apply(rows, row);
      });
      done += chunk.length;
      onProgress?.('applying', done);
    }
    const refused =
      tally.refused() ?? (onDuplicate === 'replace-all' ? await deleteLacking(connection, work, tally) : undefined);
    return refused ?? tally.outcome();
  };

  const apply = async (work: Import): Promise<ImportOutcome> => {
    const { request, options, spool } = work;
    const { signal, onRejected, note = () => '' } = options;
    const { idempotency } = request;
    const [mode, change] = isDry(request, spool)
      ? ['ISOLATION LEVEL REPEATABLE READ READ ONLY', statement(readChange)]
      : ['ISOLATION LEVEL READ COMMITTED', LOCK_CHANGE];
    let hasBegun = false;
    const inTransaction = async (connection: Connection): Promise<ImportOutcome> => {
      const [, [[first] = [0]], records] = await together([
        connection.begin(mode, 0),
        connection.rows<[number]>(change),
        connection.rows<RecordRow>({ sql: SELECT_RECORDS, values: [idempotency ? [idempotency.key] : []] }),
      ]);
      hasBegun = true;
      const changeSet = openChangeSet(first);
      const tally = tallyOf(catalogue, request, changeSet, ({ row, error }) => onRejected(row, error));
      const outcome =
        knownImport(idempotency, finderIn(records)) ??
        (await missingParent(connection, work)) ??
        (await applyRows(connection, work, tally));
      if (outcome.kind !== 'imported' || outcome.note !== undefined) {
        await connection.exec('ROLLBACK');
        return outcome;
      }
      if (idempotency) keepImport(changeSet, idempotency, { report: tally.report(), note: note() });
      const end = await commit(connection, restWrites(changeSet));
      if (end.kind === 'unknown') throw unavailable(end.error);
      if (end.kind !== 'committed') throw end.error;
      return outcome;
    };
    // Rejected rows are told once.
    return pool.use(inTransaction, { mayRetry: () => !hasBegun, signal });
  };

  return async (collection, rows, options) => {
    const spool = openSpool();
    try {
      await stage(collection, rows, options, spool.add);
      const request = requestOf(collection, options);
      return await apply({ collection: collectionOf(catalogue, collection.name), request, options, spool });
    } finally {
      spool.close();
    }
  };
};
