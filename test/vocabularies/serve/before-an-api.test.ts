/** The example: an API of another form that is served in Spanish, and the mocks of documents that nobody here wrote. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createApi } from '../../../examples/before-an-api/api.ts';
import document from '../../../examples/before-an-api/openapi.json' with { type: 'json' };
import es from '../../../examples/before-an-api/tables/es.json' with { type: 'json' };
import { findRoute, readSegments } from '../../../packages/vocabularies/src/paths.ts';
import { Translator } from '../../../packages/vocabularies/src/translator.ts';
import { type Json, others, pseudoTable, randomJson } from '../documents.ts';
import { createFolder, startApi, startServe } from './process.ts';

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

test.each(others)(
  'before a mock of %s, what is asked and answered in pseudo-words comes back as it was',
  async (_, content) => {
    const translator = new Translator({ document: content, tables: { xx: pseudoTable(content) } });
    const vocabulary = translator.vocabularies.get('xx');
    let seed = 5;
    const below = (limit: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % limit;
    };
    let [answer, compared] = ['', 0];
    const asked: string[] = [];
    const api = await startApi((incoming, outgoing) => {
      asked.push(`${incoming.method} ${incoming.url}`);
      outgoing.setHeader('content-type', 'application/json').end(answer);
    });
    const { url } = await startServe(api, createTables(content, 'xx', pseudoTable(content)));
    for (let round = 0; round < 300; round++) {
      const operations = translator.document.operations.filter(({ method }) => method === 'GET');
      const operation = operations[below(operations.length)];
      const body = operation?.answers.get('200')?.get('application/json')?.body;
      const match =
        operation &&
        vocabulary &&
        findRoute(vocabulary.root, readSegments(operation.template.replaceAll(/\{\w+\}/g, '7')), 'out');
      if (!operation || !body || !match || !vocabulary) continue;
      answer = randomJson(content as Json, body.schema, below);
      const words = match.path.raw.map((raw, at) => encodeURIComponent(match.words[at] ?? raw));
      const query = operation.parameters.filter((each) => each.in === 'query');
      const write = (name: (name: string) => string) =>
        query.map((each) => `${encodeURIComponent(name(each.name))}=7`).join('&');
      const translated = await fetch(
        `${url}/${words.join('/')}?${write((name) => vocabulary.words.parameter(operation, name)?.word ?? name)}`,
      );
      const text = await translated.text();
      expect(asked.pop()).toBe(`GET /${match.path.raw.join('/')}?${write((name) => name)}`);
      // What is left over of the document's own names would be a member without the mark of a pseudo-word.
      const names = new Set(Object.keys(Object(body.schema.properties)));
      for (const name of Object.keys(Object(readObject(text)))) expect(names.has(name)).toBe(false);
      const plain = await fetch(`${url}${operation.template.replaceAll(/\{\w+\}/g, '7')}`);
      expect(await plain.text()).toBe(answer);
      compared++;
    }
    expect(compared).toBeGreaterThan(150);
  },
  60_000,
);

function readObject(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return Array.isArray(value) ? value[0] : value;
}
