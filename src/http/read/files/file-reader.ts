import type { FileRow } from '../../../model/import.ts';
import type { Charset } from './text.ts';

/**
 * Reads the rows of a file as it arrives. Throws a Problem where the file as a whole is wrong.
 *
 * @param charset of a text, by default UTF-8
 */
export type FileReader = (
  body: AsyncIterable<Uint8Array>,
  charset?: Charset,
) => AsyncGenerator<readonly FileRow[], void, undefined>;

/** Rows that are handed on at once. */
const CHUNK = 500;

/** Makes rows of what a file has, a chunk when it is asked for: whoever stores them lets others run in between. */
export function* inChunks<T>(
  items: readonly T[],
  rowsOf: (chunk: readonly T[]) => readonly FileRow[],
): Generator<readonly FileRow[]> {
  for (let at = 0; at < items.length; at += CHUNK) {
    const rows = rowsOf(items.slice(at, at + CHUNK));
    if (rows.length > 0) yield rows;
  }
}
