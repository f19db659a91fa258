import { expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';
import { essentials } from '../../support/app/errors.ts';
import { tryAll } from '../../support/app/tries.ts';
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

const unknown = 'unknown-parameter';
const invalid = 'invalid-parameter';

tryAll(`
# Of the other language, one slip away, of nobody, or of another list.
GET /api/cars?marca=Seat → brand
GET /api/coches?brand=Seat → marca
GET /api/cars?pagina=1 → page
GET /api/coches?page=1 → pagina
GET /api/cars?ordenar_por=brand → sort_by
GET /api/coches?order=ascendente → orden
GET /api/cars/a-1/oils?numero_de_elementos=1 → number_of_elements
GET /api/cars?anio_hasta=1 → year_to
GET /api/cars?year_desde=1 → year_from
GET /api/coches?anio_from=1 → anio_desde
GET /api/coches/a-1/aceites?type=x → tipo
GET /api/cars?bran=x → brand
GET /api/cars?Brand=x → brand
GET /api/cars?paeg=1 → page
GET /api/coches?página=1 → pagina
GET /api/coches?año=2008 → anio
GET /api/coches?marcca=x → marca
GET /api/cars?colour=red
400 unknown-parameter “colour” is not a parameter here; the parameters are: ….
GET /api/coches?__proto__=1
400 unknown-parameter «__proto__» no es un parámetro de esta URL; los disponibles son: ….
GET /api/coches?constructor
400 unknown-parameter «constructor» no es un parámetro de esta URL; los disponibles son: ….
GET /api/cars?=x
400 unknown-parameter “” is not a parameter here; the parameters are: ….
GET /api/cars?type=x
400 unknown-parameter “type” is not a parameter here; the parameters are: ….
GET /api/coches/a-1/aceites?marca=x
400 unknown-parameter «marca» no es un parámetro de esta URL; los disponibles son: ….
GET /api/cars/a-1/oils?brand=x
400 unknown-parameter “brand” is not a parameter here; the parameters are: ….
`);

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
  expect(json.detail).toContain(`“${cut}” is not a parameter here`);
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
