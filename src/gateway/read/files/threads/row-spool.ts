/** Keeps the rows of a file in another file until all of it is read and checked. */
import { chunksOf } from '../../../../util/chunks-of.ts';
import { KeySet } from '../../../../util/key-set.ts';
import { copyText } from '../../../../util/memoized.ts';
import { BatchWriter } from '../../../../util/unnamed-file.ts';
import { type Collection, identifies } from '../../../model/catalogue.ts';
import {
  type FileRow,
  idOfRow,
  type LaterRows,
  missingFields,
  type RowConflict,
  type RowError,
  type RowSummary,
  type SpooledRow,
} from '../../../model/import.ts';
import { reasonCounter } from '../../../model/reasons.ts';
import { RowWarnings } from './warnings.ts';

interface SpoolRules {
  /** The most errors of one reason that somebody sees; all by default. */
  readonly mostErrors?: number | undefined;
  /** Whether a row without a key is an error. */
  readonly rejectsMissing?: boolean | undefined;
}

/** Keys of a batch. */
const BATCH = 500;

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

  /** @param fd the descriptor of the file that keeps the rows */
  constructor(collection: Collection, fd: number, rules: SpoolRules = {}) {
    this.#collection = collection;
    this.#rules = rules;
    this.#most = rules.mostErrors ?? Number.POSITIVE_INFINITY;
    this.#writer = new BatchWriter(fd);
    this.#warnings = new RowWarnings(collection);
  }

  /** Says whether somebody will see all errors of the next row: to find them takes time. */
  readonly isSeen = (): boolean => this.#errors < this.#most;

  /** How many rows were read. */
  get rows(): number {
    return this.#counts.rows;
  }

  add(rows: readonly FileRow[]): void {
    const kept = rows.map((row) => this.#keep(row)).filter((row) => row !== undefined);
    if (kept.length > 0) this.#writer.write(kept);
  }

  /** @returns what is known of all rows, once they are there */
  summary(): RowSummary {
    const { size } = this.#writer;
    const later = this.#later.entries().map(([id, { any, complete }]): LaterRows => [id, any, complete]);
    for (const some of chunksOf(later, BATCH)) this.#writer.write(some);
    const unseen = this.#reasons
      .all()
      .filter(({ count }) => count > this.#most)
      .map((reason) => ({ ...reason, count: reason.count - this.#most }));
    return { ...this.#counts, size, unseen, warnings: this.#warnings.all() };
  }

  /** @returns a row as it is kept; `undefined` if only its number counts */
  #keep(row: FileRow): SpooledRow | undefined {
    const { number, cells, isDeletion } = row;
    const id = idOfRow(this.#collection, cells);
    this.#counts.rows++;
    if (typeof cells[0] === 'string') this.#counts.keyed++;
    else if (row.errors.length === 0) this.#counts.unkeyed++;
    if (!isDeletion) this.#warnings.see(row);
    const errors = row.errors.length > 0 ? row.errors : this.#missing(row, id);
    if (errors.length > 0) return this.#reject(row, id, errors);
    if (isDeletion) this.#counts.deletions++;
    if (id === undefined) this.#counts.assigned++;
    else if (!this.#ids.add(id) && !isDeletion) this.#repeat(id, row);
    return isDeletion ? [number, cells, undefined, true] : [number, cells];
  }

  /** @returns why a row can be stored nowhere, whatever is stored: it has no key, and cannot be a new item */
  #missing({ cells }: FileRow, id: string | undefined): readonly RowConflict[] {
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
