/** Values that a field cannot have: a field of each kind. That each field has its own limits is tested with what documents allow. */
import { expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';
import { quoted, short } from '../../support/app/trees.ts';

const [CARS, OILS] = ['/api/coches', '/api/coches/there/aceites'];
const { send } = useApp({
  given: [
    [CARS, { identificador: 'there', marca: 'Seat', modelo: 'Ibiza' }],
    [OILS, { tipo: 'there' }],
  ],
});

const noIntegers = ['"5"', '""', 'true', 'false', '[]', '[5]', '{}', '5.5', '1e400', '-1e400'];
const unsafe = ['9007199254740992', '9007199254740993', '-9007199254740993', '1e30'];
const noTexts = ['5', '0', 'true', 'false', '[]', '["x"]', '{}'];
const noFlags = ['0', '1', '"true"', '"false"', '""', '[]', '{}'];
const notText = ['"\\ud800"', '"\\udfff"', '"a\\ud83d"', '"\\ude00\\ud83d"', '"\\u0000"', '"a\\u0000b"'];
const tooLong = [quoted('x'.repeat(201)), quoted('😀'.repeat(201)), quoted('e\u0301'.repeat(101))];
const noKeys = [
  ...[...noTexts, '""', '"."', '".."', '"\\u0001"', '"a\\tb"', '"\\n"', '"\\u007f"', '"\\u0085"', '"\\u009f"'],
  ...[quoted('x'.repeat(129)), quoted('😀'.repeat(129))],
];

const key = (word: string) =>
  `«${word}» debe ser un texto de entre 1 y 128 caracteres, sin caracteres de control y distinto de «.» y de «..».`;
const invalid = (word: string) =>
  `«${word}» contiene el carácter U+0000 o un sustituto UTF-16 sin pareja, y ninguno de los dos es texto válido.`;

/** A list, a field of its items, what is said of its value, and the values of which it is said, as JSON. */
const faults: readonly (readonly [list: string, word: string, detail: string, values: readonly string[]])[] = [
  [
    ...([CARS, 'anio', '«anio» debe ser un número entero entre 1886 y 2100.'] as const),
    ['1885', '2101', '-2000', '0', ...noIntegers, ...unsafe],
  ],
  [CARS, 'marca', '«marca» debe ser un texto de entre 1 y 200 caracteres.', ['""', ...noTexts, ...tooLong]],
  [CARS, 'marca', '«marca» no puede estar en blanco.', ['" "', '"\\t\\n"', '"\u00a0\u2003\u3000"']],
  [CARS, 'marca', invalid('marca'), notText],
  [CARS, 'version', '«version» debe ser un texto de entre 0 y 200 caracteres.', [...noTexts, ...tooLong]],
  [CARS, 'version', invalid('version'), notText],
  [CARS, 'climatizador', '«climatizador» debe ser «true» o «false», sin comillas.', noFlags],
  [CARS, 'identificador', key('identificador'), noKeys],
  [CARS, 'identificador', invalid('identificador'), notText],
  [OILS, 'tipo', key('tipo'), noKeys],
  [
    ...([OILS, 'otros_datos', '«otros_datos» debe ser un texto de entre 0 y 10\u{a0}000 caracteres.'] as const),
    [...noTexts, quoted('x'.repeat(10_001)), quoted('😀'.repeat(10_001))],
  ],
];

const cases = faults.flatMap(([list, word, detail, values]) =>
  values.map((value) => ({ list, word, detail, value, title: short(value) })),
);

test.each(cases)('$list refuses $title as $word', async ({ list, word, detail, value }) => {
  const base = Object.entries(list === CARS ? { marca: 'B', modelo: 'M' } : { tipo: 'T' });
  // Spelled by hand, as the value must reach the service in one certain spelling.
  const others = base.filter(([name]) => name !== word).map(([name, text]) => `"${name}":"${text}",`);
  for (const [method, path, more] of [
    ['POST', list, others],
    ['PUT', `${list}/there`, []],
  ] as const) {
    const { status, json } = await send(method, path, `{${more.join('')}"${word}":${value}}`);
    expect([status, json.code, json.detail]).toEqual([400, 'invalid-value', detail]);
    expect(json.errors).toMatchObject([{ pointer: `/${word}`, code: 'invalid-value', detail }]);
  }
  expect((await send('GET', list)).headers.get('x-total-count')).toBe('1');
});
