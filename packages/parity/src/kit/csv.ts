/** CSV (RFC 4180) as the service writes and reads it. */
import type { Dictionary } from './dictionary.ts';
import type { Pair } from './words.ts';

/** The byte-order mark. */
export const MARK = '\uFEFF';

/** @returns the cells of each row; an empty text has none */
export function readCsv(text: string, delimiter: string): readonly (readonly string[])[] {
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
}

/** @returns words of one language for true or false that the other one lacks */
function listOwnFlags(one: Dictionary['flags'], other: Dictionary['flags'], name: string): readonly string[] {
  return one[name]?.filter((word) => !other[name]?.includes(word)) ?? [];
}

function translateFlag(value: string, { flags }: Dictionary, other: Dictionary): string {
  const name = Object.keys(flags).find((flag) => listOwnFlags(flags, other.flags, flag).includes(value)) ?? '';
  return listOwnFlags(other.flags, flags, name)[listOwnFlags(flags, other.flags, name).indexOf(value)] ?? value;
}

function writeCell(text: string, delimiter: string): string {
  return /["\r\n]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** @returns the file as the other language writes it */
export function translateCsv(text: string, pair: Pair, collection: string): string {
  const { from, to } = pair;
  const [header = [], ...rows] = readCsv(text.replace(MARK, ''), from.csv.delimiter);
  const translateCell = (value: string, at: number): string => {
    const column = header[at] ?? '';
    const kind = pair.field(collection, column)?.kind;
    if (kind === 'decimal') return value.replace(from.csv.decimals ?? '.', to.csv.decimals ?? '.');
    return kind === 'flag' ? translateFlag(value, from, to) : pair.choice(collection, column, value);
  };
  const { delimiter, byteOrderMark } = to.csv;
  const columns = header.map((word) => pair.member(collection, word));
  const lines = [columns, ...rows.map((row) => row.map(translateCell))].map(
    (row) => `${row.map((cell) => writeCell(cell, delimiter)).join(delimiter)}\r\n`,
  );
  return (byteOrderMark ? MARK : '') + lines.join('');
}
