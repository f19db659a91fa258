import type { Language } from '../locale/language.ts';
import type { Collection } from '../model/catalogue.ts';
import type { Charset } from '../model/csv.ts';
import type { FileRow } from '../model/import.ts';
import type { TableRecord } from './cells.ts';

/** Says which field the column with a header is; without a field it is not read. */
export type ColumnChoice = readonly [header: string, field: string | undefined];

export interface ReadingOptions {
  readonly charset?: Charset | undefined;
  /** The sheet of a workbook by its name, or its number among those that are not hidden; by default the first of these. */
  readonly sheet?: string | undefined;
  /** Whether an empty cell clears its field, if the header has it. */
  readonly clearsEmpty?: boolean | undefined;
  /** Columns that a table must have. */
  readonly columns?: readonly ColumnChoice[] | undefined;
  readonly ignoresUnknown?: boolean | undefined;
  /** Rows that are skipped: what the header of a column says, and the text of its cell. */
  readonly skips?: readonly (readonly [header: string, text: string])[] | undefined;
  /** The number of the row with the header; the first that is not empty if it is 0, or absent. */
  readonly headerRow?: number | undefined;
  /** Whether the year of a date is taken for a year. */
  readonly takesDates?: boolean | undefined;
}

export interface FileSource {
  readonly language: Language;
  readonly collection: Collection;
  readonly file: number;
  readonly options: ReadingOptions;
  /** Says whether somebody will see all errors of the next row, not only one. */
  readonly isSeen: () => boolean;
  /** Called with the number of bytes that have been read. */
  readonly onRead?: ((bytes: number) => void) | undefined;
}

/** The readers of a format, which read some rows at a time. They throw a Problem if the file as a whole is wrong. */
export interface FileReaders {
  readonly rows: (source: FileSource) => AsyncGenerator<readonly FileRow[], void, undefined>;
  /** Reads a file as a table of texts, the header first, for the file of rejected rows. */
  readonly records: (source: FileSource) => AsyncGenerator<readonly TableRecord[], void, undefined>;
}
