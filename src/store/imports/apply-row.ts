/** The rules of an import: what a row of a file does to the existing rows, in any database. */
import { type Catalogue, type Collection, collectionOf } from '../../model/catalogue.ts';
import type { Cell } from '../../model/field.ts';
import type { FileRow, ImportOptions, ImportOutcome, ImportReport, RowConflict, RowError } from '../../model/import.ts';
import { applyIntent, type TransactionRows } from '../apply.ts';
import type { ChangeSet } from '../change-set.ts';
import type { Intent, Keys, Outcome } from '../port.ts';

/** The options of an import as plain data, which can be sent to a thread. */
export interface ImportRequest
  extends Pick<ImportOptions, 'parents' | 'onDuplicate' | 'isLenient' | 'isCheck' | 'deletionShare' | 'mostErrors'> {
  readonly collection: string;
}

/** What was done with a row. */
export type Done = keyof ImportReport;

/** What rows are applied to: stored rows and a change set. */
export interface Target {
  readonly rows: TransactionRows;
  readonly changeSet: ChangeSet;
}

/** Why a row is rejected. */
export interface Rejection {
  readonly row: number;
  readonly error: RowError | RowConflict;
}

/** Applies the rows of an import, and counts them. */
export interface Tally {
  readonly apply: (target: Target, row: FileRow) => Done;
  /** Takes a row out of the counts, because it will be applied again. */
  readonly forget: (done: Done) => void;
  /** Deletes an item that the file does not have. */
  readonly remove: (target: Target, keys: Keys) => void;
  /** Counts items that would be deleted. */
  readonly wouldRemove: (count: number) => void;
  readonly report: () => ImportReport;
  /** Whether items that the file lacks are deleted: not where a rejected row may be that of any item, as its key cannot be read. */
  readonly deletes: () => boolean;
  /** The outcome that ends the import after its last row, if any. */
  readonly refused: () => ImportOutcome | undefined;
  /** @param items of the list before the import. @param lacking how many of them the file does not have */
  readonly mayDelete: (items: number, lacking: number) => ImportOutcome | undefined;
  readonly outcome: () => ImportOutcome;
}

const missingFields = ({ fields }: Collection, cells: FileRow['cells']): readonly RowConflict[] =>
  fields.flatMap(({ name, required }, at) =>
    required && (cells[at] ?? null) === null ? [{ code: 'missing-field', field: name } as const] : [],
  );

export const tallyOf = (
  catalogue: Catalogue,
  request: ImportRequest,
  onRejected: (rejection: Rejection) => void,
): Tally => {
  const {
    parents,
    onDuplicate,
    isLenient,
    isCheck,
    deletionShare = 1,
    mostErrors = Number.POSITIVE_INFINITY,
  } = request;
  const collection = collectionOf(catalogue, request.collection);
  const { name } = collection;
  const merges = onDuplicate === 'merge' || onDuplicate === 'replace-all';
  const report = { created: 0, updated: 0, unchanged: 0, skipped: 0, deleted: 0, rejected: 0 };
  let hasUnreadKey = false;
  let told = 0;

  const reject = (row: number, errors: readonly (RowError | RowConflict)[]): Done => {
    for (const error of errors) if (++told <= mostErrors) onRejected({ row, error });
    return 'rejected';
  };
  const intend = ({ rows, changeSet }: Target, intent: Intent): Outcome['kind'] =>
    applyIntent(catalogue, rows, intent, changeSet).kind;
  const merge = (target: Target, keys: Keys, changes: FileRow['cells']): Done | undefined => {
    const before = target.changeSet.lastChange();
    const kind = intend(target, { kind: 'update', collection: name, keys, changes });
    if (kind === 'missing') return undefined;
    return target.changeSet.lastChange() === before ? 'unchanged' : 'updated';
  };
  const create = (target: Target, number: number, sent: FileRow['cells']): Done => {
    const missing = missingFields(collection, sent);
    if (missing.length > 0) return reject(number, missing);
    const cells = sent.map((cell): Cell => cell ?? null);
    const kind = intend(target, { kind: 'create', collection: name, parents, cells });
    if (kind !== 'already-exists') return 'created';
    if (onDuplicate === 'ignore') return 'skipped';
    return reject(number, [{ code: 'already-exists', key: String(cells[0]) }]);
  };
  const done = (target: Target, { number, cells, errors }: FileRow): Done => {
    if (errors.length > 0) return reject(number, errors);
    const [key] = cells;
    const merged = merges && typeof key === 'string' ? merge(target, [...parents, key], cells) : undefined;
    return merged ?? create(target, number, cells);
  };
  return {
    apply: (target, row) => {
      const kind = done(target, row);
      report[kind] += row.times ?? 1;
      if (kind === 'rejected') hasUnreadKey ||= typeof row.cells[0] !== 'string';
      return kind;
    },
    forget: (kind) => {
      report[kind] -= 1;
    },
    remove: (target, keys) => {
      intend(target, { kind: 'remove', collection: name, keys });
      report.deleted += 1;
    },
    wouldRemove: (count) => {
      report.deleted += count;
    },
    report: () => report,
    deletes: () => onDuplicate === 'replace-all' && !hasUnreadKey,
    refused: () => (report.rejected > 0 && !isLenient && !isCheck ? { kind: 'rejected-rows', report } : undefined),
    mayDelete: (items, lacking) =>
      lacking > items * deletionShare
        ? { kind: 'too-many-deletions', report: { ...report, deleted: lacking }, total: items }
        : undefined,
    outcome: () => ({ kind: isCheck ? 'checked' : 'imported', report }),
  };
};
