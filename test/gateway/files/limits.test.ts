import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { fileProblem, readAll } from '../../support/files.ts';
import { en, es } from '../../support/language/spoken.ts';
import { frame, workbook } from '../../support/workbooks.ts';

/** Blanks in a sheet that make all parts of a workbook so many bytes when they are unpacked. */
const unpacked = (size: number) => {
  const all = { ...frame, ...sheet(ROW) };
  const own = Object.values(all).reduce((sum, part) => sum + part.length, 0);
  const blanks = `<a>${' '.repeat(1_000)}</a>`;
  const whole = Math.floor((size - own) / blanks.length);
  return { ...all, ...sheet(ROW + blanks.repeat(whole) + ' '.repeat(size - own - whole * blanks.length)) };
};

/** What deflate cannot make smaller. */
const noise = randomBytes(204_800);

let length = 80_000;
/** A workbook of a size, which unpacks to so many bytes: beside its parts it has noise, which nobody reads; as much as the last one at first. */
const sized = async (size: number, unpackedSize: number): Promise<Buffer> => {
  for (;;) {
    const file = await workbook({ ...unpacked(unpackedSize), noise: noise.subarray(0, length) });
    if (file.length === size) return file;
    length += size - file.length;
  }
};

type Format = Parameters<typeof readAll>[1];
/** A file that is at a limit, and beyond it by so much. */
type FileBeyond = (beyond: number) => Promise<Buffer> | Buffer;

const sheet = (rows: string) => ({
  'xl/worksheets/sheet1.xml': `<worksheet><sheetData><row><c t="str"><v>brand</v></c></row>${rows}</sheetData></worksheet>`,
});
const ROW = '<row><c t="str"><v>Seat</v></c></row>';
const nested = (depth: number): string => `${'<a>'.repeat(depth)}${'</a>'.repeat(depth)}`;

const LONG_ROW = 'La fila 2 ocupa más de 1 MiB. Quizá le falten unas comillas.';
const tooManyCells = (row: number) => `La fila ${row} tiene más de 16\u{a0}384 celdas.`;
const tooMany = (part: string, limit: string) =>
  `El libro tiene más de «${part}» de lo que se lee: el límite es ${limit.replaceAll(',', '\u{a0}')}.`;
const tooLarge = (limit: string) =>
  `El libro, o lo que contiene descomprimido, no puede ocupar más de ${limit}. Envíe CSV, que no tiene este límite.`;

const files: Readonly<Record<string, readonly [Format, FileBeyond, said: string]>> = {
  'characters of a row of CSV': [
    'csv',
    (beyond) => Buffer.from(`brand,#\nSeat,${'x'.repeat(1_048_576 - 5 + beyond)}\n`),
    LONG_ROW,
  ],
  'characters of a row in quotation marks': [
    'csv',
    (beyond) => Buffer.from(`brand,#\nSeat,"${'""'.repeat(500_000)}${'\n'.repeat(48_576 - 7 + beyond)}"\n`),
    LONG_ROW,
  ],
  'characters of a line of NDJSON': [
    'ndjson',
    (beyond) => Buffer.from(`{}\n{${' '.repeat(1_048_576 - 2 + beyond)}}\n`),
    LONG_ROW,
  ],
  'bytes of a JSON array': [
    'json',
    (beyond) => Buffer.from(`[${' '.repeat(16_777_214 + beyond)}]`),
    'Una lista JSON no puede ocupar más de 16 MiB. Envíe sus elementos en líneas de NDJSON, que no tienen este límite.',
  ],
  'columns of CSV': ['csv', (beyond) => Buffer.from(`brand${',#'.repeat(16_383 + beyond)}\nSeat\n`), tooManyCells(1)],
  'cells of a row of CSV': [
    'csv',
    (beyond) => Buffer.from(`brand,model\nSeat${','.repeat(16_383 + beyond)}\n`),
    tooManyCells(2),
  ],
  'columns of a workbook': [
    'xlsx',
    (beyond) => workbook(sheet(`<row r="7">${'<c/>'.repeat(16_384 + beyond)}</row>`)),
    tooManyCells(7),
  ],
  'cells of a row of a workbook': [
    'xlsx',
    (beyond) => workbook(sheet(`<row>${'<c r="A2"><v>1</v></c>'.repeat(16_384 + beyond)}</row>`)),
    tooManyCells(2),
  ],
  'rows of a workbook': [
    'xlsx',
    (beyond) => workbook(sheet(`<row r="${1_048_576 + beyond}"/>`)),
    tooMany('row', '1,048,576'),
  ],
  'parts of a workbook': [
    'xlsx',
    (beyond) =>
      workbook({
        ...sheet(ROW),
        ...Object.fromEntries(Array.from({ length: 9_994 + beyond }, (_, at) => [`p${at}`, ''])),
      }),
    tooMany('zip', '10,000'),
  ],
  'texts of a workbook': [
    'xlsx',
    (beyond) => workbook({ ...sheet(ROW), 'xl/texts.xml': `<sst>${'<si/>'.repeat(2_000_000 + beyond)}</sst>` }),
    tooMany('si', '2,000,000'),
  ],
  'styles of a workbook': [
    'xlsx',
    (beyond) =>
      workbook({ ...sheet(ROW), 'xl/styles.xml': `<a><cellXfs>${'<xf/>'.repeat(65_536 + beyond)}</cellXfs></a>` }),
    tooMany('xf', '65,536'),
  ],
  'characters of a number format': [
    'xlsx',
    (beyond) =>
      workbook({ ...sheet(ROW), 'xl/styles.xml': `<a><numFmt formatCode="${'['.repeat(1_024 + beyond)}"/></a>` }),
    tooMany('formatCode', '1024'),
  ],
  'number formats of a workbook': [
    'xlsx',
    (beyond) => {
      const formats = Array.from({ length: 65_536 + beyond }, (_, id) => `<numFmt numFmtId="${id}" formatCode="0"/>`);
      return workbook({ ...sheet(ROW), 'xl/styles.xml': `<a>${formats.join('')}</a>` });
    },
    tooMany('numFmt', '65,536'),
  ],
  'unpacked bytes of a small workbook': [
    'xlsx',
    (beyond) => workbook(unpacked(16_777_216 + beyond)),
    tooLarge('16 MiB'),
  ],
  'unpacked bytes for each byte of a workbook': [
    'xlsx',
    (beyond) => sized(204_800, 20_480_000 + beyond),
    tooLarge('20000 KiB'),
  ],
  'depth of a workbook': [
    'xlsx',
    (beyond) => workbook({ ...sheet(ROW), 'xl/styles.xml': nested(64 + beyond) }),
    tooMany('depth', '64'),
  ],
};

describe.each(Object.entries(files))('%s', (_, [format, file, said]) => {
  test('may be as many as the limit', async () => {
    await readAll(en, format, [await file(0)]);
  });

  test('may not be one more', async () => {
    expect(await fileProblem(es, format, [await file(1)])).toEqual([said]);
  });
});

test.each(['-5', '0', '1.5', 'x', ''])('a row with the number “%s” is refused', async (number) => {
  const file = [await workbook(sheet(`<row r="${number}"><c t="str"><v>Seat</v></c></row>`))];
  expect(await fileProblem(en, 'xlsx', file)).toEqual([
    'The file is not an Excel workbook (.xlsx), or it is damaged or protected by a password.',
  ]);
});

test('a workbook may have as many bytes as its limit says, as it is sent', async () => {
  const said = async (size: number) => (await fileProblem(es, 'xlsx', [Buffer.alloc(size)])).join();
  expect(await said(67_108_864)).toContain('no es un libro de Excel');
  expect(await said(67_108_865)).toContain('64 MiB');
});
