import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeXlsx } from 'hucre/xlsx';
import { expect, test } from 'vitest';
import { loadReaders } from '../../../src/gateway/files/read-file.ts';
import { writeRejected } from '../../../src/tools/import-export/rejected-file.ts';
import { errorsIn, readAll, withFile } from '../../support/files.ts';
import { carWords } from '../../support/language/car-words.ts';
import { cars, en, es } from '../../support/language/spoken.ts';
import { temporaryFolder } from '../../support/process/folder.ts';

const sheet = () =>
  writeXlsx({
    sheets: [
      {
        name: 'x',
        rows: [
          ['marca', 'anio', 'climatizador'],
          ['Seat', 2008, true],
          ['Saab', 'MM', true],
          ['Seat', 2009.5, 'quizá'],
        ],
      },
    ],
  });

/** A file with rows to mend, and what comes back of it. */
const files: readonly (readonly [
  tree: typeof en,
  format: string,
  file: () => Promise<Uint8Array>,
  first: number,
  text: string,
])[] = [
  [
    en,
    'csv',
    async () => Buffer.from('year,# errors,brand,# mine,# row\nMM,old,"a,\n""b""",x,9\n1999,,c,,\nX,,"",,\n'),
    2,
    'year,brand,# mine,# row,# errors\r\nMM,"a,\n""b""",x,2,wrong\r\nX,"",,4,very wrong\r\n',
  ],
  [
    es,
    'xlsx',
    sheet,
    3,
    '\uFEFFmarca;anio;climatizador;# fila;# errores\r\nSaab;MM;true;3;wrong\r\nSeat;2009.5;quizá;4;very wrong\r\n',
  ],
  // Notes whose header has more commas than there are semicolons.
  [
    es,
    'csv',
    async () => Buffer.from('anio;"# a, b, c, d, e"\nMM;x\n1999;\nX;y\n'),
    2,
    '\uFEFFanio;"# a, b, c, d, e";# fila;# errores\r\nMM;x;2;wrong\r\nX;y;4;very wrong\r\n',
  ],
  [
    es,
    'ndjson',
    async () => Buffer.from('\n{"marca":"Seat","year":"x"}\n{"anio":1}\n{"marca":null,"color":"rojo"}\n'),
    2,
    `\uFEFF${carWords.es.join(';')};# json;# fila;# errores\r\n;Seat;;x;;;;;;;;2;wrong\r\n;;;;;;;;;;;4;very wrong;"{""marca"":null,""color"":""rojo""}"\r\n`,
  ],
  [
    en,
    'ndjson',
    async () => Buffer.from('{}\n{"brand":\n{}\n7'),
    2,
    `${carWords.en.join(',')},# json,# row,# errors\r\n,,,,,,,,,,,2,wrong,"""{\\""brand\\"":"""\r\n,,,,,,,,,,,4,very wrong,7\r\n`,
  ],
];

/** @returns the path of the file of rejected rows: `first`, and row 4 with two faults */
const rejectedIn = async (tree: typeof en, format: string, file: Uint8Array, first: number): Promise<string> => {
  const { language } = tree;
  const path = join(temporaryFolder(), 'rejected.csv');
  const reasons = new Map([
    [first, 'wrong'],
    [4, 'very wrong'],
  ]);
  const { records } = await loadReaders(format);
  const source = { language, collection: cars, options: {}, isSeen: () => true };
  await withFile([file], (fd) => writeRejected(path, language, records({ ...source, file: fd }), reasons));
  return path;
};

test.each(files)(
  'rejected rows can be mended and read again: %#',
  async ({ language, paths }, format, file, first, text) => {
    const path = await rejectedIn({ language, paths }, format, await file(), first);
    expect(readFileSync(path, 'utf8')).toBe(text);
    const again = await readAll({ language, paths }, 'csv', [readFileSync(path)]);
    // Until they are, none of them is skipped or stored, and whatever is wrong with the values, no column is.
    expect(again.map(({ errors }) => errors.length > 0)).toEqual([true, true]);
  },
);

test('a row with more values than columns keeps them, and is refused again until it is corrected', async () => {
  const path = await rejectedIn(en, 'csv', Buffer.from('brand,model\n\na,b,,c\nd\n'), 3);
  expect(readFileSync(path, 'utf8')).toBe('brand,model,# row,# errors\r\na,b,3,wrong,c\r\nd,,4,very wrong\r\n');
  expect(errorsIn(await readAll(en, 'csv', [readFileSync(path)]))).toContainEqual([2, undefined, 'row-excess']);
});

test.skipIf(process.platform !== 'linux').each([
  ['in a folder that is missing', () => join(temporaryFolder(), 'none', 'rejected.csv'), 'ENOENT'],
  ['on a full disk', () => '/dev/full', 'ENOSPC'],
])('a file of rejected rows that cannot be written, %s, is reported', async (_, pathOf, reason) => {
  const reasons = new Map<number, string>();
  const rows = async function* () {
    for (let number = 1; number < 5_000; number++) {
      reasons.set(number, 'wrong');
      yield [{ number, cells: ['a'.repeat(100)] }];
    }
  };
  expect(await writeRejected(pathOf(), en.language, rows(), reasons)).toBe(reason);
});
