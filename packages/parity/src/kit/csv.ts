/** CSV (RFC 4180) as the service writes and reads it. */
import type { Dictionary } from './dictionary.ts';

const MARK = '\uFEFF';

/** @returns the cells of each row; an empty text has none */
export const readCsv = (text: string, delimiter: string): readonly (readonly string[])[] => {
  const end = delimiter.replace(/[\\^$|]/g, '\\$&');
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${end}\\r\\n]*))(${end}|\\r?\\n|$)`, 'y');
  const rows: string[][] = [];
  let row: string[] = [];
  while (cell.lastIndex < text.length || row.length > 0) {
    const match = cell.exec(text);
    if (!match) throw new SyntaxError('the text is not CSV');
    const [, quoted, plain = '', separator] = match;
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (separator === delimiter) continue;
    rows.push(row);
    row = [];
  }
  return rows;
};

/**
 * @param column translates a column's word
 * @param cell translates what is below a column's word
 * @returns the file as the other language writes it
 */
export const translateCsv = (
  text: string,
  from: Dictionary,
  to: Dictionary,
  column: (word: string) => string,
  cell: (word: string, value: string) => string,
): string => {
  const [header = [], ...rows] = readCsv(text.startsWith(MARK) ? text.slice(1) : text, from.csv.delimiter);
  const translated = rows.map((row) => row.map((value, at) => cell(header[at] ?? '', value)));
  const { delimiter, byteOrderMark } = to.csv;
  const write = (word: string): string =>
    /["\r\n]/.test(word) || word.includes(delimiter) ? `"${word.replaceAll('"', '""')}"` : word;
  const lines = [header.map(column), ...translated].map((row) => `${row.map(write).join(delimiter)}\r\n`);
  return (byteOrderMark ? MARK : '') + lines.join('');
};
