/** Plans an import without holding a lock; rows whose items were changed meanwhile are planned again at the end. */
import { type Catalogue, type Collection, collectionOf } from '../../gateway/model/catalogue.ts';
import type { Cell } from '../../gateway/model/field.ts';
import type { FileRow, Rejection, RowConflict } from '../../gateway/model/import.ts';
import { type Done, dones } from '../../gateway/model/report.ts';
import { isUnkeyed } from '../../gateway/model/row-batch.ts';
import type { Keys, Row } from '../../gateway/port/port.ts';
import { type ChangeSet, openChangeSet, planChanges } from '../change-set.ts';
import { addressesOf } from './addresses.ts';
import { type ImportRequest, isMerging, type Target, tallyOf, type Use } from './apply-row.ts';
import { keySet } from './key-set.ts';
import type { StagedBatch } from './stage.ts';
import type { PlannedItem, StageTables } from './stage-tables.ts';

/** Reads an item as it is stored. */
type ReadStored = (collection: Collection, keys: Keys) => Row | undefined;

export type Plan = ReturnType<typeof planOf>;

const doneAt = (index: number | undefined): Done => dones[index ?? 0] ?? 'created';

const DELETION = dones.indexOf('deleted');

const withKey = (row: FileRow, key: string): FileRow => ({ ...row, cells: [key, ...row.cells.slice(1)] });

export const planOf = (
  catalogue: Catalogue,
  request: ImportRequest,
  tables: StageTables,
  onRejected: (rejection: Rejection) => void,
) => {
  const collection = collectionOf(catalogue, request.collection);
  const { idOf, keysOf } = addressesOf(collection, request.parents);
  /** What identifies the item of a row without errors. */
  const keyOf = (row: FileRow): string | undefined => (row.errors.length === 0 ? idOf(row) : undefined);
  const merges = isMerging(request);
  const tally = tallyOf(catalogue, request, onRejected);
  const changes = planChanges();
  const seen = keySet();
  let hasDeletions = false;
  /** Whether the tables have the keys of all rows: otherwise only from the first on that repeats one. */
  let hasKeys = request.onDuplicate === 'replace-all';

  /**
   * @returns the target for one row after another; `begin` is told which item an earlier row with the same key has planned, and
   * whether the key is new, so that nothing can be stored with it
   */
  const targetOf = (
    stored: ReadStored,
  ): Target & { readonly begin: (row: number, planned?: PlannedItem, isNew?: boolean) => void } => {
    let number = 0;
    let earlier: PlannedItem | undefined;
    let read: { readonly row: Row | undefined } | undefined;
    const put = (last: number, cells: readonly Cell[]): void => {
      if (earlier) tables.update({ ...earlier, row: number, last, cells });
      else tables.insert({ number: last, row: number, last, before: read?.row, cells });
    };
    return {
      begin: (row, planned, isNew) => {
        number = row;
        earlier = planned;
        read = isNew ? { row: undefined } : undefined;
      },
      changeSet: changes,
      rows: {
        read: (of, keys) => {
          if (of !== collection) return stored(of, keys);
          read ??= { row: earlier ? earlier.before : stored(of, keys) };
          return read.row;
        },
        insert: (_, change, __, cells) => put(change, cells),
        update: (_, change, __, cells) => put(change, cells),
        remove: () => {},
        record: () => undefined,
      },
    };
  };

  const addKey = (row: FileRow, done: number): void => {
    const key = idOf(row);
    const counts = row.errors.length === 0 && doneAt(done) !== 'rejected';
    if (key !== undefined) tables.addKey(key, counts ? row.number : null, done);
  };
  /** @returns the row with this key that counts so far; `undefined` where the key only seems to be repeated. @param chunk the rows before */
  const earlierUse = (key: string, chunk: readonly FileRow[], kinds: Uint8Array): Use | undefined => {
    if (!hasKeys) {
      for (const each of tables.chunks()) for (const [at, row] of each.rows.entries()) addKey(row, each.kinds[at] ?? 0);
      for (const [at, row] of chunk.entries()) addKey(row, kinds[at] ?? 0);
      hasKeys = true;
    }
    const found = tables.rowOf(key);
    return found && { row: found[0], done: doneAt(found[1]) };
  };
  /** Takes an item out of the counts, because it is planned anew: itself as `by`, and the item it replaces as `-by`. */
  const forget = ({ before, cells }: PlannedItem): void => {
    tally.forgetCleared(before, cells);
  };

  function* changedRows(): Generator<readonly FileRow[]> {
    const changed = keySet();
    let isAny = false;
    for (const key of tables.changed()) {
      if (!seen.has(key)) continue;
      changed.add(key);
      isAny = true;
    }
    if (!isAny) return;
    for (const { rows, kinds } of tables.chunks()) {
      const again = rows.filter((row, at) => {
        const key = idOf(row);
        // The error of a rejected row has been reported already.
        const isAgain =
          key !== undefined &&
          changed.has(key) &&
          tables.isChanged(key) &&
          doneAt(kinds[at]) !== 'rejected' &&
          kinds[at] !== DELETION &&
          (!hasKeys || tables.rowOf(key)?.[0] === row.number);
        if (isAgain) tally.forget(doneAt(kinds[at]));
        return isAgain;
      });
      if (again.length > 0) yield again;
    }
  }

  return {
    tally,
    /** Plans a batch, whose rows are unpacked. */
    add: (rows: readonly FileRow[], { bytes, keys }: StagedBatch, stored: ReadStored): void => {
      const { begin, ...target } = targetOf(stored);
      const kinds = new Uint8Array(rows.length);
      const newKeys = keys.values();
      for (const [at, row] of rows.entries()) {
        const key = keyOf(row);
        if (row.isDeletion && key !== undefined) {
          hasDeletions = true;
          const isNew = tables.addObsolete([key]) > 0;
          if (isNew && request.isCheck && stored(collection, keysOf(key))) tally.wouldRemove(1);
          kinds[at] = DELETION;
          continue;
        }
        tally.see(row);
        // What the file says of an item last is done.
        if (hasDeletions && key !== undefined) tables.keepObsolete(key);
        const earlier = key !== undefined && !seen.add(key) ? earlierUse(key, rows.slice(0, at), kinds) : undefined;
        const planned = key !== undefined && earlier && merges ? tables.find(key) : undefined;
        const newKey = isUnkeyed(row) ? newKeys.next().value : undefined;
        begin(row.number, planned, newKey !== undefined);
        const done = tally.apply(target, newKey === undefined ? row : withKey(row, newKey), earlier);
        if (planned && done !== 'rejected') forget(planned);
        if (planned && done === 'unchanged') tables.remove(planned);
        kinds[at] = dones.indexOf(done);
        if (hasKeys && (merges || !earlier)) addKey(row, kinds[at]);
      }
      tables.addChunk(bytes, kinds);
    },
    /** How many change numbers the planned items take. */
    size: (): number => (tables.isEmpty() ? 0 : (changes.lastChange() ?? 0)),
    /** @param last the last change number. @returns the change set of the import */
    open: (last: number): ChangeSet => openChangeSet(last, Date.now(), 0),
    /** Takes an item out of the plan, whose row is rejected. */
    refuse: (item: PlannedItem, conflicts: readonly RowConflict[]): void => {
      forget(item);
      tables.remove(item);
      tally.refuse(item.row ?? 0, item.before ? 'updated' : 'created', conflicts);
    },
    /** Plans rows again that were withdrawn. */
    addAgain: (rows: readonly FileRow[], stored: ReadStored): void => {
      const { begin, ...target } = targetOf(stored);
      for (const row of rows) {
        begin(row.number);
        tally.apply(target, row);
      }
    },
    /** Withdraws the plan for items that were changed meanwhile, which the tables list. @returns the rows that must be planned again, on what is stored now */
    withdraw: (): Iterable<readonly FileRow[]> => {
      for (const item of tables.takeChanged()) forget(item);
      return changedRows();
    },
  };
};
