/** The example: an API of another form that is served in Spanish, and the mocks of documents that nobody here wrote. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createApi } from '../../../examples/before-an-api/api.ts';
import document from '../../../examples/before-an-api/openapi.json' with { type: 'json' };
import es from '../../../examples/before-an-api/tables/es.json' with { type: 'json' };
import { createFolder, startApi, startServe } from './process.ts';
import { apis, makeRoundTrips } from './round-trips.ts';

function createTables(content: unknown, tag: string, table: unknown): string {
  const folder = createFolder({ 'document.json': content });
  mkdirSync(join(folder, 'tables'));
  writeFileSync(join(folder, `tables/${tag}.json`), JSON.stringify(table));
  return folder;
}

test('the example is read and written in Spanish, and in its own names as before', async () => {
  const server = createApi();
  const api = await startApi((incoming, outgoing) => server.emit('request', incoming, outgoing));
  const { url } = await startServe(api, createTables(document, 'es', es));
  const headers = { authorization: 'Bearer let-me-in', 'content-type': 'application/json' };
  const ask = async (path: string, method = 'GET', body?: unknown) => {
    const answer = await fetch(url + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      location: answer.headers.get('location'),
      body: text === '' ? undefined : JSON.parse(text),
    };
  };
  expect(await (await fetch(`${url}/productos`)).json()).toEqual({ fallo: { mensaje: 'hace falta un token' } });
  for (const nombre of ['Aurora', 'product_kind', 'Alba']) {
    const created = await ask('/productos', 'POST', { nombre, clase: 'cafe_en_grano', precio_por_kilo: 18.5 });
    expect([created.status, created.location?.startsWith('/productos/')]).toEqual([201, true]);
  }
  const page = await ask('/productos?clase=cafe_en_grano&desde=1&cuantos=1');
  expect(page.body).toEqual({
    datos: [
      {
        nombre: 'product_kind',
        clase: 'cafe_en_grano',
        precio_por_kilo: 18.5,
        id_de_producto: 2,
        creado_en: '2026-11-26T10:00:00Z',
      },
    ],
    pagina: { total: 3, siguiente: '/productos?desde=2&cuantos=1&clase=cafe_en_grano' },
  });
  expect((await ask(page.body.pagina.siguiente)).body.datos[0].nombre).toBe('Alba');
  expect((await ask('/productos/2', 'PATCH', { precio_por_kilo: 0 })).body).toEqual({
    fallo: { mensaje: 'no es válido', campo: 'precio_por_kilo' },
  });
  expect((await ask('/productos?desde=x')).body).toEqual({
    fallo: { mensaje: 'debe ser un número entero', campo: 'desde' },
  });
  expect((await ask('/productos/2', 'DELETE')).status).toBe(204);
  expect((await ask('/productos/2')).body).toEqual({ fallo: { mensaje: 'no existe' } });
  expect((await ask('/productos?product_kind=capsules')).status).toBe(400);
  expect((await ask('/products?product_kind=whole_beans&limit=1')).body.meta).toEqual({
    total_count: 2,
    next_page: '/products?offset=1&limit=1&product_kind=whole_beans',
  });
});

test.each(apis)('before a mock of %s, 200 requests and answers come back as they were', async (_, document, table) => {
  await makeRoundTrips(document, table, 200, 59);
});
