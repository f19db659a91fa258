/** The rules of an import: what a row of a file does to the existing rows, in any database. */
import { type Catalogue, type Collection, collectionOf, identifies, newCells } from '../../gateway/model/catalogue.ts';
import type { Cell, Field } from '../../gateway/model/field.ts';
import type {
  FileRow,
  ImportOutcome,
  ImportReport,
  ImportRules,
  Rejection,
  RepeatedRow,
  RowConflict,
  RowError,
} from '../../gateway/model/import.ts';
import { reasonCounter } from '../../gateway/model/reasons.ts';
import type { Done } from '../../gateway/model/report.ts';
import type { Intent, Keys, Outcome, Row } from '../../gateway/port/port.ts';
import { LISTED } from '../../gateway/texts/problem.ts';
import { applyIntent, type TransactionRows } from '../apply.ts';
import type { ChangeSet } from '../change-set.ts';
import { addressesOf } from './addresses.ts';
import { warningsOf } from './warnings.ts';

/** An import, as plain data that can be sent to a thread. */
export interface ImportRequest extends ImportRules {
  readonly collection: string;
  readonly listsChanges: boolean;
}

export const isMerging = ({ onDuplicate }: Pick<ImportRequest, 'onDuplicate'>): boolean =>
  onDuplicate === 'merge' || onDuplicate === 'replace-all';

/** What rows are applied to: stored rows and a change set. */
export interface Target {
  readonly rows: TransactionRows;
  readonly changeSet: ChangeSet;
}

/** A row of the file, and what was done with it. */
export interface Use {
  readonly row: number;
  readonly done: Done;
}

/** Applies the rows of an import, and counts them. */
export type Tally = ReturnType<typeof tallyOf>;

/** @returns what a row lacks of the fields that it needs */
const missingFields = (
  { fields }: Collection,
  cells: FileRow['cells'],
  isNeeded: (field: Field) => boolean,
): readonly RowConflict[] =>
  fields
    .filter((field, at) => isNeeded(field) && (cells[at] ?? null) === null)
    .map(({ name: field }) => ({ code: 'missing-field', field }));

/** @returns how many values an update clears */
const clearedBy = (before: Row | undefined, changes: FileRow['cells']): number =>
  before ? changes.filter((cell, at) => cell === null && before[at + 1] !== null).length : 0;

export const tallyOf = (catalogue: Catalogue, request: ImportRequest, onRejected: (rejection: Rejection) => void) => {
  const { onDuplicate, rejectsMissing, isLenient, isCheck } = request;
  const { deletionShare = 1, mostErrors = Number.POSITIVE_INFINITY, mostRejected = Number.POSITIVE_INFINITY } = request;
  const collection = collectionOf(catalogue, request.collection);
  const { id: name, nested } = collection;
  const { idOf, keysOf } = addressesOf(collection, request.parents);
  const merges = isMerging(request);
  const { see, warnings } = warningsOf(collection);
  const counts = { created: 0, updated: 0, unchanged: 0, skipped: 0, deleted: 0, rejected: 0, cleared: 0 };
  let repeated: readonly RepeatedRow[] = [];
  const reasons = reasonCounter<RowError | RowConflict>();
  let hasUnreadKey = false;

  const reject = (
    { number: row, times }: Pick<FileRow, 'number' | 'times'>,
    errors: readonly (RowError | RowConflict)[],
  ): Done => {
    for (const error of errors) {
      if (reasons.add(row, error, 'times' in error ? error.times : times).count <= mostErrors)
        onRejected({ row, error });
    }
    return 'rejected';
  };
  const intend = ({ rows, changeSet }: Target, intent: Intent): Outcome =>
    applyIntent(catalogue, rows, intent, changeSet);
  /** What has replaced a row may be replaced itself. */
  const replace = (by: RepeatedRow): void => {
    const earlier = repeated.map((each) => (each.usedRow === by.row ? { ...each, usedRow: by.usedRow } : each));
    repeated = [...earlier, by].slice(0, LISTED);
  };
  const update = (target: Target, keys: Keys, before: Row, changes: FileRow['cells']): Done => {
    counts.cleared += clearedBy(before, changes);
    const outcome = intend(target, { kind: 'update', collection: name, keys, changes });
    return 'isUnchanged' in outcome ? 'unchanged' : 'updated';
  };
  /** @returns why no item can be created, whatever its key is */
  const unfit = ({ rows }: Target, { cells }: FileRow, parents: Keys): readonly RowConflict[] => {
    const missing = missingFields(collection, cells, ({ required }) => required);
    if (missing.length > 0 || !nested?.parent || rows.read(nested.parent, parents)) return missing;
    return [{ code: 'not-found', field: nested.parent.name, key: String(parents[0]) }];
  };
  const create = (target: Target, row: FileRow, parents: Keys, earlier: Use | undefined): Done => {
    const { cells: sent } = row;
    const errors = unfit(target, row, parents);
    if (errors.length > 0) return reject(row, errors);
    const cells = newCells(collection, sent);
    const isTaken =
      (earlier && !merges) ||
      intend(target, { kind: 'create', collection: name, parents, cells }).kind === 'already-exists';
    if (!isTaken) return 'created';
    const key = String(cells[0]);
    if (onDuplicate !== 'ignore') return reject(row, [{ code: 'already-exists', key, row: earlier?.row }]);
    if (earlier) replace({ row: row.number, key, usedRow: earlier.row });
    return 'skipped';
  };
  const done = (target: Target, row: FileRow, earlier: Use | undefined): Done => {
    const { cells, errors } = row;
    if (errors.length > 0) return reject(row, errors);
    const id = idOf(row);
    const keys = id === undefined ? request.parents : keysOf(id);
    const [key] = cells;
    if (id !== undefined && (merges || rejectsMissing)) {
      const before = target.rows.read(collection, keys);
      if (before && merges) return update(target, keys, before, cells);
      if (!before && rejectsMissing) return reject(row, [{ code: 'not-found', key: String(key) }]);
    } else if (rejectsMissing) return reject(row, missingFields(collection, cells, identifies));
    return create(target, row, id === undefined ? request.parents : keys.slice(0, -1), earlier);
  };
  const report = (): ImportReport => ({
    ...counts,
    ...(repeated.length > 0 ? { repeated } : {}),
    ...warnings(),
    ...(counts.rejected > 0 ? { reasons: reasons.all() } : {}),
  });
  return {
    /** Looks at each row of the file once, for warnings. */
    see,
    /**
     * Applies a row.
     *
     * @param earlier the row with the same key that has counted so far. Where rows are merged, the last valid one alone counts, and
     * is applied to the item as it was before the import, which the target reads; otherwise the first one counts
     */
    apply: (target: Target, row: FileRow, earlier?: Use): Done => {
      const kind = done(target, row, earlier);
      counts[kind] += row.times ?? 1;
      if (kind === 'rejected') hasUnreadKey ||= idOf(row) === undefined;
      else if (earlier && merges) {
        counts[earlier.done] -= 1;
        counts.skipped += 1;
        replace({ row: earlier.row, key: String(row.cells[0]), usedRow: row.number });
      }
      return kind;
    },
    /** Takes a row out of the counts, because it will be applied again. */
    forget: (kind: Done): void => {
      counts[kind] -= 1;
    },
    /** Takes the values that a planned item has cleared out of the counts. */
    forgetCleared: (before: Row | undefined, cells: readonly Cell[]): void => {
      counts.cleared -= clearedBy(before, cells);
    },
    /** Rejects a row that was applied, for what only all rows together show. */
    refuse: (row: number, done: Done, errors: readonly RowConflict[]): void => {
      counts[done] -= 1;
      counts.rejected += 1;
      reject({ number: row }, errors);
    },
    /** Deletes an item that the file does not have. */
    remove: (target: Target, keys: Keys): Outcome => {
      const outcome = intend(target, { kind: 'remove', collection: name, keys });
      if (outcome.kind === 'removed') counts.deleted += 1;
      return outcome;
    },
    /** Counts items that would be deleted. */
    wouldRemove: (items: number): void => {
      counts.deleted += items;
    },
    report,
    listed: reasons.listed,
    /** Whether items that the file lacks are deleted: not where a rejected row may be that of any item, as its key cannot be read. */
    deletes: (): boolean => onDuplicate === 'replace-all' && !hasUnreadKey,
    /** The outcome that ends the import after its last row, if any. */
    refused: (): ImportOutcome | undefined =>
      counts.rejected > (isLenient ? mostRejected : 0) && !isCheck
        ? { kind: 'rejected-rows', report: report() }
        : undefined,
    /** @param items of the list before the import. @param obsolete how many of them the file does not have */
    mayDelete: (items: number, obsolete: number): ImportOutcome | undefined =>
      obsolete > items * deletionShare
        ? { kind: 'too-many-deletions', report: { ...report(), deleted: obsolete }, total: items }
        : undefined,
    outcome: (change: number): ImportOutcome =>
      isCheck ? { kind: 'checked', report: report() } : { kind: 'imported', report: report(), change },
  };
};
