/** What operators are told of each request. */
import { expect, onTestFinished, test } from 'vitest';
import type { ServedRequest } from '../../../src/host/log/log.ts';
import { createObserver } from '../../../src/host/server/observer.ts';
import { openServer } from '../../support/app/server.ts';

const open = async (options: Parameters<typeof openServer>[0] = {}) => {
  const told: ServedRequest[] = [];
  const observe = createObserver({
    log: (served) => void told.push(served),
    matchRoute: (path) =>
      path.startsWith('/api/coches')
        ? { route: '/api/coches', language: 'es' }
        : { route: undefined, language: undefined },
    clientName: () => 'feed of Seville',
  });
  const server = await openServer({ ...options, observe });
  onTestFinished(server.close);
  /** Waits until so many requests have ended. */
  const untilTold = (count: number) => expect.poll(() => told.length, { timeout: 30_000, interval: 5 }).toBe(count);
  const ask = async (path: string, headers = '', method = 'GET') => {
    const text = await server.raw(`${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`);
    await untilTold(1);
    return { text, id: /\r\nx-request-id: ([^\r]*)/i.exec(text)?.[1], served: told.splice(0) };
  };
  return { ask, server, told, untilTold };
};

const TRACE = '0af7651916cd43dd8448eb211c80319c';

test('a request, made and sent again from the cache', async () => {
  const { ask } = await open();
  for (let time = 0; time < 4; time++) {
    const { text, id, served } = await ask('/api/coches?marca=Seat');
    expect(served).toEqual([
      {
        method: 'GET',
        path: '/api/coches',
        route: '/api/coches',
        language: 'es',
        status: 200,
        duration: expect.any(Number),
        bytes: text.length,
        requestId: id,
        client: 'feed of Seville',
        traceId: undefined,
      },
    ]);
    expect(served[0]?.duration).toBeGreaterThan(0);
  }
});

test.each([
  ['GET', '/api/nada', '', 404],
  ['PATCH', '/api/coches', '', 405],
  ['GET', '/api/coches', 'Host: two\r\n', 400],
  ['POST', '/api/coches', 'Origin: https://example.org\r\nContent-Length: 0\r\n', 403],
  ['OPTIONS', '*', '', 204],
])('%s %s with %j is %i, with the identifier of the response', async (method, path, headers, status) => {
  const { ask } = await open();
  const { id, served } = await ask(path, headers, method);
  expect(served).toEqual([expect.objectContaining({ method, path, status, requestId: id })]);
});

test.each([
  ['X-Request-Id: mine-1\r\n', 'mine-1'],
  ['X-Request-Id: not usable!\r\n', /^[\w-]{21}$/],
  ['X-Request-Id: a\r\nx-request-id: b\r\n', /^[\w-]{21}$/],
  ['', /^[\w-]{21}$/],
])('the identifier of a request with %j is that of its response', async (headers, expected) => {
  const { ask } = await open();
  const { id, served } = await ask('/api/coches', headers);
  expect(id).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected));
  expect(served[0]?.requestId).toBe(id);
});

test.each([
  [`00-${TRACE}-b7ad6b7169203331-01`, TRACE],
  [`01-${TRACE}-b7ad6b7169203331-01-more`, TRACE],
  [`00-${'0'.repeat(32)}-b7ad6b7169203331-01`, undefined],
  [`00-${TRACE}-0000000000000000-01`, undefined],
  [`ff-${TRACE}-b7ad6b7169203331-01`, undefined],
  ['00-XYZ', undefined],
])('traceparent %s', async (header, traceId) => {
  const { ask } = await open();
  const { served } = await ask('/api/coches', `traceparent: ${header}\r\n`);
  expect(served[0]?.traceId).toBe(traceId);
});

test('a long path is cut', async () => {
  const { ask } = await open();
  const { served } = await ask(`/${'a'.repeat(500)}`);
  expect(served[0]?.path).toBe(`/${'a'.repeat(199)}`);
});

test('each of several requests on one connection has its own bytes', async () => {
  const { server, told, untilTold } = await open();
  const request = (path: string, last = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${last}\r\n`;
  const text = await server.raw(
    request('/api/coches') + request('/api/nada', 'Connection: close\r\n'),
    /no-such-path.*\}$/,
  );
  await untilTold(2);
  expect(told.map(({ status }) => status)).toEqual([200, 404]);
  expect(told.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(text.length);
});

test('a client that leaves before the response', async () => {
  let leave = (): void => {};
  const { server, told, untilTold } = await open({ guards: () => [() => new Promise(() => leave())] });
  const socket = server.open();
  leave = () => socket.destroy();
  socket.write('GET /api/coches HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await untilTold(1);
  expect(told).toEqual([expect.objectContaining({ status: undefined, bytes: 0 })]);
});

test('a request that breaks off in the middle is one', async () => {
  const { server, told, untilTold } = await open();
  const head = 'POST /api/coches HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n';
  expect(await server.raw(`${head}not a chunk\r\n`)).toMatch(/^HTTP\/1.1 400 /);
  await untilTold(1);
  expect(told).toEqual([expect.objectContaining({ method: 'POST', path: '/api/coches', status: undefined })]);
});

test('requests are told of together, in the order in which they ended, and without being asked for', async () => {
  const { server, told } = await open();
  const request = (path: string, last = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${last}\r\n`;
  const lists = Array.from({ length: 69 }, () => request('/api/coches'));
  await server.raw(lists.join('') + request('/api/nada', 'Connection: close\r\n'), /no-such-path/);
  await expect.poll(() => told.length, { timeout: 30_000 }).toBe(70);
  expect(told.at(-1)?.path).toBe('/api/nada');
});
