/** Splits CSV (RFC 4180) into cells. */
import { type DelimiterName, delimiterNames, delimiters } from '../../../model/csv.ts';
import { sentence } from '../../../texts/phrase.ts';
import { byteSize } from '../../../texts/size.ts';
import { malformed } from './text.ts';

/** A row of a table. A cell without a value is `undefined`; one with only two quotation marks is an empty text. */
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

/** The most UTF-16 units of a row: without a limit, one quotation mark too many would take the rest of a file into memory. */
export const LONGEST_ROW = 1_048_576;

export const tooLong = (row: number) => malformed(sentence('row-too-long', { row, limit: byteSize(LONGEST_ROW) }));

const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;

/** @returns the delimiter that is most frequent in the header, outside quotes; `usual` in the header of a single column */
const delimiterIn = (text: string, usual: DelimiterName): DelimiterName => {
  const [header = ''] = text
    .replace(/^[\r\n]+/, '')
    .replaceAll(/"[^"]*"/g, '')
    .split(/[\r\n]/, 1);
  const counts = [usual, ...delimiterNames].map((name) => ({ name, count: header.split(delimiters[name]).length }));
  return counts.reduce((most, each) => (each.count > most.count ? each : most)).name;
};

/** @returns the index of the quote that ends the cell beginning at `start`; -1 where it has not arrived yet */
const closingQuote = (text: string, start: number, isEnd: boolean): number => {
  for (let at = start + 1; ; at += 2) {
    at = text.indexOf('"', at);
    if (at === -1 || (at + 1 === text.length && !isEnd)) return -1;
    if (text.charCodeAt(at + 1) !== QUOTE) return at;
  }
};

/**
 * Splits the pieces of a text into records. The delimiter is detected in the first piece, and a quote inside an unquoted cell is
 * an ordinary character.
 */
export const csvSplitter = (usual: DelimiterName): Splitter => {
  let delimiter = 0;
  let rest = '';
  let row = 1;

  const split = (text: string, isEnd: boolean): readonly TextRecord[] => {
    const records: TextRecord[] = [];
    let start = 0;
    let at = 0;
    let cells: (string | undefined)[] = [];
    while (at < text.length || (isEnd && cells.length > 0)) {
      let end = at;
      if (text.charCodeAt(at) === QUOTE) {
        const closing = closingQuote(text, at, isEnd);
        if (closing === -1) {
          if (isEnd) throw malformed(sentence('file-quotes', { row }));
          break;
        }
        const inside = text.slice(at + 1, closing);
        cells.push(inside.includes('"') ? inside.replaceAll('""', '"') : inside);
        end = closing + 1;
      } else {
        for (; end < text.length; end++) {
          const code = text.charCodeAt(end);
          if (code === delimiter || code === LF || code === CR) break;
        }
        if (end < text.length || isEnd) cells.push(end > at ? text.slice(at, end) : undefined);
      }
      const next = text.charCodeAt(end);
      if (next === delimiter) {
        at = end + 1;
        continue;
      }
      // The second character of a line break may come with the next piece.
      if (!isEnd && (end === text.length || (next === CR && end + 1 === text.length))) break;
      if (end < text.length && next !== CR && next !== LF) throw malformed(sentence('file-quotes', { row }));
      records.push({ number: row, cells });
      row++;
      at = next === CR && text.charCodeAt(end + 1) === LF ? end + 2 : end + 1;
      start = at;
      cells = [];
    }
    rest = text.slice(start);
    if (rest.length > LONGEST_ROW) throw tooLong(row);
    return records;
  };
  return {
    row: () => row,
    push: (text) => {
      delimiter ||= delimiters[delimiterIn(text, usual)].charCodeAt(0);
      return split(rest + text, false);
    },
    end: () => split(rest, true),
  };
};
