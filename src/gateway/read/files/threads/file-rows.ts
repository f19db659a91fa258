/** The rows of a file, whose errors are kept as far as somebody sees them. */
import type { Language } from '../../../locale/language.ts';
import type { Collection } from '../../../model/catalogue.ts';
import type { FileRow, RowError } from '../../../model/import.ts';
import { reasonCounter } from '../../../model/reasons.ts';
import { misnamed } from '../../misnamed.ts';
import { headOf } from '../blocks.ts';
import type { FileReaders, ReadingOptions } from '../file-reader.ts';

/** Shared: whoever has many rows has many that are not kept. */
const NO_ROWS: readonly FileRow[] = [];

/**
 * Counts rows whose errors nobody sees by their reasons instead of keeping them. One with a key, whose item is not to be
 * deleted, is kept with the first error of each reason.
 *
 * @param most errors of one reason that somebody sees
 */
export const errorLimit = ({ fields }: Collection, most = Number.POSITIVE_INFINITY) => {
  const required = fields.flatMap((field, at) => (field.required ? [at] : []));
  const { add } = reasonCounter<RowError>();
  const unseen = new Map<RowError, number>();
  let seen = 0;
  let times = 0;
  /** The first of the rows that lack the same fields, and how many more there are than are seen. */
  const lost = new Map<number, { readonly row: FileRow; times: number }>();
  /** Whether a row has no key and cannot be created either: it is rejected, whatever is stored. */
  const isLost = ({ cells }: FileRow): boolean =>
    typeof cells[0] !== 'string' && required.some((at) => (cells[at] ?? null) === null);
  const isWhole = (row: FileRow): boolean => row.errors.length === 0 && !isLost(row);
  const shortened = (row: FileRow): readonly FileRow[] => {
    if (isWhole(row)) return [row];
    if (row.errors.length === 0) {
      let lacks = 0;
      for (const [bit, at] of required.entries()) if ((row.cells[at] ?? null) === null) lacks += 2 ** bit;
      const known = lost.get(lacks);
      const same = known ?? { row, times: -most };
      if (!known) lost.set(lacks, same);
      return ++same.times > 0 ? NO_ROWS : [row];
    }
    const reasons = row.errors.map((error) => add(row.number, error));
    seen += reasons.length;
    if (reasons.some(({ count }) => count <= most)) return [row];
    const errors = reasons.map(({ error }) => error);
    if (typeof row.cells[0] === 'string') return [{ ...row, errors }];
    for (const error of errors) unseen.set(error, (unseen.get(error) ?? 0) + 1);
    times++;
    return [];
  };
  return {
    /** Whether all errors of a row of JSON count, which take time to find. */
    isSeen: (): boolean => seen < most,
    shorten: (rows: readonly FileRow[]): readonly FileRow[] => (rows.every(isWhole) ? rows : rows.flatMap(shortened)),
    rest: (): readonly FileRow[] => [
      ...[...lost.values()].flatMap((same) => (same.times > 0 ? [{ ...same.row, times: same.times }] : [])),
      ...(times > 0
        ? [{ number: 0, cells: [], errors: [...unseen].map(([error, count]) => ({ ...error, times: count })), times }]
        : []),
    ],
  };
};

/** Throws a Problem where a file begins like one of another format. */
async function* wellNamed(blocks: AsyncIterable<Uint8Array>, format: string): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const block of blocks) {
    const problem = isFirst ? misnamed(block, format) : undefined;
    if (problem) throw problem;
    isFirst = false;
    yield block;
  }
}

interface FileSource {
  readonly language: Language;
  readonly collection: Collection;
  /** The name of the format, and its readers. */
  readonly format: string;
  readonly readers: FileReaders;
  readonly options: ReadingOptions;
  /** The most errors of one reason that somebody sees; all by default. */
  readonly mostErrors?: number | undefined;
  /** The descriptor of a file that has arrived, which is read in place of the blocks. */
  readonly file?: number | undefined;
}

/** Reads a file. Throws a Problem where the file as a whole is wrong. */
export async function* fileRows(
  { language, collection, format, readers, options, mostErrors, file }: FileSource,
  blocks: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly FileRow[]> {
  const { isSeen, shorten, rest } = errorLimit(collection, mostErrors);
  try {
    const read = readers.rows(language, collection, isSeen, file);
    for await (const rows of read(wellNamed(blocks, format), options)) yield shorten(rows);
  } catch (problem) {
    throw (file !== undefined && misnamed(headOf(file), format)) || problem;
  }
  yield rest();
}
