import { RowSpool } from '../../../../src/gateway/files/spool.ts';
import type { Collection } from '../../../../src/gateway/model/catalogue.ts';
import type {
  FileRow,
  ImportOptions,
  ImportOutcome,
  ItemChange,
  Rejection,
  RowConflict,
  RowError,
  SpooledRows,
} from '../../../../src/gateway/model/import.ts';
import type { Store } from '../../../../src/store/store.ts';
import { BatchWriter, readBatches, UnnamedFile } from '../../../../src/util/unnamed-file.ts';
import { type CellRecord, toChanges } from '../../database/cells.ts';
import { cars } from '../fixtures.ts';

/** What a file says of an item, by the names of its fields. A year that is no number is an error of its row. */
export type Line = CellRecord;

const WRONG: RowError = {
  column: 'year',
  code: 'invalid-value',
  detail: { phrase: 'value-integer', values: { word: 'year', min: 1886, max: 2100 } },
};

const rowOf = (collection: Collection, line: Line, at: number, { oils }: ImportRequest): FileRow => ({
  number: at + 2,
  cells: toChanges(collection, line),
  errors: typeof line.year === 'string' ? [WRONG] : [],
  nested: oils && [['oils', (oils[String(line.identifier)] ?? []).map(([type, otherInfo]) => [type, otherInfo])]],
});

export type ImportRequest = Partial<Omit<ImportOptions, 'onProgress'>> & {
  /** Called as the rows are read and as they are applied, with their number. */
  readonly onProgress?: (step: 'reading' | 'applying', rows: number) => void;
  readonly of?: Collection;
  /** The oils that the row of a car says, each with its type and further information. */
  readonly oils?: Readonly<Record<string, readonly (readonly [type: string, otherInfo?: string])[]>>;
  /** Rows of a chunk. */
  readonly chunk?: number;
};

/** What happens when a file has arrived up to here. */
type Meanwhile = () => Promise<unknown>;

/** @returns the lines as a file that was read. Throws, where one is an error */
const fileOf = async (
  lines: readonly (Line | Error | Meanwhile)[],
  collection: Collection,
  request: ImportRequest,
  rejections: UnnamedFile,
): Promise<SpooledRows> => {
  const { chunk = 3, rejectsMissing, onProgress } = request;
  const file = new UnnamedFile();
  const spool = new RowSpool(collection, file.fd, { rejectsMissing, rejections: new BatchWriter(rejections.fd) });
  let rows: FileRow[] = [];
  let count = 0;
  try {
    for (const line of lines) {
      if (line instanceof Error) throw line;
      if (typeof line === 'function') await (line as Meanwhile)();
      else rows.push(rowOf(collection, line, count++, request));
      if (rows.length < chunk) continue;
      spool.add(rows);
      onProgress?.('reading', spool.rows);
      rows = [];
    }
    spool.add(rows);
    onProgress?.('reading', spool.rows);
    return { ...spool.summary(), file };
  } catch (error) {
    file.close();
    throw error;
  }
};

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
  request: ImportRequest = {},
): Promise<Imported> => {
  const { of = cars, chunk: _, oils: __, onProgress, ...options } = request;
  const [rejections, changes] = [new UnnamedFile(), new UnnamedFile()];
  let assigned = 0;
  const read = () => fileOf(lines, of, request, rejections);
  const outcome = await store.importRows(
    of,
    { read },
    {
      parents: [],
      onDuplicate: 'error',
      isLenient: false,
      isCheck: false,
      deletionShare: 0.2,
      assignKey: () => `key-${++assigned}`,
      changes,
      rejections,
      onProgress: (rows) => onProgress?.('applying', rows),
      ...options,
    },
  );
  const rejected = [...readBatches<Rejection>(rejections.fd)].flat().toSorted((one, other) => one.row - other.row);
  const isDone = outcome.kind === 'imported' || outcome.kind === 'checked';
  return {
    outcome,
    rejected: rejected.map(({ row, error }) => `${row}: ${codeOf(error)}`),
    changes: isDone ? [...readBatches<ItemChange>(changes.fd)].flat() : [],
  };
};

const countTexts = (counts: Readonly<Record<string, number>>): readonly string[] =>
  Object.entries(counts).flatMap(([name, count]) => (count > 0 ? [`${name} ${count}`] : []));

/** A report in short: `created 2, deleted 1`. */
export const outcomeText = ({ outcome }: Imported): string => {
  if (!('report' in outcome)) return outcome.kind;
  const { nested = {}, repeated = [], warnings: _, reasons: __, ...counts } = outcome.report;
  return [
    outcome.kind,
    ...countTexts(counts),
    ...Object.entries(nested).flatMap(([list, own]) => countTexts(own).map((text) => `${list} ${text}`)),
    ...repeated.map(({ row, key, usedRow }) => `row ${row} as ${usedRow} ${key}`),
  ].join(', ');
};
