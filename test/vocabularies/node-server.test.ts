/** The translator on Node's own server, which hands over light requests and its bindings. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { afterAll, expect, test } from 'vitest';
import { mapStore } from '../../examples/mounted/store/map-store.ts';
import en from '../../locales/en.json' with { type: 'json' };
import es from '../../locales/es.json' with { type: 'json' };
import { findVocabulary, vocabularies } from '../../packages/vocabularies/src/index.ts';
import { catalogue } from '../../src/catalogue.ts';
import { bilingual } from '../../src/gateway/bilingual.ts';
import { project } from '../support/process/service.ts';
import * as boats from './boats.ts';

const servers: { close(): unknown }[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

async function listen(app: Hono): Promise<string> {
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 });
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('the service behind the translator reads and writes what is handed over', async () => {
  const service = bilingual({ catalogue, tables: { en }, store: mapStore(catalogue) });
  const document = await (await service.request('/api/openapi.en.json')).json();
  const url = await listen(vocabularies(service, { document, tables: { es }, onNotice: () => {} }));
  const headers = { 'content-type': 'application/json' };
  const body = '{"identificador":"a","marca":"Seat","modelo":"Ibiza","anio":2001}';
  const created = await fetch(`${url}/api/coches`, { method: 'POST', headers, body });
  expect([created.status, created.headers.get('location')]).toEqual([201, '/api/coches/a']);
  const item = await fetch(`${url}/api/coches/a`);
  expect(await item.json()).toMatchObject({ marca: 'Seat', anio: 2001 });
  const tag = item.headers.get('etag') ?? '';
  expect((await fetch(`${url}/api/coches/a`, { headers: { 'if-none-match': tag } })).status).toBe(304);
  expect((await fetch(`${url}/api/cars/a`, { headers: { 'if-none-match': tag } })).status).toBe(200);
});

test('a light request is what a request is, once somebody asks for more', async () => {
  const document = structuredClone(boats.document);
  Object.assign(document.paths['/boats'].get.responses, { 404: document.paths['/boats'].post.responses[201] });
  const api = new Hono();
  api.all('/boats', async (c) => {
    const { raw } = c.req;
    const copy = new Request(raw, { headers: { ...c.req.header(), 'x-new': '1' } });
    raw.headers.set('x-own', '2');
    const boat = {
      name: [raw instanceof Request, raw.signal instanceof AbortSignal, findVocabulary(raw)?.tag, raw.method],
      kind: [c.req.header('range') ?? null, raw.headers.has('range'), raw.headers.get('accept-encoding')],
      length: [copy.headers.get('x-new'), new Map(raw.headers).get('x-own'), raw.url.replace(/^.*\d/, '')],
      owner: raw.body && (await copy.json()),
    };
    return c.json(boat, raw.method === 'POST' ? 201 : 404);
  });
  const url = await listen(vocabularies(api, { document, tables: { es: boats.es }, onNotice: () => {} }));
  const ask = async (init: RequestInit) => (await fetch(`${url}/barcos`, init)).json();
  expect(await ask({ headers: { range: 'bytes=0-1', 'accept-encoding': 'gzip' } })).toEqual({
    nombre: [true, true, 'es', 'GET'],
    tipo: [null, false, 'identity'],
    eslora: ['1', '2', '/boats'],
    propietario: null,
  });
  const headers = { 'content-type': 'application/json' };
  expect(await ask({ method: 'POST', headers, body: '{"propietario":{"titular":"x"}}' })).toMatchObject({
    nombre: [true, true, 'es', 'POST'],
    propietario: { owner: { name: 'x' } },
  });
});

test('an answer whose headers were set later has them, cookies included', async () => {
  const api = new Hono();
  api.use(async (c, next) => {
    await next();
    c.res.headers.set('X-Own', c.res.headers.get('content-type') ?? '');
    if (c.req.path.endsWith('/b')) for (const name of ['one', 'two']) c.res.headers.append('set-cookie', `${name}=1`);
  });
  api.get('/boats/:id', (c) => c.json({ name: 'ñ' }, 200, { ETag: '"a"' }));
  const url = await listen(
    vocabularies(api, { document: boats.document, tables: { es: boats.es }, onNotice: () => {} }),
  );
  for (const [path, cookies] of [
    ['/barcos/a', []],
    ['/barcos/b', ['one=1', 'two=1']],
  ] as const) {
    const answer = await fetch(url + path);
    expect([await answer.text(), answer.headers.get('x-own')]).toEqual(['{"nombre":"ñ"}', 'application/json']);
    expect([answer.headers.get('etag'), answer.headers.getSetCookie()]).toEqual(['"a.es"', cookies]);
  }
});

test('an answer that the API has fetched from elsewhere, whose headers nobody may change, is translated', async () => {
  const other = new Hono().get('/boats/:id', (c) => c.json({ name: 'ñ' }, 200, { ETag: '"a"' }));
  const origin = await listen(other);
  const api = new Hono().get('/boats/:id', (c) => fetch(`${origin}${c.req.path}`));
  const tables = { es: boats.es };
  const url = await listen(vocabularies(api, { document: boats.document, tables, onNotice: () => {} }));
  const answer = await fetch(`${url}/barcos/a`);
  expect([answer.status, answer.headers.get('etag'), await answer.text()]).toEqual([200, '"a.es"', '{"nombre":"ñ"}']);
});

test('the translator may be loaded after a server has put its own class in place of Request', async () => {
  const program = `
    import { once } from 'node:events';
    import { serve } from '@hono/node-server';
    import { Hono } from 'hono';
    serve({ fetch: () => new Response(), hostname: '127.0.0.1', port: 0 }).close();
    const { vocabularies } = await import(${JSON.stringify(import.meta.resolve('../../packages/vocabularies/src/index.ts'))});
    const boats = await import(${JSON.stringify(import.meta.resolve('./boats.ts'))});
    const api = new Hono().post('/boats', async (c) => c.json(await c.req.json(), 201));
    const app = vocabularies(api, { document: boats.document, tables: { es: boats.es }, onNotice: () => {} });
    const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 });
    await once(server, 'listening');
    const body = '{"nombre":"Rayo"}';
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch('http://127.0.0.1:' + server.address().port + '/barcos', { method: 'POST', headers, body });
    console.log(answer.status, await answer.text());
    server.closeAllConnections();
    server.close();`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    cwd: project,
  });
  expect(stdout).toBe('201 {"nombre":"Rayo"}\n');
});
