/** Imports into items in memory: rows are applied to them at once, and taken back unless the outcome says that they stay. */

import type { ImportOutcome } from 'car-dealer-catalogue/model/import';
import type { Catalogue } from 'car-dealer-catalogue/schema';
import type { KeyedRow } from 'car-dealer-catalogue/stores/port';
import type { TransactionRows } from 'car-dealer-catalogue/stores/rules/apply';
import type { ChangeSet } from 'car-dealer-catalogue/stores/rules/change-set';
import { type ApplyOptions, Imports } from 'car-dealer-catalogue/stores/rules/imports/import-rows';
import { ImportRun, type ImportWork, isStored, type Need } from 'car-dealer-catalogue/stores/rules/imports/import-run';

export { Imports };

/** @param items those of the list that is imported into */
export const importInto = (
  catalogue: Catalogue,
  rows: TransactionRows,
  items: () => Iterable<KeyedRow>,
  work: ImportWork,
  options: ApplyOptions,
  changeSet: ChangeSet,
): { readonly outcome: ImportOutcome; readonly isStored: boolean } => {
  const answer = (need: Need): unknown =>
    need.kind === 'rows' ? rows : Array.from(items(), ({ keys }) => String(keys.at(-1))).filter(need.select);
  const steps = new ImportRun(catalogue, work, changeSet, options.onProgress).run(rows.record);
  let step = steps.next();
  while (!step.done) step = steps.next(answer(step.value));
  return { outcome: step.value, isStored: isStored(step.value, changeSet) };
};
