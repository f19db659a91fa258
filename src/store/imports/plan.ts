/** Plans an import without holding a lock; rows whose items were changed meanwhile are planned again at the end. */
import { type Catalogue, type Collection, collectionOf } from '../../model/catalogue.ts';
import { type FileRow, rowCounts } from '../../model/import.ts';
import type { Packed } from '../../model/row-batch.ts';
import { type ChangeSet, planChanges } from '../change-set.ts';
import type { Keys, Row } from '../port.ts';
import { type Done, type ImportRequest, type Rejection, type Tally, type Target, tallyOf } from './apply-row.ts';
import { keySet } from './key-set.ts';
import type { PlannedItem, StageTables } from './stage-tables.ts';

/** Reads an item as it is stored. */
type ReadStored = (collection: Collection, keys: Keys) => Row | undefined;

export interface Plan {
  readonly tally: Tally;
  /** Plans a chunk of rows; `bytes` is the same chunk, packed. */
  readonly add: (rows: readonly FileRow[], bytes: Packed, stored: ReadStored) => void;
  /** How many change numbers the planned items take. */
  readonly size: () => number;
  /**
   * Withdraws the plan for items that were changed meanwhile, which the tables list.
   *
   * @param changeSet counts the items that are planned
   * @returns the rows that must be applied to them as they are now
   */
  readonly withdraw: (changeSet: ChangeSet) => Iterable<readonly FileRow[]>;
  /** Counts the planned items in a change set. */
  readonly count: (changeSet: ChangeSet) => void;
}

const indexOfCount = new Map(rowCounts.map((name, at) => [name, at] as const));
const doneAt = (index: number | undefined): Done => rowCounts[index ?? 0] ?? 'created';

/** Counts a planned item as `by`, and the item it replaces as `-by`. */
const countItem = (changeSet: ChangeSet, collection: Collection, { before, cells }: PlannedItem): void => {
  changeSet.count(collection, cells, -1);
  if (before) changeSet.count(collection, before.slice(1), 1);
};

export const planOf = (
  catalogue: Catalogue,
  request: ImportRequest,
  tables: StageTables,
  onRejected: (rejection: Rejection) => void,
): Plan => {
  const collection = collectionOf(catalogue, request.collection);
  const hasKeys = request.onDuplicate === 'replace-all';
  const tally = tallyOf(catalogue, request, onRejected);
  const changes = planChanges();
  const seen = keySet();

  /** @returns the target for the rows of one item after another */
  const targetOf = (stored: ReadStored): Target & { readonly begin: (row: FileRow) => void } => {
    let repeated: string | undefined;
    let read: { readonly row: Row | undefined; readonly planned: PlannedItem | undefined } | undefined;
    const look = (keys: Keys) => {
      const planned = repeated === undefined ? undefined : tables.find(repeated);
      return { planned, row: planned ? ([planned.last, ...planned.cells] as const) : stored(collection, keys) };
    };
    return {
      begin: ({ cells: [key], errors }) => {
        const isUsed = typeof key === 'string' && errors.length === 0;
        repeated = isUsed && !seen.add(key) ? key : undefined;
        read = undefined;
      },
      changeSet: changes,
      rows: {
        read: (of, keys) => {
          if (of !== collection) return stored(of, keys);
          read ??= look(keys);
          return read.row;
        },
        insert: (_, number, __, cells) => tables.insert({ number, last: number, before: undefined, cells }),
        update: (_, last, __, cells) => {
          if (read?.planned) tables.update({ ...read.planned, last, cells });
          else tables.insert({ number: last, last, before: read?.row, cells });
        },
        remove: () => {},
        record: () => undefined,
      },
    };
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
      const again = rows.filter(({ cells: [key] }, at) => {
        // Its error has been reported already.
        const isAgain =
          typeof key === 'string' && changed.has(key) && tables.isChanged(key) && doneAt(kinds[at]) !== 'rejected';
        if (isAgain) tally.forget(doneAt(kinds[at]));
        return isAgain;
      });
      if (again.length > 0) yield again;
    }
  }

  return {
    tally,
    add: (rows, bytes, stored) => {
      const { begin, ...target } = targetOf(stored);
      const kinds = new Uint8Array(rows.length);
      for (const [at, row] of rows.entries()) {
        begin(row);
        kinds[at] = indexOfCount.get(tally.apply(target, row)) ?? 0;
        const [key] = row.cells;
        if (hasKeys && typeof key === 'string') tables.addKey(key);
      }
      tables.addChunk(bytes, kinds);
    },
    size: () => changes.lastChange() ?? 0,
    withdraw: (changeSet) => {
      for (const item of tables.takeChanged()) countItem(changeSet, collection, item);
      return changedRows();
    },
    count: (changeSet) => changeSet.include(changes.totals()),
  };
};
