/** Imports into items in memory: each row is applied to what was there before the first one, and all of them at the end. */
import type {
  FieldConflict,
  FileRow,
  ImportOptions,
  ImportOutcome,
  ItemChange,
} from 'car-dealer-catalogue/model/import';
import { foldCell } from 'car-dealer-catalogue/model/search/fold';
import { type Catalogue, type Collection, collectionOf } from 'car-dealer-catalogue/schema';
import type { Keys, Row } from 'car-dealer-catalogue/stores/port';
import type { TransactionRows } from 'car-dealer-catalogue/stores/rules/apply';
import type { ChangeSet } from 'car-dealer-catalogue/stores/rules/change-set';
import { referringItems } from 'car-dealer-catalogue/stores/rules/constraints';
import { type Tally, type Target, tallyOf, type Use } from 'car-dealer-catalogue/stores/rules/imports/apply-row';
import { keepImport, knownImport } from 'car-dealer-catalogue/stores/rules/imports/idempotency';
import { idempotencyOf, requestOf } from 'car-dealer-catalogue/stores/rules/imports/stage';

/** What an import writes, by key. */
type Planned = Map<string, Row>;

const keyOf = ({ cells: [key], errors }: FileRow): string | undefined =>
  typeof key === 'string' && errors.length === 0 ? key : undefined;

/** @returns the rows as they were before the import, whose changes are planned only */
const planning = ({ having: _, ...stored }: TransactionRows, planned: Planned): TransactionRows => ({
  ...stored,
  insert: (_, change, __, cells) => void planned.set(String(cells[0]), [change, ...cells]),
  update: (_, change, keys, cells) => void planned.set(String(keys.at(-1)), [change, ...cells]),
});

const applyRows = (
  tally: Tally,
  target: Target,
  rows: readonly FileRow[],
  planned: Planned,
  before: (key: string) => Row | undefined,
) => {
  const uses = new Map<string, Use>();
  const deletions = new Set<string>();
  for (const row of rows) {
    const key = keyOf(row);
    if (row.isDeletion && key !== undefined) {
      deletions.add(key);
      planned.delete(key);
      continue;
    }
    tally.see(row);
    // What the file says of an item last is done.
    if (key !== undefined) deletions.delete(key);
    const use = key === undefined ? undefined : uses.get(key);
    const earlier = key === undefined ? undefined : planned.get(key);
    const done = tally.apply(target, row, use);
    if (key === undefined || done === 'rejected' || (use && done === 'skipped')) continue;
    uses.set(key, { row: row.number, done });
    if (earlier) tally.forgetCleared(before(key), earlier.slice(1));
    if (done === 'unchanged') planned.delete(key);
  }
  return { uses, deletions };
};

/**
 * Rejects the rows whose values other items have, or that refer to no item, once all rows are known: items may exchange their values, and have those of items
 * that are deleted.
 */
const refuseConflicts = (
  catalogue: Catalogue,
  collection: Collection,
  { read, having = () => [] }: TransactionRows,
  tally: Tally,
  planned: Planned,
  uses: ReadonlyMap<string, Use>,
  deleted: ReadonlySet<string>,
): boolean => {
  const given = new Map<string, number>();
  let isAny = false;
  for (const [key, [, ...cells]] of planned) {
    const { row: own, done } = uses.get(key) ?? { row: 0, done: 'created' };
    const conflicts = collection.fields.flatMap((field, at): readonly FieldConflict[] => {
      const value = cells[at] ?? null;
      if (value === null) return [];
      const { refersTo } = field;
      if (refersTo && !read(collectionOf(catalogue, refersTo), [String(value)])) {
        return [{ code: 'invalid-value', field: field.name, value }];
      }
      if (!field.unique) return [];
      const conflict = { code: 'already-exists', field: field.name, value } as const;
      const name = JSON.stringify([field.name, foldCell(value)]);
      const row = given.get(name);
      if (row !== undefined) return [{ ...conflict, key, row }];
      given.set(name, own);
      const holders = Array.from(having(collection, field, value), ({ keys }) => String(keys.at(-1)));
      const other = holders.find((each) => each !== key && !planned.has(each) && !deleted.has(each));
      return other === undefined ? [] : [{ ...conflict, key: other }];
    });
    if (conflicts.length === 0) continue;
    isAny = true;
    tally.refuse(own, done, conflicts);
    planned.delete(key);
  }
  return isAny;
};

/**
 * @param stored the items
 * @param existing keys of the list that is imported into
 * @param list is given what is done with each item
 */
export const importInto = (
  catalogue: Catalogue,
  { name }: Collection,
  stored: TransactionRows,
  existing: readonly string[],
  rows: readonly FileRow[],
  options: ImportOptions,
  changeSet: ChangeSet,
  list: (change: ItemChange) => void,
): ImportOutcome => {
  const { parents, onRejected } = options;
  const collection = collectionOf(catalogue, name);
  const { parent } = collection;
  const idempotency = idempotencyOf(options);
  const known = knownImport(idempotency, stored.record);
  if (known) return known;
  if (parent && !stored.read(parent, parents)) return { kind: 'missing', collection: parent.name };

  const planned: Planned = new Map();
  const keysOf = (key: string): Keys => [...parents, key];
  const before = (key: string): Row | undefined => stored.read(collection, keysOf(key));
  const target: Target = { rows: planning(stored, planned), changeSet };
  const tally = tallyOf(catalogue, requestOf(collection, options), ({ row, error }) => onRejected(row, error));
  const { uses, deletions } = applyRows(tally, target, rows, planned, before);

  const sent = new Set(rows.map(({ cells: [key] }) => key));
  const obsolete: string[] = tally.deletes() ? existing.filter((key) => !sent.has(key)) : [];
  const deleted = new Set([...obsolete, ...deletions]);
  // An item whose row is rejected keeps its value, which another row may have been given.
  while (refuseConflicts(catalogue, collection, stored, tally, planned, uses, deleted));
  const refused = tally.refused() ?? tally.mayDelete(existing.length, obsolete.length);
  if (refused) return refused;
  obsolete.push(...deletions.values().filter((key) => before(key) && !obsolete.includes(key)));
  for (const key of deleted) {
    const referring = referringItems(catalogue, stored, collection, keysOf(key));
    if ('kind' in referring) return referring;
  }
  const cellsBefore = (key: string) => before(key)?.slice(1) as Row | undefined;
  for (const [key, [, ...after]] of planned) list({ row: uses.get(key)?.row ?? null, before: cellsBefore(key), after });
  for (const key of obsolete) list({ row: null, before: cellsBefore(key), after: undefined });
  if (options.isCheck) {
    tally.wouldRemove(obsolete.length);
    return tally.outcome(changeSet.last);
  }
  for (const key of obsolete) tally.remove({ rows: stored, changeSet }, keysOf(key));
  for (const [key, [change, ...cells]] of planned) {
    if (before(key)) stored.update(collection, change, keysOf(key), cells);
    else stored.insert(collection, change, parents, cells);
  }
  if (idempotency) keepImport(changeSet, idempotency, tally);
  return tally.outcome(changeSet.lastChange() ?? changeSet.last);
};
