import { PassThrough, pipeline, Readable } from 'node:stream';
import { type NumberFormat, numberFormats } from '../model/kinds/kind.ts';

/** Rows of a sheet (https://support.microsoft.com/office/excel-specifications-and-limits). */
export const SHEET_ROWS = 1_048_576;

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const SCHEMAS = 'http://schemas.openxmlformats.org';
export const SPREADSHEET = `${SCHEMAS}/spreadsheetml/2006/main`;
const RELATIONSHIPS = `${SCHEMAS}/officeDocument/2006/relationships`;
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const SHEET = 'xl/worksheets/sheet1.xml';
/** The fastest level: workbooks are a third larger than by default, and take two thirds of the time. */
const COMPRESSION = 1;
/** The earliest time of a zip file, in place of now: the same rows are the same bytes. */
const STAMP = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true };

const relations = (...targets: readonly (readonly [type: string, target: string])[]): string =>
  `${DECLARATION}<Relationships xmlns="${SCHEMAS}/package/2006/relationships">${targets
    .map(([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${RELATIONSHIPS}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;

const style = (format: number, more = ''): string =>
  `<xf numFmtId="${format}" fontId="0" fillId="0" borderId="0" xfId="0"${more}/>`;

/** The styles of cells: plain, bold for the header, and one for each format of numbers. */
const STYLES = `${DECLARATION}<styleSheet xmlns="${SPREADSHEET}">\
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>\
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>\
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>\
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>\
<cellXfs count="${2 + Object.keys(numberFormats).length}">${style(0)}\
<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>\
${Object.values(numberFormats)
  .map((format) => style(format, ' applyNumberFormat="1"'))
  .join('')}</cellXfs>\
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

/** @returns the index of the style of cells whose numbers are shown in a format */
export const styleOf = (format: NumberFormat): number => 2 + Object.keys(numberFormats).indexOf(format);

/** The parts of a workbook besides its sheet (ECMA-376, part 1, §12.3). */
const partsOf = (sheetName: string): Readonly<Record<string, string>> => ({
  '[Content_Types].xml': `${DECLARATION}<Types xmlns="${SCHEMAS}/package/2006/content-types">\
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>\
<Default Extension="xml" ContentType="application/xml"/>\
<Override PartName="/xl/workbook.xml" ContentType="${CONTENT}.sheet.main+xml"/>\
<Override PartName="/xl/styles.xml" ContentType="${CONTENT}.styles+xml"/>\
<Override PartName="/${SHEET}" ContentType="${CONTENT}.worksheet+xml"/></Types>`,
  '_rels/.rels': relations(['officeDocument', 'xl/workbook.xml']),
  'xl/workbook.xml': `${DECLARATION}<workbook xmlns="${SPREADSHEET}" xmlns:r="${RELATIONSHIPS}"><sheets>\
<sheet name="${sheetName}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': relations(['worksheet', 'worksheets/sheet1.xml'], ['styles', 'styles.xml']),
  'xl/styles.xml': STYLES,
});

/**
 * Packs a sheet into a workbook as it is read, with backpressure. Where the sheet breaks off, so does the workbook.
 *
 * @param sheetName escaped for XML
 */
export const packWorkbook = (sheetName: string, sheet: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> => {
  const source = Readable.fromWeb(sheet);
  const packed = new PassThrough();
  const begin = async (): Promise<void> => {
    // Loaded with the first workbook.
    const { ZipFile } = await import('yazl');
    if (packed.destroyed) return;
    const zip = new ZipFile();
    zip.on('error', (error) => packed.destroy(error));
    for (const [name, text] of Object.entries(partsOf(sheetName))) zip.addBuffer(Buffer.from(text), name, STAMP);
    zip.addReadStream(source, SHEET, { ...STAMP, compressionLevel: COMPRESSION });
    zip.end();
    pipeline(zip.outputStream, packed, () => {});
  };
  // A reader that goes away ends the sheet, and a sheet that breaks off ends the workbook.
  packed.on('close', () => source.destroy());
  source.on('error', (error) => packed.destroy(error));
  begin().catch((error: Error) => packed.destroy(error));
  return Readable.toWeb(packed);
};

/** The letters by which spreadsheet programs call columns: A, …, Z, AA, … */
const A = 65;
const LETTERS = 26;

/** @param at the index of a column */
export const columnLetters = (at: number): string =>
  (at < LETTERS ? '' : columnLetters(Math.floor(at / LETTERS) - 1)) + String.fromCharCode(A + (at % LETTERS));

/** @returns the index of the column of a cell, such as `AB12`; -1 where there are no letters */
export const columnIndex = (reference: string): number => {
  let column = 0;
  for (let at = 0; at < reference.length; at++) {
    const letter = reference.charCodeAt(at) - A;
    if (letter < 0 || letter >= LETTERS) break;
    column = column * LETTERS + letter + 1;
  }
  return column - 1;
};
