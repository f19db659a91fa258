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

export function* inChunks(rows: readonly FileRow[]): Generator<readonly FileRow[]> {
  for (let at = 0; at < rows.length; at += CHUNK) yield rows.slice(at, at + CHUNK);
}
