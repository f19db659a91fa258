import { valuesIn, writingDirection } from '../locale/language.ts';
import type { Field, Value } from '../model/field.ts';
import type { Values } from '../model/kinds/kind.ts';
import { type Content, cellIndex, type Format, type Written } from './representation.ts';
import { columnLetters, packWorkbook, SHEET_ROWS, SPREADSHEET, styleOf } from './workbook.ts';

/** Rows of a sheet, without its header. */
const MOST_ROWS = SHEET_ROWS - 1;

/**
 * Characters that XML forbids or that need escapes, and text that looks like the code of a character (ECMA-376, part 1,
 * §22.9.2.19).
 */
const SPECIAL = /[&<>"\0-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/g;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const toXml = (text: string): string =>
  text.replaceAll(
    SPECIAL,
    (character) => ENTITIES[character] ?? `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  );

/** Characters of a cell (https://support.microsoft.com/office/excel-specifications-and-limits). */
const MOST_CHARACTERS = 32_767;

/** Texts that must be escaped or whose space must be preserved; most are neither, and are written without `toXml`. */
const UNUSUAL = /[&<>"_\0-\x1f\ufffe\uffff]|^\s|\s$/;

/** @returns the type and the content of a cell with a text; one that is too long is an error, so that nothing of it is lost in silence */
const inText = (text: string): string => {
  if (text.length > MOST_CHARACTERS) return 't="e"><v>#VALUE!</v></c>';
  return UNUSUAL.test(text)
    ? `t="inlineStr"><is><t xml:space="preserve">${toXml(text)}</t></is></c>`
    : `t="inlineStr"><is><t>${text}</t></is></c>`;
};

/** @returns what follows the number of a row in a cell, and what writes its value. Numbers are the default type. */
const cellParts = ({ sheet, toText }: Values) => {
  const { type, format, toNumber } = sheet;
  const inOwnText = (value: Value): string => inText(toText(value));
  if (type === 'text') return { end: '" ', write: inOwnText };
  if (type === 'boolean') return { end: '" ', write: (value: Value): string => `t="b"><v>${value}</v></c>` };
  const end = format ? `" s="${styleOf(format)}" ` : '" ';
  if (!toNumber) return { end, write: (value: Value): string => `><v>${value}</v></c>` };
  const write = (value: Value): string => {
    const number = toNumber(value);
    return number === undefined ? inOwnText(value) : `><v>${number}</v></c>`;
  };
  return { end, write };
};

/** The most characters of a list of values to choose from (https://support.microsoft.com/office/excel-specifications-and-limits). */
const MOST_CHOICES = 255;

/** @returns a list to choose from, for each column whose values are listed (ECMA-376, part 1, §18.3.1.33) */
const choicesOf = (columns: readonly (readonly [letters: string, values: Values])[]): string => {
  const lists = columns.flatMap(([letters, { control }]) => {
    const words = Array.isArray(control) && !control.some((word) => word.includes(',')) ? control.join(',') : '';
    if (words === '' || words.length > MOST_CHOICES) return [];
    const cells = `${letters}2:${letters}${MOST_ROWS + 1}`;
    return `<dataValidation type="list" allowBlank="1" showErrorMessage="1" sqref="${cells}"><formula1>"${toXml(words.replaceAll('"', '""'))}"</formula1></dataValidation>`;
  });
  return lists.length > 0 ? `<dataValidations count="${lists.length}">${lists.join('')}</dataValidations>` : '';
};

/** The width of a column in characters: that of its word and its examples, with a margin. */
const widthOf = ({ examples }: Field, word: string): number =>
  Math.min(50, 3 + Math.max(7, word.length, ...examples.map((each) => String(each).length)));

/** A sheet's name has at most 31 characters, and some are forbidden. */
const sheetNameOf = (word: string): string =>
  toXml(
    word
      .replaceAll(/[[\]:*?/\\']/g, '_')
      .slice(0, 31)
      .toWellFormed(),
  );

const write = ({ language, collection, fields }: Content): Written => {
  const { word } = language.fields(collection);
  const sheetName = sheetNameOf(language.paths(collection.parent).word(collection.name));
  const values = fields.map((field) => valuesIn(language, collection, field));
  const columns = values.map((each, at) => ({
    start: `<c r="${columnLetters(at)}`,
    index: cellIndex(collection, fields[at] ?? collection.key),
    ...cellParts(each),
  }));
  const choices = choicesOf(values.map((each, at) => [columnLetters(at), each]));
  const widths = fields.map((field, at) => {
    const width = widthOf(field, word(field.name));
    return `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`;
  });
  const header = fields.map(({ name }, at) => `<c r="${columnLetters(at)}1" s="1" ${inText(word(name))}`);
  const direction = writingDirection(language.tag) === 'rtl' ? ' rightToLeft="1"' : '';
  return {
    list: {
      start: `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="${SPREADSHEET}">\
<sheetViews><sheetView${direction} workbookViewId="0">\
<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>\
<cols>${widths.join('')}</cols><sheetData><row r="1">${header.join('')}</row>`,
      row: (row, at) => {
        // From 1, below the header.
        const number = at + 2;
        let text = `<row r="${number}">`;
        for (const { start, end, index, write } of columns) {
          const cell = row[index];
          if (cell !== null && cell !== undefined) text += start + number + end + write(cell);
        }
        return `${text}</row>`;
      },
      separator: '',
      end: `</sheetData>${choices}</worksheet>`,
    },
    pack: (sheet) => packWorkbook(sheetName, sheet),
  };
};

/** A workbook with one sheet: a header that stays in view, then a row for each item; numbers, dates and booleans keep their type. */
export const xlsx: Format = {
  name: 'xlsx',
  synonyms: ['excel', 'xls'],
  type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  isOfItems: false,
  isFile: true,
  nests: false,
  isPure: true,
  maxRows: MOST_ROWS,
  write,
  // The directory of a zip file is at its end, and workbooks are packed.
  reading: {
    cpuPerByte: 0.02,
  },
};
