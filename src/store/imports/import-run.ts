/**
 * What the rows of a file do to the stored items, in any database: each is a write like any other, by the same rules. All of it
 * happens in one transaction, which whoever runs it rolls back unless the outcome says that it stays.
 */

import { type Catalogue, type Collection, collectionOf, newCells } from '../../gateway/model/catalogue.ts';
import type { Cell } from '../../gateway/model/field.ts';
import {
  BETWEEN_KEYS,
  type FieldConflict,
  type ImportOutcome,
  type ImportReport,
  type ImportRules,
  type InUse,
  type ItemChange,
  type LaterRows,
  missingFields,
  type Rejection,
  type RepeatedRow,
  type RowConflict,
  type RowError,
  type RowSummary,
  type SpooledRow,
} from '../../gateway/model/import.ts';
import type { Idempotency } from '../../gateway/model/precondition.ts';
import { reasonCounter } from '../../gateway/model/reasons.ts';
import { referringTo } from '../../gateway/model/references.ts';
import { foldCell } from '../../gateway/model/search.ts';
import type { Intent, Keys, Row } from '../../gateway/port/port.ts';
import { LISTED } from '../../gateway/texts/problem.ts';
import { chunksOf } from '../../util/chunks-of.ts';
import { KeySet } from '../../util/key-set.ts';
import { batchesIn } from '../../util/unnamed-file.ts';
import { applyIntent, type TransactionRows } from '../apply.ts';
import type { ChangeSet } from '../change-set.ts';
import { conflictsOf } from '../constraints.ts';
import { type FindRecord, findKnown } from '../idempotency.ts';

/** An import as plain data, which can be sent to a thread. Files are named by their descriptors. */
export interface ImportWork extends RowSummary {
  /** The id of the list. */
  readonly collection: string;
  readonly rules: ImportRules;
  /** The rows. */
  readonly file: number;
  /** Keys for the rows that have none. */
  readonly newKeys: number | undefined;
  /** Where what is done with each item is written. */
  readonly changes: number | undefined;
  readonly idempotency: Idempotency | undefined;
}

/** Whoever is told how an import goes. */
export interface ImportEvents {
  readonly onRejected: (rejection: Rejection) => void;
  /** @throws Unavailable if the import must end */
  readonly onProgress: (rows: number) => void;
  readonly onChange: ((change: ItemChange) => void) | undefined;
}

/** What an import asks its database for: the rows that intents depend on, the ids of a list, or that items give up their unique values. */
export type Need =
  | { readonly kind: 'rows'; readonly intents: () => readonly Intent[] }
  | { readonly kind: 'ids'; readonly select: (id: string) => boolean }
  | { readonly kind: 'free'; readonly collection: Collection; readonly keys: readonly Keys[] };
type Steps<T> = Generator<Need, T, unknown>;

/** A row that is applied to an item. */
interface ItemRow {
  readonly row: number;
  /** What tells the item from the others of the list. */
  readonly id: string;
  readonly keys: Keys;
  /** One for each field of the item. */
  readonly cells: readonly (Cell | undefined)[];
}

/** Why a row cannot be applied, and the item that it waits for, which may give up its value. */
interface Block {
  readonly conflict: FieldConflict;
  readonly holder?: string;
}

/** An item that several rows are about. */
interface Repeat {
  /** The last row without errors, and the last that could be a new item. */
  readonly any: number;
  readonly complete: number;
  /** Whether it was there before. */
  isThere?: boolean;
  /** The row that counts, if that is the first. */
  usedRow?: number;
  /** The number of the change that creates it. */
  place?: number;
}

/** Items that are deleted, or checked, together. */
const STEP = 500;

function* chained<T>(batches: Iterable<readonly T[]>): Generator<T> {
  for (const batch of batches) yield* batch;
}

/** @returns what tells an item from all others of its collection */
const nameOf = (keys: Keys): string => keys.join(BETWEEN_KEYS);

/** @returns the same rows, which read an item once that is asked for again before anything is written */
function withLastRead(rows: TransactionRows): TransactionRows {
  let last: { readonly of: Collection; readonly keys: Keys; readonly row: Row | undefined } | undefined;
  const forgetting =
    <A extends readonly unknown[]>(write: (...args: A) => void) =>
    (...args: A): void => {
      last = undefined;
      write(...args);
    };
  return {
    ...rows,
    read: (of, keys) => {
      if (!last || last.of.id !== of.id || !keys.every((key, at) => key === last?.keys[at])) {
        last = { of, keys, row: rows.read(of, keys) };
      }
      return last.row;
    },
    insert: forgetting(rows.insert),
    update: forgetting(rows.update),
    remove: forgetting(rows.remove),
  };
}

const mostRejected = ({ isLenient, mostRejected: most = Number.POSITIVE_INFINITY }: ImportRules): number =>
  isLenient ? most : 0;

/** @returns whether a database is only read: nothing will be stored, as the file alone shows, and no row depends on what another one does */
export function isReadOnly(catalogue: Catalogue, { collection, rules, rejected, deletions }: ImportWork): boolean {
  const list = collectionOf(catalogue, collection);
  const { constrained } = list.nested ?? list;
  const isDry = rules.isCheck || rejected > mostRejected(rules);
  return (
    isDry && deletions === 0 && constrained.length === 0 && referringTo(catalogue, list.nested ?? list).length === 0
  );
}

/** @returns whether a transaction is to be committed: it has stored something, or the result of a request that may be sent again */
export const isStored = (outcome: ImportOutcome, changeSet: ChangeSet): boolean =>
  outcome.kind === 'imported' &&
  !outcome.earlier &&
  (outcome.report.created + outcome.report.updated + outcome.report.deleted > 0 || changeSet.records().length > 0);

/** One import, whose steps ask for what they need and go on with it. */
export class ImportRun {
  readonly #isReadOnly: boolean;
  readonly #catalogue: Catalogue;
  readonly #work: ImportWork;
  readonly #events: ImportEvents;
  readonly #changeSet: ChangeSet;
  /** The list, and the collection that its items are stored in. */
  readonly #list: Collection;
  readonly #stored: Collection;
  readonly #merges: boolean;
  readonly #counts = { created: 0, updated: 0, unchanged: 0, skipped: 0, deleted: 0, rejected: 0, cleared: 0 };
  readonly #reasons = reasonCounter();
  readonly #repeated: RepeatedRow[] = [];
  /** The ids of all rows, if items that the file lacks are deleted. */
  readonly #ids: KeySet | undefined;
  readonly #newKeys: Iterator<string>;
  /** The items that several rows are about. */
  readonly #repeats = new Map<string, Repeat>();
  /** Rows whose values other items have, or that refer to no item: what follows may change that. */
  readonly #blocked: ItemRow[] = [];
  /** The rows that have changed items which have unique values, by the number of the change. */
  readonly #rowOfChange = new Map<number, number>();
  #hasUnreadKey: boolean;
  #inUse: InUse | undefined;

  constructor(catalogue: Catalogue, work: ImportWork, changeSet: ChangeSet, events: ImportEvents) {
    const { rules, newKeys } = work;
    this.#catalogue = catalogue;
    this.#work = work;
    this.#changeSet = changeSet;
    this.#events = events;
    this.#list = collectionOf(catalogue, work.collection);
    this.#stored = this.#list.nested ?? this.#list;
    this.#merges = rules.onDuplicate === 'merge' || rules.onDuplicate === 'replace-all';
    this.#ids = rules.onDuplicate === 'replace-all' ? new KeySet() : undefined;
    this.#newKeys = newKeys === undefined ? [].values() : chained(batchesIn<string>(newKeys));
    for (const batch of batchesIn<LaterRows>(work.file, work.size)) {
      for (const [id, any, complete] of batch) this.#repeats.set(id, { any, complete });
    }
    this.#hasUnreadKey = work.dropped > 0;
    this.#isReadOnly = isReadOnly(catalogue, work);
  }

  /** Applies the file. @param record finds the result of an earlier request */
  *run(record: FindRecord): Steps<ImportOutcome> {
    const { idempotency, rules } = this.#work;
    const known = idempotency && findKnown(idempotency, record);
    if (known && !known.isSame) return { kind: 'idempotency-mismatch' };
    if (known) {
      const { report, note } = JSON.parse(known.result) as KeptResult;
      return { kind: 'imported', report, earlier: JSON.parse(note) as readonly Rejection[] };
    }
    const { parent } = this.#list;
    if (parent) {
      const rows = yield* this.#read(() => [
        { kind: 'update', collection: parent.id, keys: rules.parents, changes: [] },
      ]);
      if (!rows.read(parent, rules.parents)) return { kind: 'missing', collection: parent.name };
    }
    yield* this.#applyRows();
    const refused = this.#refused() ?? (yield* this.#removeObsolete());
    if (refused) return refused;
    yield* this.#applyBlocked();
    const late = this.#refused() ?? this.#inUse;
    if (late) return late;
    const report = this.#report();
    if (rules.isCheck) return { kind: 'checked', report };
    if (idempotency) {
      const result: KeptResult = { report, note: JSON.stringify(this.#reasons.listed()) };
      this.#changeSet.keep({ ...idempotency, result: JSON.stringify(result) });
    }
    return { kind: 'imported', report, change: this.#changeSet.lastChange() ?? this.#changeSet.last };
  }

  *#applyRows(): Steps<void> {
    let count = 0;
    for (const batch of batchesIn<SpooledRow>(this.#work.file, 0, this.#work.size)) {
      const items = batch.map((row) => this.#itemOf(row));
      const concerned = batch.flatMap(([, , errors], at) => (errors ? [] : (items[at] ?? [])));
      const rows = yield* this.#rowsOf(concerned);
      for (const [at, row] of batch.entries()) this.#applyRow(row, items[at], rows);
      count += batch.length;
      this.#events.onProgress(count);
    }
    for (const { row, error, count: times } of this.#work.unseen) this.#reasons.add(row, error, times);
    this.#counts.rejected += this.#work.dropped;
  }

  /** @returns the item of a row, with a new key if the row has none; `undefined` for one that is rejected without a key */
  #itemOf([row, cells, errors]: SpooledRow): ItemRow | undefined {
    const { nested, fields } = this.#list;
    const own = nested ? cells.slice(0, fields.length - 1) : cells;
    const parents = nested ? cells.slice(fields.length - 1) : this.#work.rules.parents;
    const [key = errors ? undefined : this.#newKeys.next().value] = own;
    const keys = [...parents, key].filter((each) => typeof each === 'string');
    if (keys.length < parents.length + 1) return undefined;
    return { row, id: this.#idOf(keys), keys, cells: [key, ...own.slice(1)] };
  }

  #idOf(keys: Keys): string {
    return this.#list.nested ? nameOf(keys) : (keys.at(-1) ?? '');
  }

  /** Reads what intents depend on. */
  *#read(intents: () => readonly Intent[]): Steps<TransactionRows> {
    const rows = withLastRead((yield { kind: 'rows', intents }) as TransactionRows);
    return this.#isReadOnly ? { ...rows, insert: () => {}, update: () => {}, remove: () => {} } : rows;
  }

  /** Reads what some rows depend on. */
  #rowsOf(items: readonly ItemRow[]): Steps<TransactionRows> {
    const { id: collection } = this.#stored;
    return this.#read(() =>
      items.map(({ keys, cells }): Intent => {
        const parents = keys.slice(0, -1);
        return { kind: 'create', collection, parents, cells: cells.map((cell) => cell ?? null) };
      }),
    );
  }

  #applyRow([row, , errors, isDeletion]: SpooledRow, item: ItemRow | undefined, rows: TransactionRows): void {
    if (item) this.#ids?.add(item.id);
    if (errors || !item) {
      this.#hasUnreadKey ||= !item;
      this.#reject(row, errors ?? []);
    } else if (!isDeletion) this.#put(item, rows);
    // What the file says of an item last is done.
    else if ((this.#repeats.get(item.id)?.any ?? 0) < row) this.#remove(item.keys, rows);
  }

  #reject(row: number, errors: readonly (RowError | RowConflict)[]): void {
    this.#counts.rejected++;
    for (const error of errors) {
      const { count } = this.#reasons.add(row, error);
      if (count <= (this.#work.rules.mostErrors ?? Number.POSITIVE_INFINITY)) this.#events.onRejected({ row, error });
    }
  }

  #skip({ row, keys }: ItemRow, usedRow: number | undefined): void {
    this.#counts.skipped++;
    if (usedRow === undefined || this.#repeated.length === LISTED) return;
    this.#repeated.push({ row, key: keys.at(-1) ?? '', usedRow });
  }

  /** Creates or updates the item of a row, or says why not. */
  #put(item: ItemRow, rows: TransactionRows): void {
    const { row, id, keys } = item;
    const before = rows.read(this.#stored, keys);
    const repeat = this.#repeats.get(id);
    const isThere = repeat?.isThere ?? before !== undefined;
    if (repeat) repeat.isThere = isThere;
    const unfit = this.#unfit(item, isThere, rows);
    if (unfit.length > 0) this.#reject(row, unfit);
    else if (this.#merges) this.#merge(item, isThere, rows);
    else this.#add(item, before !== undefined, rows);
  }

  /** @returns why a row cannot be a new item, whatever its key is, if it has to be one */
  #unfit({ keys, cells }: ItemRow, isThere: boolean, rows: TransactionRows): readonly RowConflict[] {
    const { parent } = this.#stored;
    if (isThere && this.#merges) return [];
    if (!isThere && this.#work.rules.rejectsMissing) return [{ code: 'not-found', key: keys.at(-1) ?? '' }];
    const missing = missingFields(this.#stored, cells, ({ required }) => required);
    if (missing.length > 0 || !parent || rows.read(parent, keys.slice(0, -1))) return missing;
    return [{ code: 'not-found', field: parent.name, key: keys[0] ?? '' }];
  }

  /** Writes the last valid one of the rows with one key; the others do not count. */
  #merge(item: ItemRow, isThere: boolean, rows: TransactionRows): void {
    const repeat = this.#repeats.get(item.id);
    const usedRow = (isThere ? repeat?.any : repeat?.complete) ?? 0;
    if (usedRow <= item.row) this.#write(item, rows);
    else {
      this.#skip(item, usedRow);
      // A new item has the place of the first of its rows.
      if (repeat && !isThere) repeat.place ??= this.#changeSet.nextChange();
    }
  }

  /** Writes the first one of the rows with one key, if there is no such item. */
  #add(item: ItemRow, isThere: boolean, rows: TransactionRows): void {
    const { row, id, keys } = item;
    const repeat = this.#repeats.get(id);
    const usedRow = repeat?.usedRow;
    if (!isThere && usedRow === undefined) this.#write(item, rows);
    else if (this.#work.rules.onDuplicate === 'ignore') this.#skip(item, usedRow);
    else {
      this.#reject(row, [{ code: 'already-exists', key: keys.at(-1) ?? '', row: usedRow }]);
      return;
    }
    if (repeat) repeat.usedRow ??= row;
  }

  /** Writes the item of a row, unless it is blocked. @param freed the items that have given up their values, as they were */
  #write(item: ItemRow, rows: TransactionRows, freed?: Map<string, Row>): void {
    const { row, keys, cells } = item;
    const { id: collection } = this.#stored;
    const own = freed ? this.#withFreed(rows, freed) : rows;
    const before = own.read(this.#stored, keys);
    const place = this.#repeats.get(item.id)?.place;
    const changeSet = place === undefined || before ? this.#changeSet : { ...this.#changeSet, nextChange: () => place };
    const intent: Intent = before
      ? { kind: 'update', collection, keys, changes: cells }
      : { kind: 'create', collection, parents: keys.slice(0, -1), cells: newCells(this.#stored, cells) };
    const outcome = applyIntent(this.#catalogue, own, intent, changeSet);
    freed?.delete(nameOf(keys));
    if (outcome.kind === 'conflict' && !freed) {
      this.#blocked.push(item);
      return;
    }
    if (outcome.kind !== 'written') {
      // It has its values again.
      if (before && freed) rows.update(this.#stored, before[0], keys, before.slice(1) as Cell[]);
      const key = keys.at(-1) ?? '';
      this.#reject(row, outcome.kind === 'conflict' ? outcome.conflicts : [{ code: 'already-exists', key }]);
      return;
    }
    if (before) this.#counts.cleared += cells.filter((cell, at) => cell === null && before[at + 1] !== null).length;
    if (outcome.isUnchanged) this.#counts.unchanged++;
    else {
      this.#counts[before ? 'updated' : 'created']++;
      if (this.#stored.constrained.length > 0) this.#rowOfChange.set(outcome.row[0], row);
      this.#tell(row, keys, before, outcome.row);
    }
  }

  /** @returns rows in which freed items are as they were, but have no value that another one cannot get */
  #withFreed(rows: TransactionRows, freed: ReadonlyMap<string, Row>): TransactionRows {
    const isFreed = (collection: Collection, keys: Keys) =>
      collection.id === this.#stored.id && freed.has(nameOf(keys));
    return {
      ...rows,
      read: (collection, keys) => (isFreed(collection, keys) ? freed.get(nameOf(keys)) : rows.read(collection, keys)),
      having: (collection, field, value) =>
        Array.from(rows.having?.(collection, field, value) ?? []).filter(({ keys }) => !isFreed(collection, keys)),
    };
  }

  #tell(row: number | null, keys: Keys, before: Row | undefined, after: Row | undefined): void {
    const owner = this.#list.nested ? keys.slice(0, -1) : [];
    const [was, is] = [before, after].map((each) => each && [...(each.slice(1) as Cell[]), ...owner]);
    this.#events.onChange?.({ row, before: was, after: is });
  }

  #remove(keys: Keys, rows: TransactionRows): void {
    const before = rows.read(this.#stored, keys);
    const intent: Intent = { kind: 'remove', collection: this.#stored.id, keys };
    const outcome = applyIntent(this.#catalogue, rows, intent, this.#changeSet);
    if (outcome.kind === 'in-use') this.#inUse ??= outcome;
    if (outcome.kind !== 'removed') return;
    this.#counts.deleted++;
    this.#tell(null, keys, before, undefined);
  }

  /** Deletes what the file lacks, but not if a rejected row may be that of any item, as its key cannot be read. */
  *#removeObsolete(): Steps<ImportOutcome | undefined> {
    const { parents, deletionShare = 1 } = this.#work.rules;
    const ids = this.#ids;
    if (!ids || this.#hasUnreadKey) return undefined;
    let total = this.#isReadOnly ? 0 : this.#counts.deleted - this.#counts.created;
    const select = (id: string): boolean => {
      total++;
      return !ids.has(id);
    };
    const obsolete = (yield { kind: 'ids', select }) as readonly string[];
    if (obsolete.length > total * deletionShare) {
      return { kind: 'too-many-deletions', report: { ...this.#report(), deleted: obsolete.length }, total };
    }
    const { id: collection } = this.#stored;
    for (const some of chunksOf(obsolete, STEP)) {
      const all = some.map((id) => (this.#list.nested ? id.split(BETWEEN_KEYS) : [...parents, id]));
      const rows = yield* this.#read(() => all.map((keys) => ({ kind: 'remove', collection, keys })));
      for (const keys of all) this.#remove(keys, rows);
      if (this.#inUse) return this.#inUse;
      this.#events.onProgress(this.#work.rows);
    }
    return undefined;
  }

  /** Applies the rows that were blocked, as far as nothing blocks them any more but each other. */
  *#applyBlocked(): Steps<void> {
    if (this.#blocked.length === 0) return;
    const blocked = this.#blocked.splice(0);
    const open = new Map(blocked.map((item) => [nameOf(item.keys), item]));
    const waiting = new Map<string, (readonly [ItemRow, FieldConflict])[]>();
    const freed = new Map<string, Row>();
    const claims = new Map<string, number>();
    const doomed: (readonly [ItemRow, readonly FieldConflict[]])[] = [];
    for (const some of chunksOf(blocked, STEP)) {
      const rows = yield* this.#rowsOf(some);
      for (const item of some) {
        const before = rows.read(this.#stored, item.keys);
        if (before) freed.set(nameOf(item.keys), before);
        const blocks = [...this.#claim(item, claims), ...this.#blocksOf(item, before, rows)];
        const final = blocks.filter(({ holder }) => holder === undefined || !open.has(holder));
        if (final.length > 0) doomed.push([item, final.map(({ conflict }) => conflict)]);
        for (const { conflict, holder = '' } of blocks) {
          waiting.set(holder, [...(waiting.get(holder) ?? []), [item, conflict]]);
        }
      }
    }
    // An item whose row is rejected keeps its values, which others cannot have then.
    for (const [item, conflicts] of doomed) {
      const name = nameOf(item.keys);
      if (!open.delete(name)) continue;
      freed.delete(name);
      this.#reject(item.row, conflicts);
      for (const [other, conflict] of waiting.get(name) ?? []) doomed.push([other, [conflict]]);
    }
    const keys = [...freed.keys()].map((name) => name.split(BETWEEN_KEYS));
    yield { kind: 'free', collection: this.#stored, keys };
    for (const some of chunksOf(open.values(), STEP)) {
      const rows = yield* this.#rowsOf(some);
      for (const item of some) this.#write(item, rows, freed);
    }
  }

  /** @returns that an earlier row of the blocked ones gets a value that this one has, too */
  #claim({ row, keys, cells }: ItemRow, claims: Map<string, number>): readonly Block[] {
    return this.#stored.fields.flatMap(({ name: field, unique }, at): readonly Block[] => {
      const value = cells[at] ?? null;
      if (!unique || value === null) return [];
      const claim = JSON.stringify([field, foldCell(value)]);
      const first = claims.get(claim);
      if (first === undefined) claims.set(claim, row);
      const key = keys.at(-1) ?? '';
      return first === undefined ? [] : [{ conflict: { code: 'already-exists', field, value, key, row: first } }];
    });
  }

  /** @returns what prevents a row, as the items are now */
  #blocksOf({ keys, cells }: ItemRow, before: Row | undefined, rows: TransactionRows): readonly Block[] {
    const stored = this.#stored;
    const old = before?.slice(1) as readonly Cell[] | undefined;
    const now = old ? old.map((cell, at) => cells[at] ?? (cells[at] === null ? null : cell)) : newCells(stored, cells);
    return conflictsOf(this.#catalogue, rows, stored, keys, now, old).map((conflict): Block => {
      const field = stored.fields.find(({ name }) => name === conflict.field);
      if (conflict.code !== 'already-exists' || !field) return { conflict };
      const holders = rows.having?.(stored, field, conflict.value) ?? [];
      const holder = Array.from(holders).find((each) => nameOf(each.keys) !== nameOf(keys));
      const row = holder && this.#rowOfChange.get(holder.row[0]);
      if (row !== undefined) return { conflict: { ...conflict, key: keys.at(-1) ?? '', row } };
      return holder ? { conflict, holder: nameOf(holder.keys) } : { conflict };
    });
  }

  #report(): ImportReport {
    const { warnings } = this.#work;
    return {
      ...this.#counts,
      ...(this.#repeated.length > 0 ? { repeated: this.#repeated } : {}),
      ...(warnings.length > 0 ? { warnings } : {}),
      ...(this.#counts.rejected > 0 ? { reasons: this.#reasons.all().toSorted((a, b) => a.row - b.row) } : {}),
    };
  }

  /** @returns the outcome of a file with too many rejected rows, of which the report counts no deletions */
  #refused(): ImportOutcome | undefined {
    if (this.#counts.rejected <= mostRejected(this.#work.rules) || this.#work.rules.isCheck) return undefined;
    return { kind: 'rejected-rows', report: { ...this.#report(), deleted: 0 } };
  }
}

interface KeptResult {
  readonly report: ImportReport;
  /** The rejected rows that it lists, as JSON. */
  readonly note: string;
}
