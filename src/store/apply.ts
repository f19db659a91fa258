import {
  type Catalogue,
  type Collection,
  findCollection,
  findReferences,
  hasCompactKey,
} from '../gateway/model/catalogue.ts';
import type { Cell, Field, Value } from '../gateway/model/field.ts';
import type { FieldConflict, InUse } from '../gateway/model/import.ts';
import { findUnmet, type Precondition } from '../gateway/model/precondition.ts';
import type { Intent, KeyedRow, Keys, Outcome, Row } from '../gateway/port/port.ts';
import { type ChangeSet, type FindRecord, findEarlier, readRow, writeRow } from './change-set.ts';

export interface TransactionRows extends RelatedRows {
  readonly insert: (collection: Collection, change: number, parents: Keys, cells: readonly Cell[]) => void;
  readonly record: FindRecord;
}

/** @throws TypeError unless there is one cell for each field: with one too few, every value after them would shift a column */
function checkWidth({ name, fields }: Collection, cells: readonly unknown[]): void {
  if (cells.length === fields.length) return;
  throw new TypeError(`${name} has ${fields.length} fields, not ${cells.length}`);
}

/** @returns keys as they were first written; what is not stored stays as it is */
function spellKeys(rows: RelatedRows, collection: Collection, keys: Keys): Keys {
  if (!hasCompactKey(collection)) return keys;
  const { parent } = collection;
  const above = parent ? spellKeys(rows, parent, keys.slice(0, -1)) : [];
  return [...above, String(rows.read(collection, keys)?.[1] ?? keys.at(-1))];
}

/** @returns cells that refer to other items by their keys as these were first written */
function spellReferences<T extends Cell | undefined>(
  catalogue: Catalogue,
  rows: RelatedRows,
  { fields, constrained }: Collection,
  cells: readonly T[],
): readonly (T | Cell)[] {
  let spelled: readonly (T | Cell)[] = cells;
  for (const at of constrained) {
    const [{ compact, refersTo } = {}, cell] = [fields[at], cells[at]];
    if (!compact || refersTo === undefined || typeof cell !== 'string') continue;
    const [key = cell] = spellKeys(rows, findCollection(catalogue, refersTo), [cell]);
    spelled = spelled.with(at, key);
  }
  return spelled;
}

function describeMissing(rows: TransactionRows, collection: Collection, keys: Keys): Outcome {
  const { parent } = collection;
  const isOrphan = parent && !rows.read(parent, keys.slice(0, -1));
  return { kind: 'missing', collection: (isOrphan ? parent : collection).name };
}

function refuse(precondition: Precondition | undefined, [revision]: Row): Outcome | undefined {
  const condition = precondition && findUnmet(precondition, revision);
  return condition && { kind: 'precondition-failed', condition };
}

export function applyIntent(
  catalogue: Catalogue,
  rows: TransactionRows,
  intent: Intent,
  changeSet: Pick<ChangeSet, 'nextChange' | 'addRecord' | 'findRecord'>,
): Outcome {
  const collection = findCollection(catalogue, intent.collection);
  switch (intent.kind) {
    case 'create': {
      const { idempotency } = intent;
      checkWidth(collection, intent.cells);
      const earlierOutcome = idempotency && findEarlier(idempotency, changeSet.findRecord, rows.record);
      if (earlierOutcome && !earlierOutcome.isSame) return { kind: 'idempotency-mismatch' };
      if (earlierOutcome)
        return { kind: 'written', row: readRow(collection, earlierOutcome.result), isUnchanged: true };
      const { parent } = collection;
      const parents = parent ? spellKeys(rows, parent, intent.parents) : intent.parents;
      if (parent && !rows.read(parent, parents)) return { kind: 'missing', collection: parent.name };
      const cells = spellReferences(catalogue, rows, collection, intent.cells);
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
      const keys = spellKeys(rows, collection, intent.keys);
      const changes = spellReferences(catalogue, rows, collection, intent.changes);
      checkWidth(collection, changes);
      const before = rows.read(collection, keys);
      if (!before) return describeMissing(rows, collection, keys);
      const refusal = refuse(intent.precondition, before);
      if (refusal) return refusal;
      const [, ...old] = before;
      // A key stays as it was first written.
      const cells = old.map((cell, at): Cell => (at === 0 || changes[at] === undefined ? cell : changes[at]));
      if (cells.every((cell, at) => cell === old[at])) return { kind: 'written', row: before, isUnchanged: true };
      const conflicts = findConflicts(catalogue, rows, collection, keys, cells, old);
      if (conflicts.length > 0) return { kind: 'conflict', conflicts };
      const change = changeSet.nextChange();
      rows.update(collection, change, keys, cells);
      return { kind: 'written', row: [change, ...cells] };
    }
    case 'remove': {
      const keys = spellKeys(rows, collection, intent.keys);
      const before = rows.read(collection, keys);
      if (!before) return describeMissing(rows, collection, keys);
      const refusal =
        refuse(intent.precondition, before) ?? releaseReferring(catalogue, rows, collection, keys, changeSet);
      return refusal ?? { kind: 'removed', change: removeItem(rows, collection, keys, changeSet) };
    }
  }
}

export interface RelatedRows {
  /** The items of a collection whose field has a value, as filters compare it. Without it, what other items decide is left to the caller. */
  readonly having?: (collection: Collection, field: Field, value: Value) => Iterable<KeyedRow>;
  /** The items of a collection whose field has exactly this key; only some of them if that is enough. */
  readonly referring?: (collection: Collection, field: Field, key: string) => Iterable<KeyedRow>;
  readonly read: (collection: Collection, keys: Keys) => Row | undefined;
  readonly update: (collection: Collection, change: number, keys: Keys, cells: readonly Cell[]) => void;
  /** The keys of the items of a collection that are nested in an item, in their order. Without it, no list across parents has their deletions, and no row feeds a nested list. */
  readonly below?: (child: Collection, keys: Keys) => readonly string[];
  /** Removes the items that are nested in it too, and leaves a tombstone. */
  readonly remove: (collection: Collection, change: number, keys: Keys) => void;
}

function findConflicts(
  catalogue: Catalogue,
  { having, read }: RelatedRows,
  collection: Collection,
  keys: Keys,
  cells: readonly Cell[],
  before: readonly Cell[] = [],
): readonly FieldConflict[] {
  const conflicts: FieldConflict[] = [];
  if (!having) return conflicts;
  for (const at of collection.constrained) {
    const [field, value = null] = [collection.fields[at], cells[at]];
    if (!field || value === null || value === before[at]) continue;
    const { name, unique, refersTo } = field;
    if (refersTo && !read(findCollection(catalogue, refersTo), [String(value)])) {
      conflicts.push({ code: 'invalid-value', field: name, value });
    }
    for (const other of unique ? having(collection, field, value) : []) {
      if (keys.every((key, depth) => key === other.keys[depth])) continue;
      conflicts.push({ code: 'already-exists', field: name, value, key: other.keys.at(-1) ?? '' });
    }
  }
  return conflicts;
}

type Referring = Pick<KeyedRow, 'keys'> & { readonly collection: Collection; readonly field: Field };

function findReferring(
  catalogue: Catalogue,
  { referring = () => [] }: Pick<RelatedRows, 'referring'>,
  deleted: Collection,
  [key = '']: Keys,
  visitedIds: Set<string> = new Set(),
): readonly Referring[] | InUse {
  const all: Referring[] = [];
  for (const { collection, field } of findReferences(catalogue, deleted)) {
    const { onDelete = 'refuse' } = field;
    const items = Array.from(referring(collection, field, key));
    if (onDelete === 'refuse' && items.length > 0) {
      return { kind: 'in-use', key, collection: collection.name, count: items.length };
    }
    for (const { keys } of items) {
      const name = [collection.name, field.name, ...keys].join('\0');
      if (visitedIds.has(name)) continue;
      visitedIds.add(name);
      const cascades = onDelete === 'delete' && !collection.parent;
      const further = cascades ? findReferring(catalogue, { referring }, collection, keys, visitedIds) : [];
      if ('kind' in further) return further;
      all.push(...further, { collection, field, keys });
    }
  }
  return all;
}

function removeItem(
  rows: RelatedRows,
  collection: Collection,
  keys: Keys,
  changeSet: Pick<ChangeSet, 'nextChange'>,
): number {
  for (const child of collection.children.filter(({ all }) => all)) {
    for (const key of rows.below?.(child, keys) ?? []) rows.remove(child, changeSet.nextChange(), [...keys, key]);
  }
  const change = changeSet.nextChange();
  rows.remove(collection, change, keys);
  return change;
}

function releaseReferring(
  catalogue: Catalogue,
  rows: RelatedRows,
  deleted: Collection,
  keys: Keys,
  changeSet: Pick<ChangeSet, 'nextChange'>,
): InUse | undefined {
  const referring = findReferring(catalogue, rows, deleted, keys);
  if ('kind' in referring) return referring;
  for (const { collection, field, keys: own } of referring) {
    const row = rows.read(collection, own);
    // The item may have referred by another field, too.
    if (!row) continue;
    if (field.onDelete === 'delete') {
      removeItem(rows, collection, own, changeSet);
      continue;
    }
    const [, ...old] = row;
    const cells = old.map((cell, at) => (collection.fields[at] === field ? null : cell));
    rows.update(collection, changeSet.nextChange(), own, cells);
  }
  return undefined;
}
