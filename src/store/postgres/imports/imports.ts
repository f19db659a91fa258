/** Plans and writes imports over connections to a server. */
import { type Catalogue, type Collection, collectionOf } from '../../../gateway/model/catalogue.ts';
import type { ImportOutcome } from '../../../gateway/model/import.ts';
import { unpack } from '../../../gateway/model/row-batch.ts';
import type { Keys } from '../../../gateway/port/port.ts';
import type { FindRecord } from '../../idempotency.ts';
import { addressesOf } from '../../imports/addresses.ts';
import type { BeginImport, Course } from '../../imports/answer-imports.ts';
import { applyLater, isDry, isNew } from '../../imports/apply-plan.ts';
import { planOf } from '../../imports/plan.ts';
import { stageTables } from '../../imports/stage-tables.ts';
import type { ImportTransaction, PlannedImport } from '../../imports/steps.ts';
import { selectKeys } from '../../sql/imports.ts';
import { type Statement, statement } from '../../sql/statement.ts';
import { readChange } from '../../sql/system-tables.ts';
import { connect } from '../../sqlite/connection/connection.ts';
import { type Connection, type Reader, settleAll } from '../connection/connection.ts';
import { asUnavailable } from '../connection/errors.ts';
import type { Pool } from '../connection/pool.ts';
import { declareCursor, fetchChunks } from '../reads/cursors.ts';
import { batchesOf } from '../writes/batch.ts';
import { readRecords, restWrites } from '../writes/rest-writes.ts';
import { commit, LOCK_CHANGE } from '../writes/writes.ts';
import { writePlanned } from './write-planned.ts';

/** Keys that are read at one time. */
const KEYS = 1_000;
const CURSOR = 'keys';

async function* keysOf(connection: Connection, wanted: Statement): AsyncGenerator<readonly string[]> {
  await declareCursor(connection, CURSOR, wanted);
  for await (const rows of fetchChunks<[string]>(connection, CURSOR, KEYS)) yield rows.map(([key]) => key);
  await connection.exec(`CLOSE ${CURSOR}`);
}

/** @param pool whose statements have no time limit: one waits for all other writers, and another writes many rows */
export const postgresImports = (pool: Pool, catalogue: Catalogue): BeginImport => {
  const batches = batchesOf(catalogue);
  /** Reads some items, and their parents. */
  const readItems = (
    reader: Reader,
    { collection, parents }: { readonly collection: Collection; readonly parents: Keys },
    keys: readonly string[],
    isDeletion = false,
  ) => {
    const own = keys.map((key) => [collection, addressesOf(collection, parents).keysOf(key)] as const);
    const above = collection.parent ?? collection.nested?.parent;
    const owners = new Set(collection.nested ? own.map(([, [owner = '']]) => owner) : parents);
    const parentsOf = above ? Array.from(owners, (owner) => [above, [owner]] as const) : [];
    return batches.read(reader, { items: [...parentsOf, ...own], deleted: isDeletion ? own : [] });
  };

  const transactionOf = (
    connection: Connection,
    { collection, request: { parents }, tables }: PlannedImport,
    record: FindRecord,
    onDone: Course['onDone'],
  ): ImportTransaction => ({
    record,
    rows: connection.rows,
    addChanged: async (keys) => {
      for await (const some of keysOf(connection, keys)) tables.addChanged(some);
    },
    findObsolete: async () => {
      let [items, obsolete] = [0, 0];
      for await (const some of keysOf(connection, selectKeys(collection, parents))) {
        const gone = some.filter((key) => !tables.hasKey(key));
        items += some.length;
        obsolete += tables.addObsolete(gone);
      }
      return [items, obsolete];
    },
    change: async (keys, change, isDeletion) => {
      const { rows, writes } = await readItems(connection, { collection, parents }, keys, isDeletion);
      change(rows);
      await settleAll(writes().map((each) => connection.rows(each)));
    },
    write: (base) => writePlanned(connection, { collection, parents, tables, base, onDone }),
  });

  const apply = async (
    work: PlannedImport,
    { onDone, signal }: Pick<Course, 'onDone' | 'signal'>,
  ): Promise<ImportOutcome> => {
    const { plan, idempotency } = work;
    const [mode, read] = isDry(work)
      ? ['ISOLATION LEVEL REPEATABLE READ READ ONLY', statement(readChange)]
      : ['ISOLATION LEVEL READ COMMITTED', LOCK_CHANGE];
    let hasBegun = false;
    const inTransaction = async (connection: Connection): Promise<ImportOutcome> => {
      const [, [[first] = [0]], records] = await settleAll([
        connection.begin(mode, 0),
        connection.rows<[number]>(read),
        readRecords(connection, idempotency ? [idempotency.key] : []),
      ]);
      hasBegun = true;
      const changeSet = plan.open(first);
      const outcome = await applyLater(work, transactionOf(connection, work, records, onDone), changeSet);
      if (!isNew(outcome)) {
        await connection.exec('ROLLBACK');
        return outcome;
      }
      const end = await commit(connection, restWrites(changeSet));
      if (end.kind === 'unknown') throw asUnavailable(end.error);
      if (end.kind !== 'committed') throw end.error;
      return outcome;
    };
    // Tried again only before the transaction has begun, because the counts of an import cannot be repeated.
    return pool.use(inTransaction, { mayRetry: () => !hasBegun, signal });
  };

  return async ({ request, onRejected, onDone, signal }) => {
    const { parents } = request;
    const collection = collectionOf(catalogue, request.collection);
    const [[since] = [0]] = await pool.read((reader) => reader.rows<[number]>(statement(readChange)));
    const temporary = connect('');
    const { idsIn } = addressesOf(collection, parents);
    const tables = stageTables(temporary, 'main', collection);
    const plan = planOf(catalogue, request, tables, onRejected);
    let planned = Promise.resolve();
    return {
      /** While a chunk is read from the database, the one before it is planned. */
      add: ({ bytes, keys }) => {
        const chunk = unpack(bytes);
        const before = planned;
        const reading = pool.read((reader) => readItems(reader, { collection, parents }, idsIn(chunk)), signal);
        planned = Promise.all([reading, before]).then(([{ rows: stored }]) =>
          tables.inTransaction(() => plan.add(chunk, { bytes, keys }, stored.read)),
        );
        return planned;
      },
      apply: (idempotency) =>
        apply({ catalogue, collection, request, idempotency, plan, tables, since }, { onDone, signal }),
      nextChanges: tables.nextChanges,
      close: temporary.close,
    };
  };
};
