/** Splits CSV (RFC 4180) into cells. */
import { type DelimiterName, delimiterNames, delimiters } from '../../model/csv.ts';
import { sentence } from '../../texts/phrase.ts';
import { byteSize } from '../../texts/size.ts';
import { limits } from './limits.ts';
import { malformed } from './text.ts';

/**
 * A row of a table. A cell without a value is `undefined`. One with only two quotation marks is an empty text, but in a file
 * that quotes every cell, as its header shows, it has no value.
 */
interface TextRecord {
  readonly number: number;
  readonly cells: readonly (string | undefined)[];
}

export interface Splitter {
  /** The number of the row that is split next. */
  readonly row: () => number;
  readonly push: (text: string) => readonly TextRecord[];
  /** The last row, where it has no line break. */
  readonly end: () => readonly TextRecord[];
}

export const tooLong = (row: number) => malformed(sentence('row-too-long', { row, limit: byteSize(limits.row) }));

export const tooWide = (row: number) => malformed(sentence('row-too-wide', { row, limit: limits.cells }));

const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;

/** The line before the header by which Excel is told the delimiter, and which spreadsheet programs do not show as a row. */
const SEPARATOR = /"?sep=([,;\t])"?(?:\r\n?|\n|$)/iy;

/** @returns the delimiter that is most frequent in the header, outside quotes; `usual` in the header of a single column. @param skipped rows before it */
const delimiterIn = (text: string, usual: DelimiterName, skipped: number): DelimiterName => {
  const lines = text.replaceAll(/"[^"]*"?/g, '').split(/\r\n?|\n/, skipped + 1);
  const header = lines.at(-1) ?? '';
  const counts = [usual, ...delimiterNames].map((name) => ({ name, count: header.split(delimiters[name]).length }));
  return counts.reduce((most, each) => (each.count > most.count ? each : most)).name;
};

/**
 * @param from where to look
 * @returns the index of the quote that ends a cell; where it has not arrived yet, `~` of the index from which to look on
 */
const closingQuote = (text: string, from: number, isEnd: boolean): number => {
  for (let at = from; ; at += 2) {
    at = text.indexOf('"', at);
    if (at === -1) return ~text.length;
    if (at + 1 === text.length && !isEnd) return ~at;
    if (text.charCodeAt(at + 1) !== QUOTE) return at;
  }
};

/**
 * Splits the pieces of a text into records, without those of empty lines. The delimiter is named by, or detected in, the first
 * line that is not empty, or the row of the header, and a quote inside an unquoted cell is an ordinary character.
 */
export const csvSplitter = (usual: DelimiterName, headerRow = 0): Splitter => {
  let delimiter = 0;
  let row = 1;
  /** Of the row that has not ended: its cells, their UTF-16 units, and the text of the cell that has not ended. */
  let cells: (string | undefined)[] = [];
  let length = 0;
  let rest = '';
  /** How much of that text does not end the cell. */
  let known = 0;
  let isHeader = true;
  let quotesAll = true;

  const split = (text: string, isEnd: boolean): readonly TextRecord[] => {
    const records: TextRecord[] = [];
    let begin = -length;
    let at = 0;
    let end = known;
    known = 0;
    while (at < text.length || (isEnd && cells.length > 0)) {
      const first = text.charCodeAt(at);
      if ((first === LF || first === CR) && cells.length === 0) {
        if (first === CR && at + 1 === text.length && !isEnd) break;
        at += first === CR && text.charCodeAt(at + 1) === LF ? 2 : 1;
        [begin, end] = [at, at];
        row++;
        continue;
      }
      if (delimiter === 0) {
        SEPARATOR.lastIndex = at;
        const [line, named] = SEPARATOR.exec(text) ?? [];
        delimiter = (named ?? delimiters[delimiterIn(text.slice(at), usual, Math.max(0, headerRow - row))]).charCodeAt(
          0,
        );
        if (line !== undefined) {
          at += line.length;
          [begin, end] = [at, at];
          continue;
        }
      }
      const isQuoted = first === QUOTE;
      if (isQuoted) {
        const closing = closingQuote(text, Math.max(end, at + 1), isEnd);
        if (closing < 0 && isEnd) throw malformed(sentence('file-quotes', { row }));
        end = closing < 0 ? ~closing : closing + 1;
        if (closing < 0) {
          known = end - at;
          break;
        }
      } else {
        for (; end < text.length; end++) {
          const code = text.charCodeAt(end);
          if (code === delimiter || code === LF || code === CR) break;
        }
      }
      const next = text.charCodeAt(end);
      // The second character of a line break may come with the next piece.
      if (!isEnd && (end === text.length || (next === CR && end + 1 === text.length))) {
        known = end - at - (isQuoted ? 1 : 0);
        break;
      }
      const inside = isQuoted ? text.slice(at + 1, end - 1) : text.slice(at, end);
      if (cells.length === limits.cells) throw tooWide(row);
      if (isHeader && !isQuoted && inside !== '') quotesAll = false;
      if (inside === '') cells.push(isQuoted && !quotesAll ? '' : undefined);
      else cells.push(isQuoted && inside.includes('"') ? inside.replaceAll('""', '"') : inside);
      if (next === delimiter) {
        at = ++end;
        continue;
      }
      if (end < text.length && next !== CR && next !== LF) throw malformed(sentence('file-quotes', { row }));
      if (end - begin > limits.row) throw tooLong(row);
      records.push({ number: row, cells });
      isHeader = false;
      row++;
      at = next === CR && text.charCodeAt(end + 1) === LF ? end + 2 : end + 1;
      [begin, end] = [at, at];
      cells = [];
    }
    rest = text.slice(at);
    length = at - begin;
    if (length + rest.length > limits.row) throw tooLong(row);
    return records;
  };
  return {
    row: () => row,
    push: (text) => split(rest + text, false),
    end: () => split(rest, true),
  };
};
