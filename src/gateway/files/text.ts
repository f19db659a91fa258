/** Decodes text files as they arrive; the limits of files. */
import { readBlocks } from '../../util/unnamed-file.ts';
import { SHEET_ROWS } from '../formats/xlsx.ts';
import type { Charset } from '../model/csv.ts';
import { byteSize, type Sentence, sentence } from '../texts/phrase.ts';
import { Problem } from '../texts/problem.ts';
import type { FileSource } from './reader.ts';

/** What files may have at most. docs/imports.md has those that people meet, with the sizes of whole files. */
export const limits = {
  /** UTF-16 units of a row: without a limit, one quotation mark too many would take the rest of a file into memory. */
  row: 1_048_576,
  cells: 16_384,
  /** Bytes of a JSON array, which is in memory as a whole. */
  json: 16_777_216,
  rows: SHEET_ROWS,
  workbook: 67_108_864,
  unpacked: 1_073_741_824,
  /** Unpacked bytes for each byte of it, which no genuine one comes near; a small workbook may have more. */
  ratio: 100,
  small: 16_777_216,
  /** Unpacked bytes of a part other than the sheet, whose texts stay in memory. */
  part: 134_217_728,
  /** Parts, shared texts, and styles of cells. */
  parts: 10_000,
  texts: 2_000_000,
  styles: 65_536,
  /** Characters of a number format, of which spreadsheet programs write 255. */
  format: 1_024,
  /** Open elements, and UTF-16 units without a tag. */
  depth: 64,
  text: 4_194_304,
} as const;

export const malformed = (detail: Sentence): Problem => new Problem('malformed-file', detail);

export const rowTooLong = (row: number): Problem =>
  malformed(sentence('row-too-long', { row, limit: byteSize(limits.row) }));

export const rowTooWide = (row: number): Problem => malformed(sentence('row-too-wide', { row, limit: limits.cells }));

export function encodingByMark(bytes: Uint8Array, usual: string): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 'utf-8' : usual;
}

/** @param currentRow returns the number of the row that is being read, for an error */
export function* decodeFile({ file, options, onRead }: FileSource, currentRow: () => number): Generator<string> {
  const { charset = 'utf-8' } = options;
  let encoding = '';
  let decoder = new TextDecoder();
  for (const block of readBlocks(file, onRead)) {
    if (encoding === '') {
      encoding = encodingByMark(block, charset === 'us-ascii' ? 'utf-8' : charset);
      decoder = new TextDecoder(encoding, { fatal: true });
    }
    const { text, isWhole } = decodeBlock(decoder, block, charset === 'us-ascii');
    if (text !== '') yield text;
    if (!isWhole) throw encodingProblem(currentRow(), charset);
  }
  try {
    decoder.decode();
  } catch {
    throw encodingProblem(currentRow(), charset);
  }
}

function decodeBlock(decoder: TextDecoder, block: Uint8Array, isAscii: boolean) {
  let text: string;
  let end: number;
  try {
    text = decoder.decode(block, { stream: true });
    end = isAscii ? text.search(/[^\0-\x7f]/) : -1;
  } catch {
    text = new TextDecoder(decoder.encoding).decode(block);
    end = Math.max(0, text.indexOf('\uFFFD'));
  }
  if (end === -1) return { text, isWhole: true };
  const lines = text.slice(0, end);
  return { text: lines.slice(0, Math.max(lines.lastIndexOf('\n'), lines.lastIndexOf('\r')) + 1), isWhole: false };
}

function encodingProblem(row: number, charset: Charset): Problem {
  return malformed(sentence('file-encoding', { row, charset: charset.toUpperCase() }));
}
