/** The file of rejected rows, which can be corrected and imported again. */
import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { fillCells, NOTE } from '../../gateway/files/cells.ts';
import { type ReadingOptions, readDelimiters, type TableRecord } from '../../gateway/files/reader.ts';
import { createCellWriter } from '../../gateway/formats/csv.ts';
import type { Language } from '../../gateway/locale/language.ts';

/** The faults of rejected rows, by their numbers. */
export type Reasons = ReadonlyMap<number, string>;

/** @param quoted characters of cells in quotes. @returns a function that writes a line of CSV */
function createLineWriter(delimiter: string, quoted = delimiter) {
  const write = createCellWriter(quoted);
  return (cells: readonly (string | undefined)[]): string =>
    `${cells.map((cell) => (cell === undefined ? '' : write(cell))).join(delimiter)}\r\n`;
}

async function* writeLines(
  { csv, report }: Language,
  chunks: AsyncIterable<readonly TableRecord[]>,
  reasons: Reasons,
  { charset, delimiter = csv.delimiter, headerRow = 1 }: ReadingOptions,
): AsyncGenerator<string> {
  // A byte-order mark counts more than `--charset`.
  if (charset !== undefined || csv.byteOrderMark) yield '\uFEFF';
  // Lines of notes stand for the rows above the header, so that it is found with or without `--header-row`.
  for (let row = 1; row < headerRow; row++) yield `${NOTE}\r\n`;
  const sign = readDelimiters[delimiter];
  const line = createLineWriter(sign);
  // The delimiter is told by the header, so a note there must not seem to have more of another one.
  const headerLine = createLineWriter(sign, Object.values(readDelimiters).join(''));
  const notes = [`${NOTE} ${report.word('row')}`, `${NOTE} ${report.word('errors')}`];
  let columns: readonly number[] | undefined;
  let width = 0;
  for await (const records of chunks) {
    for (const record of records) {
      const texts = fillCells(record).map((cell) => (typeof cell === 'object' ? cell.text : cell?.toString()));
      if (!columns) {
        if (texts.every((text = '') => text.trim() === '')) continue;
        // The notes of an earlier file of rejected rows are left out.
        columns = texts.flatMap((text, at) => (notes.includes(text ?? '') ? [] : [at]));
        width = texts.length;
        yield headerLine([...columns.map((at) => texts[at]), ...notes]);
        continue;
      }
      const reason = reasons.get(record.number);
      if (reason === undefined) continue;
      // Values beyond the header stay beyond it, and are errors again until they are corrected.
      const beyond = texts.slice(width).filter((text) => text !== undefined);
      yield line([...columns.map((at) => texts[at]), String(record.number), reason, ...beyond]);
    }
  }
}

/** Creates the file for the rejected rows of another one, beside an earlier one. @returns its path, even if it cannot be created */
export async function createRejectedFile(file: string): Promise<string> {
  for (let count = 1; ; count++) {
    const path = `${file}.rejected${count === 1 ? '' : `-${count}`}.csv`;
    try {
      await writeFile(path, '', { flag: 'wx' });
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return path;
    }
  }
}

/**
 * Writes the rejected ones of all records of a file, the header first, with the reasons in columns that an import ignores.
 *
 * @param reading is how the records were read, and how this file can be read again
 * @returns the system's reason if the file cannot be written
 */
export async function writeRejected(
  path: string,
  language: Language,
  chunks: AsyncIterable<readonly TableRecord[]>,
  reasons: Reasons,
  reading: ReadingOptions = {},
): Promise<string | undefined> {
  try {
    await pipeline(writeLines(language, chunks, reasons, reading), createWriteStream(path));
    return undefined;
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) return (error as NodeJS.ErrnoException).code;
    throw error;
  }
}
