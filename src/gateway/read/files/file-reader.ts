import type { Language } from '../../locale/language.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { FileRow } from '../../model/import.ts';
import type { TableRecord } from './table-cells.ts';
import type { Charset } from './text.ts';

/**
 * Reads the rows of a file as it arrives. Throws a Problem where the file as a whole is wrong.
 *
 * @param charset that of a text file, by default UTF-8
 * @param clearsEmpty whether an empty cell clears its field, in a table whose header has the field
 */
export type FileReader = (
  body: AsyncIterable<Uint8Array>,
  charset?: Charset,
  clearsEmpty?: boolean,
) => AsyncGenerator<readonly FileRow[], void, undefined>;

/** Reads a file as a table of texts, the header included. Throws a Problem where the file as a whole is invalid. */
export type RecordReader = (
  body: AsyncIterable<Uint8Array>,
  charset?: Charset,
) => AsyncGenerator<readonly TableRecord[], void, undefined>;

/** The readers of a format. */
export interface FileReaders {
  /**
   * @param language whose words the file has
   * @param isSeen whether somebody will see all errors of the next row, not only one; by default they do
   * @param spooled the descriptor of a file that has arrived, which is read in place of the body
   */
  readonly rows: (
    language: Language,
    collection: Collection,
    isSeen?: (() => boolean) | undefined,
    spooled?: number | undefined,
  ) => FileReader;
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
