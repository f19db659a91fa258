/** The rules of writing: what an intent does to the existing rows, in any database. */
import { type Catalogue, type Collection, findCollection } from '../gateway/model/catalogue.ts';
import type { Cell } from '../gateway/model/field.ts';
import { type Precondition, unmet } from '../gateway/model/precondition.ts';
import type { Intent, Keys, Outcome, Row } from '../gateway/port/port.ts';
import type { ChangeSet } from './change-set.ts';
import { findConflicts, type RelatedRows, releaseReferring, removeItem } from './constraints.ts';
import { type FindRecord, findKnown, readRow, writeRow } from './idempotency.ts';

/** What the rules of writing need of the stored rows. */
export interface TransactionRows extends RelatedRows {
  readonly insert: (collection: Collection, change: number, parents: Keys, cells: readonly Cell[]) => void;
  readonly record: FindRecord;
}

/** @throws TypeError unless there is one cell for each field: with one too few, every value after them would shift a column */
export function checkWidth({ name, fields }: Collection, cells: readonly unknown[]): void {
  if (cells.length === fields.length) return;
  throw new TypeError(`${name} has ${fields.length} fields, not ${cells.length}`);
}

function missing({ name }: Collection): Outcome {
  return { kind: 'missing', collection: name };
}

/** @returns that the item is missing, or its parent if that is, too */
function missingItem(rows: TransactionRows, collection: Collection, keys: Keys): Outcome {
  const { parent } = collection;
  return missing(parent && !rows.read(parent, keys.slice(0, -1)) ? parent : collection);
}

function refuse(precondition: Precondition | undefined, [revision]: Row): Outcome | undefined {
  const condition = precondition && unmet(precondition, revision);
  return condition && { kind: 'precondition-failed', condition };
}

/**
 * Applies an intent, if that is possible.
 *
 * @throws TypeError if it names no collection, or does not have exactly one cell for each of its fields
 */
export function applyIntent(
  catalogue: Catalogue,
  rows: TransactionRows,
  intent: Intent,
  changeSet: Pick<ChangeSet, 'nextChange' | 'addRecord' | 'findRecord'>,
): Outcome {
  const collection = findCollection(catalogue, intent.collection);
  switch (intent.kind) {
    case 'create': {
      const { parents, cells, idempotency } = intent;
      checkWidth(collection, cells);
      const known = idempotency && findKnown(idempotency, changeSet.findRecord, rows.record);
      if (known && !known.isSame) return { kind: 'idempotency-mismatch' };
      if (known) return { kind: 'written', row: readRow(collection, known.result), isUnchanged: true };
      const { parent } = collection;
      if (parent && !rows.read(parent, parents)) return missing(parent);
      const keys = [...parents, String(cells[0])];
      if (rows.read(collection, keys)) return { kind: 'already-exists' };
      const conflicts = findConflicts(catalogue, rows, collection, keys, cells);
      if (conflicts.length > 0) return { kind: 'conflict', conflicts };
      const change = changeSet.nextChange();
      rows.insert(collection, change, parents, cells);
      const row: Row = [change, ...cells];
      if (idempotency) changeSet.addRecord({ ...idempotency, result: writeRow(collection, row) });
      return { kind: 'written', row };
    }
    case 'update': {
      const { keys, changes } = intent;
      checkWidth(collection, changes);
      const before = rows.read(collection, keys);
      if (!before) return missingItem(rows, collection, keys);
      const refusal = refuse(intent.precondition, before);
      if (refusal) return refusal;
      const [, ...old] = before;
      const cells = old.map((cell, at): Cell => (changes[at] === undefined ? cell : changes[at]));
      if (cells.every((cell, at) => cell === old[at])) return { kind: 'written', row: before, isUnchanged: true };
      const conflicts = findConflicts(catalogue, rows, collection, keys, cells, old);
      if (conflicts.length > 0) return { kind: 'conflict', conflicts };
      const change = changeSet.nextChange();
      rows.update(collection, change, keys, cells);
      return { kind: 'written', row: [change, ...cells] };
    }
    case 'remove': {
      const { keys } = intent;
      const before = rows.read(collection, keys);
      if (!before) return missingItem(rows, collection, keys);
      const refusal =
        refuse(intent.precondition, before) ?? releaseReferring(catalogue, rows, collection, keys, changeSet);
      return refusal ?? { kind: 'removed', change: removeItem(rows, collection, keys, changeSet) };
    }
  }
}
