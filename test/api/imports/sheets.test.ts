/** Tables whose header is not the first row of the first sheet, and whose years are dates. */
import { expect, test } from 'vitest';
import { useFreshApp } from '../../support/app/app.ts';
import { spanishCsv, uploader } from '../../support/app/reports.ts';
import { relations, workbook } from '../../support/workbooks.ts';

const app = useFreshApp();
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const cell = (text: string) =>
  /^\d+$/.test(text) ? `<c s="1"><v>${text}</v></c>` : `<c t="inlineStr"><is><t>${text}</t></is></c>`;
const sheetOf = (rows: readonly (readonly string[])[]) =>
  `<worksheet><sheetData>${rows.map((cells) => `<row>${cells.map(cell).join('')}</row>`).join('')}</sheetData></worksheet>`;
/** A sheet that is hidden, one with a title only, and one with rows; style 1 shows numbers as dates. */
const bookOf = (rows: readonly (readonly string[])[], more = '') =>
  workbook({
    'xl/workbook.xml': `<workbook xmlns:r="x">${more}<sheets><sheet name="Old" state="hidden" r:id="r0"/><sheet name="Portada" r:id="r1"/><sheet name="Año 2026" r:id="r2"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      ['worksheet', 'worksheets/sheet1.xml'],
      ['worksheet', 'worksheets/sheet2.xml'],
      ['worksheet', 'worksheets/sheet3.xml'],
      ['styles', 'styles.xml'],
    ),
    'xl/styles.xml': '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
    'xl/worksheets/sheet2.xml': sheetOf([['Talleres López']]),
    'xl/worksheets/sheet3.xml': sheetOf(rows),
  });

const said = {
  later: 'La fila 1 no tiene nombres de columnas, pero la fila 4 sí. Si esa es la cabecera, indíquelo: «header-row=4».',
  laterSheet:
    'La fila 1 de la hoja «Año 2026» no tiene nombres de columnas, pero la fila 4 sí. Si esa es la cabecera, indíquelo: «header-row=4».',
  none: 'La fila 1 de la hoja «Portada» no tiene nombres de columnas. Indique con «sheet» la hoja y con «header-row» la fila de su cabecera. Las hojas son: Old, Portada, Año 2026.',
  sheet: 'El libro no tiene ninguna hoja «Hoja1». Sus hojas son: Old, Portada, Año 2026.',
  empty: 'La fila 9 está vacía o no existe, así que no es una cabecera.',
  date: '«anio» es una fecha, cuyo año es 1997: «date-as-year» toma ese año.',
};

const header = spanishCsv('identifier,brand,model,year').split(/[;,]/);
/** Of 1 January 1997, as each kind of file has it. */
const rows = (date: string) => [['Listado'], ['(a 1/1/2026)'], [], header, ['a', 'Seat', 'Ibiza', date]];
const csv = rows('01/01/1997')
  .map((cells) => cells.join(';'))
  .join('\n');
const post = uploader(app.send, '/api/coches');
const expectImported = async (body: string | Buffer, prefer: string, type?: string) => {
  expect((await post(body, prefer, type)).status).toBe(200);
  const { json } = await app.send('GET', '/api/cars');
  expect(json).toEqual([{ identifier: 'a', brand: 'Seat', model: 'Ibiza', year: 1997 }]);
};
/** @returns the status and what is said of the file, or else of its first row with an error */
const refusal = async (body: string | Buffer, prefer = '', type?: string) => {
  const { status, json } = await post(body, prefer, type);
  const [error] = json.report?.errores ?? [];
  return [status, error ? error.detalle : json.detail];
};

test('of CSV is told where its header is, that its year is a date, and is taken', async () => {
  expect(await refusal(csv, 'handling=check')).toEqual([400, said.later]);
  expect(await refusal(csv, 'header-row=4')).toEqual([422, said.date]);
  await expectImported(csv, 'header-row=4, date-as-year');
  expect(await refusal(csv, 'header-row=9')).toEqual([400, said.empty]);
});

test.each([
  ['35431', '', 'sheet=2'],
  ['35431', '', 'sheet="año 2026"'],
  ['33969', '<workbookPr date1904="1"/>', 'sheet="Año 2026"'],
])('of a workbook is told the same, by %s and %j', async (date, more, sheet) => {
  const book = await bookOf(rows(date), more);
  expect(await refusal(book, '', XLSX)).toEqual([400, said.none]);
  expect(await refusal(book, 'sheet=Hoja1', XLSX)).toEqual([400, said.sheet]);
  expect(await refusal(book, sheet, XLSX)).toEqual([400, said.laterSheet]);
  expect(await refusal(book, `${sheet}, header-row=4`, XLSX)).toEqual([422, said.date]);
  await expectImported(book, `${sheet}, header-row=4, date-as-year`, XLSX);
});

test.each(['1997-01-01', '1-1-1997', '1.1.1997 0:00', '1997/1/1T00:00:00Z'])('has a date as %s', async (date) => {
  const file = `${header.join()}\na,Seat,Ibiza,${date}`;
  expect(await refusal(file)).toEqual([422, said.date]);
  await expectImported(file, 'date-as-year');
});
