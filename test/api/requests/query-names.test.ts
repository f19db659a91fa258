import { describe, expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';
import { essentials } from '../../support/app/errors.ts';
import { carWords } from '../../support/language/car-words.ts';

const { send } = useApp({
  given: [
    ['/api/cars', { identifier: 'a-1', brand: 'Seat', model: 'Ibiza' }],
    ['/api/cars/a-1/oils', { type: '5W-30' }],
  ],
});

const EN = '/api/cars';
const ES = '/api/coches';
const EN_OILS = '/api/cars/a-1/oils';
const ES_OILS = '/api/coches/a-1/aceites';

const unknown = 'unknown-parameter';
const invalid = 'invalid-parameter';

const PARAMETERS = `${carWords.en.join(', ')}, sort_by, order, number_of_elements, page, after, changed_since, format, fields, include, search, group_by, year_from, year_to, doors_from, doors_to, enginePower_from, enginePower_to.`;
const PARAMETROS = `${carWords.es.join(', ')}, ordenar_por, orden, numero_de_elementos, pagina, despues_de, cambiado_desde, formato, campos, incluir, buscar, agrupar_por, anio_desde, anio_hasta, puertas_desde, puertas_hasta, cilindrada_desde, cilindrada_hasta.`;
const OIL_PARAMETERS =
  'type, otherInfo, sort_by, order, number_of_elements, page, after, changed_since, format, fields, search, group_by.';
const OIL_PARAMETROS =
  'tipo, otros_datos, ordenar_por, orden, numero_de_elementos, pagina, despues_de, cambiado_desde, formato, campos, buscar, agrupar_por.';

const notHere = (word: string, known: string): string =>
  `“${word}” is not a parameter here; the parameters are: ${known}`;
const noEsDeAqui = (word: string, known: string): string =>
  `«${word}» no es un parámetro de esta URL; los disponibles son: ${known}`;

/** An address, its query, and the one error that it has. */
type Row = readonly [path: string, query: string, parameter: string, code: string, detail: string, suggestion?: string];

const rows: readonly Row[] = [
  // Of the other language.
  [EN, 'marca=Seat', 'marca', unknown, '“marca” is not a parameter here; did you mean “brand”?', 'brand'],
  [ES, 'brand=Seat', 'brand', unknown, '«brand» no es un parámetro de esta URL; ¿quería decir «marca»?', 'marca'],
  [EN, 'pagina=1', 'pagina', unknown, '“pagina” is not a parameter here; did you mean “page”?', 'page'],
  [ES, 'page=1', 'page', unknown, '«page» no es un parámetro de esta URL; ¿quería decir «pagina»?', 'pagina'],
  [
    EN,
    'ordenar_por=brand',
    'ordenar_por',
    unknown,
    '“ordenar_por” is not a parameter here; did you mean “sort_by”?',
    'sort_by',
  ],
  [ES, 'order=ascendente', 'order', unknown, '«order» no es un parámetro de esta URL; ¿quería decir «orden»?', 'orden'],
  [
    EN_OILS,
    'numero_de_elementos=1',
    'numero_de_elementos',
    unknown,
    '“numero_de_elementos” is not a parameter here; did you mean “number_of_elements”?',
    'number_of_elements',
  ],
  [
    EN,
    'anio_hasta=1',
    'anio_hasta',
    unknown,
    '“anio_hasta” is not a parameter here; did you mean “year_to”?',
    'year_to',
  ],
  [
    EN,
    'year_desde=1',
    'year_desde',
    unknown,
    '“year_desde” is not a parameter here; did you mean “year_from”?',
    'year_from',
  ],
  [
    ES,
    'anio_from=1',
    'anio_from',
    unknown,
    '«anio_from» no es un parámetro de esta URL; ¿quería decir «anio_desde»?',
    'anio_desde',
  ],
  [ES_OILS, 'type=x', 'type', unknown, '«type» no es un parámetro de esta URL; ¿quería decir «tipo»?', 'tipo'],
  // One slip away.
  [EN, 'bran=x', 'bran', unknown, '“bran” is not a parameter here; did you mean “brand”?', 'brand'],
  [EN, 'Brand=x', 'Brand', unknown, '“Brand” is not a parameter here; did you mean “brand”?', 'brand'],
  [EN, 'paeg=1', 'paeg', unknown, '“paeg” is not a parameter here; did you mean “page”?', 'page'],
  [ES, 'página=1', 'página', unknown, '«página» no es un parámetro de esta URL; ¿quería decir «pagina»?', 'pagina'],
  [ES, 'año=2008', 'año', unknown, '«año» no es un parámetro de esta URL; ¿quería decir «anio»?', 'anio'],
  [ES, 'marcca=x', 'marcca', unknown, '«marcca» no es un parámetro de esta URL; ¿quería decir «marca»?', 'marca'],
  // Of nobody, or of another list.
  [EN, 'colour=red', 'colour', unknown, notHere('colour', PARAMETERS)],
  [ES, '__proto__=1', '__proto__', unknown, noEsDeAqui('__proto__', PARAMETROS)],
  [ES, 'constructor', 'constructor', unknown, noEsDeAqui('constructor', PARAMETROS)],
  [EN, '=x', '', unknown, notHere('', PARAMETERS)],
  [EN, 'type=x', 'type', unknown, notHere('type', PARAMETERS)],
  [ES_OILS, 'marca=x', 'marca', unknown, noEsDeAqui('marca', OIL_PARAMETROS)],
  [EN_OILS, 'brand=x', 'brand', unknown, notHere('brand', OIL_PARAMETERS)],
];

describe('a parameter that is not there', () => {
  test.each(rows)('%s?%s', async (path, query, parameter, code, detail, suggestion) => {
    const { status, json } = await send('GET', `${path}?${query}`);
    expect([status, json.code, json.detail]).toEqual([400, code, detail]);
    expect(essentials(json.errors)).toEqual([
      { parameter, code, detail, ...(suggestion === undefined ? {} : { suggestion }) },
    ]);
    expect((await send('HEAD', `${path}?${query}`)).status).toBe(400);
  });
});

test.each([
  [EN, 'brend=a&year=x&page=0&order=up', 'Invalid query', 'The query contains 4 errors.'],
  [ES, 'brand=a&anio=x&pagina=0&orden=asc', 'Consulta no válida', 'Hay 4 errores en la consulta.'],
] as const)('%s reports all errors of %s together', async (path, query, title, detail) => {
  const { status, json } = await send('GET', `${path}?${query}`);
  expect([status, json.code, json.title, json.detail]).toEqual([400, 'invalid-query', title, detail]);
  const sent = query.split('&').map((pair) => pair.split('=')[0]);
  expect(json.errors.map(({ parameter }: { parameter: string }) => parameter)).toEqual(sent);
  expect(json.errors.map(({ code }: { code: string }) => code)).toEqual([unknown, invalid, invalid, invalid]);
});

test('several errors of one code are an invalid query too', async () => {
  const { json } = await send('GET', '/api/coches?pagina=0&numero_de_elementos=0');
  expect([json.code, json.errors.length]).toEqual(['invalid-query', 2]);
});

test('lists the first 100 errors and counts all', async () => {
  const query = Array.from({ length: 150 }, (_, at) => `unknown-${at}=`).join('&');
  const { json } = await send('GET', `/api/coches?${query}`);
  expect([json.errors.length, json.detail]).toEqual([100, 'Hay 150 errores en la consulta.']);
});

test('echoes 200 characters of a parameter or its value at most', async () => {
  const long = 'x'.repeat(1_000);
  const cut = `${'x'.repeat(200)}…`;
  const { json } = await send('GET', `/api/cars?${long}=1`);
  expect(json.detail).toBe(notHere(cut, PARAMETERS));
  expect(json.errors[0].parameter.length).toBeLessThanOrEqual(201);
  const { json: sort } = await send('GET', `/api/cars?sort_by=${long}`);
  expect(sort.detail).toBe(
    `“sort_by” cannot be “${cut}”, which is not a field of the car; the fields are: ${carWords.en.join(', ')}.`,
  );
});

const car = { brand: 'Seat', model: 'Ibiza' };
const coche = { marca: 'Seat', modelo: 'Ibiza' };

/** Addresses and methods with other parameters or none, even of the tree's own words. */
const bare = [
  ['GET', '/api/cars/a-1', undefined, 'brand', '“brand” is a parameter of lists, not of a single item.'],
  ['HEAD', '/api/cars/a-1', undefined, 'brand', ''],
  ['PUT', '/api/cars/a-1', { year: 2000 }, 'brand', '“brand” is not a parameter here; there are none.'],
  ['DELETE', '/api/cars/a-1', undefined, 'page', '“page” is not a parameter here; there are none.'],
  ['POST', '/api/cars', car, 'page', '“page” is not a parameter here; there are none.'],
  [
    'GET',
    '/api/coches/a-1/aceites/5W-30',
    undefined,
    'tipo',
    '«tipo» es un parámetro de las listas, no de un solo elemento.',
  ],
  [
    'DELETE',
    '/api/coches/a-1/aceites/5W-30',
    undefined,
    'x',
    '«x» no es un parámetro de esta URL, que no admite ninguno.',
  ],
  ['POST', '/api/coches', coche, 'marca', '«marca» no es un parámetro de esta URL, que no admite ninguno.'],
  ['GET', '/api/openapi.json', undefined, 'x', '“x” is not a parameter here; there are none.'],
] as const;

test.each(bare)('%s %s has no parameters of lists', async (method, path, body, parameter, detail) => {
  const { status, json } = await send(method, `${path}?${parameter}=1`, body);
  expect(status).toBe(400);
  if (method !== 'HEAD') expect(essentials(json.errors)).toEqual([{ parameter, code: unknown, detail }]);
  const { json: cars } = await send('GET', '/api/cars');
  expect(cars).toEqual([{ identifier: 'a-1', ...car }]);
  expect((await send('GET', EN_OILS)).json.length).toBe(1);
});
