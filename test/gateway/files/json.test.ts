import { expect, test } from 'vitest';
import { errorsIn, fileCases, fileProblem, getValues, readAll } from '../../support/files.ts';
import { en, es } from '../../support/language/spoken.ts';

const bytes = (text: string): Buffer => Buffer.from(text);

/** Where it is read, the rows, and their values by canonical name. */
const rows: readonly (readonly [tree: typeof en, rows: readonly string[], values: readonly object[]])[] = [
  [
    en,
    ['{"brand":"Seat","model":"Ibiza","year":2008,"clima":true}'],
    [{ brand: 'Seat', model: 'Ibiza', year: 2008, clima: 1 }],
  ],
  [es, [' {"modelo": "C4", "marca": "Citroën"} ', '{"fuel":""}'], [{ brand: 'Citroën', model: 'C4' }, { fuel: '' }]],
  // Canonical names; `null` clears, but a key that is `null` is as if absent.
  [es, ['{"brand":"Seat","enginePower":null,"identificador":null}'], [{ brand: 'Seat', enginePower: null }]],
  [en, ['{}'], [{}]],
];

test.each(rows)('items of JSON %#', async (tree, sent, values) => {
  const lines = bytes(`\uFEFF${sent.join('\n\r\n')}\r\n`);
  const read = await readAll(tree, 'ndjson', [lines]);
  expect(errorsIn(read)).toEqual([]);
  expect(getValues(read)).toEqual(values);
  expect(read.map(({ number }) => number)).toEqual(values.map((_, at) => 2 * at + 1));
  expect(
    await readAll(
      tree,
      'ndjson',
      Array.from(lines, (byte) => Buffer.of(byte)),
    ),
  ).toEqual(read);

  const items = await readAll(tree, 'json', [bytes(`[${sent.join(',')}]`)]);
  expect(errorsIn(items)).toEqual([]);
  expect(getValues(items)).toEqual(values);
  expect(items.map(({ number }) => number)).toEqual(values.map((_, at) => at + 1));
});

/** Column and sentence of each error of a line. */
const faults = fileCases(String.raw`
en "{\"brand\":"
 row-not-object
en "[1]"
 row-not-object
en "null"
 row-not-object
en "{\"brand\":\"a\",\"brand\":\"b\"}"
 json-repeated
es "{\"marca\":\"a\",\"brand\":\"b\"}"
marca json-repeated
en "{\"marca\":\"Seat\",\"a/b~\":1}"
marca field-suggested
a/b~ field-unknown
es "{\"anio\":\"2008\",\"puertas\":2.5,\"climatizador\":1,\"marca\":null}"
anio value-integer
puertas value-integer
climatizador value-flag
marca field-null
en "{\"brand\":\"\\ud800\",\"model\":\"\\u0000\"}"
brand value-characters
model value-characters
`);

test.each(faults)('a line with faults: $title', async ({ tree, file, expected }) => {
  const read = await readAll(tree, 'ndjson', [Buffer.concat([bytes('\n'), file, bytes('\n{}\n')])]);
  expect(errorsIn(read).map((error) => error.join(' '))).toEqual(expected.map((error) => `2 ${error}`));
  expect(read).toHaveLength(2);
});

const refused = fileCases(String.raw`
en "{\"brand\":\"Seat\"}"
The content must be a JSON array of objects with fields of the car.
es "[{\"marca\":\"a\",\"marca\":\"b\"}]"
El campo «marca» aparece más de una vez en el mismo objeto.
es "{\"marca\":"
El contenido debe ser un array JSON de objetos con campos del coche.
en "[{}] {}"
The body is not valid JSON: there is a fault at line 1, column 6. Names and texts are in double quotes.
en "[{},]"
The body is not valid JSON: names and texts are in double quotes, and nothing follows the last one but its bracket.
en ""
The body is not valid JSON: names and texts are in double quotes, and nothing follows the last one but its bracket.
`);

test.each(refused)('an array that is wrong as a whole: $title', async ({ tree, file, expected }) => {
  expect(await fileProblem(tree, 'json', [file])).toEqual(expected);
});

test('lines that are wrong as a whole', async () => {
  const broken = Buffer.concat([bytes('{}\n{}\n'), Buffer.of(0xff)]);
  expect(await fileProblem(es, 'ndjson', [broken])).toEqual([
    'La fila 3 no es UTF-8 válido. Guarde el archivo en UTF-8 o indique su codificación.',
  ]);
  expect(await fileProblem(en, 'ndjson', [bytes('x'.repeat(1_100_000))])).toEqual([
    'Row 1 is longer than 1 MiB. A quotation mark may be missing in it.',
  ]);
});

test('a line with very many errors tells of a hundred', async () => {
  const members = Array.from({ length: 1_000 }, (_, at) => `"x${at}":1`);
  const [row] = await readAll(en, 'ndjson', [bytes(`{${members.join(',')}}`)]);
  expect(row?.errors).toHaveLength(100);
});
