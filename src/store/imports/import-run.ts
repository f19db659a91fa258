/**
 * Applies the rows of a file to the stored items of any database: each is a write like any other, by the same rules. All of it
 * happens in one transaction, which whoever runs it rolls back unless the outcome says that it stays.
 */

import {
  type Catalogue,
  type Collection,
  findCollection,
  findReferences,
  newCells,
} from '../../gateway/model/catalogue.ts';
import type { Cell } from '../../gateway/model/field.ts';
import {
  BETWEEN_KEYS,
  type FieldConflict,
  type FileRow,
  hasChanges,
  type ImportOutcome,
  type ImportReport,
  type ImportRules,
  type ImportWarning,
  type InUse,
  type ItemChange,
  identifyKeys,
  identifyRow,
  type LaterRows,
  missingFields,
  ReasonCounter,
  type Rejection,
  type RepeatedRow,
  type RowConflict,
  type RowSummary,
  type SpooledRow,
} from '../../gateway/model/import.ts';
import type { Idempotency } from '../../gateway/model/precondition.ts';
import { keyId } from '../../gateway/model/query.ts';
import type { NestedCounts } from '../../gateway/model/report.ts';
import type { Intent, Keys, Outcome, Row } from '../../gateway/port/port.ts';
import { unavailable } from '../../gateway/port/unavailable.ts';
import { LISTED } from '../../gateway/texts/problem.ts';
import { iterateChunks } from '../../util/iterate-chunks.ts';
import { KeySet } from '../../util/key-set.ts';
import { BatchWriter, readBatches } from '../../util/unnamed-file.ts';
import { applyIntent, type TransactionRows } from '../apply.ts';
import { type ChangeSet, type FindRecord, findEarlier } from '../change-set.ts';

/** An import as plain data, which can be sent to a thread. Files are named by their descriptors. */
export interface ImportWork extends RowSummary {
  readonly collection: string;
  readonly rules: ImportRules;
  readonly file: number;
  readonly newKeys: number | undefined;
  readonly changes: number | undefined;
  readonly rejections: number | undefined;
  readonly idempotency: Idempotency | undefined;
}

/** A request of an import to its database: for the rows that intents depend on, or for the ids of a list. */
export type Need =
  | {
      readonly kind: 'rows';
      readonly intents: () => readonly Intent[];
      /** Lists, and the keys of the items in which they are nested: their items are read, too. */
      readonly nested: readonly (readonly [list: Collection, parents: readonly Keys[]])[];
    }
  | { readonly kind: 'ids'; readonly select: (id: string) => boolean };
type Steps<T> = Generator<Need, T, unknown>;

interface ItemRow {
  readonly row: number;
  readonly id: string;
  readonly keys: Keys;
  readonly cells: readonly (Cell | undefined)[];
  /** Whether the file has the key; otherwise it was made for the row. */
  readonly isKeyed: boolean;
  readonly revision: number | undefined;
  readonly nested: FileRow['nested'];
}

interface Repeat {
  /** The last row without errors, and the last that could be a new item. */
  readonly lastValid: number;
  readonly lastComplete: number;
  wasStored?: boolean;
  /** The row that counts, if that is the first. */
  usedRow?: number;
  /** The number of the change that creates the item, and its key as the first row has it. */
  created?: number;
  key?: string;
}

type MutableCounts = { -readonly [K in keyof NestedCounts]: number };

const STEP = 500;
/** How often rows that nothing but each other blocks are tried again. */
const PASSES = 100;

/** Wraps rows so that an item that is read twice in a row, without a write in between, is read once. */
function rememberLastRead(rows: TransactionRows): TransactionRows {
  let last: { readonly of: Collection; readonly keys: Keys; readonly row: Row | undefined } | undefined;
  const forget =
    <A extends readonly unknown[]>(write: (...change: A) => void) =>
    (...change: A): void => {
      last = undefined;
      write(...change);
    };
  return {
    ...rows,
    read: (of, keys) => {
      if (!last || last.of.routeId !== of.routeId || !keys.every((key, at) => key === last?.keys[at])) {
        last = { of, keys, row: rows.read(of, keys) };
      }
      return last.row;
    },
    insert: forget(rows.insert),
    update: forget(rows.update),
    remove: forget(rows.remove),
  };
}

const limitRejections = ({ isLenient, mostRejected: most = Number.POSITIVE_INFINITY }: ImportRules): number =>
  isLenient ? most : 0;

/** @returns whether nothing is written: the file alone shows that nothing will be stored, and no row depends on what another one does */
function isDryRun(
  catalogue: Catalogue,
  stored: Collection,
  { rules, rejected, deletions, nested }: ImportWork,
): boolean {
  const isDiscarded = rules.isCheck || rejected > limitRejections(rules);
  const hasRelations = stored.constrained.length > 0 || findReferences(catalogue, stored).length > 0;
  return isDiscarded && deletions === 0 && nested.length === 0 && !hasRelations;
}

const writeNothing = (): void => {};

/** @returns whether a transaction is to be committed: it has stored something, or the result of a request that may be sent again */
export const isStored = (outcome: ImportOutcome, changeSet: ChangeSet): boolean =>
  outcome.kind === 'imported' && !outcome.isRepeated && (hasChanges(outcome.report) || changeSet.records().length > 0);

export class ImportRun {
  readonly #catalogue: Catalogue;
  readonly #work: ImportWork;
  readonly #onProgress: (rows: number) => void;
  readonly #changes: BatchWriter<ItemChange> | undefined;
  readonly #rejections: BatchWriter<Rejection> | undefined;
  readonly #changeSet: ChangeSet;
  /** The list, and the collection that its items are stored in. */
  readonly #list: Collection;
  readonly #stored: Collection;
  readonly #merges: boolean;
  readonly #isDry: boolean;
  readonly #counts = { created: 0, updated: 0, unchanged: 0, skipped: 0, deleted: 0, rejected: 0, cleared: 0 };
  readonly #nestedLists: readonly { readonly list: Collection; readonly counts: MutableCounts }[];
  readonly #reasons: ReasonCounter;
  readonly #warnings: ImportWarning[];
  #hasKnownKey = false;
  #newKeyCount = 0;
  readonly #newRows: { readonly row: number; readonly value: string }[] = [];
  readonly #repeated: RepeatedRow[] = [];
  readonly #ids: KeySet | undefined;
  readonly #newKeys: Iterator<string>;
  readonly #repeats = new Map<string, Repeat>();
  #blockedRows: { readonly item: ItemRow; readonly conflicts: readonly RowConflict[] }[] = [];
  /** The rows that have changed items which have unique values, by the number of the change. */
  readonly #rowByChange = new Map<number, number>();
  #inUse: InUse | undefined;

  /** @param onProgress is called with the number of rows that have been applied; it throws Unavailable if the import must end */
  constructor(catalogue: Catalogue, work: ImportWork, changeSet: ChangeSet, onProgress: (rows: number) => void) {
    const { rules, newKeys, changes, rejections } = work;
    this.#catalogue = catalogue;
    this.#work = work;
    this.#changeSet = changeSet;
    this.#onProgress = onProgress;
    this.#changes = changes === undefined ? undefined : new BatchWriter(changes);
    this.#rejections = rejections === undefined ? undefined : new BatchWriter(rejections);
    this.#list = findCollection(catalogue, work.collection);
    this.#stored = this.#list.flattens ?? this.#list;
    this.#merges = rules.onDuplicate === 'merge' || rules.onDuplicate === 'replace-all';
    this.#nestedLists = work.nested.map((name) => {
      return { list: findCollection(catalogue, name), counts: { created: 0, updated: 0, unchanged: 0, deleted: 0 } };
    });
    this.#isDry = isDryRun(catalogue, this.#stored, work);
    this.#ids = rules.onDuplicate === 'replace-all' ? new KeySet() : undefined;
    this.#reasons = new ReasonCounter(work.reasons);
    this.#counts.rejected = work.rejected;
    this.#warnings = [...work.warnings];
    this.#newKeys = newKeys === undefined ? [].values() : readBatches<string>(newKeys).flatMap((keys) => keys.values());
    for (const batch of readBatches<LaterRows>(work.file, work.size)) {
      for (const [id, lastValid, lastComplete] of batch) this.#repeats.set(id, { lastValid, lastComplete });
    }
  }

  *run(record: FindRecord): Steps<ImportOutcome> {
    const outcome = yield* this.#apply(record);
    writeToDisk(() => {
      this.#changes?.flush();
      this.#rejections?.flush();
    });
    return outcome;
  }

  *#apply(record: FindRecord): Steps<ImportOutcome> {
    const { idempotency, rules } = this.#work;
    const earlierResult = idempotency && findEarlier(idempotency, record);
    if (earlierResult && !earlierResult.isSame) return { kind: 'idempotency-mismatch' };
    if (earlierResult) return { kind: 'imported', report: parseReport(earlierResult.result), isRepeated: true };
    const { parent } = this.#list;
    if (parent) {
      const rows = yield* this.#read(() => [
        { kind: 'update', collection: parent.routeId, keys: rules.parents, changes: [] },
      ]);
      if (!rows.read(parent, rules.parents)) return { kind: 'missing', collection: parent.name };
    }
    yield* this.#applyRows();
    yield* this.#warnOfNewKeys();
    const refusal = this.#refuseRejected() ?? (yield* this.#removeObsolete());
    if (refusal) return refusal;
    yield* this.#applyBlocked();
    const lateRefusal = this.#refuseRejected() ?? this.#inUse;
    if (lateRefusal) return lateRefusal;
    const report = this.#report();
    if (rules.isCheck) return { kind: 'checked', report };
    if (idempotency) this.#changeSet.addRecord({ ...idempotency, result: JSON.stringify(report) });
    return { kind: 'imported', report, change: this.#changeSet.lastChange() ?? this.#changeSet.last };
  }

  /** A file whose keys are all new, while the list has items, has probably another column or spelling for its keys. */
  *#warnOfNewKeys(): Steps<void> {
    const { created, deleted } = this.#counts;
    // The keys of rejected rows are not looked up.
    if (!this.#merges || this.#hasKnownKey || deleted > 0 || this.#newKeyCount <= this.#work.rejected) return;
    let total = this.#isDry ? 0 : -created;
    const select = (): boolean => {
      total++;
      return false;
    };
    yield { kind: 'ids', select };
    if (total <= 0) return;
    const { name: field } = this.#stored.key;
    this.#warnings.unshift({ phrase: 'keys-new', field, odd: this.#newKeyCount, total, most: 0, cells: this.#newRows });
  }

  *#applyRows(): Steps<void> {
    let count = 0;
    for (const batch of readBatches<SpooledRow>(this.#work.file, 0, this.#work.size)) {
      const items = batch.map((row) => this.#findItem(row));
      const rows = yield* this.#readItems(items.filter((item) => item !== undefined));
      for (const [at, row] of batch.entries()) this.#applyRow(row, items[at], rows);
      count += batch.length;
      this.#onProgress(count);
    }
  }

  #findItem([row, cells, kind, revision, nested]: SpooledRow): ItemRow | undefined {
    const { flattens, fields } = this.#list;
    if (kind === 'rejected') {
      this.#ids?.add(identifyRow(this.#list, cells) ?? '');
      return undefined;
    }
    const ownCells = flattens ? cells.slice(0, fields.length - 1) : cells;
    const parents = flattens ? cells.slice(fields.length - 1) : this.#work.rules.parents;
    const [key = this.#newKeys.next().value] = ownCells;
    const keys = [...parents, key].filter((part) => typeof part === 'string');
    return {
      row,
      id: identifyKeys(this.#list, keys),
      keys,
      cells: [key, ...ownCells.slice(1)],
      isKeyed: typeof ownCells[0] === 'string',
      revision,
      nested,
    };
  }

  *#read(intents: () => readonly Intent[], parents: readonly Keys[] = []): Steps<TransactionRows> {
    const nested = this.#nestedLists.map(({ list }) => [list, parents] as const);
    const rows = (yield { kind: 'rows', intents, nested }) as TransactionRows;
    const dry = { insert: writeNothing, update: writeNothing, remove: writeNothing };
    return rememberLastRead(this.#isDry ? { ...rows, ...dry } : rows);
  }

  #readItems(items: readonly ItemRow[]): Steps<TransactionRows> {
    const { routeId: collection } = this.#stored;
    const intents = () =>
      items.map(({ keys, cells }): Intent => {
        const parents = keys.slice(0, -1);
        return { kind: 'create', collection, parents, cells: cells.map((cell) => cell ?? null) };
      });
    return this.#read(
      intents,
      items.map(({ keys }) => keys),
    );
  }

  #applyRow([row, , kind]: SpooledRow, item: ItemRow | undefined, rows: TransactionRows): void {
    if (!item) return;
    this.#ids?.add(item.id);
    if (kind !== 'deletion') this.#applyItem(item, rows);
    // If several rows are about one item, the last one counts.
    else if ((this.#repeats.get(item.id)?.lastValid ?? 0) < row && !this.#isStale(item, rows, true))
      this.#remove(item.keys, rows);
  }

  #reject(row: number, errors: readonly RowConflict[]): void {
    this.#counts.rejected++;
    for (const error of errors) {
      this.#reasons.add({ row, error });
      writeToDisk(() => this.#rejections?.add({ row, error }));
    }
  }

  #skip({ row, keys }: ItemRow, usedRow: number | undefined): void {
    this.#counts.skipped++;
    if (usedRow === undefined || this.#repeated.length === LISTED) return;
    this.#repeated.push({ row, key: keys.at(-1) ?? '', usedRow });
  }

  #applyItem(item: ItemRow, rows: TransactionRows): void {
    const { row, id, keys } = item;
    const isStored = rows.read(this.#stored, keys) !== undefined;
    this.#hasKnownKey ||= isStored;
    const repeat: Repeat = this.#repeats.get(id) ?? { lastValid: 0, lastComplete: 0 };
    repeat.wasStored ??= isStored;
    const obstacles = this.#findObstacles(item, repeat.wasStored, rows);
    if (obstacles.length > 0) this.#reject(row, obstacles);
    else if (this.#merges) {
      // The last valid one of the rows with one key counts; a new item has the place of the first.
      const usedRow = repeat.wasStored ? repeat.lastValid : repeat.lastComplete;
      if (usedRow <= row) {
        if (!this.#isStale(item, rows, false)) this.#write(item, rows);
      } else {
        this.#skip(item, usedRow);
        if (!repeat.wasStored) {
          repeat.created ??= this.#changeSet.nextChange();
          repeat.key ??= keys.at(-1) ?? '';
        }
      }
    } else if (!isStored && repeat.usedRow === undefined) {
      repeat.usedRow = row;
      this.#write(item, rows);
    } else if (this.#work.rules.onDuplicate === 'ignore') {
      this.#skip(item, repeat.usedRow);
      repeat.usedRow ??= row;
    } else this.#reject(row, [{ code: 'already-exists', key: keys.at(-1) ?? '', row: repeat.usedRow }]);
  }

  /** @returns why a row cannot be a new item, whatever its key is, if it has to be one */
  #findObstacles({ keys, cells }: ItemRow, isThere: boolean, rows: TransactionRows): readonly RowConflict[] {
    const { parent } = this.#stored;
    if (isThere && this.#merges) return [];
    if (!isThere && this.#work.rules.rejectsMissing) return [{ code: 'not-found', key: keys.at(-1) ?? '' }];
    const missing = missingFields(this.#stored, cells, ({ required }) => required);
    if (missing.length > 0 || !parent || rows.read(parent, keys.slice(0, -1))) return missing;
    return [{ code: 'not-found', field: parent.name, key: keys[0] ?? '' }];
  }

  /** @returns whether a row would undo what has been done to its item since its table was made; it is rejected then */
  #isStale({ row, keys, cells, revision }: ItemRow, rows: TransactionRows, isDeletion: boolean): boolean {
    if (revision === undefined || this.#work.rules.overwritesStale) return false;
    const storedRow = rows.read(this.#stored, keys);
    if (storedRow ? storedRow[0] === revision : isDeletion) return false;
    const [, ...old] = storedRow ?? [0];
    const differs = cells.map((cell, at) => at > 0 && cell !== undefined && cell !== old[at]);
    if (storedRow && !isDeletion && !differs.includes(true)) return false;
    const pick = (all: ItemRow['cells']) =>
      storedRow && !isDeletion ? all.map((cell, at) => (differs[at] ? (cell ?? null) : null)) : undefined;
    this.#reject(row, [{ code: 'stale', key: keys.at(-1) ?? '', before: pick(old), after: pick(cells) }]);
    return true;
  }

  #write(item: ItemRow, rows: TransactionRows): void {
    const { row, keys, cells } = item;
    const { routeId: collection } = this.#stored;
    const before = rows.read(this.#stored, keys);
    const { created, key = cells[0] } = this.#repeats.get(item.id) ?? {};
    const changeSet =
      created === undefined || before ? this.#changeSet : { ...this.#changeSet, nextChange: () => created };
    const intent: Intent = before
      ? { kind: 'update', collection, keys, changes: cells }
      : {
          kind: 'create',
          collection,
          parents: keys.slice(0, -1),
          cells: newCells(this.#stored, [key, ...cells.slice(1)]),
        };
    const outcome = applyIntent(this.#catalogue, rows, intent, changeSet);
    if (outcome.kind === 'conflict') {
      const conflicts = outcome.conflicts.map((conflict) => this.#nameRow(conflict, keys, rows));
      this.#blockedRows.push({ item, conflicts });
    } else if (outcome.kind !== 'written') this.#reject(row, [{ code: 'already-exists', key: keys.at(-1) ?? '' }]);
    if (outcome.kind !== 'written') return;
    for (const [list, all] of item.nested ?? []) this.#replaceNested(list, [String(outcome.row[1])], all, rows);
    if (before) this.#counts.cleared += cells.filter((cell, at) => cell === null && before[at + 1] !== null).length;
    if (outcome.isUnchanged) this.#counts.unchanged++;
    else {
      this.#counts[before ? 'updated' : 'created']++;
      if (!before && item.isKeyed) {
        this.#newKeyCount++;
        if (this.#newRows.length < LISTED) this.#newRows.push({ row, value: keys.at(-1) ?? '' });
      }
      if (this.#stored.constrained.length > 0) this.#rowByChange.set(outcome.row[0], row);
      this.#addChange(row, keys, before, outcome.row);
    }
  }

  /** Makes the items of a nested list those of a row, in their order. Those that are equal, and after the one before them, stay untouched. */
  #replaceNested(name: string, parents: Keys, all: readonly ItemRow['cells'][], rows: TransactionRows): void {
    const { list, counts } = this.#nestedLists.find((nested) => nested.list.routeId === name) ?? {};
    if (!list || !counts) throw new TypeError(`rows do not feed "${name}"`);
    const identify = (key: unknown): string => keyId(list.key, String(key));
    const before = rows.below?.(list, parents) ?? [];
    const ids = before.map(identify);
    const staying = new Set<string>();
    let position = -1;
    for (const [key] of all) {
      // An item that follows a new one has to be created after it.
      position = ids.indexOf(identify(key), position + 1);
      if (position === -1) break;
      staying.add(identify(key));
    }
    const apply = (intent: Intent): Outcome => applyIntent(this.#catalogue, rows, intent, this.#changeSet);
    const { routeId: collection } = list;
    for (const key of before) {
      if (staying.has(identify(key))) continue;
      apply({ kind: 'remove', collection, keys: [...parents, key] });
      counts.deleted++;
    }
    for (const cells of all) {
      const keys = [...parents, String(cells[0])];
      const stays = staying.has(identify(cells[0]));
      const outcome = stays
        ? apply({ kind: 'update', collection, keys, changes: cells })
        : apply({ kind: 'create', collection, parents, cells: newCells(list, cells) });
      if (outcome.kind !== 'written') throw new TypeError(`an item of ${list.name} is ${outcome.kind}`);
      if (outcome.isUnchanged) counts.unchanged++;
      else counts[stays ? 'updated' : 'created']++;
    }
  }

  /** @returns a conflict, which names the row of the file that has got the value, if one has */
  #nameRow(conflict: FieldConflict, keys: Keys, rows: TransactionRows): FieldConflict {
    const field = this.#stored.fields.find(({ name }) => name === conflict.field);
    if (conflict.code !== 'already-exists' || !field) return conflict;
    const holders = Array.from(rows.having?.(this.#stored, field, conflict.value) ?? []);
    const row = holders.map((holder) => this.#rowByChange.get(holder.row[0])).find((number) => number !== undefined);
    return row === undefined ? conflict : { ...conflict, key: keys.at(-1) ?? '', row };
  }

  #addChange(row: number | null, keys: Keys, before: Row | undefined, after: Row | undefined): void {
    const owner = this.#list.flattens ? keys.slice(0, -1) : [];
    const readCells = (stored: Row | undefined) => stored && [...(stored.slice(1) as Cell[]), ...owner];
    writeToDisk(() => this.#changes?.add({ row, before: readCells(before), after: readCells(after) }));
  }

  #remove(keys: Keys, rows: TransactionRows): void {
    const before = rows.read(this.#stored, keys);
    const intent: Intent = { kind: 'remove', collection: this.#stored.routeId, keys };
    const outcome = applyIntent(this.#catalogue, rows, intent, this.#changeSet);
    if (outcome.kind === 'in-use') this.#inUse ??= outcome;
    if (outcome.kind !== 'removed') return;
    this.#counts.deleted++;
    this.#addChange(null, keys, before, undefined);
  }

  /** Deletes what the file lacks, but not if a rejected row may be that of any item, as its key cannot be read. */
  *#removeObsolete(): Steps<ImportOutcome | undefined> {
    const { parents, deletionShare = 1 } = this.#work.rules;
    const ids = this.#ids;
    if (!ids || this.#work.hasUnreadKey) return undefined;
    let total = this.#isDry ? 0 : this.#counts.deleted - this.#counts.created;
    const select = (id: string): boolean => {
      total++;
      return !ids.has(identifyKeys(this.#list, id.split(BETWEEN_KEYS)));
    };
    const obsolete = (yield { kind: 'ids', select }) as readonly string[];
    if (obsolete.length > total * deletionShare) {
      return { kind: 'too-many-deletions', report: { ...this.#report(), deleted: obsolete.length }, total };
    }
    const { routeId: collection } = this.#stored;
    for (const chunk of iterateChunks(obsolete, STEP)) {
      const items = chunk.map((id) => (this.#list.flattens ? id.split(BETWEEN_KEYS) : [...parents, id]));
      const rows = yield* this.#read(() => items.map((keys) => ({ kind: 'remove', collection, keys })));
      for (const keys of items) this.#remove(keys, rows);
      if (this.#inUse) return this.#inUse;
      this.#onProgress(this.#work.rows);
    }
    return undefined;
  }

  /** Tries the rows that were blocked again, as long as that helps: other rows may have given up their values. */
  *#applyBlocked(): Steps<void> {
    for (let pass = 0, count = Number.POSITIVE_INFINITY; pass < PASSES && this.#blockedRows.length < count; pass++) {
      // The order alternates, because each of many rows may wait for its neighbour.
      const waitingRows = this.#blockedRows.reverse();
      count = waitingRows.length;
      this.#blockedRows = [];
      for (const chunk of iterateChunks(waitingRows, STEP)) {
        const rows = yield* this.#readItems(chunk.map(({ item }) => item));
        for (const { item } of chunk) this.#write(item, rows);
      }
    }
    for (const { item, conflicts } of this.#blockedRows) this.#reject(item.row, conflicts);
  }

  #report(): ImportReport {
    return {
      ...this.#counts,
      ...(this.#nestedLists.length > 0 && {
        nested: Object.fromEntries(this.#nestedLists.map(({ list, counts }) => [list.name, counts])),
      }),
      ...(this.#repeated.length > 0 ? { repeated: this.#repeated } : {}),
      ...(this.#warnings.length > 0 ? { warnings: this.#warnings } : {}),
      ...(this.#counts.rejected > 0 ? { reasons: this.#reasons.all() } : {}),
    };
  }

  #refuseRejected(): ImportOutcome | undefined {
    if (this.#counts.rejected <= limitRejections(this.#work.rules) || this.#work.rules.isCheck) return undefined;
    return { kind: 'rejected-rows', report: { ...this.#report(), deleted: 0 } };
  }
}

/** @param json may be that of an earlier version, whose reasons name one row each */
function parseReport(json: string): ImportReport {
  const { report, ...own } = JSON.parse(json);
  const reasons = report?.reasons?.map(({ count, ...first }: Rejection & { count: number }) => ({
    count,
    rows: [first],
  }));
  return report ? { ...report, reasons } : own;
}

/** @throws Unavailable if the disk takes no more */
function writeToDisk(write: () => void): void {
  try {
    write();
  } catch (error) {
    throw unavailable(error, 'files');
  }
}
