import type { ImportOutcome } from '../../../model/import.ts';
import type { ChangeSet } from '../../change-set.ts';
import type { Plan } from '../../imports/plan.ts';
import { throwIfAborted } from '../../imports/stage.ts';
import { selectItemSince, selectKeysSince } from '../../sql/imports.ts';
import type { Connection } from '../connection/connection.ts';
import { type ImportItems, keysIn } from './import-items.ts';
import { countLacking, deleteLacking, type StagedImport } from './lacking.ts';
import { writePlanned } from './write-planned.ts';

/** An import whose rows are staged and planned. */
export interface PlannedImport extends StagedImport {
  readonly plan: Plan;
  /** The last change number before anything was read. */
  readonly since: number;
}

/** Applies the rows whose items others have changed to what is stored now. */
const catchUp = async (
  { change }: ImportItems,
  connection: Connection,
  work: PlannedImport,
  changeSet: ChangeSet,
): Promise<void> => {
  const { collection, options, tables, plan, since } = work;
  const { parents } = options;
  const { parent } = collection;
  const isParentChanged = parent && (await connection.rows(selectItemSince(parent, parents, since))).length > 0;
  if (isParentChanged) for (const { rows } of tables.chunks()) tables.addChanged(keysIn(rows));
  else {
    const changed = await connection.rows<[string]>(selectKeysSince(collection, parents, since));
    tables.addChanged(changed.map(([key]) => key));
  }
  for (const rows of plan.withdraw()) {
    await change(connection, work, keysIn(rows), (stored) => {
      for (const row of rows) plan.tally.apply({ rows: stored, changeSet }, row);
    });
  }
};

/**
 * Writes the planned rows, and deletes what they replace.
 *
 * @param changeSet `undefined` where nothing is to be written
 */
export const applyPlan = async (
  items: ImportItems,
  connection: Connection,
  work: PlannedImport,
  changeSet: ChangeSet | undefined,
): Promise<ImportOutcome> => {
  const { collection, options, tables, plan, since } = work;
  const { parents, signal, onProgress } = options;
  const { tally } = plan;
  const base = changeSet?.reserve(plan.size()) ?? 0;
  const [existing, lacking] = tally.deletes() ? await countLacking(connection, work) : [0, 0];
  if (changeSet && changeSet.last !== since) await catchUp(items, connection, work, changeSet);
  const refused = tally.refused() ?? tally.mayDelete(existing, lacking);
  if (refused) return refused;
  if (!changeSet) {
    tally.wouldRemove(lacking);
    return tally.outcome();
  }
  const onDone = (done: number): void => {
    throwIfAborted(signal);
    onProgress?.('applying', done);
  };
  await writePlanned(connection, { collection, parents, tables, base, onDone });
  if (lacking > 0) {
    await deleteLacking(connection, work, (keys, remove) =>
      items.change(connection, work, keys, (rows) => remove({ rows, changeSet })),
    );
  }
  return tally.outcome();
};
