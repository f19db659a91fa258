/** CSV (RFC 4180) as the service writes and reads it. */
import type { Dictionary } from './dictionary.ts';
import type { Pair } from './words.ts';

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

/** @returns what files of the other language have for what only those of the first have for true and false */
function translateFlag(value: string, { flags }: Dictionary, other: Dictionary): string {
  const own = (one: Dictionary['flags'], theirs: Dictionary['flags'], name: string) =>
    one[name]?.filter((word) => !theirs[name]?.includes(word)) ?? [];
  const name = Object.keys(flags).find((each) => own(flags, other.flags, each).includes(value)) ?? '';
  return own(other.flags, flags, name)[own(flags, other.flags, name).indexOf(value)] ?? value;
}

/** @returns the file as the other language writes it */
export const translateCsv = (text: string, pair: Pair, collection: string): string => {
  const { from, to } = pair;
  const [header = [], ...rows] = readCsv(text.startsWith(MARK) ? text.slice(1) : text, from.csv.delimiter);
  const translateCell = (word: string, value: string): string => {
    const kind = pair.field(collection, word)?.kind;
    if (kind === 'decimal') return value.replace(from.csv.decimals ?? '.', to.csv.decimals ?? '.');
    return kind === 'flag' ? translateFlag(value, from, to) : pair.choice(collection, word, value);
  };
  const translated = rows.map((row) => row.map((value, at) => translateCell(header[at] ?? '', value)));
  const { delimiter, byteOrderMark } = to.csv;
  const write = (word: string): string =>
    /["\r\n]/.test(word) || word.includes(delimiter) ? `"${word.replaceAll('"', '""')}"` : word;
  const columns = header.map((word) => pair.member(collection, word));
  const lines = [columns, ...translated].map((row) => `${row.map(write).join(delimiter)}\r\n`);
  return (byteOrderMark ? MARK : '') + lines.join('');
};
