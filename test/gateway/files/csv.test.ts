import { describe, expect, test } from 'vitest';
import { findCharset } from '../../../src/gateway/model/csv.ts';
import { errorsIn, fileCases, fileProblem, getValues, readAll } from '../../support/files.ts';
import { en, es, oils } from '../../support/language/spoken.ts';

const bytes = (text: string): Buffer => Buffer.from(text);

/** Where it is read, the file, and the values of its rows by canonical name. */
const files: readonly (readonly [tree: typeof en, file: string, rows: readonly object[]])[] = [
  [en, 'brand,model\nSeat,Ibiza\n', [{ brand: 'Seat', model: 'Ibiza' }]],
  [es, 'marca;modelo\nSeat;Ibiza\n', [{ brand: 'Seat', model: 'Ibiza' }]],
  // Any order, any delimiter, any line break, with a mark, without a line break at the end.
  [es, 'modelo,marca\r\nIbiza,Seat', [{ brand: 'Seat', model: 'Ibiza' }]],
  [
    es,
    '\uFEFFmodelo\tmarca\rIbiza\tSeat\rC4\tCitroën',
    [
      { brand: 'Seat', model: 'Ibiza' },
      { brand: 'Citroën', model: 'C4' },
    ],
  ],
  [en, '\r\n\r\nyear;brand\r\n2008;Seat\r\n\r\n\r\n', [{ year: 2008, brand: 'Seat' }]],
  [en, 'brand\nSeat\n', [{ brand: 'Seat' }]],
  // The delimiter of a single column is that of the language, whose files need no quotation marks around the others.
  [es, '\uFEFFversion\r\n1,9 TDI\r\n', [{ version: '1,9 TDI' }]],
  [en, 'version\n2.0; 140 PS\n', [{ version: '2.0; 140 PS' }]],
  [en, '"brand","model"\n"a,b","c ""d"""\n', [{ brand: 'a,b', model: 'c "d"' }]],
  [en, 'brand,model\n"one\r\ntwo",x\n', [{ brand: 'one\r\ntwo', model: 'x' }]],
  // A quotation mark within a cell, an inch.
  [en, 'brand,model\nSeat,17" wheels\n', [{ brand: 'Seat', model: '17" wheels' }]],
  // Canonical names, spaces around words, columns that are notes.
  [es, 'brand;modelo\nSeat;Ibiza\n', [{ brand: 'Seat', model: 'Ibiza' }]],
  [es, ' marca ; enginePower \nSeat;105\n', [{ brand: 'Seat', enginePower: 105 }]],
  [en, 'brand,#,# my note\nSeat,x,y\n,,only a note\n', [{ brand: 'Seat' }]],
  // What people call a field, whatever its case, accents, spaces and punctuation.
  [
    es,
    'CÓDIGO;Marca ;#;Año:;POTENCIA (CV);"Núm. puertas";A/A;Versión\n0042;Seat;x;2008;105,00;5;SÍ;GT\n',
    [{ identifier: '0042', brand: 'Seat', year: 2008, enginePower: 105, doors: 5, ac: 1, version: 'GT' }],
  ],
  [en, 'License-Plate,MAKE,C.V.,Model_Name\n1,Seat,,Ibiza\n', [{ identifier: '1', brand: 'Seat', model: 'Ibiza' }]],
  // Nothing is absent; an empty text is a text where the field may have one.
  [en, 'brand,version,fuel\nSeat,,""\n', [{ brand: 'Seat', fuel: '' }]],
  [en, 'identifier,brand,year\n"",Seat,""\n', [{ brand: 'Seat' }]],
  // A file that quotes every cell, or every text, has no empty texts.
  [en, '"brand","version","fuel"\n"Seat","",""\n', [{ brand: 'Seat' }]],
  [en, '"brand","year","fuel",\n"Seat",2008,"",\n"","",""\n', [{ brand: 'Seat', year: 2008 }]],
  [en, 'brand,"fuel"\n"Seat",""\n', [{ brand: 'Seat', fuel: '' }]],
  // Behind the header, and in rows of nothing else, it is nothing in any file.
  [es, '"";""\nmarca;modelo;"";\n"Seat";"Ibiza";"";"";""\n"";""\n;;""\n', [{ brand: 'Seat', model: 'Ibiza' }]],
  // The line that tells Excel the delimiter.
  [en, 'sep=;\r\nbrand\r\nSeat,1\r\n', [{ brand: 'Seat,1' }]],
  [es, '\uFEFF"SEP=,"\nmarca,version\nSeat,1;9\n', [{ brand: 'Seat', version: '1;9' }]],
  [en, 'brand,model\nSeat\n', [{ brand: 'Seat' }]],
  [en, 'brand,model,\nSeat,Ibiza,\n,,\n,,,\n', [{ brand: 'Seat', model: 'Ibiza' }]],
  // Nothing of a text is trimmed or computed.
  [en, 'brand,model\n" a ", =1+1 \n', [{ brand: ' a ', model: ' =1+1 ' }]],
  // Numbers as spreadsheet programs write them.
  [en, 'year,doors,enginePower\n2008.0, 5 ,105.00\n', [{ year: 2008, doors: 5, enginePower: 105 }]],
  [es, 'anio;puertas\n2008,0;+5\n', [{ year: 2008, doors: 5 }]],
  // Booleans, in the language too.
  [
    en,
    'clima,ac\ntrue,FALSE\nYes,n\n1,0\n',
    [
      { clima: 1, ac: 0 },
      { clima: 1, ac: 0 },
      { clima: 1, ac: 0 },
    ],
  ],
  [es, 'climatizador;ac\nSÍ;no\nsi;N\nVERDADERO;FALSO\ntrue;false\n1;0\n', Array(5).fill({ clima: 1, ac: 0 })],
  [en, 'brand,model\n', []],
];

describe('a CSV file', () => {
  test.each(files)('%#', async (tree, file, rows) => {
    const read = await readAll(tree, 'csv', [bytes(file)]);
    expect(errorsIn(read)).toEqual([]);
    expect(getValues(read)).toEqual(rows);
    // However it arrives.
    expect(
      await readAll(
        tree,
        'csv',
        Array.from(bytes(file), (byte) => Buffer.of(byte)),
      ),
    ).toEqual(read);
  });

  test('of oils', async () => {
    const rows = await readAll(es, 'csv', [bytes('tipo;otros_datos\n5W-30;VW 504\n10W/40;\n')], oils);
    expect(getValues(rows, oils)).toEqual([{ type: '5W-30', otherInfo: 'VW 504' }, { type: '10W/40' }]);
  });

  test('numbers its rows as a spreadsheet program does', async () => {
    const rows = await readAll(en, 'csv', [bytes('sep=,\nbrand,model\n\n"a\nb",c\n\nd,e\n')]);
    expect(rows.map(({ number }) => number)).toEqual([3, 5]);
  });

  test.each([
    ['windows-1252', Buffer.of(0x43, 0x69, 0x74, 0x72, 0x6f, 0xeb, 0x6e, 0x80), 'Citroën€'],
    ['iso-8859-1', Buffer.of(0xd1, 0xfa), 'Ñú'],
    ['UTF8', bytes('ñ'), 'ñ'],
    ['iso-8859-15', Buffer.of(0xa4), '€'],
  ])('in %s', async (label, brand, expected) => {
    const charset = findCharset(label);
    const file = Buffer.concat([bytes('brand\n'), brand]);
    expect(getValues(await readAll(en, 'csv', [file], undefined, { charset }))).toEqual([{ brand: expected }]);
  });

  test.each(['koi8-r', 'x', ''])('in no other charset: %s', (label) => {
    expect(findCharset(label)).toBeUndefined();
  });
});

/** Row, column and sentence of each error. */
const faults = fileCases(String.raw`
en "brand,year\nSeat,MMVIII\nSeat,2008.5\nSeat,1\n"
2 year value-integer
3 year value-integer
4 year value-integer
es "cilindrada\n1,000\n"
2 cilindrada number-ambiguous
es "climatizador\nyes\n"
2 climatizador value-choice
en "clima\nsí\n"
2 clima value-choice
en "brand,model\n  ,\u0000\n"
2 brand value-blank
2 model value-characters
en "identifier,brand\n..,Seat\na\tb,Seat\n"
2 identifier value-key
3 identifier value-key
en "brand,model\na,b,c\n"
2  row-excess
en "brand,,model\na,b,c\n"
2  row-excess
`);

test.each(faults)('rows with faults: $title', async ({ tree, file, expected }) => {
  const errors = errorsIn(await readAll(tree, 'csv', [file]));
  expect(errors.map((error) => error.join(' '))).toEqual(expected);
});

test('rows that are too long', async () => {
  const file = `brand
${'x'.repeat(201)}
a${',x'.repeat(1_000)}
`;
  expect(errorsIn(await readAll(en, 'csv', [bytes(file)]))).toEqual([
    [2, 'brand', 'value-text'],
    [3, undefined, 'row-excess'],
  ]);
});

/** What is said of a whole file. */
const refused = fileCases(String.raw`
en ""
The file is empty. Its first row must have the names of the columns.
es "\uFEFF\r\n;;\r\n"
El archivo está vacío. Su primera fila debe contener los nombres de las columnas.
en "(Marca):;model\nSeat;Ibiza\n"
“(Marca):” (column A of row 1) is not a field of the car; did you mean “brand”?
es "\nmarca,year,color\n"
«color» (columna C de la fila 2) no es un campo del coche; los campos son, empezando por los más parecidos: identificador, marca, modelo, anio, puertas, cilindrada, version, climatizador, ac, fuel. Una columna cuyo nombre empieza por «#» es una nota y no se lee; con «ignore-unknown-columns» tampoco se lee ninguna desconocida.
en "marca,modelo\n"
The data of the car contains 2 errors.
“marca” (column A of row 1) is not a field of the car; did you mean “brand”?
“modelo” (column B of row 1) is not a field of the car; did you mean “model”?
es "marca;modelo;marca\n"
«marca» (columna C) es «marca», como ya lo es la columna A. Ponga «#» delante del nombre de la que no corresponde o descártela con «columns».
en "brand,model\nSeat,\"Ibiza"
The quotation marks in row 2 are not valid: a cell in quotation marks has more text behind them, or has no end. A quotation mark inside such a cell is written twice.
es "marca,modelo\nSeat,Ibiza\n\"a\"b,c\n"
Las comillas de la fila 3 no son válidas: una celda entre comillas va seguida de más texto o no termina. Dentro de una celda así, las comillas se escriben dos veces.
en latin1 "brand\nSeat\nCën\n"
Row 3 is not valid UTF-8. Save the file as UTF-8, or say which encoding it has.
es latin1 "marca\nSeat\n\"a\nb\"\nÃ"
La fila 4 no es UTF-8 válido. Guarde el archivo en UTF-8 o indique su codificación.
en "power${',#'.repeat(701)},CV\n"
“CV” (column AAA) is “enginePower”, as column A is. Write “#” before the name of the one that is not meant, or leave it out by “columns”.
`);

test.each(refused)('a file that is wrong as a whole: $title', async ({ tree, file, expected }) => {
  expect(await fileProblem(tree, 'csv', [file])).toEqual(expected);
});
