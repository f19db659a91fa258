/** Imports into items in memory: rows are applied to them at once, and taken back unless the outcome says that they stay. */

import type { Cell } from 'car-dealer-catalogue/model/field';
import type { ImportOutcome } from 'car-dealer-catalogue/model/import';
import { type Catalogue, collectionOf } from 'car-dealer-catalogue/schema';
import type { KeyedRow } from 'car-dealer-catalogue/stores/port';
import type { TransactionRows } from 'car-dealer-catalogue/stores/rules/apply';
import type { ChangeSet } from 'car-dealer-catalogue/stores/rules/change-set';
import { type ApplyOptions, eventsFor } from 'car-dealer-catalogue/stores/rules/imports/import-rows';
import { ImportRun, type ImportWork, isStored, type Need } from 'car-dealer-catalogue/stores/rules/imports/import-run';

/** @param items those of the list that is imported into */
export const importInto = (
  catalogue: Catalogue,
  rows: TransactionRows,
  items: () => Iterable<KeyedRow>,
  work: ImportWork,
  options: ApplyOptions,
  changeSet: ChangeSet,
): { readonly outcome: ImportOutcome; readonly isStored: boolean } => {
  const { fields } = collectionOf(catalogue, work.collection);
  const answer = (need: Need): unknown => {
    if (need.kind === 'rows') return rows;
    if (need.kind === 'ids') return Array.from(items(), ({ keys }) => String(keys.at(-1))).filter(need.select);
    for (const keys of need.keys) {
      const [revision = 0, ...cells] = rows.read(need.collection, keys) ?? [];
      const freed = cells.map((cell, at): Cell => (fields[at]?.unique ? null : cell));
      rows.update(need.collection, revision, keys, freed);
    }
    return undefined;
  };
  const { events, complete } = eventsFor(work, options, () => {});
  const steps = new ImportRun(catalogue, work, changeSet, events).run(rows.record);
  let step = steps.next();
  while (!step.done) step = steps.next(answer(step.value));
  complete();
  return { outcome: step.value, isStored: isStored(step.value, changeSet) };
};
