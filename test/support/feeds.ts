/** Real cars, dressed up as the files that other programs write at night. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'csv-parse/sync';
import { project } from './process/service.ts';
import { relations, workbook } from './workbooks.ts';

/** The cells of a car: identifier, brand, model, year, version, fuel. */
export type CarCells = readonly string[];

const beside = resolve(project, '../shared/data');
const folder = existsSync(beside) ? beside : join(project, 'test/data');

/** The first of the real cars. */
export const realCars = (count: number): readonly CarCells[] =>
  parse(readFileSync(join(folder, 'vehicles.en.csv')), { to: count + 1 }).slice(1) as CarCells[];

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

/** @returns CSV as a program in Spain writes it. @param always whether every cell is in quotation marks */
export const csvOf = (rows: readonly (readonly string[])[], always = false): string =>
  rows.map((cells) => cells.map((cell) => (always || /[";]/.test(cell) ? quoted(cell) : cell)).join(';')).join('\r\n');

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** @returns a workbook whose first sheet is a cover */
export const bookOf = (rows: readonly (readonly string[])[], name: string): Promise<Buffer> => {
  const sheetOf = (all: readonly (readonly string[])[]) =>
    `<worksheet><sheetData>${all.map((cells) => `<row>${cells.map((cell) => `<c t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`).join('')}</row>`).join('')}</sheetData></worksheet>`;
  return workbook({
    'xl/workbook.xml': `<workbook xmlns:r="x"><sheets><sheet name="Portada" r:id="r0"/><sheet name="${name}" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      ['worksheet', 'worksheets/sheet1.xml'],
      ['worksheet', 'worksheets/sheet2.xml'],
    ),
    'xl/worksheets/sheet1.xml': sheetOf([['Talleres López']]),
    'xl/worksheets/sheet2.xml': sheetOf(rows),
  });
};
