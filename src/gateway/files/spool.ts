/** Keeps the rows of a file in another file until all of it is read and checked. */
import { KeySet } from '../../util/key-set.ts';
import { copyText } from '../../util/memoize.ts';
import { BatchWriter } from '../../util/unnamed-file.ts';
import { type Collection, identifies } from '../model/catalogue.ts';
import {
  type FileRow,
  type ImportWarning,
  identifyRow,
  type LaterRows,
  missingFields,
  ReasonCounter,
  type Rejection,
  type RowConflict,
  type RowSummary,
  type SpooledRow,
} from '../model/import.ts';
import { LISTED } from '../texts/problem.ts';

/** What spreadsheet programs make of long numbers (`8,43700123456789E+018`), and of `9-3` or `mar-09` in English and Spanish. */
const DAMAGED = [
  /^[+-]?\d+(?:[.,]\d+)?E[+-]\d+$/i,
  /^(?:\d{4}([-/.])[01]?\d\1[0-3]?\d|[0-3]?\d([-/.])[0-3]?\d\2(?:\d{4}|\d\d))(?:[T ]\d\d?:.*)?$/,
  /^(?=.*\d)(?:[0-3]?\d[-/ ])?(?:ene|jan|feb|mar|abr|apr|may|jun|jul|ago|aug|sept?|oct|nov|dic|dec)\.?(?:[-/ ]\d+)?$/i,
];

type Warning = ImportWarning & { odd: number; total: number; readonly cells: ImportWarning['cells'][number][] };

const createWarning = (phrase: ImportWarning['phrase'], field: string, most = 0): Warning => ({
  phrase,
  field,
  odd: 0,
  total: 0,
  most,
  cells: [],
});

function addOdd(warning: Warning, row: number, value: string): void {
  if (++warning.odd <= LISTED) warning.cells.push({ row, value });
}

class RowWarnings {
  readonly #columns: readonly (readonly [at: number, warning: Warning])[];
  readonly #zoneless = new Map<string, Warning>();

  constructor({ fields }: Collection) {
    this.#columns = fields.flatMap(({ name, isKey, usualMax }, at) => {
      if (isKey) return [[at, createWarning('keys-damaged', name)] as const];
      return usualMax === undefined ? [] : [[at, createWarning('values-unusual', name, usualMax)] as const];
    });
  }

  check({ number, cells }: FileRow): void {
    for (const [at, warning] of this.#columns) {
      const cell = cells[at] ?? null;
      if (cell === null) continue;
      warning.total++;
      const isKey = warning.phrase === 'keys-damaged';
      const isOdd = isKey ? DAMAGED.some((pattern) => pattern.test(String(cell))) : Number(cell) > warning.most;
      if (isOdd) addOdd(warning, number, String(cell));
    }
  }

  addZoneless(zone: string, field: string, row: number, value: string): void {
    const warning = this.#zoneless.get(field) ?? { ...createWarning('zone-assumed', field), zone };
    this.#zoneless.set(field, warning);
    addOdd(warning, row, value);
  }

  all(): readonly ImportWarning[] {
    const ofColumns = this.#columns.map(([, warning]) => warning);
    return [
      ...ofColumns.filter(({ phrase, odd, total }) => odd > (phrase === 'keys-damaged' ? 0 : total / 2)),
      ...this.#zoneless.values(),
    ];
  }
}

interface SpoolRules {
  readonly rejectsMissing?: boolean | undefined;
  readonly rejections?: BatchWriter<Rejection> | undefined;
}

export class RowSpool {
  readonly #collection: Collection;
  readonly #rules: SpoolRules;
  readonly #writer: BatchWriter<SpooledRow | LaterRows>;
  readonly warnings: RowWarnings;
  readonly #reasons = new ReasonCounter();
  readonly #ids = new KeySet();
  readonly #nested = new Set<string>();
  readonly #later = new Map<string, { any: number; complete: number }>();
  readonly #counts = { rows: 0, keyed: 0, unkeyed: 0, assigned: 0, deletions: 0, rejected: 0 };
  #errors = 0;
  #hasUnreadKey = false;

  constructor(collection: Collection, fd: number, rules: SpoolRules = {}) {
    this.#collection = collection;
    this.#rules = rules;
    this.#writer = new BatchWriter(fd);
    this.warnings = new RowWarnings(collection);
  }

  readonly isSeen = (): boolean => this.#rules.rejections !== undefined || this.#errors < LISTED;

  get rows(): number {
    return this.#counts.rows;
  }

  add(rows: readonly FileRow[]): void {
    for (const row of rows) {
      const spooled = this.#check(row);
      if (spooled) this.#writer.add(spooled);
    }
  }

  summary(): RowSummary {
    this.#writer.flush();
    this.#rules.rejections?.flush();
    const { size } = this.#writer;
    for (const [id, { any, complete }] of this.#later) this.#writer.add([id, any, complete]);
    this.#writer.flush();
    const [reasons, warnings] = [this.#reasons.all(), this.warnings.all()];
    return { ...this.#counts, nested: [...this.#nested], hasUnreadKey: this.#hasUnreadKey, size, reasons, warnings };
  }

  #check(row: FileRow): SpooledRow | undefined {
    const { number, cells, isDeletion } = row;
    const id = identifyRow(this.#collection, cells);
    this.#counts.rows++;
    if (typeof cells[0] === 'string') this.#counts.keyed++;
    else if (row.errors.length === 0) this.#counts.unkeyed++;
    if (!isDeletion) this.warnings.check(row);
    const errors = row.errors.length > 0 ? row.errors : this.#findMissing(row, id);
    if (errors.length > 0) {
      this.#counts.rejected++;
      this.#errors += errors.length;
      for (const error of errors) {
        this.#reasons.add({ row: number, error });
        this.#rules.rejections?.add({ row: number, error });
      }
      this.#hasUnreadKey ||= id === undefined;
      return id === undefined ? undefined : [number, cells, 'rejected'];
    }
    if (id === undefined) this.#counts.assigned++;
    else if (!this.#ids.add(id) && !isDeletion) this.#repeat(id, row);
    if (isDeletion) this.#counts.deletions++;
    for (const [list] of row.nested ?? []) this.#nested.add(list);
    const kind = isDeletion ? 'deletion' : null;
    if (row.revision !== undefined || row.nested) return [number, cells, kind, row.revision, row.nested];
    return kind ? [number, cells, kind] : [number, cells];
  }

  /** @returns why a row can be stored in no case: it has no key, and cannot be a new item */
  #findMissing({ cells }: FileRow, id: string | undefined): readonly RowConflict[] {
    if (id !== undefined) return [];
    const isNeeded = this.#rules.rejectsMissing ? identifies : ({ required = false }) => required;
    return missingFields(this.#collection, cells, isNeeded);
  }

  #repeat(id: string, { number, cells }: FileRow): void {
    const known = this.#later.get(id);
    const later = known ?? { any: 0, complete: 0 };
    later.any = number;
    if (missingFields(this.#collection, cells, ({ required }) => required).length === 0) later.complete = number;
    if (!known) this.#later.set(copyText(id), later);
  }
}
