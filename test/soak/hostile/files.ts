/** Files that cost as much as they can, each for a reason of its own. */
import { workbook } from '../../support/workbooks.ts';

export type HostileFormat = 'csv' | 'ndjson' | 'json' | 'xlsx';

const MB = 1_000_000;
const fill = (piece: string, size = 8 * MB): string => piece.repeat(Math.ceil(size / piece.length));
const numbered = (count: number, piece: (at: number) => string, between = ''): string =>
  Array.from({ length: count }, (_, at) => piece(at)).join(between);

const text = (value: string): string => `<c t="str"><v>${value}</v></c>`;
const HEADER = `<row>${text('brand')}${text('model')}</row>`;
const sheet = (rows: string) => ({
  'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${HEADER}${rows}</sheetData></worksheet>`,
});
const ROW = sheet(`<row>${text('Seat')}${text('Ibiza')}</row>`);
const marks = (count: number): string => `e${'\u0301\u0323'.repeat(count / 2)}`;
const deep = (units: number): string => `${'['.repeat(units / 2)}${']'.repeat(units / 2)}`;

type Parts = Parameters<typeof workbook>[0];

type Content = string | Buffer | Parts;

/** The texts of files, and the parts of workbooks. */
export const hostileFiles: Readonly<Record<HostileFormat, Readonly<Record<string, () => Content>>>> = {
  csv: {
    'nothing but line breaks': () => fill('\n', 20 * MB),
    'line breaks of two characters, then of one': () => `brand,model\n${fill('\r\n')}${fill('\r')}`,
    'a quotation mark that never ends': () => `brand,model\n"${fill('x')}`,
    'nothing but quotation marks': () => `brand,model\n${fill('"')}`,
    '16,384 notes': () => `brand,model${',#'.repeat(16_382)}\n${fill(`Seat,Ibiza${','.repeat(16_382)}\n`)}`,
    '500,000 columns': () => `brand${numbered(500_000, (at) => `,c${at}`)}\nSeat\n`,
    'unknown columns': () => `${numbered(16_000, (at) => `q${at}`, ',')}\nSeat\n`,
    'a million bad rows': () => `brand,model,year\n${fill('Seat,Ibiza,x\n', 13 * MB)}`,
    'values without a column': () => `brand,model\n${fill(`Seat,Ibiza${',x'.repeat(500)}\n`)}`,
    'rows of a mebibyte': () => `brand,model,#\n${fill(`Seat,Ibiza,${'x'.repeat(1_048_000)}\n`)}`,
    'bytes that are no text, at last': () =>
      Buffer.concat([Buffer.from(`brand,model\n${fill('Seat,Ibiza\n')}`), Buffer.of(0xff)]),
    'marks in a header': () => `brand,${marks(1_000_000)}\nSeat,x\n`,
    'marks in values': () => `brand,model\n${fill(`Seat,${marks(198)}\n`, 4 * MB)}`,
    'nothing but U+0000': () => `brand,model\n${fill('\0')}`,
    'values that differ': () => `brand,model\n${numbered(400_000, (at) => `b${at},m${at}\n`)}`,
    'keys that differ': () => `identifier,brand,model\n${numbered(400_000, (at) => `k${at},Seat,Ibiza\n`)}`,
  },
  ndjson: {
    'unknown members': () => numbered(8, (row) => `{${numbered(60_000, (at) => `"q${row}-${at}":1`, ',')}}\n`),
    'numbers as members': () => numbered(8, () => `{${numbered(60_000, (at) => `"${at * 4_001}":1`, ',')}}\n`),
    'arrays in arrays': () => fill(`{"brand":${deep(1_000_000)}}\n`),
    'objects in objects': () => fill(`${'{"":'.repeat(200_000)}1${'}'.repeat(200_000)}\n`),
    'nothing in each row': () => fill('{}\n', 4 * MB),
    'rows that are no JSON': () => fill('x\n', 4 * MB),
    'nothing but blank lines': () => fill(' \n', 20 * MB),
    'a member twice at last': () => fill(`{${numbered(60_000, (at) => `"q${at}":1`, ',')},"q0":1}\n`),
    escapes: () => fill(`{"brand":"${'\\u0041'.repeat(150_000)}","model":"Ibiza"}\n`),
  },
  json: {
    'arrays in arrays': () => deep(1_048_000),
    'nothing in each row': () => `[${numbered(340_000, () => '{}', ',')}]`,
    'unknown members': () => `{${numbered(90_000, (at) => `"q${at}":1`, ',')}}`,
  },
  xlsx: {
    'a number format of brackets': () => ({
      ...ROW,
      'xl/styles.xml': `<a><numFmt formatCode="${fill('[', 3 * MB)}"/></a>`,
    }),
    'the last column alone': () => sheet(fill('<row><c r="XFD"><v>1</v></c></row>', 15 * MB)),
    'texts without text': () => ({ ...ROW, 'xl/texts.xml': `<sst>${fill('<si/>', 15 * MB)}</sst>` }),
    'texts that differ': () => ({
      ...ROW,
      'xl/texts.xml': `<sst>${numbered(600_000, (at) => `<si><t>text ${at}</t></si>`)}</sst>`,
    }),
    'long texts': () => ({
      ...ROW,
      'xl/texts.xml': `<sst>${numbered(60, (at) => `<si><t>${at}${'é'.repeat(1_000_000)}</t></si>`)}</sst>`,
    }),
    'a sheet of blanks': () => sheet(fill('<row> </row>', 400 * MB)),
    'rows without a number': () => sheet(fill('<row/>', 15 * MB)),
    'rows of cells without a value': () => sheet(fill('<row><c/><c/><c/></row>', 15 * MB)),
    'elements in elements': () => sheet('<a>'.repeat(3_000_000)),
    'attributes of one element': () => sheet(`<row ${numbered(300_000, (at) => `a${at}=""`, ' ')}/>`),
    'text without an end': () => sheet(`<row><c t="str"><v>${fill('x', 200 * MB)}`),
    comments: () => sheet(fill('<!-- a -->', 15 * MB)),
    'number formats': () => ({
      ...ROW,
      'xl/styles.xml': `<a>${numbered(65_000, (at) => `<numFmt numFmtId="${at}" formatCode="0"/>`)}</a>`,
    }),
    'escaped characters': () =>
      sheet(fill(`<row><c t="inlineStr"><is><t>${'_x0041_'.repeat(20)}</t></is></c></row>`, 10 * MB)),
    'a document type': () => ({ 'xl/worksheets/sheet1.xml': `<!DOCTYPE a [${fill('<!ENTITY a "b">', 3 * MB)}]><a/>` }),
  },
};

export const bytesOf = (content: Content): Promise<Buffer> | Buffer => {
  if (typeof content === 'string') return Buffer.from(content);
  return Buffer.isBuffer(content) ? content : workbook(content);
};

/** @returns bytes, of a workbook those of its parts */
export const sizeOf = (content: Content): number =>
  typeof content === 'string' || Buffer.isBuffer(content)
    ? Buffer.byteLength(content)
    : Object.values(content).reduce((sum, part) => sum + Buffer.byteLength(part), 0);
