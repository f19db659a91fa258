/** APIs in the manner of others: FastAPI, json-server 0.17 and 1.0 (which answer byte for byte as those did), and one behind TLS. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, type RequestListener, request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import * as boats from '../boats.ts';
import * as fastapi from './fastapi.ts';
import { createFolder, sendRaw, startApi, startRawApi, startServe } from './process.ts';

function createTables(document: unknown, table: unknown): string {
  const folder = createFolder({ 'document.json': document });
  mkdirSync(join(folder, 'tables'));
  writeFileSync(join(folder, 'tables/es.json'), JSON.stringify(table));
  return folder;
}

async function ask(url: string, headers: Readonly<Record<string, string>> = {}, body?: unknown) {
  const sent = request(url, { method: body === undefined ? 'GET' : 'POST', headers });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
}

const JSON_TYPE = { 'content-type': 'application/json' };

test('what FastAPI says is wrong is told by the words that the client has sent', async () => {
  const server = fastapi.createApi();
  const api = await startApi((incoming, outgoing) => server.emit('request', incoming, outgoing));
  const { url } = await startServe(api, createTables(fastapi.document, fastapi.es));
  const read = async (path: string, body?: unknown) => {
    const answer = await ask(url + path, JSON_TYPE, body);
    return { status: answer.status, body: JSON.parse(answer.body) };
  };
  const order = { estado: 'pagado', lineas: [{ producto: 'quantity', cantidad: 2 }], cliente: null };
  expect(await read('/pedidos/', order)).toEqual({ status: 200, body: order });
  expect(await read('/pedidos', { estado: 'abierto' })).toEqual({
    status: 422,
    body: { detalle: [{ loc: ['body', 'lineas'], mensaje: 'Field required', tipo: 'missing' }] },
  });
  const { body } = await read('/pedidos/', { lineas: [{ cantidad: 1 }, { producto: 'a' }] });
  expect(body.detalle.map(({ loc }: { loc: unknown }) => loc)).toEqual([
    ['body', 'lineas', 0, 'producto'],
    ['body', 'lineas', 1, 'cantidad'],
  ]);
  expect((await read('/pedidos/?por_pagina=x')).body.detalle[0].loc).toEqual(['query', 'por_pagina']);
  expect((await read('/pedidos/x')).body.detalle[0].loc).toEqual(['path', 'id_de_pedido']);
  expect((await read('/orders/x')).body.detail[0].loc).toEqual(['path', 'order_id']);
});

const post = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    title: { type: 'string' },
    views: { type: 'integer' },
    comments: { type: 'array', items: { properties: { text: {}, postId: {} } } },
  },
};
const ref = { $ref: '#/components/schemas/Post' };
const list = { type: 'array', items: ref };
const answer = (schema: unknown) => ({ description: '', content: { 'application/json': { schema } } });
const posts = {
  openapi: '3.1.0',
  info: { title: 'Posts', version: '1' },
  paths: {
    '/posts': {
      get: {
        parameters: [
          ...['_page', '_limit', '_per_page', 'views_gte'].map((name) => ({ name, in: 'query', schema: {} })),
          { name: '_sort', in: 'query', schema: {}, 'x-names': 'Post' },
          { name: '_embed', in: 'query', schema: { enum: ['comments'] } },
        ],
        responses: { 200: answer({ anyOf: [list, { $ref: '#/components/schemas/Page' }] }) },
      },
      post: { requestBody: answer(ref), responses: { 201: answer(ref) } },
    },
    '/posts/{id}': { get: { responses: { 200: answer(ref) } } },
  },
  components: {
    schemas: {
      Post: post,
      Page: { type: 'object', properties: { first: {}, prev: {}, next: {}, pages: {}, items: {}, data: list } },
    },
  },
};
const entradas = {
  paths: { posts: 'entradas' },
  parameters: {
    _page: '_pagina',
    _limit: '_cuantas',
    _per_page: '_por_pagina',
    _sort: '_orden',
    _embed: '_incluir',
    views_gte: 'visitas_desde',
  },
  members: {
    Post: { title: 'titulo', views: 'visitas', comments: 'comentarios' },
    '/components/schemas/Post/properties/comments/items': { text: 'texto', postId: 'entrada' },
    Page: { first: 'primera', prev: 'anterior', next: 'siguiente', pages: 'paginas', items: 'total', data: 'datos' },
  },
  values: { '*': { comments: 'comentarios' } },
};

test('json-server 0.17: pages in Link and X-Total-Count, an absolute Location, and white space as it was', async () => {
  const seen: string[] = [];
  const api = await startRawApi((socket, sent) => {
    const [, method, target, host] = /^(\w+) (\S+)[\s\S]*?\bhost: (\S+)/.exec(sent) ?? [];
    seen.push(`${method} ${target}`);
    const shared = 'X-Powered-By: Express\r\nVary: Origin, Accept-Encoding\r\nExpires: -1\r\n';
    const type = 'X-Content-Type-Options: nosniff\r\nContent-Type: application/json; charset=utf-8\r\n';
    if (method === 'POST') {
      const body = '{\n  "title": "new",\n  "views": 1,\n  "id": "pDhzRL"\n}';
      socket.write(
        `HTTP/1.1 201 Created\r\n${shared}Access-Control-Expose-Headers: Location\r\nLocation: http://${host}/posts/3\r\n${type}Content-Length: ${body.length}\r\nETag: W/"32-x"\r\nKeep-Alive: timeout=5\r\n\r\n${body}`,
      );
      return;
    }
    const body = '[\n  {\n    "id": "1",\n    "title": "title",\n    "views": 100\n  }\n]';
    const link = (page: number, rel: string) =>
      `<http://${host}/posts?_page=${page}&_limit=1&_sort=views>; rel="${rel}"`;
    socket.write(
      `HTTP/1.1 200 OK\r\n${shared}X-Total-Count: 3\r\nAccess-Control-Expose-Headers: X-Total-Count, Link\r\nLink: ${link(1, 'first')}, ${link(2, 'next')}\r\n${type}Content-Length: ${body.length}\r\nETag: W/"8a-8w"\r\n\r\n${body}`,
    );
  });
  const { url } = await startServe(api, createTables(posts, entradas));
  const page = await ask(`${url}/entradas?_pagina=1&_cuantas=1&_orden=visitas&visitas_desde=5`);
  expect(page.body).toBe('[\n  {\n    "id": "1",\n    "titulo": "title",\n    "visitas": 100\n  }\n]');
  expect(page.headers).toMatchObject({ 'x-total-count': '3', etag: 'W/"8a-8w.es"', expires: '-1' });
  const link = (at: number, rel: string) => `<${url}/entradas?_pagina=${at}&_cuantas=1&_orden=visitas>; rel="${rel}"`;
  expect(page.headers.link).toBe(`${link(1, 'first')}, ${link(2, 'next')}`);
  const created = await ask(`${url}/entradas`, JSON_TYPE, { titulo: 'new', visitas: 1 });
  expect([created.status, created.headers.location]).toEqual([201, `${url}/entradas/3`]);
  expect(created.body).toBe('{\n  "titulo": "new",\n  "visitas": 1,\n  "id": "pDhzRL"\n}');
  expect(seen).toEqual(['GET /posts?_page=1&_limit=1&_sort=views&views_gte=5', 'POST /posts']);
});

test('json-server 1.0: a page in an envelope, embedded comments, and errors in plain text', async () => {
  const seen: string[] = [];
  const comments = '"comments": [\n        {\n          "text": "text",\n          "postId": "1"\n        }\n      ]';
  const body = `{\n  "first": 1,\n  "prev": null,\n  "next": 2,\n  "pages": 3,\n  "items": 3,\n  "data": [\n    {\n      "title": "items",\n      ${comments}\n    }\n  ]\n}`;
  const api = await startApi((incoming, outgoing) => {
    seen.push(incoming.url ?? '');
    outgoing.setHeader('X-Powered-By', 'tinyhttp').setHeader('Access-Control-Allow-Origin', '*');
    if (incoming.url?.startsWith('/posts')) outgoing.setHeader('Content-Type', 'application/json').end(body);
    else outgoing.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8', etag: 'W/"9-0g"' }).end('Not Found');
  });
  const { url } = await startServe(api, createTables(posts, entradas));
  const page = await ask(`${url}/entradas?_pagina=1&_por_pagina=1&_orden=-visitas&_incluir=comentarios`);
  expect(JSON.parse(page.body)).toEqual({
    primera: 1,
    anterior: null,
    siguiente: 2,
    paginas: 3,
    total: 3,
    datos: [{ titulo: 'items', comentarios: [{ texto: 'text', entrada: '1' }] }],
  });
  const missing = await ask(`${url}/nada/1`);
  expect([missing.status, missing.body]).toEqual([404, 'Not Found']);
  expect(seen).toEqual(['/posts?_page=1&_per_page=1&_sort=-views&_embed=comments', '/nada/1']);
});

/** An API behind TLS with a certificate of its own. */
async function startSecureApi(listener: RequestListener) {
  const folder = createFolder({});
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const options = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  execFileSync('openssl', ['req', '-x509', ...options, ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, listener).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return { api: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, cert };
}

test('an API behind TLS is asked if its certificate is known, and otherwise nothing is sent to it', async () => {
  const hosts: (string | undefined)[] = [];
  const { api, cert } = await startSecureApi((incoming, outgoing) => {
    hosts.push(incoming.headers.host);
    outgoing.writeHead(200, { ...JSON_TYPE, location: `${api}/boats/1` }).end('{"name":"a"}');
  });
  const folder = createTables(boats.document, boats.es);
  const stranger = await startServe(api, folder);
  const refused = await ask(`${stranger.url}/barcos`, JSON_TYPE, { nombre: 'a' });
  expect([refused.status, JSON.parse(refused.body).code, hosts]).toEqual([502, 'api-unreachable', []]);
  const readReason = () => stranger.lines().find(({ problem }) => problem)?.reason;
  await expect.poll(readReason).toMatch(/self.signed/);
  vi.stubEnv('NODE_EXTRA_CA_CERTS', cert);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { url } = await startServe(api, folder);
  for (let turn = 0; turn < 2; turn++) {
    const { status, body, headers } = await ask(`${url}/barcos/1`);
    expect([status, body, headers.location]).toEqual([200, '{"nombre":"a"}', `${url}/barcos/1`]);
  }
  expect(hosts).toEqual(Array(2).fill(api.slice('https://'.length)));
});

const SELECTED: readonly (readonly [how: string, path: string, headers: string, words: boolean, location: string])[] = [
  ['prefix', '/es/barcos?tipo=vela', 'Host: me', true, '/es/barcos/1'],
  ['prefix', '/boats?kind=sail', 'Host: me', false, '/boats/1'],
  ['host', '/barcos?tipo=vela', 'Host: es.example.com:80', true, '/barcos/1'],
  ['host', '/boats?kind=sail', 'Host: www.example.com', false, '/boats/1'],
  ['header', '/barcos?tipo=vela', 'Host: me\r\nAccept-Language: es-AR, en;q=0.5', true, '/barcos/1'],
  ['header', '/boats?kind=sail', 'Host: me\r\nAccept-Language: en, es;q=0.5', false, '/boats/1'],
  ['header', '/boats?kind=sail', 'Host: me', false, '/boats/1'],
];

test.each(SELECTED)('--select %s: %s with %s', async (how, path, headers, areWords, location) => {
  const seen: (string | undefined)[] = [];
  const api = await startApi((incoming, outgoing) => {
    seen.push(incoming.url);
    outgoing.writeHead(200, { ...JSON_TYPE, location: '/boats/1', vary: 'Origin' }).end('[{"name":"a"}]');
  });
  const folder = createTables(boats.document, boats.es);
  const { url } = await startServe(api, folder, '--select', how, '--language', 'en');
  const received = await sendRaw(url, `GET ${path} HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`);
  expect(seen).toEqual(['/boats?kind=sail']);
  expect(received).toContain(areWords ? '[{"nombre":"a"}]' : '[{"name":"a"}]');
  expect(/^location: (.*)\r$/im.exec(received)?.[1]).toBe(location);
  const vary = received.match(/^vary: .*\r$/gim)?.join();
  expect(/accept-language/i.test(vary ?? '')).toBe(how === 'header');
});
