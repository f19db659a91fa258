/** Tables whose header is not the first row of the first sheet, and whose years are dates. */
import { describe, expect, test } from 'vitest';
import { useFreshApp } from '../../support/app/app.ts';
import { relations, workbook } from '../../support/workbooks.ts';

const app = useFreshApp();
const CSV = 'text/csv';
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

const trees = [
  {
    list: '/api/cars',
    header: ['identifier', 'brand', 'model', 'year'],
    later: 'Row 1 has no names of columns, but row 4 has. If that is the header, say so: “header-row=4”.',
    laterSheet:
      'Row 1 of the sheet “Año 2026” has no names of columns, but row 4 has. If that is the header, say so: “header-row=4”.',
    none: 'Row 1 of the sheet “Portada” has no names of columns. Say which sheet is meant by “sheet”, and which row is its header by “header-row”. The sheets are: Old, Portada, Año 2026.',
    sheet: 'The workbook has no sheet “Hoja1”. Its sheets are: Old, Portada, Año 2026.',
    empty: 'Row 9 is empty or is not there, so it is no header.',
    date: '“year” is a date, whose year is 1997: “date-as-year” takes that.',
    words: ['errors', 'value', 'detail'],
  },
  {
    list: '/api/coches',
    header: ['identificador', 'marca', 'modelo', 'anio'],
    later:
      'La fila 1 no tiene nombres de columnas, pero la fila 4 sí. Si esa es la cabecera, indíquelo: «header-row=4».',
    laterSheet:
      'La fila 1 de la hoja «Año 2026» no tiene nombres de columnas, pero la fila 4 sí. Si esa es la cabecera, indíquelo: «header-row=4».',
    none: 'La fila 1 de la hoja «Portada» no tiene nombres de columnas. Indique con «sheet» la hoja y con «header-row» la fila de su cabecera. Las hojas son: Old, Portada, Año 2026.',
    sheet: 'El libro no tiene ninguna hoja «Hoja1». Sus hojas son: Old, Portada, Año 2026.',
    empty: 'La fila 9 está vacía o no existe, así que no es una cabecera.',
    date: '«anio» es una fecha, cuyo año es 1997: «date-as-year» toma ese año.',
    words: ['errores', 'valor', 'detalle'],
  },
] as const;

describe.each(trees)('a file for $list', ({ list, header, words, ...said }) => {
  /** Of 1 January 1997, as each kind of file has it. */
  const rows = (date: string) => [['Listado'], ['(a 1/1/2026)'], [], header, ['a', 'Seat', 'Ibiza', date]];
  const csv = rows('01/01/1997')
    .map((cells) => cells.join(';'))
    .join('\n');
  const post = async (body: string | Buffer, type: string, prefer?: string) => {
    const response = await app.request(list, {
      method: 'POST',
      body: typeof body === 'string' ? body : new Uint8Array(body),
      headers: {
        'content-type': type,
        ...(prefer === undefined ? {} : { prefer: Buffer.from(prefer).toString('latin1') }),
      },
    });
    return { status: response.status, json: JSON.parse(await response.text()) };
  };
  const cars = async () => (await app.send('GET', '/api/cars')).json;
  const CAR = { identifier: 'a', brand: 'Seat', model: 'Ibiza', year: 1997 };

  test('of CSV is told where its header is, that its year is a date, and is taken', async () => {
    const first = await post(csv, CSV, 'handling=check');
    expect([first.status, first.json.code, first.json.detail]).toEqual([400, 'malformed-file', said.later]);
    const second = await post(csv, CSV, 'header-row=4');
    const [error] = second.json.report[words[0]];
    expect([second.status, error[words[1]], error[words[2]]]).toEqual([422, '01/01/1997', said.date]);
    expect((await post(csv, CSV, 'header-row=4, date-as-year')).status).toBe(200);
    expect(await cars()).toEqual([CAR]);
    const none = await post(csv, CSV, 'header-row=9');
    expect([none.status, none.json.detail]).toEqual([400, said.empty]);
  });

  test.each([
    ['35431', '', 'sheet=2'],
    ['35431', '', 'sheet="año 2026"'],
    ['33969', '<workbookPr date1904="1"/>', 'sheet="Año 2026"'],
  ])('of a workbook is told the same, by %s and %j', async (date, more, sheet) => {
    const book = await bookOf(rows(date), more);
    const cover = await post(book, XLSX);
    expect([cover.status, cover.json.detail]).toEqual([400, said.none]);
    const wrong = await post(book, XLSX, 'sheet=Hoja1');
    expect([wrong.status, wrong.json.detail]).toEqual([400, said.sheet]);
    const later = await post(book, XLSX, sheet);
    expect([later.status, later.json.detail]).toEqual([400, said.laterSheet]);
    const dated = await post(book, XLSX, `${sheet}, header-row=4`);
    expect([dated.status, dated.json.report[words[0]][0][words[2]]]).toEqual([422, said.date]);
    expect((await post(book, XLSX, `${sheet}, header-row=4, date-as-year`)).status).toBe(200);
    expect(await cars()).toEqual([CAR]);
  });

  test.each(['1997-01-01', '1-1-1997', '1.1.1997 0:00', '1997/1/1T00:00:00Z'])('has a date as %s', async (date) => {
    const file = `${header.join()}\na,Seat,Ibiza,${date}`;
    const refused = await post(file, CSV);
    expect([refused.status, refused.json.report[words[0]][0][words[2]]]).toEqual([422, said.date]);
    expect((await post(file, CSV, 'date-as-year')).status).toBe(200);
    expect(await cars()).toEqual([CAR]);
  });
});
