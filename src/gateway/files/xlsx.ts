/** Reads a sheet of an Excel workbook as a table. */
import { columnIndex } from '../formats/workbook.ts';
import { sentence } from '../texts/phrase.ts';
import { Problem } from '../texts/problem.ts';
import type { TableCell, TableRecord } from './cells.ts';
import type { FileSource } from './reader.ts';
import { tableReaders } from './table.ts';
import { limits, malformed, tooWide } from './text.ts';
import { decodeText, excess, type NumberFormat, openWorkbook, type Workbook, type XmlHandlers } from './workbook.ts';

/** As XML Schema writes a finite double, and so a sheet a number. */
const DOUBLE = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:E[+-]?\d+)?$/i;

/** @returns whether a spreadsheet program keeps all digits of a number, of which it has 15 at most */
function isExact(value: number): boolean {
  return Math.abs(value) < 1e15 && (Number.isInteger(value) || Number(value.toPrecision(15)) === value);
}

/** Days from the beginning of 1900, and of 1904, in spreadsheet programs to that of 1970. */
const [SINCE_1900, SINCE_1904] = [25_569, 24_107];

/** @param days since the beginning of 1970 */
function dateCell(sent: string, days: number): TableCell {
  return { phrase: 'cell-date', sent, days };
}

function numberCell(sent: string, { isDate, write }: NumberFormat, isFrom1904: boolean): TableCell {
  const text = sent.trim();
  if (text === '') return undefined;
  if (isDate) return dateCell(sent, Number(text) - (isFrom1904 ? SINCE_1904 : SINCE_1900));
  if (!DOUBLE.test(text)) return sent;
  const value = Number(text);
  // Excel shows 1.9 where the file has 1.8999999999999999.
  const number = String(value);
  if (!isExact(value)) return { phrase: 'cell-digits', sent, number };
  if (write && /^\d+$/.test(number)) return { sent: write(number), number };
  // Its point is none of the language's.
  return number.includes('.') ? { sent: number, number } : number;
}

/** Converts the XML of a sheet to records. */
class SheetReader implements XmlHandlers {
  readonly #workbook: Workbook;
  /** The records that have been read and not been taken yet. */
  #records: TableRecord[] = [];
  #number = 0;
  #column = -1;
  #cells: TableCell[] = [];
  #columns: number[] = [];
  /** The data type of a cell (ECMA-376, part 1, §18.18.11), and the index of its style. */
  #type = 'n';
  #style = 0;
  #isFormula = false;
  /** The content of a cell, of a formula its last result; `undefined` if there is none. */
  #sent: string | undefined;
  #isValue = false;
  #isPhonetic = false;

  constructor(workbook: Workbook) {
    this.#workbook = workbook;
  }

  take(): readonly TableRecord[] {
    const records = this.#records;
    this.#records = [];
    return records;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'c') {
      const { r, t = 'n', s = '0' } = attributes;
      this.#column = r === undefined ? this.#column + 1 : columnIndex(r);
      if (this.#column < 0) throw new Error('no such column');
      if (this.#column >= limits.cells) throw tooWide(this.#number);
      this.#type = t;
      this.#style = Number(s);
      this.#isFormula = false;
      this.#sent = undefined;
    } else if (name === 'v' || (name === 't' && !this.#isPhonetic)) {
      this.#sent ??= '';
      this.#isValue = true;
    } else if (name === 'row') {
      this.#number = attributes.r === undefined ? this.#number + 1 : Number(attributes.r);
      if (!Number.isInteger(this.#number) || this.#number < 1) throw new Error('no such row');
      if (this.#number > limits.rows) throw excess('row', limits.rows);
      this.#column = -1;
    } else if (name === 'f') this.#isFormula = true;
    else if (name === 'rPh') this.#isPhonetic = true;
  }

  text(text: string): void {
    if (this.#isValue) this.#sent += text;
  }

  close(name: string): void {
    this.#isValue = false;
    if (name === 'c') this.#endCell();
    else if (name === 'row') this.#endRow();
    else if (name === 'rPh') this.#isPhonetic = false;
  }

  #endCell(): void {
    const value = this.#readCell();
    if (value === undefined) return;
    if (this.#cells.length === limits.cells) throw tooWide(this.#number);
    this.#cells.push(value);
    this.#columns.push(this.#column);
  }

  #endRow(): void {
    if (this.#cells.length === 0) return;
    const { sheet } = this.#workbook;
    this.#records.push({ number: this.#number, cells: this.#cells, columns: this.#columns, sheet });
    this.#cells = [];
    this.#columns = [];
  }

  #readCell(): TableCell {
    const { texts, styles, isFrom1904 } = this.#workbook;
    const sent = this.#sent;
    const type = this.#type;
    // Some programs write formulas without computing them; others write an empty text as an empty result of type `str`.
    if (this.#isFormula && (sent === undefined || (type !== 'str' && sent.trim() === ''))) {
      return { phrase: 'cell-formula', sent: '' };
    }
    if (sent === undefined) return undefined;
    switch (type) {
      case 's': {
        const text = texts[Number(sent)];
        if (text === undefined) throw new Error('no such text');
        return text;
      }
      case 'inlineStr':
        return decodeText(sent);
      // The result of a formula: an empty text counts as no value.
      case 'str':
        return sent === '' ? undefined : decodeText(sent);
      case 'b':
        return sent.trim() === '1' || sent.trim() === 'true';
      case 'e':
        return { phrase: 'cell-error', sent };
      case 'd':
        return dateCell(sent, Date.parse(sent) / 86_400_000);
      default:
        return numberCell(sent, styles[this.#style] ?? { isDate: false }, isFrom1904);
    }
  }
}

/** Reads a sheet of an Excel workbook, whose texts are in memory meanwhile. */
async function* readWorkbook({ file, options }: FileSource): AsyncGenerator<readonly TableRecord[]> {
  try {
    const workbook = await openWorkbook(file, options.sheet);
    const sheet = new SheetReader(workbook);
    for await (const _ of workbook.readSheet(sheet)) yield sheet.take();
  } catch (error) {
    throw error instanceof Problem ? error : malformed(sentence('workbook-unreadable', {}));
  }
}

export const xlsxReaders = tableReaders(readWorkbook);
