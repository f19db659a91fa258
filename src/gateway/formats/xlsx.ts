import { columnHeader, getValues, writingDirection } from '../locale/language.ts';
import type { Value } from '../model/field.ts';
import { numberFormats, type Values } from '../model/kinds/kind.ts';
import { type Content, cellIndex, type Format, type RowWriter } from './representation.ts';
import { tagColumn } from './row-tags.ts';

/** Rows of a sheet, characters of a cell, and characters of a list of values (https://support.microsoft.com/office/excel-specifications-and-limits). */
export const SHEET_ROWS = 1_048_576;
const MOST_CHARACTERS = 32_767;
const MOST_CHOICES = 255;

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const SCHEMAS = 'http://schemas.openxmlformats.org';
const SPREADSHEET = `${SCHEMAS}/spreadsheetml/2006/main`;
const RELATIONSHIPS = `${SCHEMAS}/officeDocument/2006/relationships`;
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const SHEET = 'xl/worksheets/sheet1.xml';

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

/** The parts of a workbook besides its sheet (ECMA-376, part 1, §12.3). */
const listParts = (sheetName: string): Readonly<Record<string, string>> => ({
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

/** Packs a sheet into a workbook as it is read, with backpressure; what packs it is loaded with the first one. */
function packWorkbook(sheetName: string, sheet: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  let archive: ReadableStreamDefaultReader<Uint8Array> | undefined;
  return new ReadableStream({
    pull: async (controller) => {
      archive ??= (await import('./zip.ts')).zipSheet(listParts(sheetName), SHEET, sheet).getReader();
      const { done, value } = await archive.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => (archive ?? sheet).cancel(reason),
  });
}

/** Characters that XML forbids or that need escapes, and text that looks like the code of one (ECMA-376, part 1, §22.9.2.19). */
const SPECIAL = /[&<>"\0-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/g;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const toXml = (text: string): string =>
  text.replaceAll(
    SPECIAL,
    (character) => ENTITIES[character] ?? `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  );

/** Texts that must be escaped or whose space must be preserved; most are neither, and are written without `toXml`. */
const UNUSUAL = /[&<>"_\0-\x1f\ufffe\uffff]|^\s|\s$/;

/** @returns the type and the content of a cell; a text that is too long is an error, so that nothing of it is lost in silence */
function inText(text: string): string {
  if (text.length > MOST_CHARACTERS) return 't="e"><v>#VALUE!</v></c>';
  return UNUSUAL.test(text)
    ? `t="inlineStr"><is><t xml:space="preserve">${toXml(text)}</t></is></c>`
    : `t="inlineStr"><is><t>${text}</t></is></c>`;
}

function describeCell({ sheet, toText }: Values) {
  const { type, format, toNumber } = sheet;
  const inOwnText = (value: Value): string => inText(toText(value));
  if (type === 'text') return { end: '" ', write: inOwnText };
  if (type === 'boolean') return { end: '" ', write: (value: Value): string => `t="b"><v>${value}</v></c>` };
  const end = format ? `" s="${2 + Object.keys(numberFormats).indexOf(format)}" ` : '" ';
  if (!toNumber) return { end, write: (value: Value): string => `><v>${value}</v></c>` };
  const write = (value: Value): string => {
    const number = toNumber(value);
    return number === undefined ? inOwnText(value) : `><v>${number}</v></c>`;
  };
  return { end, write };
}

/** @returns a list to choose from, for each column whose values are listed (ECMA-376, part 1, §18.3.1.33) */
function listChoices(columns: readonly (readonly [letters: string, values: Values])[]): string {
  const lists = columns.flatMap(([letters, { control }]) => {
    if (!Array.isArray(control) || control.some((word) => word.includes(','))) return [];
    const words = control.join(',');
    if (words.length > MOST_CHOICES) return [];
    const cells = `${letters}2:${letters}${SHEET_ROWS}`;
    return `<dataValidation type="list" allowBlank="1" showErrorMessage="1" sqref="${cells}"><formula1>"${toXml(words.replaceAll('"', '""'))}"</formula1></dataValidation>`;
  });
  return lists.length > 0 ? `<dataValidations count="${lists.length}">${lists.join('')}</dataValidations>` : '';
}

const write = ({ language, collection, fields, typeParameters }: Content): RowWriter => {
  const name = language.paths(collection.parent).word(collection.name);
  // A sheet's name has at most 31 characters, and some are forbidden.
  const sheetName = name.replaceAll(/[[\]:*?/\\']/g, '_').slice(0, 31);
  const columns = fields.map((field, at) => ({
    start: `<c r="${columnLetters(at)}`,
    index: cellIndex(collection, field),
    ...describeCell(getValues(language, collection, field)),
  }));
  const choices = listChoices(fields.map((field, at) => [columnLetters(at), getValues(language, collection, field)]));
  const tags = typeParameters.has('tags') ? undefined : tagColumn(language, collection);
  const tagStart = `<c r="${columnLetters(fields.length)}`;
  const ownHeadings = fields.map((field) => columnHeader(language, collection, field));
  const headings = [...ownHeadings, ...(tags ? [tags.heading] : [])];
  const widths = headings.map((heading, at) => {
    const { examples = [] } = fields[at] ?? {};
    const width = Math.min(50, 3 + Math.max(7, heading.length, ...examples.map((example) => String(example).length)));
    return `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`;
  });
  const header = headings.map((heading, at) => `<c r="${columnLetters(at)}1" s="1" ${inText(heading)}`);
  const direction = writingDirection(language.tag) === 'rtl' ? ' rightToLeft="1"' : '';
  return {
    list: {
      start: `${DECLARATION}<worksheet xmlns="${SPREADSHEET}">\
<sheetViews><sheetView${direction} workbookViewId="0">\
<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>\
<cols>${widths.join('')}</cols><sheetData><row r="1">${header.join('')}</row>`,
      row: (row, at) => {
        const number = at + 2;
        let text = `<row r="${number}">`;
        for (const { start, end, index, write } of columns) {
          const cell = row[index];
          if (cell !== null && cell !== undefined) text += start + number + end + write(cell);
        }
        if (tags) text += `${tagStart}${number}" ${inText(tags.write(row))}`;
        return `${text}</row>`;
      },
      separator: '',
      end: `</sheetData>${choices}</worksheet>`,
    },
    pack: (sheet) => packWorkbook(toXml(sheetName.toWellFormed()), sheet),
  };
};

/** A workbook with one sheet: a header that stays in view, then a row for each item; numbers, dates and booleans keep their type. */
export const xlsx: Format = {
  name: 'xlsx',
  synonyms: ['excel', 'xls'],
  type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  parameters: { tags: ['absent'] },
  isOfItems: false,
  isFile: true,
  nests: false,
  // Without the header.
  maxRows: SHEET_ROWS - 1,
  write,
  reading: { cpuPerByte: 0.02 },
};

const A = 65;
const LETTERS = 26;

/** @returns the letters by which spreadsheet programs call the column with an index: A, …, Z, AA, … */
export const columnLetters = (at: number): string =>
  (at < LETTERS ? '' : columnLetters(Math.floor(at / LETTERS) - 1)) + String.fromCharCode(A + (at % LETTERS));

/** @returns the index of the column of a cell, such as `AB12`; -1 if there are no letters */
export function columnIndex(reference: string): number {
  let column = 0;
  for (let at = 0; at < reference.length; at++) {
    const letter = reference.charCodeAt(at) - A;
    if (letter < 0 || letter >= LETTERS) break;
    column = column * LETTERS + letter + 1;
  }
  return column - 1;
}
