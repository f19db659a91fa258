import { type Catalogue, collectionOf } from '../../../gateway/model/catalogue.ts';
import type { ImportOutcome } from '../../../gateway/model/import.ts';
import { abandoned } from '../../../gateway/port/unavailable.ts';
import { openChangeSet } from '../../change-set.ts';
import { type ApplyRows, eventsFor } from '../../imports/import-rows.ts';
import { ImportRun, isReadOnly, isStored, type Need } from '../../imports/import-run.ts';
import { createItemSql, selectKeys } from '../../sql/items.ts';
import { postgres, statement } from '../../sql/statement.ts';
import { readChange } from '../../sql/system-tables.ts';
import { type BatchStatement, type Connection, type Pool, readChunks, settleAll } from '../connection/pool.ts';
import { commit, LOCK_CHANGE, readBatch, readRecords, restWrites } from './writes.ts';

/** Ids that are read at one time. */
const IDS = 1_000;

/** @param pool whose statements may take long. @returns applies the rows of a file in one transaction */
export const importRows = (pool: Pool, catalogue: Catalogue): ApplyRows => {
  const sql = createItemSql(catalogue, postgres);

  return async (work, options) => {
    const { idempotency, rules } = work;
    const { signal } = options;
    const list = collectionOf(catalogue, work.collection);
    const { events, complete } = eventsFor(work, options, () => {
      if (signal.aborted) throw abandoned();
    });
    const isDry = isReadOnly(catalogue, work);
    let hasBegun = false;

    const apply = async (connection: Connection): Promise<ImportOutcome> => {
      const [, [[last] = [0]], record] = await settleAll([
        connection.begin(isDry ? 'ISOLATION LEVEL REPEATABLE READ READ ONLY' : undefined),
        connection.rows<[number]>(isDry ? statement(readChange) : LOCK_CHANGE),
        readRecords(connection, idempotency ? [idempotency.key] : []),
      ]);
      hasBegun = true;
      /** What the rows before have changed, which is sent with the next reads. */
      let writes: () => readonly BatchStatement[] = () => [];
      const takeWrites = (): readonly BatchStatement[] => {
        const taken = writes();
        writes = () => [];
        return taken;
      };
      const selectIds = async (select: (id: string) => boolean): Promise<readonly string[]> => {
        const ids: string[] = [];
        for await (const rows of readChunks<[string]>(connection, selectKeys(list, rules.parents), IDS)) {
          for (const [id] of rows) if (select(id)) ids.push(id);
        }
        return ids;
      };
      const answer = async (need: Need): Promise<unknown> => {
        const sent = takeWrites().map((each) => connection.rows(each));
        if (need.kind === 'rows') {
          const [batch] = await settleAll([readBatch(connection, catalogue, need.intents()), ...sent]);
          writes = () => batch.writes(sql);
          return batch;
        }
        await settleAll(sent);
        if (need.kind === 'ids') return selectIds(need.select);
        return settleAll(need.keys.map((values) => connection.rows({ sql: sql(need.collection).free, values })));
      };

      const changeSet = openChangeSet(last, Date.now(), 0);
      const steps = new ImportRun(catalogue, work, changeSet, events).run(record);
      let step = steps.next();
      while (!step.done) step = steps.next(await answer(step.value));
      const outcome = step.value;
      complete();
      if (!isStored(outcome, changeSet)) {
        await connection.exec('ROLLBACK');
        return outcome;
      }
      await commit(connection, [...takeWrites(), ...restWrites(changeSet)]);
      return outcome;
    };
    // Tried again only before the transaction has begun, because the counts of an import cannot be repeated.
    return pool.use(apply, { mayRetry: () => !hasBegun, signal });
  };
};
