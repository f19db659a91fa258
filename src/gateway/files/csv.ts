/** Splits CSV (RFC 4180) into cells, and reads them as a table. */
import { type DelimiterName, delimiterNames, delimiters } from '../model/csv.ts';
import { sentence } from '../texts/phrase.ts';
import { NOTE } from './cells.ts';
import { type FileSource, type ReadingOptions, readDelimiters, type TableRecord } from './reader.ts';
import { createTableReaders } from './table.ts';
import { decodeFile, limits, malformed, rowTooLong, rowTooWide } from './text.ts';

const LF = 0x0a;
const CR = 0x0d;

/** The line before the header by which Excel is told the delimiter, and which spreadsheet programs do not show as a row. */
const SEPARATOR = /"?sep=([,;\t])"?(?:\r\n?|\n|$)/iy;
const LINE_BREAKS = /[\r\n]*/y;
/** The beginning of a cell in quotation marks; some programs write a blank or, so that nothing is computed, `=` before it. */
const OPENING = / *=?"/y;

/** @returns the delimiter that is most frequent in the header, outside quotes; `usual` in the header of a single column. @param skipped rows before it */
function detectDelimiter(text: string, usual: DelimiterName, skipped: number): DelimiterName {
  const lines = text.replaceAll(/"[^"]*"?/g, '').split(/\r\n?|\n/);
  const header = (skipped > 0 ? lines[skipped] : lines.find((line) => line !== '' && !line.startsWith(NOTE))) ?? '';
  const counts = [usual, ...delimiterNames].map((name) => ({ name, count: header.split(delimiters[name]).length }));
  return counts.reduce((most, each) => (each.count > most.count ? each : most)).name;
}

function findClosingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at;
  }
  return -1;
}

/** Splits the pieces of a text into records. Two quotation marks are an empty text, but no value if the header quotes every cell. */
class CsvSplitter {
  row = 1;
  readonly #usual: DelimiterName;
  readonly #headerRow: number;
  readonly #chosen: string | undefined;
  #delimiter = 0;
  #isHeader = true;
  #quotesAll = true;
  #rest = '';

  constructor(usual: DelimiterName, { headerRow = 0, delimiter }: ReadingOptions) {
    this.#usual = usual;
    this.#headerRow = headerRow;
    this.#chosen = delimiter && readDelimiters[delimiter];
  }

  split(piece: string, isEnd = false): readonly TableRecord[] {
    const text = this.#rest + piece;
    const records: TableRecord[] = [];
    let at = this.#skipEmptyLines(text, 0, isEnd);
    if (this.#delimiter === 0 && at < text.length) {
      SEPARATOR.lastIndex = at;
      const [line = '', named] = SEPARATOR.exec(text) ?? [];
      const skipped = Math.max(0, this.#headerRow - this.row);
      const known = this.#chosen ?? named;
      this.#delimiter = (known ?? delimiters[detectDelimiter(text.slice(at), this.#usual, skipped)]).charCodeAt(0);
      at = this.#skipEmptyLines(text, at + line.length, isEnd);
    }
    while (at < text.length) {
      const row = this.#splitRow(text, at, isEnd);
      if (!row) break;
      if (row.end - at > limits.row) throw rowTooLong(this.row);
      records.push({ number: this.row, cells: row.cells });
      this.#isHeader = false;
      at = this.#skipEmptyLines(text, row.end, isEnd);
    }
    this.#rest = text.slice(at);
    if (this.#rest.length > limits.row) throw rowTooLong(this.row);
    return records;
  }

  /** Counts the lines that end. @returns the index behind their line breaks; the second half of the last one may follow with the next piece */
  #skipEmptyLines(text: string, from: number, isEnd: boolean): number {
    LINE_BREAKS.lastIndex = from;
    const breaks = LINE_BREAKS.exec(text)?.[0] ?? '';
    const isHalf = !isEnd && breaks.endsWith('\r') && from + breaks.length === text.length;
    const whole = isHalf ? breaks.slice(0, -1) : breaks;
    this.row += whole.split(/\r\n?|\n/).length - 1;
    return from + whole.length;
  }

  #splitRow(text: string, from: number, isEnd: boolean) {
    const cells: (string | undefined)[] = [];
    for (let at = from; ; ) {
      if (cells.length === limits.cells) throw rowTooWide(this.row);
      const quoted = this.#quotedCell(text, at);
      if (quoted && quoted.end === -1 && !isEnd) return undefined;
      const end = quoted?.end ?? this.#findEnd(text, at);
      // The second character of a quotation mark or a line break may come with the next piece.
      const isHalf = end + 1 === text.length && text.charCodeAt(end) === CR;
      if (!isEnd && (end === text.length || isHalf)) return undefined;
      if (!this.#isEndOfCell(text, end)) throw malformed(sentence('file-quotes', { row: this.row }));
      const cell = quoted ? quoted.text : text.slice(at, end);
      if (this.#isHeader && !quoted && cell !== '') this.#quotesAll = false;
      cells.push(cell === '' && (!quoted || this.#quotesAll) ? undefined : cell);
      if (text.charCodeAt(end) !== this.#delimiter) return { cells, end };
      at = end + 1;
    }
  }

  /** @returns the text of a cell in quotation marks, and the index behind it, which is -1 if it does not end; `undefined` for another cell */
  #quotedCell(text: string, at: number): { readonly text: string; readonly end: number } | undefined {
    OPENING.lastIndex = at;
    if (!OPENING.test(text)) return undefined;
    const start = OPENING.lastIndex;
    const closing = findClosingQuote(text, start);
    if (closing === -1) return { text: '', end: -1 };
    let end = closing + 1;
    while (text[end] === ' ') end++;
    // A cell that does not begin with a quotation mark may just have some.
    if (text[at] !== '"' && end < text.length && !this.#isEndOfCell(text, end)) return undefined;
    return { text: text.slice(start, closing).replaceAll('""', '"'), end };
  }

  #isEndOfCell(text: string, at: number): boolean {
    const code = text.charCodeAt(at);
    return at === text.length || code === this.#delimiter || code === LF || code === CR;
  }

  #findEnd(text: string, from: number): number {
    let end = from;
    while (!this.#isEndOfCell(text, end)) end++;
    return end;
  }
}

async function* splitFile(source: FileSource) {
  const splitter = new CsvSplitter(source.language.csv.delimiter, source.options);
  for (const text of decodeFile(source, () => splitter.row)) yield splitter.split(text);
  yield splitter.split('', true);
}

export const csvReaders = createTableReaders(splitFile);
