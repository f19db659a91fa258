/** Keeps the rows of a file in another file until all of it is read and checked. */
import { KeySet } from '../../util/key-set.ts';
import { copyText } from '../../util/memoized.ts';
import { BatchWriter } from '../../util/unnamed-file.ts';
import { type Collection, identifies } from '../model/catalogue.ts';
import {
  type FileRow,
  type ImportWarning,
  idOfRow,
  type LaterRows,
  missingFields,
  type RowConflict,
  type RowError,
  type RowSummary,
  type SpooledRow,
} from '../model/import.ts';
import { reasonCounter } from '../model/reasons.ts';
import { LISTED } from '../texts/problem.ts';

/** What spreadsheet programs make of long numbers (`8,43700123456789E+018`), and of `9-3` or `mar-09` in English and Spanish. */
const DAMAGED = [
  /^[+-]?\d+(?:[.,]\d+)?E[+-]\d+$/i,
  /^(?:\d{4}([-/.])[01]?\d\1[0-3]?\d|[0-3]?\d([-/.])[0-3]?\d\2(?:\d{4}|\d\d))(?:[T ]\d\d?:.*)?$/,
  /^(?=.*\d)(?:[0-3]?\d[-/ ])?(?:ene|jan|feb|mar|abr|apr|may|jun|jul|ago|aug|sept?|oct|nov|dic|dec)\.?(?:[-/ ]\d+)?$/i,
];

/** Finds columns whose values are probably not meant. */
class RowWarnings {
  readonly #columns;

  constructor({ fields }: Collection) {
    this.#columns = fields.flatMap(({ name: field, isKey, usualMax: most = 0 }, at) => {
      if (!isKey && most === 0) return [];
      const phrase: ImportWarning['phrase'] = isKey ? 'keys-damaged' : 'values-unusual';
      return [{ at, phrase, field, odd: 0, total: 0, most, cells: [] as ImportWarning['cells'][number][] }];
    });
  }

  check({ number, cells }: FileRow): void {
    for (const column of this.#columns) {
      const cell = cells[column.at] ?? null;
      if (cell === null) continue;
      column.total++;
      const isKey = column.phrase === 'keys-damaged';
      const isOdd = isKey ? DAMAGED.some((pattern) => pattern.test(String(cell))) : Number(cell) > column.most;
      if (isOdd && ++column.odd <= LISTED) column.cells.push({ row: number, value: String(cell) });
    }
  }

  /** @returns a warning for each column with a damaged key, or most of whose values are unusual */
  all(): readonly ImportWarning[] {
    return this.#columns
      .filter(({ phrase, odd, total }) => odd > (phrase === 'keys-damaged' ? 0 : total / 2))
      .map(({ at: _, ...warning }) => warning);
  }
}

interface SpoolRules {
  /** The most errors of one reason that somebody sees; all by default. */
  readonly mostErrors?: number | undefined;
  /** Whether a row without a key is an error. */
  readonly rejectsMissing?: boolean | undefined;
}

export class RowSpool {
  readonly #collection: Collection;
  readonly #rules: SpoolRules;
  readonly #most: number;
  readonly #writer: BatchWriter<SpooledRow | LaterRows>;
  readonly #warnings: RowWarnings;
  readonly #reasons = reasonCounter();
  readonly #ids = new KeySet();
  readonly #later = new Map<string, { any: number; complete: number }>();
  #errors = 0;
  readonly #counts = { rows: 0, keyed: 0, unkeyed: 0, assigned: 0, deletions: 0, rejected: 0, dropped: 0 };

  /** @param fd is the descriptor of the file that keeps the rows */
  constructor(collection: Collection, fd: number, rules: SpoolRules = {}) {
    this.#collection = collection;
    this.#rules = rules;
    this.#most = rules.mostErrors ?? Number.POSITIVE_INFINITY;
    this.#writer = new BatchWriter(fd);
    this.#warnings = new RowWarnings(collection);
  }

  /** Says whether somebody will see all errors of the next row: to find them takes time. */
  readonly isSeen = (): boolean => this.#errors < this.#most;

  /** The number of rows that were read. */
  get rows(): number {
    return this.#counts.rows;
  }

  add(rows: readonly FileRow[]): void {
    for (const row of rows) {
      const spooled = this.#check(row);
      if (spooled) this.#writer.add(spooled);
    }
  }

  /** @returns what is known of all rows, once they are there */
  summary(): RowSummary {
    this.#writer.flush();
    const { size } = this.#writer;
    for (const [id, { any, complete }] of this.#later) this.#writer.add([id, any, complete]);
    this.#writer.flush();
    const unseen = this.#reasons
      .all()
      .filter(({ count }) => count > this.#most)
      .map((reason) => ({ ...reason, count: reason.count - this.#most }));
    return { ...this.#counts, size, unseen, warnings: this.#warnings.all() };
  }

  /** @returns a row as it waits; `undefined` if only its number counts */
  #check(row: FileRow): SpooledRow | undefined {
    const { number, cells, isDeletion } = row;
    const id = idOfRow(this.#collection, cells);
    this.#counts.rows++;
    if (typeof cells[0] === 'string') this.#counts.keyed++;
    else if (row.errors.length === 0) this.#counts.unkeyed++;
    if (!isDeletion) this.#warnings.check(row);
    const errors = row.errors.length > 0 ? row.errors : this.#findMissing(row, id);
    if (errors.length > 0) return this.#reject(row, id, errors);
    if (isDeletion) this.#counts.deletions++;
    if (id === undefined) this.#counts.assigned++;
    else if (!this.#ids.add(id) && !isDeletion) this.#repeat(id, row);
    return isDeletion ? [number, cells, undefined, true] : [number, cells];
  }

  /** @returns why a row can be stored nowhere, whatever is stored: it has no key, and cannot be a new item */
  #findMissing({ cells }: FileRow, id: string | undefined): readonly RowConflict[] {
    if (id !== undefined) return [];
    const isNeeded = this.#rules.rejectsMissing ? identifies : ({ required = false }) => required;
    return missingFields(this.#collection, cells, isNeeded);
  }

  #reject(
    { number, cells }: FileRow,
    id: string | undefined,
    errors: readonly (RowError | RowConflict)[],
  ): SpooledRow | undefined {
    this.#counts.rejected++;
    this.#errors += errors.length;
    const seen = errors.filter((error) => this.#reasons.add(number, error).count <= this.#most);
    if (seen.length > 0 || id !== undefined) return [number, id === undefined ? [] : cells, seen];
    this.#counts.dropped++;
    return undefined;
  }

  #repeat(id: string, { number, cells }: FileRow): void {
    const known = this.#later.get(id);
    const later = known ?? { any: 0, complete: 0 };
    later.any = number;
    if (missingFields(this.#collection, cells, ({ required }) => required).length === 0) later.complete = number;
    if (!known) this.#later.set(copyText(id), later);
  }
}
