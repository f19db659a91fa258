import { type Catalogue, collectionOf } from '../../../model/catalogue.ts';
import type { ImportOutcome } from '../../../model/import.ts';
import type { Idempotency } from '../../../model/precondition.ts';
import { unpack } from '../../../model/row-batch.ts';
import { keepImport, knownImport } from '../../imports/idempotency.ts';
import { planOf } from '../../imports/plan.ts';
import { idempotencyOf, requestOf, stage } from '../../imports/stage.ts';
import { stageTables } from '../../imports/stage-tables.ts';
import type { Store } from '../../port.ts';
import { statement } from '../../sql/statement.ts';
import type { RecordRow } from '../../sql/system/idempotency.ts';
import { readChange } from '../../sql/system-tables.ts';
import { connect } from '../../sqlite/connection/connection.ts';
import { type Connection, settleAll } from '../connection/connection.ts';
import { asUnavailable } from '../connection/errors.ts';
import type { Pool } from '../connection/pool.ts';
import { finderIn, restWrites, SELECT_RECORDS, totalWrites } from '../writes/batch.ts';
import { commit, LOCK_CHANGE } from '../writes/writes.ts';
import { applyPlan, type PlannedImport } from './apply-plan.ts';
import { importItems, keysIn } from './import-items.ts';

interface Import extends PlannedImport {
  readonly idempotency: Idempotency | undefined;
}

/** @param pool whose statements have no time limit: one waits for all other writers, and another writes many rows */
export const postgresImports = (pool: Pool, catalogue: Catalogue): Store['importRows'] => {
  const items = importItems(catalogue);

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
      const changeSet = plan.open(first);
      const outcome =
        knownImport(idempotency, finderIn(records)) ??
        (await items.missingParent(connection, work)) ??
        (await applyPlan(items, connection, work, isDry ? undefined : changeSet));
      if (outcome.kind !== 'imported' || outcome.note !== undefined) {
        await connection.exec('ROLLBACK');
        return outcome;
      }
      if (idempotency) keepImport(changeSet, idempotency, { report: plan.tally.report(), note: note() });
      for (const each of totalWrites(changeSet)) await connection.rows(each);
      const end = await commit(connection, restWrites(changeSet));
      if (end.kind === 'unknown') throw asUnavailable(end.error);
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
      await stage(collection, rows, options, async ({ bytes }) => {
        const chunk = unpack(bytes);
        const before = planned;
        const reading = pool.read(
          (reader) => items.read(reader, collection, options.parents, keysIn(chunk)),
          options.signal,
        );
        planned = Promise.all([reading, before]).then(([{ rows: stored }]) =>
          tables.inTransaction(() => plan.add(chunk, bytes, stored.read)),
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
