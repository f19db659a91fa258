import type { Language } from '../locale/language.ts';
import type { Collection } from '../model/catalogue.ts';
import { type Charset, delimiters } from '../model/csv.ts';
import type { FileRow } from '../model/import.ts';
import type { CommandText } from '../texts/phrase.ts';

interface WorkbookCell {
  readonly text: string;
  readonly phrase?: 'cell-date' | 'cell-error' | 'cell-formula' | 'cell-digits';
  readonly number?: string;
  readonly days?: number;
}

/** The value of a cell; `undefined` if it has none. Only workbooks have booleans. */
export type TableCell = string | boolean | WorkbookCell | undefined;

export interface TableRecord {
  readonly number: number;
  readonly cells: readonly TableCell[];
  /** In a workbook, the column of each cell, counted from 0: its rows have only the cells that have a value. */
  readonly columns?: readonly number[];
  readonly sheet?: { readonly name: string; readonly all: string };
}

/** Says which field the column with a header is, or which member of a nested list (`photos.link`), whose columns may have numbers in place of `*`; without a field it is not read. */
export type ColumnChoice = readonly [header: string, field: string | undefined];

/** Says what a text in the cells of a field stands for, in the words of the language; an empty one is no value. */
export type ValueChoice = readonly [field: string, text: string, meaning: string];

/** What may stand between the texts of a list in a cell, if a client says so, beside a line break. */
export const listSeparators = { commas: ',', semicolons: ';', pipes: '|' } as const;

/** What may stand between the cells of CSV: bars only if a client says so. */
export const readDelimiters = { ...delimiters, pipe: '|' } as const;

export interface ReadingOptions {
  readonly charset?: Charset | undefined;
  readonly delimiter?: keyof typeof readDelimiters | undefined;
  readonly sheet?: string | undefined;
  /** Whether an empty cell clears its field, if the header has it. */
  readonly clearsEmpty?: boolean | undefined;
  readonly columns?: readonly ColumnChoice[] | undefined;
  readonly ignoresUnknown?: boolean | undefined;
  readonly values?: readonly ValueChoice[] | undefined;
  /** Texts that are no value in any column. */
  readonly nullValues?: readonly string[] | undefined;
  readonly lists?: keyof typeof listSeparators | undefined;
  /** Rows that are skipped: what the header of a column says, and the text of its cell. */
  readonly skips?: readonly (readonly [header: string, text: string])[] | undefined;
  readonly headerRow?: number | undefined;
  /** What stands before decimals, and the time zone of moments without one, if a client says so. */
  readonly decimals?: 'comma' | 'point' | undefined;
  readonly timeZone?: string | undefined;
  readonly takesDates?: boolean | undefined;
  /** The units of numbers that a client says, which the header of a column may say, too. */
  readonly units?: readonly (readonly [field: string, unit: string])[] | undefined;
}

export interface FileSource {
  readonly language: Language;
  readonly collection: Collection;
  readonly file: number;
  readonly options: ReadingOptions;
  /** Says whether somebody will see all errors of the next row, not only one. */
  readonly isSeen: () => boolean;
  readonly onZoneless?: ((field: string, row: number, value: string) => void) | undefined;
  readonly onRead?: ((bytes: number) => void) | undefined;
}

/** Says how a column or a cell is read, and why, as commands print it. */
export interface ReadingLine {
  readonly text: CommandText;
  readonly values: Readonly<Record<string, string | number>>;
}

/** The readers of a format, which read some rows at a time. They throw a Problem if the file as a whole is wrong. */
export interface FileReaders {
  readonly rows: (source: FileSource) => AsyncGenerator<readonly FileRow[], void, undefined>;
  /** Reads a file as a table of texts, the header first, for the file of rejected rows. */
  readonly records: (source: FileSource) => AsyncGenerator<readonly TableRecord[], void, undefined>;
  readonly explain?: (source: FileSource, rows: number) => Promise<readonly ReadingLine[]>;
}
