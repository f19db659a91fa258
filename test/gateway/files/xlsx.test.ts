import { writeXlsx } from 'hucre/xlsx';
import { describe, expect, test } from 'vitest';
import { errorsIn, fileProblem, getValues, readAll } from '../../support/files.ts';
import { en, es } from '../../support/language/spoken.ts';
import { frame, relations, zipped } from '../../support/workbooks.ts';

/** The parts of a small workbook. */
const parts = (sheet: string, more: Readonly<Record<string, string>> = {}) => ({
  ...frame,
  'xl/worksheets/sheet1.xml': `<?xml version="1.0"?><worksheet><sheetData>${sheet}</sheetData></worksheet>`,
  'xl/texts.xml':
    '<sst><si><t>brand</t></si><si><r><t>Citro</t></r><r><t xml:space="preserve">ën </t></r><rPh><t>x</t></rPh></si></sst>',
  'xl/styles.xml':
    '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[$-409]d\\-mmm;@"/><numFmt numFmtId="165" formatCode="[Red]0&quot; days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>',
  ...more,
});

const workbook = (...args: Parameters<typeof parts>): Promise<Buffer> => zipped(parts(...args));

const HEADER =
  '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>model</t></is></c><c r="D1" t="str"><f>x</f><v>year</v></c><c r="E1" t="inlineStr"><is><t>clima</t></is></c></row>';

/** Rows below that header, and their values. */
const sheets: readonly (readonly [rows: string, values: readonly object[]])[] = [
  [
    '<row r="2"><c r="A2" t="s"><v>1</v></c><c r="D2"><v>2008</v></c><c r="E2" t="b"><v>1</v></c></row>',
    [{ brand: 'Citroën ', year: 2008, clima: 1 }],
  ],
  // A number in a column of texts, as people see it.
  [
    '<row><c r="B3" s="3"><v>1.8999999999999999</v></c><c r="D3" t="n"><v>2008.0</v></c></row>',
    [{ model: '1.9', year: 2008 }],
  ],
  [
    '<row><c t="inlineStr"><is><t>a_x000D_&#10;&lt;_x005F_x0041_</t></is></c><c><v>0</v></c></row>',
    [{ brand: 'a\r\n<_x0041_', model: '0' }],
  ],
  // What is empty is absent, but an empty text is a text; a row without anything else is no row.
  [
    '<row><c r="A2"/><c r="B2" t="str"><f>""</f><v></v></c><c r="D2"><v/></c></row><row r="9"/><row r="7"><c r="B7" t="inlineStr"><is><t/></is></c></row>',
    [],
  ],
  ['<x:row><x:c r="A2" t="inlineStr"><x:is><x:t>Seat</x:t></x:is></x:c></x:row>', [{ brand: 'Seat' }]],
  [
    '<row><c r="E2" t="inlineStr"><is><t>yes</t></is></c><c r="D2" t="str"><v>2008</v></c></row>',
    [{ year: 2008, clima: 1 }],
  ],
  [
    '<row><c r="A2"><v><![CDATA[7]]></v></c></row><row><c r="E3" t="b"><v>0</v></c></row>',
    [{ brand: '7' }, { clima: 0 }],
  ],
];

describe('an Excel workbook', () => {
  test.each(sheets)('%#', async (rows, values) => {
    const read = await readAll(en, 'xlsx', [await workbook(HEADER + rows)]);
    expect(errorsIn(read)).toEqual([]);
    expect(getValues(read)).toEqual(values);
  });

  test.each([
    ['<c r="B5" s="1"><v>37000</v></c>', 'model', 'cell-date'],
    ['<c r="B5" s="2"><v>37000</v></c>', 'model', 'cell-date'],
    ['<c r="D5" t="d"><v>2008-01-01</v></c>', 'year', 'cell-year'],
    ['<c r="D5" t="e"><v>#N/A</v></c>', 'year', 'cell-error'],
    // As openpyxl, and others that do not compute, write them.
    ['<c r="D5"><f>2000+8</f><v></v></c>', 'year', 'cell-formula'],
    ['<c r="D5"><f>2000+8</f><v/></c>', 'year', 'cell-formula'],
    ['<c r="D5" t="str"><f>"a"</f></c>', 'year', 'cell-formula'],
    ['<c r="A5" t="b"><v>1</v></c>', 'brand', 'value-text'],
    ['<c r="D5"><v>2008.5</v></c>', 'year', 'value-integer'],
    ['<c r="D5"><v>1E+300</v></c>', 'year', 'value-integer'],
    ['<c r="D5"><v>0x7D8</v></c>', 'year', 'value-integer'],
    ['<c r="C5"><v>1</v></c>', undefined, 'row-excess'],
    ['<c r="XFD5"><v>1</v></c>', undefined, 'row-excess'],
  ])('with a fault in its fifth row: %s', async (cell, column, phrase) => {
    const read = await readAll(en, 'xlsx', [await workbook(`${HEADER}<row r="5">${cell}</row>`)]);
    expect(errorsIn(read)).toEqual([[5, column, phrase]]);
  });

  /** Formats of cells, and how a number is read where a cell has that of the same place. */
  const formats = [
    ...['0', '0000000', '[Red]00000;-00000', '000000_-;@', '0.00', '0&quot; CV&quot;', '[&lt;9]000'],
    ...['&quot;REF-&quot;0000', '00\\-000&quot; ;x&quot;', '000.0', '[$€-2]000', '*x000'],
  ];
  const styles = `<styleSheet><numFmts>${formats.map((format, at) => `<numFmt numFmtId="${200 + at}" formatCode="${format}"/>`).join('')}</numFmts><cellXfs><xf numFmtId="0"/>${formats.map((_, at) => `<xf numFmtId="${200 + at}"/>`).join('')}</cellXfs></styleSheet>`;

  test.each([
    // [style, number, as a key or a text]
    [0, '123456789012345', '123456789012345'],
    [0, '1.8999999999999999', '1.9'],
    [0, ' 1.5E+2 ', '150'],
    [0, '-.5', '-0.5'],
    [0, '1E-7', '1e-7'],
    // What is no double of XML Schema is a text.
    [0, '0x7D8', '0x7D8'],
    [0, '0b11', '0b11'],
    [0, 'Infinity', 'Infinity'],
    [0, 'INF', 'INF'],
    [0, '1_000', '1_000'],
    [1, '42', '42'],
    [2, '42', '0000042'],
    [2, '12345678', '12345678'],
    [2, '-42', '-42'],
    [2, '4.5', '4.5'],
    [3, '42', '00042'],
    [4, '42', '000042'],
    [5, '42', '42'],
    [6, '42', '42'],
    [7, '42', '42'],
    [8, '42', 'REF-0042'],
    [8, '123456', 'REF-123456'],
    [8, '-42', '-42'],
    [9, '42', '00-042 ;x'],
    [9, '1234567', '1234-567 ;x'],
    [11, '42', '€042'],
    // What shows something else beside zeros and texts.
    [10, '42', '42'],
    [12, '42', '42'],
  ])('of style %d: the number %j is read as %j', async (style, number, text) => {
    const row = `<row r="5"><c r="A5" s="${style}"><v>${number}</v></c><c r="D5" s="2"><v>2008</v></c><c r="E5" s="2"><v>1</v></c></row>`;
    const read = await readAll(en, 'xlsx', [await workbook(HEADER + row, { 'xl/styles.xml': styles })]);
    expect(errorsIn(read)).toEqual([]);
    expect(getValues(read)).toEqual([{ brand: text, year: 2008, clima: 1 }]);
  });

  test.each([
    ...['8437001234567890123', '8.43700123456789E+018', '12345678901234567890123', '1234567890123456'],
    ...['-1234567890123456', '0.1234567890123456', '1E+999'],
  ])('the number %s, of which a spreadsheet keeps 15 digits, is no key and no text', async (number) => {
    const header = HEADER.replace('model', 'identifier');
    const row = `<row r="5"><c r="A5" s="1"><v>${number}</v></c><c r="B5"><v>${number}</v></c><c r="D5"><v>${number}</v></c></row>`;
    const read = await readAll(en, 'xlsx', [await workbook(header + row, { 'xl/styles.xml': styles })]);
    expect(errorsIn(read)).toEqual([
      [5, 'brand', 'cell-digits'],
      [5, 'identifier', 'cell-digits'],
      [5, 'year', 'value-integer'],
    ]);
    expect(getValues(read)).toEqual([{}]);
  });

  test('the first sheet that is not hidden, wherever it is', async () => {
    const file = workbook('', {
      'xl/workbook.xml':
        '<x:workbook xmlns:q="x"><x:sheets><x:sheet q:id="r0" state="hidden"/><x:sheet q:id="r1"/><x:sheet q:id="r2"/></x:sheets></x:workbook>',
      'xl/_rels/workbook.xml.rels': relations(
        ['worksheet', 'worksheets/sheet1.xml'],
        ['chartsheet', 'c.xml'],
        ['worksheet', '../other/ñ.xml'],
      ),
      'other/ñ.xml':
        '<worksheet><sheetData><row><c t="inlineStr"><is><t>marca</t></is></c></row><row><c><v>1</v></c></row></sheetData></worksheet>',
    });
    expect(getValues(await readAll(es, 'xlsx', [await file]))).toEqual([{ brand: '1' }]);
  });

  test('of another program', async () => {
    const file = await writeXlsx({
      sheets: [
        {
          name: 'Coches',
          rows: [
            ['marca', 'modelo', 'anio', 'climatizador', '# nota'],
            ['Seat', 'Ibiza', 2008, true, new Date()],
            ['Saab', '9-3', null, false, null],
            [new Date(), 'x', null, null, null],
          ],
        },
      ],
    });
    const read = await readAll(es, 'xlsx', [file]);
    expect(errorsIn(read)).toEqual([[4, 'marca', 'cell-date']]);
    expect(getValues(read.slice(0, 2))).toEqual([
      { brand: 'Seat', model: 'Ibiza', year: 2008, clima: 1 },
      { brand: 'Saab', model: '9-3', clima: 0 },
    ]);
  });
});

/** @returns a workbook with another text than was packed, as after a fault of a disk */
const damaged = async (): Promise<Buffer> => {
  const bytes = await zipped(parts(HEADER), false);
  bytes.write('#mode', bytes.indexOf('model'));
  return bytes;
};

const LONG = 'The workbook has more of “text” than is read: the limit is 4,194,304.';
const UNREADABLE = 'The file is not an Excel workbook (.xlsx), or it is damaged or protected by a password.';
const TOO_LARGE = /^The workbook, or what it unpacks to, must not be larger than \d+ MiB\./;
const EMPTY = 'The file is empty. Its first row must have the names of the columns.';

const ENTITIES = `<!DOCTYPE x [<!ENTITY a "${'x'.repeat(50)}"><!ENTITY b "${'&a;'.repeat(50)}">]>`;

/** What is made to do harm, or is broken, and what is said of it. */
const hostile: readonly (readonly [what: string, file: () => Promise<Buffer>, said: string | RegExp])[] = [
  ['nothing', async () => Buffer.of(), UNREADABLE],
  ['no zip', async () => Buffer.from('brand,model\n'), UNREADABLE],
  ['a zip without a workbook', () => zipped({ 'a.txt': 'x' }), UNREADABLE],
  ['half a workbook', async () => (await workbook(HEADER)).subarray(0, 900), UNREADABLE],
  ['other bytes than were packed', damaged, UNREADABLE],
  ['no rows', () => workbook(''), EMPTY],
  ['XML that is not well-formed', () => workbook('<row><c></row>'), UNREADABLE],
  [
    'entities',
    () => workbook(HEADER, { 'xl/worksheets/sheet1.xml': `${ENTITIES}<worksheet>&b;</worksheet>` }),
    UNREADABLE,
  ],
  ['an entity that is not there', () => workbook('<row><c><v>&a;</v></c></row>'), UNREADABLE],
  ['a text that is not there', () => workbook('<row><c t="s"><v>9</v></c></row>'), UNREADABLE],
  [
    'a column that is not there',
    () => workbook('<row><c r="ZZZZ1"><v>9</v></c></row>'),
    'Row 1 has more than 16,384 cells.',
  ],
  ['a cell without a column', () => workbook('<row><c r="1"><v>9</v></c></row>'), UNREADABLE],
  ['another encoding', () => workbook(HEADER, { 'xl/texts.xml': '\uFFFE' }), UNREADABLE],
  ['depth', () => workbook('<a>'.repeat(100_000)), 'The workbook has more of “depth” than is read: the limit is 64.'],
  ['a cell without an end', () => workbook(`<row><c><v>${'7'.repeat(5_000_000)}</v></c></row>`), LONG],
  ['an attribute without an end', () => workbook(`<row r="${' '.repeat(5_000_000)}"/>`), LONG],
  ['a bomb', () => workbook(`<row s="${'x'.repeat(1_000)}"/>`.repeat(20_000)), TOO_LARGE],
  [
    'texts that are a bomb',
    () => workbook(HEADER, { 'xl/texts.xml': `<sst>${`<si s="${'x'.repeat(1_000)}"/>`.repeat(20_000)}</sst>` }),
    TOO_LARGE,
  ],
];

test.each(hostile)('no harm: %s', async (_, file, said) => {
  const [problem] = await fileProblem(en, 'xlsx', [await file()]);
  expect(problem).toEqual(typeof said === 'string' ? said : expect.stringMatching(said));
});
