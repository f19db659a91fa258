/** The last step of an import, in any database: what is planned is written, and what the file lacks is deleted. */

import type { ImportOutcome, InUse } from '../../gateway/model/import.ts';
import { referringTo } from '../../gateway/model/references.ts';
import { chunksOf } from '../../util/chunks-of.ts';
import type { TransactionRows } from '../apply.ts';
import type { ChangeSet } from '../change-set.ts';
import { referringItems } from '../constraints.ts';
import { selectKeysSince, selectParentsSince } from '../sql/imports.ts';
import { selectItem } from '../sql/items.ts';
import { statement } from '../sql/statement.ts';
import { addressesOf } from './addresses.ts';
import { refuseConflicts } from './conflicts.ts';
import { keepImport, knownImport } from './idempotency.ts';
import { type ImportTransaction, type PlannedImport, type Steps, step } from './steps.ts';

/** Items that are deleted together. */
const DELETED = 1_000;

/** @returns whether an import can only result in a report, so that it needs no lock */
export const isDry = ({ request, plan }: Pick<PlannedImport, 'request' | 'plan'>): boolean =>
  request.isCheck || plan.tally.refused() !== undefined;

/** @returns whether the transaction is to be committed */
export const isNew = (outcome: ImportOutcome): boolean => outcome.kind === 'imported' && !outcome.earlier;

/** Plans the rows whose items others have changed again, on what is stored now. */
function* catchUp(work: PlannedImport, transaction: ImportTransaction): Steps<void> {
  const { collection, request, plan, tables, since } = work;
  const { parents } = request;
  const { idsIn } = addressesOf(collection, parents);
  const gone = collection.isNested ? yield* step(transaction.rows(selectParentsSince(collection, parents, since))) : [];
  if (gone.length > 0) for (const { rows } of tables.chunks()) tables.addChanged(idsIn(rows));
  else yield* step(transaction.addChanged(selectKeysSince(collection, parents, since)));
  for (const again of plan.withdraw()) {
    yield* step(transaction.change(idsIn(again), ({ read }) => plan.addAgain(again, read)));
  }
}

/** Deletes what the file lacks, and lists it. @param changeSet `undefined` where nothing is written. @returns that an item cannot be deleted */
function* removeObsolete(
  { catalogue, collection, request, plan, tables }: PlannedImport,
  transaction: ImportTransaction,
  changeSet: ChangeSet | undefined,
  ids: Iterable<string>,
): Steps<InUse | undefined> {
  const { keysOf } = addressesOf(collection, request.parents);
  let inUse: InUse | undefined;
  for (const some of chunksOf(ids, DELETED)) {
    const remove = (rows: TransactionRows): void => {
      for (const id of some) {
        const keys = keysOf(id);
        const before = request.listsChanges && rows.read(collection, keys);
        if (before) tables.addDeleted(before);
        const outcome = changeSet
          ? plan.tally.remove({ rows, changeSet }, keys)
          : referringItems(catalogue, rows, collection, keys);
        if ('kind' in outcome && outcome.kind === 'in-use') inUse ??= outcome;
      }
    };
    yield* step(transaction.change(some, remove, true));
    if (inUse) return inUse;
  }
  return undefined;
}

function* steps(work: PlannedImport, transaction: ImportTransaction, changeSet: ChangeSet): Steps<ImportOutcome> {
  const { collection, request, idempotency, plan, tables, since } = work;
  const { parents } = request;
  const { tally } = plan;
  const { parent } = collection;
  const known = knownImport(idempotency, transaction.record);
  if (known) return known;
  const hasParent = !parent || (yield* step(transaction.rows(statement(selectItem(parent), parents)))).length > 0;
  if (!hasParent) return { kind: 'missing', collection: parent.name };

  const isWriting = !isDry(work);
  const [items, obsolete] = tally.deletes() ? yield* step(transaction.findObsolete()) : [0, 0];
  if (isWriting && changeSet.last !== since) yield* catchUp(work, transaction);
  const free = yield* refuseConflicts(work, transaction);
  const refused = tally.refused() ?? tally.mayDelete(items, obsolete);
  if (refused) return refused;
  // What is deleted may have had a value that others get.
  const mayRefuse = referringTo(work.catalogue, collection).length > 0;
  const removing = isWriting ? changeSet : undefined;
  if (isWriting || request.listsChanges || mayRefuse) {
    const inUse = yield* removeObsolete(work, transaction, removing, tables.obsolete());
    if (inUse) return inUse;
  }
  if (isWriting) {
    yield* free();
    const size = plan.size();
    yield* step(transaction.write(changeSet.reserve(size), size));
    yield* removeObsolete(work, transaction, removing, tables.plannedObsolete());
  } else tally.wouldRemove(obsolete);
  if (isWriting && idempotency) keepImport(changeSet, idempotency, tally);
  return tally.outcome(changeSet.lastChange() ?? changeSet.last);
}

type Applied = Parameters<typeof steps>;

/** Writes what is planned, in a transaction that does everything at once. What is beside the rows of the list is left to the caller. */
export const applyNow = (...applied: Applied): ImportOutcome => {
  const all = steps(...applied);
  let at = all.next();
  while (!at.done) at = all.next(at.value);
  return at.value;
};

/** The same in a transaction that takes its time. */
export const applyLater = async (...applied: Applied): Promise<ImportOutcome> => {
  const all = steps(...applied);
  let at = all.next();
  while (!at.done) at = all.next(await at.value);
  return at.value;
};
