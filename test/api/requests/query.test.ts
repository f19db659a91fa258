/** Queries that are no good, and what is said of them. What people send first: `test/api/first-tries.test.ts`. */
import { describe, expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';
import { essentials } from '../../support/app/errors.ts';
import { es } from '../../support/app/trees.ts';
import { tryAll } from '../../support/app/tries.ts';
import { carWords } from '../../support/language/car-words.ts';

const { send } = useApp({
  given: [
    ['/api/cars', { identifier: 'a-1', brand: 'Seat', model: 'Ibiza' }],
    ['/api/cars/a-1/oils', { type: '5W-30' }],
  ],
});

tryAll(`
# Names of the other language, one slip away, of nobody, or of another list.
GET /api/coches?anio_from=1 → anio_desde
GET /api/coches/a-1/aceites?type=x → tipo
GET /api/cars?Brand=x → brand
GET /api/coches?página=1 → pagina
GET /api/coches?año=2008 → anio
GET /api/cars?colour=red
400 unknown-parameter “colour” is not a parameter here; the parameters are: ….
GET /api/coches?__proto__=1
400 unknown-parameter «__proto__» no es un parámetro de esta URL; los disponibles son: ….
GET /api/cars?=x
400 unknown-parameter “” is not a parameter here; the parameters are: ….
GET /api/cars?type=x
400 unknown-parameter “type” is not a parameter here; the parameters are: ….
# Filters and ranges that do not parse.
GET /api/cars?doors=5&doors=x
400 invalid-parameter “doors” must be a whole number.
GET /api/cars?ac=maybe
400 invalid-parameter “ac” must be “true” or “false”.
GET /api/cars?year_from=x
400 invalid-parameter “year_from” must be a whole number.
GET /api/coches?anio_desde=
400 invalid-parameter «anio_desde» no puede estar vacío.
GET /api/coches?anio_desde=1&anio_desde=2
400 invalid-parameter «anio_desde» solo puede aparecer una vez.
GET /api/cars?year_from=2010&year_to=2005
400 invalid-parameter “year_from” must not be greater than “year_to”.
# Fields to sort by, and directions.
GET /api/cars?sort_by=year,
400 invalid-parameter “sort_by” has an empty element: separate its values by single commas.
GET /api/cars?sort_by=year,year
400 invalid-parameter “sort_by” contains “year” more than once.
GET /api/cars?order=asc,desc
400 invalid-parameter “order” has more values than “sort_by” has fields.
GET /api/cars?sort_by=page
400 invalid-parameter “sort_by” cannot be “page”, which is not a field of the car; the fields are: ${carWords.en.join(', ')}.
GET /api/coches?ordenar_por=Marca
400 invalid-parameter «ordenar_por» no puede ser «Marca», que no es un campo del coche; ¿quería decir «marca»?
GET /api/coches/a-1/aceites?ordenar_por=marca
400 invalid-parameter «ordenar_por» no puede ser «marca», que no es un campo del aceite; los campos son: tipo, otros_datos.
GET /api/coches/a-1/aceites?orden=desc
400 invalid-parameter «orden» debe ser «ascendente» o «descendente», no «desc»; ¿quería decir «descendente»?
# Items, writes and documents have other parameters than lists, or none.
GET /api/cars/a-1?brand=1
400 unknown-parameter “brand” is a parameter of lists, not of a single item.
PUT /api/cars/a-1?brand=1
> {"year":2000}
400 unknown-parameter “brand” is not a parameter here; there are none.
POST /api/cars?page=1
> {"brand":"Seat","model":"Ibiza"}
400 unknown-parameter “page” is not a parameter here; there are none.
GET /api/openapi.json?x=1
400 unknown-parameter “x” is not a parameter here; there are none.
`);

const NUMBERS = ['0', '-1', '1.5', '1e1', '00', '+1', '%2B1', 'x', '-0', ' 1', '１'];
const ENCODINGS = ['%', '%z', '%zz', '%C0%AF', '%ED%A0%80', '%ff', 'a%00b'];
const CHOICES = ['TRUE', '1', 'yes', ' true', 'sí', 'verdadero'];

const INTEGER = '«anio» no puede ser «{value}»; ¿quería decir «2008»?';
const CHOICE = '«climatizador» no puede ser «{value}»; ¿quería decir «true»?';
const ENCODING = '“brand” is not valid: check the percent-encoding; it must be UTF-8 without U+0000.';

/** The path of a list, a parameter, values that it cannot have, the sentence of all of them, and what is suggested. */
const values: readonly (readonly [string, string, readonly string[], string, string])[] = [
  [
    '/api/coches',
    'anio',
    ['x', '2008.5', '2e3', '0x7d8', '--1', '-', '２００８'],
    '«anio» debe ser un número entero.',
    '',
  ],
  ['/api/coches', 'anio', ['2008.0', '%2B2008', '%202008', '2008%20'], INTEGER, '2008'],
  ['/api/coches', 'climatizador', CHOICES, CHOICE, 'true'],
  ['/api/cars', 'page', NUMBERS, '“page” must be a whole number of 1 or more.', ''],
  ['/api/cars', 'brand', ENCODINGS, ENCODING, ''],
];

const expectOne = async (path: string, query: string, parameter: string, detail: string, suggestion?: string) => {
  const { status, json } = await send('GET', `${path}?${query}`);
  const code = 'invalid-parameter';
  expect([query, status, json.code, json.detail]).toEqual([query, 400, code, detail]);
  expect(essentials(json.errors)).toEqual([{ parameter, code, detail, ...(suggestion && { suggestion }) }]);
  expect((await send('HEAD', `${path}?${query}`)).status).toBe(400);
};

test.each(values)('%s?%s= cannot be any of %j', async (path, parameter, all, sentence, suggestion) => {
  for (const value of all) {
    const detail = sentence.includes('{') ? sentence.replace('{value}', decodeURIComponent(value)) : sentence;
    await expectOne(path, `${parameter}=${value}`, parameter, detail, suggestion);
  }
});

test.each(['number_of_elements', 'page', 'sort_by', 'order'] as const)('one value counts of %s', async (name) => {
  const word = es[name];
  for (const query of [`${word}=`, word]) await expectOne(es.cars, query, word, `«${word}» no puede estar vacío.`);
  for (const first of ['', '1'])
    await expectOne(es.cars, `${word}=${first}&${word}=1`, word, `«${word}» solo puede aparecer una vez.`);
});

describe('several errors', () => {
  test.each([
    ['/api/cars', 'brend=a&year=x&page=0&order=up', 'Invalid query', 'The query contains 4 errors.'],
    ['/api/coches', 'brand=a&anio=x&pagina=0&orden=asc', 'Consulta no válida', 'Hay 4 errores en la consulta.'],
  ] as const)('%s reports all of %s together', async (path, query, title, detail) => {
    const { status, json } = await send('GET', `${path}?${query}`);
    expect([status, json.code, json.title, json.detail]).toEqual([400, 'invalid-query', title, detail]);
    const sent = query.split('&').map((pair) => pair.split('=')[0]);
    const codes = ['unknown-parameter', ...Array(3).fill('invalid-parameter')];
    expect(json.errors.map(({ parameter, code }: Record<string, string>) => [parameter, code])).toEqual(
      sent.map((parameter, at) => [parameter, codes[at]]),
    );
  });

  test('of one code are an invalid query too', async () => {
    const { json } = await send('GET', '/api/coches?pagina=0&numero_de_elementos=0');
    expect([json.code, json.errors.length]).toEqual(['invalid-query', 2]);
  });
});

test('echoes 200 characters of a parameter or its value at most', async () => {
  const long = 'x'.repeat(1_000);
  const cut = `${'x'.repeat(200)}…`;
  const { json } = await send('GET', `/api/cars?${long}=1`);
  expect(json.detail).toContain(`“${cut}” is not a parameter here`);
  expect(json.errors[0].parameter.length).toBeLessThanOrEqual(201);
  const { json: sort } = await send('GET', `/api/cars?sort_by=${long}`);
  expect(sort.detail).toContain(`“sort_by” cannot be “${cut}”, which is not a field of the car; the fields are: `);
});

test('none of these requests changed anything', async () => {
  const { json } = await send('GET', '/api/cars?include=oils');
  expect(json).toEqual([{ identifier: 'a-1', brand: 'Seat', model: 'Ibiza', oils: [{ type: '5W-30' }] }]);
});

test('a URL of 8 KB gets little back', async () => {
  const filter = `marca=${'x'.repeat(8_000)}&pagina=2&orden=ascendente`;
  const found = await send('GET', `/api/coches?${filter}`);
  expect(found.status).toBe(200);
  const refused = [
    await send('GET', `/api/coches?${'x'.repeat(8_000)}=1`),
    await send('GET', `/api/coches?ordenar_por=${'x'.repeat(8_000)}`),
    await send('GET', `/api/coches/${'x'.repeat(8_000)}`),
    await send('GET', `/api/coches/${'%C3%B1'.repeat(1_300)}/other`),
    await send('GET', `/api/car/${'x'.repeat(8_000)}`),
  ];
  for (const { status, text } of refused) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(text.length).toBeLessThan(2_000);
  }
  for (const { headers } of [found, ...refused]) {
    expect([...headers].map((field) => field.join(': ')).join('\r\n').length).toBeLessThan(2_500);
  }
});
