/** A store that cannot do everything: what it lacks is in no document, and is refused by its word in each language. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mapStore } from '../../../examples/mounted/store/map-store.ts';
import { bilingual } from '../../../src/gateway/bilingual.ts';
import type { Capability } from '../../../src/gateway/model/capability.ts';
import { catalogue } from '../../support/cars/catalogue.ts';
import { everyKind, everyKindTables } from '../../support/language/every-kind.ts';
import { tableOf } from '../../support/language/locale-folder.ts';

const tables = { en: tableOf('en'), es: tableOf('es') };
const json = { 'content-type': 'application/json' };

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
const contentOf = async (response: Response | Promise<Response>): Promise<any> => (await response).json();

const appOf = (can: readonly Capability[]) => {
  const app = new Hono();
  app.route('/', bilingual({ catalogue, tables, store: { ...mapStore(catalogue), can } }));
  return app;
};

/** It reads its items and writes them one by one, and nothing else. */
const plain = appOf(['writes']);
const readOnly = appOf([]);

beforeAll(async () => {
  for (const identifier of ['a', 'b', 'c']) {
    const body = JSON.stringify({ identifier, brand: 'Seat', model: 'Ibiza', year: 2008 });
    await plain.request('/api/cars', { method: 'POST', headers: json, body });
  }
});

describe('a parameter that needs what the store lacks', () => {
  test.each([
    ['/api/cars?search=seat', 'search', 'search'],
    ['/api/coches?buscar=seat', 'buscar', 'search'],
    ['/api/cars?brand=seat', 'brand', 'brand'],
    ['/api/coches?marca=seat', 'marca', 'brand'],
    ['/api/cars?year_from=2000', 'year_from', 'year_from'],
    ['/api/coches?anio_desde=2000', 'anio_desde', 'year_from'],
    ['/api/cars?sort_by=year', 'sort_by', 'sort_by'],
    ['/api/coches?orden=descendente', 'orden', 'order'],
    ['/api/cars?group_by=brand', 'group_by', 'group_by'],
    ['/api/coches?incluir=aceites', 'incluir', 'include'],
    ['/api/coches/a?incluir=aceites', 'incluir', 'include'],
    ['/api/cars?after=x', 'after', 'after'],
    // A word of the other language, which would not do better.
    ['/api/coches?after=x', 'after', 'after'],
    ['/api/coches?cambiado_desde=0', 'cambiado_desde', 'changed_since'],
    ['/api/cambios/coches?cambiado_desde=0', 'cambiado_desde', 'changed_since'],
    ['/api/groups/cars?group_by=brand', 'group_by', 'group_by'],
  ])('%s is 501, which names it', async (path, parameter, name) => {
    const response = await plain.request(path);
    const problem = await contentOf(response);
    expect(problem).toMatchObject({ status: 501, code: 'not-supported', errors: [{ parameter, name }] });
    expect(problem.detail).toContain(parameter);
  });

  test('is one of several errors', async () => {
    const problem = await contentOf(plain.request('/api/coches?buscar=seat&color=rojo'));
    expect(problem).toMatchObject({ status: 400, code: 'invalid-query' });
    expect(problem.errors.map(({ code }: { code: string }) => code)).toEqual(['not-supported', 'unknown-parameter']);
  });

  test('is an unknown one where it is of lists, and an item is asked for', async () => {
    expect(await contentOf(plain.request('/api/cars/a?search=x'))).toMatchObject({ code: 'unknown-parameter' });
  });
});

test('what needs nothing goes on', async () => {
  const page = await plain.request('/api/coches?anio=2008&campos=anio&numero_de_elementos=2');
  expect(await page.json()).toEqual([
    { identificador: 'a', anio: 2008 },
    { identificador: 'b', anio: 2008 },
  ]);
  expect(page.headers.get('link')).toContain('pagina=2&campos=anio>; rel="next"');
  expect([page.headers.get('x-total-count'), page.headers.get('x-change'), page.headers.get('etag')]).toEqual([
    '3',
    null,
    null,
  ]);
  const item = await plain.request('/api/cars/a');
  expect(item.headers.get('etag')).toMatch(/^".+\.en"$/);
});

describe('a write', () => {
  test.each([
    ['PUT', '/api/coches/a', { 'if-match': '"x.es"' }, 'If-Match'],
    ['PATCH', '/api/cars/a', { 'if-none-match': '*' }, 'If-None-Match'],
    ['DELETE', '/api/coches/a', { 'if-match': '*' }, 'If-Match'],
  ])('%s %s with a condition is 501', async (method, path, headers, header) => {
    const body = method === 'DELETE' ? {} : { body: '{}' };
    const response = await plain.request(path, { method, headers: { ...json, ...headers }, ...body });
    expect(await contentOf(response)).toMatchObject({ status: 501, code: 'not-supported', errors: [{ header }] });
  });

  test('with an idempotency key is 501', async () => {
    const body = JSON.stringify({ marca: 'Seat', modelo: 'Ibiza' });
    const headers = { ...json, authorization: 'a', 'idempotency-key': 'one' };
    const response = await plain.request('/api/coches', { method: 'POST', headers, body });
    expect(await contentOf(response)).toMatchObject({ status: 501, errors: [{ header: 'Idempotency-Key' }] });
    expect((await plain.request('/api/coches')).headers.get('x-total-count')).toBe('3');
  });

  test.each([
    ['/api/coches', 'application/json', '[]'],
    ['/api/coches', 'text/csv', 'marca\nSeat\n'],
    ['/api/imports/cars', 'text/csv', 'brand\nSeat\n'],
  ])('of many items to %s is 501', async (path, type, body) => {
    const response = await plain.request(path, { method: 'POST', headers: { 'content-type': type }, body });
    expect(await contentOf(response)).toMatchObject({ status: 501, code: 'not-supported' });
  });

  test.each([
    ['POST', '/api/coches', 'GET, HEAD, OPTIONS'],
    ['PUT', '/api/cars/a', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/api/coches/a', 'GET, HEAD, OPTIONS'],
  ])('%s %s is 405 where none is taken', async (method, path, allow) => {
    const response = await readOnly.request(path, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, allow]);
  });
});

test('documents and dictionaries have what there is', async () => {
  const { paths, components } = await contentOf(readOnly.request('/api/openapi.es.json'));
  expect(Object.keys(paths['/api/coches'])).toEqual(['get']);
  expect(Object.keys(paths).filter((path) => /cambios|grupos|importaciones/.test(path))).toEqual([]);
  expect(Object.keys(components.parameters).filter((name) => /search|brand|from|after|change/.test(name))).toEqual([]);
  expect(paths['/api/coches'].get.responses['304']).toBeUndefined();
  const { collections, parameters } = await contentOf(readOnly.request('/api/locales/en'));
  expect(Object.keys(parameters)).toEqual(['number_of_elements', 'page', 'format', 'fields']);
  expect(Object.keys(collections.cars.paths)).toEqual(['list', 'item', 'exports', 'selections']);
});

describe('a store that includes what is nested in items, but not what their fields refer to', () => {
  const folder = everyKindTables(afterAll);
  const [en, es] = ['en', 'es'].map((tag) => JSON.parse(readFileSync(join(folder, `${tag}.json`), 'utf8')));
  const store = { ...mapStore(everyKind), can: ['nested', 'writes'] as const };
  const app = bilingual({ catalogue: everyKind, tables: { en, es }, store });
  const CANNOT = 'is not available here: the system that keeps the items of this catalogue cannot do it.';
  test.each<readonly [path: string, status: number, detail: string | undefined]>([
    ['/api/barcos?incluir=viajes', 200, undefined],
    ['/api/boats?include=trips,port', 501, `“port” ${CANNOT}`],
    ['/api/boats/a?include=home', 501, `“home” ${CANNOT}`],
    ['/api/boats/a/trips?include=towards', 501, `“include” ${CANNOT}`],
    [
      '/api/boats?include=x',
      400,
      '“include” cannot be “x”, which is neither a collection nor a reference of the boat; these are: trips.',
    ],
  ])('%s', async (path, status, detail) => {
    const response = await app.request(path);
    const { detail: said } = await contentOf(response);
    expect([response.status, said]).toEqual([status, detail]);
  });

  test('has no references in what its documents say of include', async () => {
    const { components } = await contentOf(app.request('/api/openapi.es.json'));
    expect(components.parameters.boats_include.schema.anyOf[0].enum).toEqual(['viajes']);
    expect(components.schemas.Boat.properties.puerto.type).toBe('string');
  });
});
