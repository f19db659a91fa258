/** Opens workbooks (ECMA-376), each of which is a zip file of XML documents. */
import { fstatSync, readSync } from 'node:fs';
import { posix } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import { fold } from '../../../packages/vocabularies/src/words.ts';
import { byteSize, sentence } from '../texts/phrase.ts';
import { Problem } from '../texts/problem.ts';
import { encodingByMark, limits, malformed } from './text.ts';

/** Bytes up to which a workbook is read into memory: a file is read twice for each part that its directory names. */
const IN_MEMORY = 4_194_304;

/** @returns the problem of a workbook that has more of something than is read; elements have their names */
export const excess = (name: string, limit: number): Problem => malformed(sentence('workbook-excess', { name, limit }));

const tooLarge = (limit: number): Problem =>
  new Problem('body-too-large', sentence('workbook-too-large', { limit: byteSize(limit) }));

/** What is called as a document is read. Names have no prefix. */
export interface XmlHandlers {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/**
 * Reads XML as it arrives, without entities but the five that XML has itself. Yields after each piece of the text, so that
 * other work can run.
 *
 * @throws Error if it is not well-formed, or has a document type
 */
async function* readXml(chunks: AsyncIterable<string>, handlers: XmlHandlers): AsyncGenerator<void> {
  const { SaxesParser } = await import('saxes');
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false });
  let depth = 0;
  let sinceTag = 0;
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('doctype', () => {
    throw new Error('a document type');
  });
  parser.on('opentag', ({ name, attributes }) => {
    sinceTag = 0;
    depth++;
    if (depth > limits.depth) throw excess('depth', limits.depth);
    handlers.open?.(name.slice(name.indexOf(':') + 1), attributes);
  });
  parser.on('closetag', ({ name }) => {
    sinceTag = 0;
    depth--;
    handlers.close?.(name.slice(name.indexOf(':') + 1));
  });
  if (handlers.text) {
    parser.on('text', (text) => handlers.text?.(text));
    parser.on('cdata', (text) => handlers.text?.(text));
  }
  for await (const chunk of chunks) {
    sinceTag += chunk.length;
    parser.write(chunk);
    if (sinceTag > limits.text) throw excess('text', limits.text);
    yield;
  }
  parser.close();
}

interface Relation {
  readonly type: string;
  readonly target: string;
}

/** The parts of a workbook by their names, whose ASCII case does not count (part 2, §6.2.2.3). */
class Parts {
  readonly #zip: ZipFile;
  readonly #entries = new Map<string, Entry>();
  /** Bytes that may be unpacked, and those that are left of them. */
  readonly #limit: number;
  #left: number;

  constructor(zip: ZipFile) {
    this.#zip = zip;
    this.#limit = Math.min(limits.unpacked, Math.max(limits.small, limits.ratio * zip.fileSize));
    this.#left = this.#limit;
  }

  /** @param file is the descriptor of a workbook */
  static async open(file: number): Promise<Parts> {
    if (fstatSync(file).size > limits.workbook) throw tooLarge(limits.workbook);
    // Loaded with the first workbook.
    const { fromBufferPromise, fromFdPromise } = await import('yauzl');
    const bytes = Buffer.alloc(IN_MEMORY);
    const size = readSync(file, bytes, 0, IN_MEMORY, 0);
    const options = { lazyEntries: true, autoClose: false };
    const zip = await (size < IN_MEMORY
      ? fromBufferPromise(bytes.subarray(0, size), options)
      : fromFdPromise(file, options));
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

  /** Reads all of a part. */
  async read(path: string, handlers: XmlHandlers): Promise<void> {
    for await (const _ of readXml(this.#unpack(path, limits.part), handlers));
  }

  /** Reads a part as it is unpacked, some at a time. */
  readSlowly(path: string, handlers: XmlHandlers): AsyncGenerator<void> {
    return readXml(this.#unpack(path, limits.unpacked), handlers);
  }

  /** @returns what a part refers to, by the ids that it uses */
  async relations(path: string): Promise<ReadonlyMap<string, Relation>> {
    const folder = posix.dirname(path);
    const relations = new Map<string, Relation>();
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
    let decoder: TextDecoder | undefined;
    let size = 0;
    let sum = 0;
    for await (const chunk of await this.#zip.openReadStreamPromise(entry)) {
      size += chunk.length;
      this.#left -= chunk.length;
      if (this.#left < 0 || size > most) throw tooLarge(Math.min(this.#limit, most));
      sum = crc32(chunk, sum);
      decoder ??= new TextDecoder(encodingByMark(chunk, 'utf-8'), { fatal: true });
      yield decoder.decode(chunk, { stream: true });
    }
    if (sum !== entry.crc32) throw new Error(`${path} is damaged`);
    yield decoder?.decode() ?? '';
  }
}

/** Decodes a cell's text, in which characters that XML forbids are written as codes (part 1, §22.9.2.19). */
export function decodeText(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Collects the texts of `si` elements, without their phonetic guides. */
class SharedTexts implements XmlHandlers {
  readonly texts: string[] = [];
  #text = '';
  #isText = false;
  #isPhonetic = false;

  open(name: string): void {
    if (name === 'si') this.#text = '';
    if (name === 'rPh') this.#isPhonetic = true;
    this.#isText = name === 't' && !this.#isPhonetic;
  }

  text(piece: string): void {
    if (this.#isText) this.#text += piece;
  }

  close(name: string): void {
    this.#isText = false;
    if (name === 'rPh') this.#isPhonetic = false;
    if (name !== 'si') return;
    if (this.texts.length === limits.texts) throw excess('si', limits.texts);
    this.texts.push(decodeText(this.#text));
  }
}

/** How the cells of a style show numbers (part 1, §18.8.31). */
export interface NumberFormat {
  readonly isDate: boolean;
  /** Writes the digits of a whole number as they are shown; absent if that is how they are in the file. */
  readonly write?: ((digits: string) => string) | undefined;
}

/** @returns a format that a file does not list (part 1, §18.8.30) */
function builtInFormat(id: number): NumberFormat {
  return {
    isDate: (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58),
  };
}

/** Text that is quoted, escaped or in brackets, such as a colour. */
const LITERAL = /"[^"]*"?|[\\_].?|\[[^\]]*\]?/g;

/** @returns whether a format shows numbers as dates or times; elapsed hours, minutes and seconds are in brackets, too */
function isDateFormat(code: string): boolean {
  return /[ymdhs]/i.test(code.replaceAll(LITERAL, (part) => (/^\[(?:h+|m+|s+)\]$/i.test(part) ? part : '')));
}

/** A piece of a format: zeros, or a text that is quoted, escaped, in brackets or a sign. A blank as wide as a sign is no text. */
const PIECE = /(0+)|"([^"]*)"|\\(.)|\[(?:\$([^\]<>=-]*)(?:-[^\]]*)?|[^\]$<>=]*)\]|_.|([-+():!^&'~{}$ ])/y;

/** @returns how a format shows whole numbers whose first section has several zeros, and nothing else but texts */
function digitWriter(code: string): NumberFormat['write'] {
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
    const write = ({ zeros, text }: (typeof pieces)[number]): string => {
      if (zeros === 0) return text;
      to += zeros;
      const some = all.slice(from, to);
      from = to;
      return some;
    };
    return pieces.map(write).join('');
  };
}

/** Collects the number formats of the styles of cells. */
class Styles implements XmlHandlers {
  readonly styles: NumberFormat[] = [];
  readonly #formats = new Map<number, NumberFormat>();
  #isInCells = false;

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    const id = Number(attributes.numFmtId);
    if (name === 'numFmt') {
      const { formatCode = '' } = attributes;
      if (formatCode.length > limits.format) throw excess('formatCode', limits.format);
      if (this.#formats.size === limits.styles) throw excess('numFmt', limits.styles);
      this.#formats.set(id, { isDate: isDateFormat(formatCode), write: digitWriter(formatCode) });
    }
    if (name === 'cellXfs') this.#isInCells = true;
    if (name !== 'xf' || !this.#isInCells) return;
    if (this.styles.length === limits.styles) throw excess('xf', limits.styles);
    this.styles.push(this.#formats.get(id) ?? builtInFormat(id));
  }

  close(name: string): void {
    if (name === 'cellXfs') this.#isInCells = false;
  }
}

interface Sheet {
  readonly name: string;
  readonly isVisible: boolean;
  readonly target: string;
}

/** A workbook, of which one sheet is read. */
export interface Workbook {
  /** Reads the sheet as it is unpacked. */
  readonly readSheet: (handlers: XmlHandlers) => AsyncGenerator<void>;
  /** Texts that cells refer to by index. */
  readonly texts: readonly string[];
  /** How each style of cells shows numbers. */
  readonly styles: readonly NumberFormat[];
  /** The name of the sheet, and those of all. */
  readonly sheet: { readonly name: string; readonly all: string };
  /** Whether days are counted from 1904 on, not from 1900. */
  readonly isFrom1904: boolean;
}

/**
 * @param file is its descriptor
 * @param wanted is the name of a sheet, or its number among the visible ones; by default the first of these
 * @returns the sheet, and what its cells refer to
 * @throws Problem or Error if it is not a workbook, or too large
 */
export async function openWorkbook(file: number, wanted = '1'): Promise<Workbook> {
  const parts = await Parts.open(file);
  const main = findTarget(await parts.relations('/'), 'officeDocument');
  if (main === undefined) throw new Error('no workbook');
  const relations = await parts.relations(main);
  const sheets: Sheet[] = [];
  let isFrom1904 = false;
  await parts.read(main, {
    open: (element, attributes) => {
      if (element === 'workbookPr') isFrom1904 = ['1', 'true'].includes(attributes.date1904 ?? '');
      if (element !== 'sheet') return;
      const { name = '', state = 'visible' } = attributes;
      const [, id = ''] = Object.entries(attributes).find(([attribute]) => /:id$/.test(attribute)) ?? [];
      const relation = relations.get(id);
      if (relation?.type === 'worksheet')
        sheets.push({ name, isVisible: state === 'visible', target: relation.target });
    },
  });
  const sheet = findSheet(sheets, wanted);
  const sharedTexts = new SharedTexts();
  const styles = new Styles();
  const textsPath = findTarget(relations, 'sharedStrings');
  const stylesPath = findTarget(relations, 'styles');
  if (textsPath !== undefined) await parts.read(textsPath, sharedTexts);
  if (stylesPath !== undefined) await parts.read(stylesPath, styles);
  return {
    readSheet: (handlers) => parts.readSlowly(sheet.target, handlers),
    texts: sharedTexts.texts,
    styles: styles.styles,
    sheet: { name: sheet.name, all: sheets.map(({ name }) => name).join(', ') },
    isFrom1904,
  };
}

function findTarget(relations: ReadonlyMap<string, Relation>, type: string): string | undefined {
  return [...relations.values()].find((relation) => relation.type === type)?.target;
}

function findSheet(sheets: readonly Sheet[], wanted: string): Sheet {
  if (sheets.length === 0) throw new Error('no sheet');
  const sheet =
    sheets.find(({ name }) => name === wanted) ??
    sheets.find(({ name }) => fold(name.trim()) === fold(wanted.trim())) ??
    sheets.filter(({ isVisible }) => isVisible)[Number(wanted) - 1];
  if (sheet) return sheet;
  throw malformed(sentence('sheet-unknown', { sheet: wanted, sheets: sheets.map(({ name }) => name).join(', ') }));
}
