import { type Catalogue, findCollection } from '../../../gateway/model/catalogue.ts';
import type { ImportOutcome } from '../../../gateway/model/import.ts';
import { abandoned } from '../../../gateway/port/unavailable.ts';
import { ChangeSet } from '../../change-set.ts';
import type { ApplyOptions } from '../../imports/import-rows.ts';
import { ImportRun, type ImportWork, isStored, type Need } from '../../imports/import-run.ts';
import { createItemSql, selectKeys } from '../../sql/items.ts';
import { postgres } from '../../sql/statement.ts';
import { type BatchStatement, type Connection, type Pool, readChunks, settleAll } from '../connection/pool.ts';
import { commit, LOCK_CHANGE, readBatch, readRecords, restWrites } from './writes.ts';

/** Ids that are read at one time. */
const IDS = 1_000;

/** Answers what an import needs of the database. What the rows before have changed is sent with the next reads. */
class ImportRows {
  readonly #connection: Connection;
  readonly #catalogue: Catalogue;
  readonly #work: ImportWork;
  #writes: () => readonly BatchStatement[] = () => [];

  constructor(connection: Connection, catalogue: Catalogue, work: ImportWork) {
    this.#connection = connection;
    this.#catalogue = catalogue;
    this.#work = work;
  }

  takeWrites(): readonly BatchStatement[] {
    const writes = this.#writes();
    this.#writes = () => [];
    return writes;
  }

  async answer(need: Need): Promise<unknown> {
    const writes = this.takeWrites().map((statement) => this.#connection.rows(statement));
    if (need.kind === 'ids') {
      await settleAll(writes);
      return this.#selectIds(need.select);
    }
    const [batch] = await settleAll([readBatch(this.#connection, this.#catalogue, need.intents()), ...writes]);
    this.#writes = () => batch.writes(createItemSql(this.#catalogue, postgres));
    return batch;
  }

  async #selectIds(select: (id: string) => boolean): Promise<readonly string[]> {
    const list = findCollection(this.#catalogue, this.#work.collection);
    const ids: string[] = [];
    const statement = selectKeys(list, this.#work.rules.parents);
    for await (const rows of readChunks<[string]>(this.#connection, statement, IDS)) {
      for (const [id] of rows) if (select(id)) ids.push(id);
    }
    return ids;
  }
}

/** Applies the rows of a file in one transaction. @param pool is one whose statements may take long */
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
    const rows = new ImportRows(connection, catalogue, work);
    const changeSet = new ChangeSet(last, Date.now(), 0);
    const run = new ImportRun(catalogue, work, changeSet, (count) => {
      onProgress(count);
      if (signal.aborted) throw abandoned();
    });
    const steps = run.run(record);
    let step = steps.next();
    while (!step.done) step = steps.next(await rows.answer(step.value));
    const outcome = step.value;
    if (!isStored(outcome, changeSet)) {
      await connection.exec('ROLLBACK');
      return outcome;
    }
    await commit(connection, [...rows.takeWrites(), ...restWrites(changeSet)]);
    return outcome;
  };
  // Tried again only before the transaction has begun, because the counts of an import cannot be repeated.
  return pool.use(apply, { mayRetry: () => !hasBegun, signal });
}
