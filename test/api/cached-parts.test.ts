/** Neither kept responses nor kept rows ever have another part of an item than was asked for. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openServer } from '../support/app/server.ts';

let server: Awaited<ReturnType<typeof openServer>>;
beforeAll(async () => {
  server = await openServer();
});
afterAll(() => server.close());

const ask = async (path: string, init: RequestInit = {}): Promise<string> =>
  (await fetch(server.origin + path, { ...init, headers: { 'content-type': 'application/json' } })).text();

/** Each is asked for so often that it comes from whatever is kept. */
const TIMES = 4;

const car = { identifier: 'a', brand: 'Seat', model: 'Ibiza', year: 2008 };
const partsOf = (year: number, oils: string): readonly (readonly [path: string, text: string])[] => {
  const whole = `{"identifier":"a","brand":"Seat","model":"Ibiza","year":${year}}`;
  const includes = `{"identifier":"a","brand":"Seat","model":"Ibiza","year":${year},"oils":${oils}}`;
  const page = '&number_of_elements=5&page=1';
  return [
    ['/api/cars/a', whole],
    ['/api/cars/a?fields=year', `{"identifier":"a","year":${year}}`],
    ['/api/cars/a?fields=brand', '{"identifier":"a","brand":"Seat"}'],
    ['/api/cars/a?include=oils', includes],
    ['/api/coches/a?campos=anio', `{"identificador":"a","anio":${year}}`],
    ['/api/cars', `[${whole}]`],
    [`/api/cars?brand=seat${page}`, `[${whole}]`],
    [`/api/cars?brand=seat${page}&fields=year`, `[{"identifier":"a","year":${year}}]`],
    [`/api/cars?sort_by=year${page}&fields=brand`, '[{"identifier":"a","brand":"Seat"}]'],
    [`/api/cars?sort_by=year${page}`, `[${whole}]`],
    [`/api/cars?sort_by=year${page}&include=oils`, `[${includes}]`],
    [`/api/coches?ordenar_por=anio&pagina=1&campos=anio`, `[{"identificador":"a","anio":${year}}]`],
  ];
};

test('whatever was asked for before', async () => {
  await ask('/api/cars', { method: 'POST', body: JSON.stringify(car) });
  const changes: readonly (readonly [
    method: string,
    path: string,
    body: object | undefined,
    year: number,
    oils: string,
  ])[] = [
    ['PUT', '/api/cars/a', { year: 2009 }, 2009, '[]'],
    ['POST', '/api/cars/a/oils', { type: 'x' }, 2009, '[{"type":"x"}]'],
    ['PUT', '/api/cars/a/oils/x', { otherInfo: 'y' }, 2009, '[{"type":"x","otherInfo":"y"}]'],
    ['PATCH', '/api/coches/a', { anio: 2010 }, 2010, '[{"type":"x","otherInfo":"y"}]'],
    ['DELETE', '/api/cars/a/oils/x', undefined, 2010, '[]'],
  ];
  for (const [method, path, body, year, oils] of changes) {
    await ask(path, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
    for (let time = 0; time < TIMES; time++) {
      for (const [part, text] of partsOf(year, oils)) expect([part, await ask(part)]).toEqual([part, text]);
    }
  }
});
