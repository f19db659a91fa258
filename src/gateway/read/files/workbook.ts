/** Opens workbooks (ECMA-376), each of which is a zip file of XML documents. */
import { fstatSync, readSync } from 'node:fs';
import { posix } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import { fold } from '../../../../packages/vocabularies/src/words.ts';
import { sentence } from '../../texts/phrase.ts';
import { limits } from './limits.ts';
import { builtInFormat, type NumberFormat, numberFormat } from './number-format.ts';
import { excess, malformed, workbookTooLarge } from './text.ts';
import { readXml, type XmlHandlers } from './xml.ts';

/** Bytes up to which a workbook is read into memory: a file is read twice for each part that its directory names. */
const IN_MEMORY = 4_194_304;

export interface Workbook {
  /** Reads the sheet as it is unpacked. */
  readonly readSheet: (handlers: XmlHandlers) => AsyncGenerator<void, void, undefined>;
  /** Texts that cells refer to by index. */
  readonly texts: readonly string[];
  /** How each style of cells shows numbers. */
  readonly styles: readonly NumberFormat[];
  /** The name of the sheet, and those of all. */
  readonly sheet: { readonly name: string; readonly all: string };
  /** Whether days are counted from 1904 on, not from 1900. */
  readonly isFrom1904: boolean;
}

interface Relation {
  readonly type: string;
  readonly target: string;
}

const partsOf = async (zip: ZipFile): Promise<ReadonlyMap<string, Entry>> => {
  const parts = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    if (parts.size === limits.parts) throw excess('zip', limits.parts);
    parts.set(entry.fileName, entry);
  }
  return parts;
};

/** Decodes a cell's text, in which characters that XML forbids are written as codes (ECMA-376, part 1, §22.9.2.19). */
export const fromXstring = (text: string): string =>
  text.includes('_x')
    ? text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;

/** Collects the texts of `si` elements, without their phonetic guides. */
const textHandlers = (texts: string[]): XmlHandlers => {
  let text = '';
  let isText = false;
  let isPhonetic = false;
  return {
    open: (name) => {
      if (name === 'si') text = '';
      if (name === 'rPh') isPhonetic = true;
      isText = name === 't' && !isPhonetic;
    },
    text: (piece) => {
      if (isText) text += piece;
    },
    close: (name) => {
      isText = false;
      if (name === 'rPh') isPhonetic = false;
      if (name !== 'si') return;
      if (texts.length === limits.texts) throw excess('si', limits.texts);
      texts.push(fromXstring(text));
    },
  };
};

const styleHandlers = (styles: NumberFormat[]): XmlHandlers => {
  const formats = new Map<number, NumberFormat>();
  let isOfCells = false;
  return {
    open: (name, attributes) => {
      const id = Number(attributes.numFmtId);
      if (name === 'numFmt') {
        const { formatCode = '' } = attributes;
        if (formatCode.length > limits.format) throw excess('formatCode', limits.format);
        if (formats.size === limits.styles) throw excess('numFmt', limits.styles);
        formats.set(id, numberFormat(formatCode));
      }
      if (name === 'cellXfs') isOfCells = true;
      if (name !== 'xf' || !isOfCells) return;
      if (styles.length === limits.styles) throw excess('xf', limits.styles);
      styles.push(formats.get(id) ?? builtInFormat(id));
    },
    close: (name) => {
      if (name === 'cellXfs') isOfCells = false;
    },
  };
};

const relationsPath = (path: string): string =>
  posix.join(posix.dirname(path), '_rels', `${posix.basename(path)}.rels`);

/**
 * @param file its descriptor
 * @param wanted the name of a sheet, or its number among the visible ones; by default the first of these
 * @returns the sheet, and what its cells refer to
 * @throws Problem or Error where it is not a workbook, or too large
 */
export const openWorkbook = async (file: number, wanted = '1'): Promise<Workbook> => {
  if (fstatSync(file).size > limits.workbook) throw workbookTooLarge(limits.workbook);
  // Loaded with the first workbook.
  const { fromBufferPromise, fromFdPromise } = await import('yauzl');
  const bytes = Buffer.alloc(IN_MEMORY);
  const size = readSync(file, bytes, 0, IN_MEMORY, 0);
  const options = { lazyEntries: true, autoClose: false };
  const zip = await (size < IN_MEMORY
    ? fromBufferPromise(bytes.subarray(0, size), options)
    : fromFdPromise(file, options));
  const parts = await partsOf(zip);
  const limit = Math.min(limits.unpacked, Math.max(limits.small, limits.ratio * zip.fileSize));
  let left = limit;

  async function* textOf(path: string, most: number): AsyncGenerator<string> {
    const entry = parts.get(path.replace(/^\.?\//, ''));
    if (!entry) throw new Error(`${path} is not there`);
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let size = 0;
    let sum = 0;
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      size += chunk.length;
      left -= chunk.length;
      if (left < 0 || size > most) throw workbookTooLarge(Math.min(limit, most));
      sum = crc32(chunk, sum);
      yield decoder.decode(chunk, { stream: true });
    }
    if (sum !== entry.crc32) throw new Error(`${path} is damaged`);
    yield decoder.decode();
  }
  const read = async (path: string, handlers: XmlHandlers): Promise<void> => {
    for await (const _ of readXml(textOf(path, limits.part), handlers));
  };
  const relationsOf = async (path: string): Promise<ReadonlyMap<string, Relation>> => {
    const relations = new Map<string, Relation>();
    await read(relationsPath(path), {
      open: (name, { Id = '', Type = '', Target = '' }) => {
        if (name !== 'Relationship') return;
        relations.set(Id, { type: posix.basename(Type), target: posix.resolve('/', posix.dirname(path), Target) });
      },
    });
    return relations;
  };
  const ofType = (relations: ReadonlyMap<string, Relation>, type: string): string | undefined =>
    [...relations.values()].find((each) => each.type === type)?.target;

  const main = ofType(await relationsOf('/'), 'officeDocument');
  if (main === undefined) throw new Error('no workbook');
  const relations = await relationsOf(main);
  const sheets: { readonly name: string; readonly isVisible: boolean; readonly target: string }[] = [];
  let isFrom1904 = false;
  await read(main, {
    open: (element, attributes) => {
      if (element === 'workbookPr') isFrom1904 = ['1', 'true'].includes(attributes.date1904 ?? '');
      if (element !== 'sheet') return;
      const { name = '', state = 'visible' } = attributes;
      const [, id = ''] = Object.entries(attributes).find(([attribute]) => /:id$/.test(attribute)) ?? [];
      const relation = relations.get(id);
      if (relation?.type !== 'worksheet') return;
      sheets.push({ name, isVisible: state === 'visible', target: relation.target });
    },
  });
  if (sheets.length === 0) throw new Error('no sheet');
  const all = sheets.map(({ name }) => name).join(', ');
  const named = (form: (name: string) => string) => sheets.find(({ name }) => form(name) === form(wanted));
  const sheet =
    named(String) ??
    named((name) => fold(name.trim())) ??
    sheets.filter(({ isVisible }) => isVisible)[Number(wanted) - 1];
  if (!sheet) throw malformed(sentence('sheet-unknown', { sheet: wanted, sheets: all }));

  const texts: string[] = [];
  const styles: NumberFormat[] = [];
  const textsPath = ofType(relations, 'sharedStrings');
  const stylesPath = ofType(relations, 'styles');
  if (textsPath !== undefined) await read(textsPath, textHandlers(texts));
  if (stylesPath !== undefined) await read(stylesPath, styleHandlers(styles));
  return {
    readSheet: (handlers) => readXml(textOf(sheet.target, limits.unpacked), handlers),
    texts,
    styles,
    sheet: { name: sheet.name, all },
    isFrom1904,
  };
};
