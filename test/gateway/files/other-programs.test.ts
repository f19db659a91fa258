/** Files as other programs and people write them. */
import { describe, expect, test } from 'vitest';
import { errorsIn, fileProblem, getValues, readAll } from '../../support/files.ts';
import { en, es } from '../../support/language/spoken.ts';
import { frame, workbook, zipped } from '../../support/workbooks.ts';

const sheet = (rows: string) => ({
  'xl/worksheets/sheet1.xml': `<worksheet><sheetData><row><c t="str"><v>brand</v></c><c t="str"><v>year</v></c></row>${rows}</sheetData></worksheet>`,
});
const computedLater = (frame['xl/workbook.xml'] as string).replace(
  '</sheets>',
  '</sheets><calcPr fullCalcOnLoad="1"/>',
);

describe('a workbook', () => {
  test('whose formulas nobody has computed has no values for them', async () => {
    const rows = '<row><c><f>A1</f><v>0</v></c><c><f>1+1</f><v>0</v></c></row>';
    const file = await workbook({ ...sheet(rows), 'xl/workbook.xml': computedLater });
    expect(errorsIn(await readAll(en, 'xlsx', [file]))).toEqual([
      [2, 'brand', 'cell-formula'],
      [2, 'year', 'cell-formula'],
    ]);
    expect(getValues(await readAll(en, 'xlsx', [await workbook(sheet(rows))]))).toMatchObject([{ brand: '0' }]);
  });

  test('has parts in any case and in UTF-16, or without those that nothing needs', async () => {
    const all: Readonly<Record<string, string | Buffer>> = { ...frame, ...sheet('<row><c t="str"><v>Ñ</v></c></row>') };
    const { 'xl/texts.xml': texts, 'xl/styles.xml': _, ...rest } = all;
    const utf16 = Buffer.from(`\uFEFF${rest['xl/worksheets/sheet1.xml']}`, 'utf16le');
    const renamed = { ...rest, 'XL/Texts.XML': texts ?? '', 'xl/worksheets/sheet1.xml': utf16 };
    expect(getValues(await readAll(en, 'xlsx', [await zipped(renamed)]))).toEqual([{ brand: 'Ñ' }]);
  });

  test('keeps the blanks of a text that says so, and an empty reference to a text is none', async () => {
    const texts = '<sst><si><t> Seat </t></si><si><t xml:space="preserve"> Fiat </t></si></sst>';
    const rows = ['<c t="s"><v>0</v></c>', '<c t="s"><v>1</v></c>', '<c t="s"><v></v></c><c><v>2008</v></c>'];
    const file = await workbook({ ...sheet(rows.map((row) => `<row>${row}</row>`).join('')), 'xl/texts.xml': texts });
    expect(getValues(await readAll(en, 'xlsx', [file]))).toEqual([
      { brand: 'Seat' },
      { brand: ' Fiat ' },
      { year: 2008 },
    ]);
  });
});

describe('CSV', () => {
  test.each([
    ['="AB123CD",Seat', { identifier: 'AB123CD', brand: 'Seat' }],
    ['"Q1", "Seat"', { identifier: 'Q1', brand: 'Seat' }],
    ['"Q1" ,Seat', { identifier: 'Q1', brand: 'Seat' }],
    ['Q1, "GT" line', { identifier: 'Q1', brand: ' "GT" line' }],
    ['Q1,="a"&B2', { identifier: 'Q1', brand: '="a"&B2' }],
  ])('with the line %s', async (line, values) => {
    expect(getValues(await readAll(en, 'csv', [Buffer.from(`identifier,brand\n${line}\n`)]))).toEqual([values]);
  });

  test('in UTF-16, whatever charset is declared', async () => {
    const file = Buffer.from('\uFEFFmarca;anio\r\nCitroën;2008\r\n', 'utf16le');
    const read = await readAll(es, 'csv', [file], undefined, { charset: 'windows-1252' });
    expect(getValues(read)).toEqual([{ brand: 'Citroën', year: 2008 }]);
    const marked = Buffer.from('\uFEFFmarca\r\nCitroën\r\n');
    expect(getValues(await readAll(es, 'csv', [marked], undefined, { charset: 'windows-1252' }))).toEqual([
      { brand: 'Citroën' },
    ]);
  });

  test('that is declared as ASCII and is not', async () => {
    const file = [Buffer.from('brand\nSeat\nCitroën\n')];
    expect(await fileProblem(en, 'csv', file, undefined, { charset: 'us-ascii' })).toEqual([
      'Row 3 is not valid US-ASCII. Save the file as UTF-8, or say which encoding it has.',
    ]);
  });

  test('with lines of notes above its header', async () => {
    const file = '# exportado el lunes, por Ana\n#\nmarca;anio\nSeat;2008\n';
    expect(getValues(await readAll(es, 'csv', [Buffer.from(file)]))).toEqual([{ brand: 'Seat', year: 2008 }]);
    expect(await fileProblem(en, 'csv', [Buffer.from('# brand\n')])).toEqual([
      'The file is empty. Its first row must have the names of the columns.',
    ]);
  });

  test('whose header names no field is refused, and told the line that does', async () => {
    const unread = { ignoresUnknown: true };
    expect(await fileProblem(en, 'csv', [Buffer.from('foo,bar\n1,2\n')], undefined, unread)).toEqual([
      'Row 1 names no field of the car, so it is no header.',
    ]);
    const later = Buffer.from('Stock list\nfoo,bar\nbrand,year\nSeat,2008\n');
    expect(await fileProblem(en, 'csv', [later], undefined, unread)).toEqual([
      'Row 1 has no names of columns, but row 3 has. If that is the header, say so: “header-row=3”.',
    ]);
  });

  test('with abbreviations in its header', async () => {
    const file = 'Matrícula;Marca;Nº puertas;Pot. (CV);combustible;Vers.\nA1;Seat;5;110;Gasolina;GT\n';
    expect(getValues(await readAll(es, 'csv', [Buffer.from(file)]))).toEqual([
      { identifier: 'A1', brand: 'Seat', doors: 5, enginePower: 110, version: 'GT', fuel: 'Gasolina' },
    ]);
    const unclear = await fileProblem(es, 'csv', [Buffer.from('marca;M.\nSeat;x\n')]);
    expect(unclear[0]).toMatch(/^«M\.» \(columna B de la fila 1\) no es un campo del coche/);
  });
});
