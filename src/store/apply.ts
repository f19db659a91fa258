/** The rules of writing: what an intent does to the existing rows, in any database. */
import { type Catalogue, type Collection, collectionOf } from '../gateway/model/catalogue.ts';
import type { Cell } from '../gateway/model/field.ts';
import { type Precondition, unmet } from '../gateway/model/precondition.ts';
import type { Intent, Keys, Outcome, Row } from '../gateway/port/port.ts';
import type { ChangeSet } from './change-set.ts';
import { conflictsOf, type RelatedRows, releaseReferring, removeItem } from './constraints.ts';
import { type FindRecord, findKnown, readRow, writeRow } from './idempotency.ts';

/** What the rules of writing need of the stored rows. */
export interface TransactionRows extends RelatedRows {
  readonly insert: (collection: Collection, change: number, parents: Keys, cells: readonly Cell[]) => void;
  readonly record: FindRecord;
}

const missing = ({ name }: Collection): Outcome => ({ kind: 'missing', collection: name });

const refusal = (precondition: Precondition | undefined, [revision]: Row): Outcome | undefined => {
  const condition = precondition && unmet(precondition, revision);
  return condition && { kind: 'precondition-failed', condition };
};

/** @throws TypeError unless there is one cell for each field: with one too few, every value after them would shift a column */
export const checkWidth = ({ name, fields }: Collection, cells: readonly unknown[]): void => {
  if (cells.length === fields.length) return;
  throw new TypeError(`${name} has ${fields.length} fields, not ${cells.length}`);
};

/**
 * Applies an intent, where that is possible.
 *
 * @throws TypeError where it names no collection, or does not have exactly one cell for each of its fields
 */
export const applyIntent = (
  catalogue: Catalogue,
  rows: TransactionRows,
  intent: Intent,
  changeSet: ChangeSet,
): Outcome => {
  const collection = collectionOf(catalogue, intent.collection);
  const { parent } = collection;
  /** Names the parent where both it and the item are missing. */
  const missingAt = (keys: Keys): Outcome =>
    missing(parent && !rows.read(parent, keys.slice(0, -1)) ? parent : collection);

  switch (intent.kind) {
    case 'create': {
      const { parents, cells, idempotency } = intent;
      checkWidth(collection, cells);
      const known = idempotency && findKnown(idempotency, changeSet.kept, rows.record);
      if (known) {
        return known.isSame
          ? { kind: 'written', row: readRow(collection, known.result), isUnchanged: true }
          : { kind: 'idempotency-mismatch' };
      }
      if (parent && !rows.read(parent, parents)) return missing(parent);
      const keys = [...parents, String(cells[0])];
      if (rows.read(collection, keys)) return { kind: 'already-exists' };
      const conflicts = conflictsOf(catalogue, rows, collection, keys, cells);
      if (conflicts.length > 0) return { kind: 'conflict', conflicts };
      const change = changeSet.nextChange();
      rows.insert(collection, change, parents, cells);
      const row: Row = [change, ...cells];
      if (idempotency) changeSet.keep({ ...idempotency, result: writeRow(collection, row) });
      return { kind: 'written', row };
    }
    case 'update': {
      const { keys, changes } = intent;
      checkWidth(collection, changes);
      const before = rows.read(collection, keys);
      if (!before) return missingAt(keys);
      const refused = refusal(intent.precondition, before);
      if (refused) return refused;
      const [, ...old] = before;
      const cells = old.map((cell, at): Cell => (changes[at] === undefined ? cell : changes[at]));
      if (cells.every((cell, at) => cell === old[at])) return { kind: 'written', row: before, isUnchanged: true };
      const conflicts = conflictsOf(catalogue, rows, collection, keys, cells, old);
      if (conflicts.length > 0) return { kind: 'conflict', conflicts };
      const change = changeSet.nextChange();
      rows.update(collection, change, keys, cells);
      return { kind: 'written', row: [change, ...cells] };
    }
    case 'remove': {
      const { keys } = intent;
      const before = rows.read(collection, keys);
      if (!before) return missingAt(keys);
      const refused = refusal(intent.precondition, before);
      const kept = refused ?? releaseReferring(catalogue, rows, collection, keys, changeSet);
      if (kept) return kept;
      return { kind: 'removed', change: removeItem(rows, collection, keys, changeSet) };
    }
  }
};
