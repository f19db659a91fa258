import { directionOf } from '../../locale/names.ts';
import type { Field, Value } from '../../model/field.ts';
import type { Kind } from '../../model/kinds/kind.ts';
import { kindOf } from '../../model/kinds/kinds.ts';
import { XLSX_TYPE } from '../headers.ts';
import { fileHeaders } from './file.ts';
import { type Format, type ListRepresentation, placeOf, selectionMark } from './representation.ts';
import { packWorkbook, SPREADSHEET } from './workbook.ts';

/** Rows of a sheet (https://support.microsoft.com/office/excel-specifications-and-limits), without its header. */
const MOST_ROWS = 1_048_575;

/** What XML must not have, and what a spreadsheet would take for the code of a character (ECMA-376, part 1, §22.9.2.19). */
const SPECIAL = /[&<>"\0-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/g;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const toXml = (text: string): string =>
  text.replaceAll(
    SPECIAL,
    (character) => ENTITIES[character] ?? `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  );

/** What makes a text need more than to be copied; most texts have nothing of it. */
const UNUSUAL = /[&<>"_\0-\x1f\ufffe\uffff]|^\s|\s$/;

/** @returns what a cell says of its type, and what it has */
const inText = (text: string): string =>
  UNUSUAL.test(text)
    ? `t="inlineStr"><is><t xml:space="preserve">${toXml(text)}</t></is></c>`
    : `t="inlineStr"><is><t>${text}</t></is></c>`;

const cellWriters: Readonly<Record<Kind['sheetType'], (value: Value) => string>> = {
  text: (value) => inText(String(value)),
  number: (value) => `><v>${value}</v></c>`,
  boolean: (value) => `t="b"><v>${value}</v></c>`,
};

/** @returns the letters of a column, from 0: A, …, Z, AA, … */
const lettersOf = (column: number): string =>
  (column < 26 ? '' : lettersOf(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26));

/** Characters that a column shows: its word, and its examples with some more. */
const widthOf = ({ examples }: Field, word: string): number =>
  Math.min(50, 3 + Math.max(7, word.length, ...examples.map((each) => String(each).length)));

/** The name of a sheet must not have some characters, and no more than 31. */
const sheetNameOf = (word: string): string =>
  toXml(
    word
      .replaceAll(/[[\]:*?/\\']/g, '_')
      .slice(0, 31)
      .toWellFormed(),
  );

/** A workbook with one sheet: a header that stays in sight, then a row for each item; numbers and booleans are such. */
export const xlsx: Format<ListRepresentation> = (language, collection, fields) => {
  const { word } = language.fields(collection);
  const sheetName = sheetNameOf(language.paths(collection.parent).word(collection.name));
  const columns = fields.map((field, at) => ({
    // Only the type of a number is not said.
    start: `<c r="${lettersOf(at)}`,
    end: kindOf(field).sheetType === 'number' ? '"' : '" ',
    place: placeOf(collection, field),
    write: cellWriters[kindOf(field).sheetType],
  }));
  const widths = fields.map((field, at) => {
    const width = widthOf(field, word(field.name));
    return `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`;
  });
  const header = fields.map(({ name }, at) => `<c r="${lettersOf(at)}1" s="1" ${inText(word(name))}`);
  const direction = directionOf(language.tag) === 'rtl' ? ' rightToLeft="1"' : '';
  return {
    name: 'xlsx',
    type: XLSX_TYPE,
    headers: fileHeaders(language, collection, XLSX_TYPE, 'xlsx'),
    tagMark: `${language.tag}.xlsx${selectionMark(collection, fields)}`,
    select: (other) => xlsx(language, collection, other.fields, []),
    list: {
      start: `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="${SPREADSHEET}">\
<sheetViews><sheetView${direction} workbookViewId="0">\
<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>\
<cols>${widths.join('')}</cols><sheetData><row r="1">${header.join('')}</row>`,
      row: (row, at) => {
        // From 1, below the header.
        const number = at + 2;
        let text = `<row r="${number}">`;
        for (const { start, end, place, write } of columns) {
          const cell = row[place];
          if (cell !== null && cell !== undefined) text += start + number + end + write(cell);
        }
        return `${text}</row>`;
      },
      separator: '',
      end: '</sheetData></worksheet>',
    },
    isKept: false,
    pack: (sheet) => packWorkbook(sheetName, sheet),
    most: MOST_ROWS,
  };
};
