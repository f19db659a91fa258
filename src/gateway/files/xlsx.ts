/** Reads a sheet of an Excel workbook (ECMA-376), which is a zip file of XML documents, as a table. */
import { fstatSync } from 'node:fs';
import { posix } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import { fold } from '../../../packages/vocabularies/src/words.ts';
import { columnIndex } from '../formats/xlsx.ts';
import { byteSize, sentence } from '../texts/phrase.ts';
import { Problem } from '../texts/problem.ts';
import type { FileSource, TableCell, TableRecord } from './reader.ts';
import { createTableReaders } from './table.ts';
import { encodingByMark, limits, malformed, rowTooWide } from './text.ts';

const excess = (name: string, limit: number): Problem => malformed(sentence('workbook-excess', { name, limit }));

const tooLargeProblem = (limit: number): Problem =>
  new Problem('body-too-large', sentence('workbook-too-large', { limit: byteSize(limit) }));

type Attributes = Readonly<Record<string, string>>;

/** Handlers that are called while a document is read; names come without prefixes. */
interface XmlHandlers {
  open?(name: string, attributes: Attributes): void;
  /** @param text is what the element has since the last tag, without blanks at its ends unless it says that it preserves them (XML 1.0, §2.10) */
  close?(name: string, text: string): void;
}

/** Reads XML as it arrives, without phonetic guides. @throws Error if it is not well-formed, or has a document type */
async function* readXml(chunks: AsyncIterable<string>, handlers: XmlHandlers): AsyncGenerator<void> {
  const { SaxesParser } = await import('saxes');
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false });
  let depth = 0;
  let phoneticDepth = Number.POSITIVE_INFINITY;
  let sinceTag = 0;
  let text = '';
  let isPreserved = false;
  const addText = (piece: string): void => {
    text += piece;
  };
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('doctype', () => {
    throw new Error('a document type');
  });
  parser.on('opentag', ({ name, attributes }) => {
    const local = name.slice(name.indexOf(':') + 1);
    sinceTag = 0;
    text = '';
    isPreserved = attributes['xml:space'] === 'preserve';
    depth++;
    if (depth > limits.depth) throw excess('depth', limits.depth);
    if (local === 'rPh') phoneticDepth = Math.min(phoneticDepth, depth);
    if (depth < phoneticDepth) handlers.open?.(local, attributes);
  });
  parser.on('closetag', ({ name }) => {
    if (depth < phoneticDepth) handlers.close?.(name.slice(name.indexOf(':') + 1), isPreserved ? text : text.trim());
    else if (depth === phoneticDepth) phoneticDepth = Number.POSITIVE_INFINITY;
    sinceTag = 0;
    text = '';
    depth--;
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  for await (const chunk of chunks) {
    sinceTag += chunk.length;
    parser.write(chunk);
    if (sinceTag > limits.text) throw excess('text', limits.text);
    yield;
  }
  parser.close();
}

/** The parts of a workbook by their names, whose ASCII case does not count (part 2, §6.2.2.3). */
class Parts {
  readonly #zip: ZipFile;
  readonly #entries = new Map<string, Entry>();
  readonly #limit: number;
  #left: number;

  private constructor(zip: ZipFile) {
    this.#zip = zip;
    this.#limit = Math.min(limits.unpacked, Math.max(limits.small, limits.ratio * zip.fileSize));
    this.#left = this.#limit;
  }

  static async open(file: number): Promise<Parts> {
    if (fstatSync(file).size > limits.workbook) throw tooLargeProblem(limits.workbook);
    const { fromFdPromise } = await import('yauzl');
    const zip = await fromFdPromise(file, { lazyEntries: true, autoClose: false });
    const parts = new Parts(zip);
    for await (const entry of zip.eachEntry()) {
      if (parts.#entries.size === limits.parts) throw excess('zip', limits.parts);
      parts.#entries.set(entry.fileName.toLowerCase(), entry);
    }
    return parts;
  }

  has(path: string): boolean {
    return this.#find(path) !== undefined;
  }

  async read(path: string, handlers: XmlHandlers): Promise<void> {
    for await (const _ of this.readSlowly(path, handlers, limits.part));
  }

  readSlowly(path: string, handlers: XmlHandlers, most: number): AsyncGenerator<void> {
    return readXml(this.#unpack(path, most), handlers);
  }

  async relations(path: string) {
    const folder = posix.dirname(path);
    const relations = new Map<string, { readonly type: string; readonly target: string }>();
    await this.read(posix.join(folder, '_rels', `${posix.basename(path)}.rels`), {
      open: (name, { Id = '', Type = '', Target = '' }) => {
        if (name !== 'Relationship') return;
        relations.set(Id, { type: posix.basename(Type), target: posix.resolve('/', folder, Target) });
      },
    });
    return relations;
  }

  #find(path: string): Entry | undefined {
    return this.#entries.get(path.replace(/^\.?\//, '').toLowerCase());
  }

  async *#unpack(path: string, most: number): AsyncGenerator<string> {
    const entry = this.#find(path);
    if (!entry) throw new Error(`${path} is not there`);
    let decoder = new TextDecoder();
    let size = 0;
    let sum = 0;
    for await (const chunk of await this.#zip.openReadStreamPromise(entry)) {
      if (size === 0) decoder = new TextDecoder(encodingByMark(chunk, 'utf-8'), { fatal: true });
      size += chunk.length;
      this.#left -= chunk.length;
      if (this.#left < 0 || size > most) throw tooLargeProblem(Math.min(this.#limit, most));
      sum = crc32(chunk, sum);
      yield decoder.decode(chunk, { stream: true });
    }
    if (sum !== entry.crc32) throw new Error(`${path} is damaged`);
    yield decoder.decode();
  }
}

/** Decodes a cell's text, in which characters that XML forbids are written as codes (part 1, §22.9.2.19). */
function decodeText(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

class SharedTexts implements XmlHandlers {
  readonly texts: string[] = [];
  #text = '';

  close(name: string, text: string): void {
    if (name === 't') this.#text += text;
    if (name !== 'si') return;
    if (this.texts.length === limits.texts) throw excess('si', limits.texts);
    this.texts.push(decodeText(this.#text));
    this.#text = '';
  }
}

/** How the cells of a style show numbers (part 1, §18.8.31). */
interface NumberFormat {
  readonly isDate: boolean;
  /** Writes the digits of a whole number as they are shown; absent if that is how they are in the file. */
  readonly write?: ((digits: string) => string) | undefined;
}

/** The formats of dates and times that a file does not list (part 1, §18.8.30). */
const isBuiltInDate = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);

/** Text that is quoted, escaped or in brackets, such as a colour. */
const LITERAL = /"[^"]*"?|[\\_].?|\[[^\]]*\]?/g;

/** @returns whether a format shows dates or times; elapsed hours, minutes and seconds are in brackets, too */
const isDateFormat = (code: string): boolean =>
  /[ymdhs]/i.test(code.replaceAll(LITERAL, (part) => (/^\[(?:h+|m+|s+)\]$/i.test(part) ? part : '')));

/** A piece of a format: zeros, or a text that is quoted, escaped, in brackets or a sign. A blank as wide as a sign is no text. */
const PIECE = /(0+)|"([^"]*)"|\\(.)|\[(?:\$([^\]<>=-]*)(?:-[^\]]*)?|[^\]$<>=]*)\]|_.|([-+():!^&'~{}$ ])/y;

/** @returns how a format shows whole numbers whose first section has several zeros, and nothing else but texts */
function createDigitWriter(code: string): NumberFormat['write'] {
  const pieces: { readonly zeros: number; readonly text: string }[] = [];
  for (let at = 0; at < code.length && code[at] !== ';'; at = PIECE.lastIndex) {
    PIECE.lastIndex = at;
    const piece = PIECE.exec(code);
    if (!piece) return undefined;
    const [, zeros = '', ...texts] = piece;
    pieces.push({ zeros: zeros.length, text: texts.join('') });
  }
  const places = pieces.reduce((sum, { zeros }) => sum + zeros, 0);
  if (places < 2) return undefined;
  return (digits) => {
    const all = digits.padStart(places, '0');
    let from = 0;
    // Digits for which there is no zero stand before the first one.
    let to = all.length - places;
    let result = '';
    for (const { zeros, text } of pieces) {
      to += zeros;
      result += zeros === 0 ? text : all.slice(from, to);
      if (zeros > 0) from = to;
    }
    return result;
  };
}

class Styles implements XmlHandlers {
  readonly styles: NumberFormat[] = [];
  readonly #formats = new Map<number, NumberFormat>();
  #isInCells = false;

  open(name: string, { numFmtId, formatCode = '' }: Attributes): void {
    const id = Number(numFmtId);
    if (name === 'numFmt') {
      if (formatCode.length > limits.format) throw excess('formatCode', limits.format);
      if (this.#formats.size === limits.styles) throw excess('numFmt', limits.styles);
      this.#formats.set(id, { isDate: isDateFormat(formatCode), write: createDigitWriter(formatCode) });
    }
    if (name === 'cellXfs') this.#isInCells = true;
    if (name !== 'xf' || !this.#isInCells) return;
    if (this.styles.length === limits.styles) throw excess('xf', limits.styles);
    this.styles.push(this.#formats.get(id) ?? { isDate: isBuiltInDate(id) });
  }

  close(name: string): void {
    if (name === 'cellXfs') this.#isInCells = false;
  }
}

type Workbook = Awaited<ReturnType<typeof openWorkbook>>;

/** @param wanted is the name of a sheet, or its number among the visible ones. @throws Problem or Error if it is no workbook, or too large */
async function openWorkbook(file: number, wanted = '1') {
  const parts = await Parts.open(file);
  const main = [...(await parts.relations('/')).values()].find(({ type }) => type === 'officeDocument');
  if (!main) throw new Error('no workbook');
  const relations = await parts.relations(main.target);
  const sheets: { readonly name: string; readonly isVisible: boolean; readonly target: string }[] = [];
  let isFrom1904 = false;
  let isUncomputed = false;
  await parts.read(main.target, {
    open: (element, attributes) => {
      if (element === 'workbookPr') isFrom1904 = ['1', 'true'].includes(attributes.date1904 ?? '');
      if (element === 'calcPr') isUncomputed = ['1', 'true'].includes(attributes.fullCalcOnLoad ?? '');
      if (element !== 'sheet') return;
      const { name = '', state = 'visible' } = attributes;
      const [, id = ''] = Object.entries(attributes).find(([attribute]) => /:id$/.test(attribute)) ?? [];
      const relation = relations.get(id);
      if (relation?.type === 'worksheet')
        sheets.push({ name, isVisible: state === 'visible', target: relation.target });
    },
  });
  if (sheets.length === 0) throw new Error('no sheet');
  const all = sheets.map(({ name }) => name).join(', ');
  const sheet =
    sheets.find(({ name }) => name === wanted) ??
    sheets.find(({ name }) => fold(name.trim()) === fold(wanted.trim())) ??
    sheets.filter(({ isVisible }) => isVisible)[Number(wanted) - 1];
  if (!sheet) throw malformed(sentence('sheet-unknown', { sheet: wanted, sheets: all }));
  const [texts, styles] = [new SharedTexts(), new Styles()];
  for (const { type, target } of relations.values()) {
    if (type === 'sharedStrings' && parts.has(target)) await parts.read(target, texts);
    if (type === 'styles' && parts.has(target)) await parts.read(target, styles);
  }
  return { parts, target: sheet.target, texts, styles, sheet: { name: sheet.name, all }, isFrom1904, isUncomputed };
}

/** A number of a sheet: a finite double as XML Schema writes it. */
const DOUBLE = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:E[+-]?\d+)?$/i;

/** Days from the beginning of 1900, and of 1904, in spreadsheet programs to that of 1970. */
const [SINCE_1900, SINCE_1904] = [25_569, 24_107];
const DAY = 86_400_000;

/** @param days since the beginning of 1970, by the clock of the cell */
function dateCell(text: string, days: number): TableCell {
  const instant = new Date(Math.round(days * DAY));
  if (Number.isNaN(instant.getTime())) return { phrase: 'cell-date', text };
  const local = instant.toISOString().slice(0, 19).replace('T', ' ').replace(' 00:00:00', '');
  return { phrase: 'cell-date', text: local, days };
}

function numberCell(content: string, { isDate, write }: NumberFormat, isFrom1904: boolean): TableCell {
  const text = content.trim();
  if (text === '') return undefined;
  if (isDate) return dateCell(content, Number(text) - (isFrom1904 ? SINCE_1904 : SINCE_1900));
  if (!DOUBLE.test(text)) return content;
  const value = Number(text);
  // Spreadsheet programs have 15 digits: they show 19347.9 if the file has 19347.899999999998.
  const rounded = Number(value.toPrecision(15));
  const number = String(rounded);
  const isNoise = Math.abs(value - rounded) <= 4 * Number.EPSILON * Math.abs(value);
  if (Math.abs(value) >= 1e15 || !isNoise) return { phrase: 'cell-digits', text: content, number };
  if (write && /^\d+$/.test(number)) return { text: write(number), number };
  // The point of a number in a workbook is not the language's decimal sign.
  return number.includes('.') ? { text: number, number } : number;
}

class SheetReader implements XmlHandlers {
  readonly #workbook: Workbook;
  #records: TableRecord[] = [];
  #number = 0;
  #column = -1;
  #cells: TableCell[] = [];
  #columns: number[] = [];
  /** The data type of a cell (part 1, §18.18.11), and the index of its style. */
  #type = 'n';
  #style = 0;
  #isFormula = false;
  /** The content of a cell, of a formula its last result; `undefined` if there is none. */
  #content: string | undefined;

  constructor(workbook: Workbook) {
    this.#workbook = workbook;
  }

  take(): readonly TableRecord[] {
    return this.#records.splice(0);
  }

  open(name: string, attributes: Attributes): void {
    if (name === 'c') {
      const { r, t = 'n', s = '0' } = attributes;
      this.#column = r === undefined ? this.#column + 1 : columnIndex(r);
      if (this.#column < 0) throw new Error('no such column');
      if (this.#column >= limits.cells) throw rowTooWide(this.#number);
      this.#type = t;
      this.#style = Number(s);
      this.#isFormula = false;
      this.#content = undefined;
    } else if (name === 'row') {
      this.#number = attributes.r === undefined ? this.#number + 1 : Number(attributes.r);
      if (!Number.isInteger(this.#number) || this.#number < 1) throw new Error('no such row');
      if (this.#number > limits.rows) throw excess('row', limits.rows);
      this.#column = -1;
    } else if (name === 'f') this.#isFormula = true;
  }

  close(name: string, text: string): void {
    if (name === 'v' || name === 't') this.#content = (this.#content ?? '') + text;
    else if (name === 'c') this.#endCell();
    else if (name === 'row' && this.#cells.length > 0) {
      const { sheet } = this.#workbook;
      this.#records.push({ number: this.#number, cells: this.#cells, columns: this.#columns, sheet });
      this.#cells = [];
      this.#columns = [];
    }
  }

  #endCell(): void {
    const value = this.#readCell();
    if (value === undefined) return;
    if (this.#cells.length === limits.cells) throw rowTooWide(this.#number);
    this.#cells.push(value);
    this.#columns.push(this.#column);
  }

  #readCell(): TableCell {
    const { texts, styles, isFrom1904, isUncomputed } = this.#workbook;
    const content = this.#content;
    const type = this.#type;
    // Some programs write formulas without computing them, or with 0 for their results, and have the next one compute them;
    // others write an empty text as an empty result of type `str`.
    const isUnknown =
      type !== 'str' && (content === undefined || content.trim() === '' || (isUncomputed && Number(content) === 0));
    if (this.#isFormula && (isUnknown || content === undefined)) return { phrase: 'cell-formula', text: '' };
    if (content === undefined) return undefined;
    switch (type) {
      case 's': {
        if (content.trim() === '') return undefined;
        const text = texts.texts[Number(content)];
        if (text === undefined) throw new Error('no such text');
        return text;
      }
      case 'inlineStr':
        return decodeText(content);
      // The result of a formula: an empty text counts as no value.
      case 'str':
        return content === '' ? undefined : decodeText(content);
      case 'b':
        return content.trim() === '1' || content.trim() === 'true';
      case 'e':
        return { phrase: 'cell-error', text: content };
      case 'd':
        // The time of a clock anywhere, unless it has a zone.
        return /(?:z|[+-]\d\d:\d\d)$/i.test(content)
          ? content
          : dateCell(content, Date.parse(content.includes('T') ? `${content}Z` : content) / DAY);
      default:
        return numberCell(content, styles.styles[this.#style] ?? { isDate: false }, isFrom1904);
    }
  }
}

async function* readWorkbook({ file, options }: FileSource): AsyncGenerator<readonly TableRecord[]> {
  try {
    const workbook = await openWorkbook(file, options.sheet);
    const sheet = new SheetReader(workbook);
    for await (const _ of workbook.parts.readSlowly(workbook.target, sheet, limits.unpacked)) yield sheet.take();
  } catch (error) {
    throw error instanceof Problem ? error : malformed(sentence('workbook-unreadable', {}));
  }
}

export const xlsxReaders = createTableReaders(readWorkbook);
