import type { Language } from '../../locale/language.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { FileRow } from '../../model/import.ts';
import type { TableRecord } from './table-cells.ts';
import type { Charset, TextOptions } from './text.ts';

/** How a table is read, as plain data. */
export interface TableOptions {
  /** Whether an empty cell clears its field, if the header has it. */
  readonly clearsEmpty?: boolean | undefined;
  /** The fields of columns by what their headers say, which the header must have; a column without a field is not read. */
  readonly columns?: readonly ColumnChoice[] | undefined;
  /** Whether columns that name no field are not read, either. */
  readonly ignoresUnknown?: boolean | undefined;
  /** Rows that are skipped: what the header of a column says, and the text of its cell. */
  readonly skips?: readonly (readonly [header: string, text: string])[] | undefined;
  /** The number of the row with the header; the first that is not empty where it is 0, or absent. */
  readonly headerRow?: number | undefined;
  /** Whether the year of a date is taken for a year. */
  readonly takesDates?: boolean | undefined;
}

export type ColumnChoice = readonly [header: string, field: string | undefined];

/** How a file is read, as plain data. */
export interface ReadingOptions extends TableOptions {
  /** That of a text file, by default UTF-8. */
  readonly charset?: Charset | undefined;
  /** The sheet of a workbook by its name, or its number among those that are not hidden; by default the first of these. */
  readonly sheet?: string | undefined;
}

/** Reads the rows of a file, some at a time. Throws a Problem where the file as a whole is wrong. @param file its descriptor */
export type FileReader = (
  file: number,
  options: ReadingOptions & Pick<TextOptions, 'onRead'>,
) => AsyncGenerator<readonly FileRow[], void, undefined>;

/** Reads a file as a table of texts, from its header on. Throws a Problem where the file as a whole is invalid. */
export type RecordReader = (
  file: number,
  options: ReadingOptions,
) => AsyncGenerator<readonly TableRecord[], void, undefined>;

/** The readers of a format. */
export interface FileReaders {
  /**
   * @param language whose words the file has
   * @param isSeen whether somebody will see all errors of the next row, not only one; by default they do
   */
  readonly rows: (language: Language, collection: Collection, isSeen?: (() => boolean) | undefined) => FileReader;
  /** For the file of rejected rows. */
  readonly records: (language: Language, collection: Collection) => RecordReader;
}

/** The most rows of a chunk. */
const CHUNK = 500;

/** Converts records to rows, a chunk at a time, so that other work can run between two chunks. */
export function* inChunks<T>(
  items: readonly T[],
  rowsOf: (chunk: readonly T[]) => readonly FileRow[],
): Generator<readonly FileRow[]> {
  for (let at = 0; at < items.length; at += CHUNK) {
    const rows = rowsOf(items.slice(at, at + CHUNK));
    if (rows.length > 0) yield rows;
  }
}
