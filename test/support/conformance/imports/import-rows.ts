import type { Collection } from '../../../../src/gateway/model/catalogue.ts';
import type {
  FileRow,
  ImportOptions,
  ImportOutcome,
  ItemChange,
  RowConflict,
  RowError,
} from '../../../../src/gateway/model/import.ts';
import { pack, type RowBatch } from '../../../../src/gateway/model/row-batch.ts';
import type { Store } from '../../../../src/store/store.ts';
import { type CellRecord, toChanges } from '../../database/cells.ts';
import { cars } from '../fixtures.ts';

/** What a file says of an item, by the names of its fields. A year that is no number is an error of its row. */
export type Line = CellRecord;

const WRONG: RowError = {
  column: 'year',
  code: 'invalid-value',
  detail: { phrase: 'value-integer', values: { word: 'year', min: 1886, max: 2100 } },
};

const rowOf = (collection: Collection, line: Line, at: number): FileRow => ({
  number: at + 2,
  cells: toChanges(collection, line),
  errors: typeof line.year === 'string' ? [WRONG] : [],
});

export type ImportRequest = Partial<ImportOptions> & {
  readonly of?: Collection;
  /** Rows of a chunk. */
  readonly chunk?: number;
};

/** What happens when a file has arrived up to here. */
type Meanwhile = () => Promise<unknown>;

/** Throws, where a line is an error. */
async function* fileOf(
  lines: readonly (Line | Error | Meanwhile)[],
  collection: Collection = cars,
  chunk = 3,
): AsyncGenerator<RowBatch> {
  let rows: FileRow[] = [];
  let count = 0;
  for (const line of lines) {
    if (line instanceof Error) throw line;
    if (typeof line === 'function') await (line as Meanwhile)();
    else rows.push(rowOf(collection, line, count++));
    if (rows.length < chunk) continue;
    yield pack(rows);
    rows = [];
  }
  yield pack(rows);
}

/** What became of an import, with its rejected rows as number and code. */
interface Imported {
  readonly outcome: ImportOutcome;
  readonly rejected: readonly string[];
  /** What it did, or would do. */
  readonly changes: readonly ItemChange[];
}

const codeOf = (error: RowError | RowConflict): string => {
  if ('field' in error) return `${error.code} ${error.field}`;
  if (!('key' in error)) return error.code;
  return `${error.code} ${error.key}${error.row === undefined ? '' : ` in row ${error.row}`}`;
};

/** Assigned keys are `key-1` and so on. */
export const importLines = async (
  store: Store,
  lines: readonly (Line | Error | Meanwhile)[],
  { of = cars, chunk, ...options }: ImportRequest = {},
): Promise<Imported> => {
  const rejected: string[] = [];
  const changes: ItemChange[] = [];
  let assigned = 0;
  const outcome = await store.importRows(of, fileOf(lines, of, chunk), {
    parents: [],
    onDuplicate: 'error',
    isLenient: false,
    isCheck: false,
    deletionShare: 0.2,
    assignKey: () => `key-${++assigned}`,
    onChanges: async (some) => void changes.push(...some),
    onRejected: (row, error) => void rejected.push(`${row}: ${codeOf(error)}`),
    ...options,
  });
  return { outcome, rejected, changes };
};

/** A report in short: `created 2, deleted 1`. */
export const outcomeText = ({ outcome }: Imported): string => {
  if (!('report' in outcome)) return outcome.kind;
  const { repeated = [], warnings: _, reasons: __, ...counts } = outcome.report;
  return [
    outcome.kind,
    ...Object.entries(counts).flatMap(([name, count]) => (count > 0 ? [`${name} ${count}`] : [])),
    ...repeated.map(({ row, key, usedRow }) => `row ${row} as ${usedRow} ${key}`),
  ].join(', ');
};
