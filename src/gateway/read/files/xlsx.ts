import { sentence } from '../../texts/phrase.ts';
import { Problem } from '../../texts/problem.ts';
import { columnOf } from './columns.ts';
import { tooWide } from './csv-records.ts';
import { limits } from './limits.ts';
import type { NumberFormat } from './number-format.ts';
import { tableReaders } from './table.ts';
import type { TableCell, TableRecord } from './table-cells.ts';
import { excess, malformed } from './text.ts';
import { fromXstring, openWorkbook, type Workbook } from './workbook.ts';
import type { XmlHandlers } from './xml.ts';

/** A cell of a sheet in XML. */
interface SheetCell {
  /** The data type (ECMA-376, part 1, §18.18.11). */
  readonly type: string;
  /** Index of the style. */
  readonly style: number;
  readonly isFormula: boolean;
  /** The content, of a formula its last result; `undefined` where there is none. */
  readonly sent: string | undefined;
}

/** Some programs write formulas without computing them; others write an empty text as an empty result of type `str`. */
const isUncomputed = ({ type, isFormula, sent }: SheetCell): boolean =>
  isFormula && (sent === undefined || (type !== 'str' && sent.trim() === ''));

/** As XML Schema writes a finite double, and so a sheet a number. */
const DOUBLE = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:E[+-]?\d+)?$/i;

/** @returns whether a spreadsheet program keeps all digits of a number, of which it has 15 at most */
const isExact = (value: number): boolean =>
  Math.abs(value) < 1e15 && (Number.isInteger(value) || Number(value.toPrecision(15)) === value);

/** Days from the beginning of 1900, and of 1904, in spreadsheet programs to that of 1970. */
const [SINCE_1900, SINCE_1904] = [25_569, 24_107];

/** @param days since the beginning of 1970 */
const dateCell = (sent: string, days: number): TableCell => ({ phrase: 'cell-date', sent, days });

const numberCell = (
  sent: string,
  { isDate, shown }: NumberFormat = { isDate: false },
  isFrom1904 = false,
): TableCell => {
  const text = sent.trim();
  if (text === '') return undefined;
  if (isDate) return dateCell(sent, Number(text) - (isFrom1904 ? SINCE_1904 : SINCE_1900));
  if (!DOUBLE.test(text)) return sent;
  const value = Number(text);
  // Excel shows 1.9 where the file has 1.8999999999999999.
  const number = String(value);
  if (!isExact(value)) return { phrase: 'cell-digits', sent, number };
  if (shown && /^\d+$/.test(number)) return { sent: shown(number), number };
  // Its point is none of the language's.
  return number.includes('.') ? { sent: number, number } : number;
};

const cellOf = ({ texts, styles, isFrom1904 }: Workbook, cell: SheetCell): TableCell => {
  const { type, style, sent } = cell;
  if (isUncomputed(cell)) return { phrase: 'cell-formula', sent: '' };
  if (sent === undefined) return undefined;
  switch (type) {
    case 's': {
      const text = texts[Number(sent)];
      if (text === undefined) throw new Error('no such text');
      return text;
    }
    case 'inlineStr':
      return fromXstring(sent);
    // The result of a formula: an empty text counts as no value.
    case 'str':
      return sent === '' ? undefined : fromXstring(sent);
    case 'b':
      return sent.trim() === '1' || sent.trim() === 'true';
    case 'e':
      return { phrase: 'cell-error', sent };
    case 'd':
      return dateCell(sent, Date.parse(sent) / 86_400_000);
    default:
      return numberCell(sent, styles[style], isFrom1904);
  }
};

/** @returns handlers that convert the XML of a sheet to records */
const sheetHandlers = (workbook: Workbook, emit: (record: TableRecord) => void): XmlHandlers => {
  let number = 0;
  let column = -1;
  let cells: TableCell[] = [];
  let columns: number[] = [];
  let type = 'n';
  let style = 0;
  let isFormula = false;
  let sent: string | undefined;
  let isValue = false;
  let isPhonetic = false;

  const endCell = (): void => {
    const value = cellOf(workbook, { type, style, isFormula, sent });
    if (value === undefined) return;
    if (cells.length === limits.cells) throw tooWide(number);
    cells.push(value);
    columns.push(column);
  };
  const endRow = (): void => {
    if (cells.length === 0) return;
    emit({ number, cells, columns, sheet: workbook.sheet });
    [cells, columns] = [[], []];
  };
  return {
    open: (name, attributes) => {
      if (name === 'c') {
        const { r, t = 'n', s = '0' } = attributes;
        column = r === undefined ? column + 1 : columnOf(r);
        if (column < 0) throw new Error('no such column');
        if (column >= limits.cells) throw tooWide(number);
        type = t;
        style = Number(s);
        isFormula = false;
        sent = undefined;
      } else if (name === 'v' || (name === 't' && !isPhonetic)) {
        sent ??= '';
        isValue = true;
      } else if (name === 'row') {
        number = attributes.r === undefined ? number + 1 : Number(attributes.r);
        if (!Number.isInteger(number) || number < 1) throw new Error('no such row');
        if (number > limits.rows) throw excess('row', limits.rows);
        column = -1;
      } else if (name === 'f') isFormula = true;
      else if (name === 'rPh') isPhonetic = true;
    },
    text: (text) => {
      if (isValue) sent += text;
    },
    close: (name) => {
      isValue = false;
      if (name === 'c') endCell();
      else if (name === 'row') endRow();
      else if (name === 'rPh') isPhonetic = false;
    },
  };
};

/**
 * Reads a sheet of an Excel workbook, whose texts are in memory meanwhile.
 *
 * @param file its descriptor
 */
async function* workbookRecords(
  file: number,
  sheet: string | undefined,
): AsyncGenerator<readonly TableRecord[], void, undefined> {
  let records: TableRecord[] = [];
  try {
    const workbook = await openWorkbook(file, sheet);
    for await (const _ of workbook.readSheet(sheetHandlers(workbook, (record) => records.push(record)))) {
      yield records;
      records = [];
    }
  } catch (error) {
    throw error instanceof Problem ? error : malformed(sentence('workbook-unreadable', {}));
  }
}

export const xlsxReaders = tableReaders(
  () =>
    (file, { sheet }) =>
      workbookRecords(file, sheet),
);
