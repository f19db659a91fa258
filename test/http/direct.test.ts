/** Ordinary GETs reach the app without the adapter, and nobody notices. */
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Hono } from 'hono';
import { expect, onTestFinished, test } from 'vitest';
import type { Env } from '../../src/http/context.ts';
import { serverFor } from '../../src/http/server/server.ts';
import { openServer } from '../support/app/server.ts';

const LIMITS = { headersTimeout: 10_000, requestTimeout: 60_000, idleTimeout: 30_000, maxConnections: 4_000 };

/** @returns a function that sends a request, whose connection the response closes, and receives all of the response */
const listen = async (app: Hono<Env>) => {
  const { server } = serverFor(app, LIMITS);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  return (path: string, host: string): Promise<string> => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nX-A: 1\r\nX-a:  2 \r\nConnection: close\r\n\r\n`);
    return text(socket);
  };
};

test('a handler sees the same request', async () => {
  const app = new Hono<Env>();
  app.get('*', ({ req, env }) => {
    const { method, url, raw } = req;
    const seen = {
      method,
      url,
      a: raw.headers.get('X-A'),
      none: raw.headers.get('x-none'),
      isAborted: raw.signal.aborted,
    };
    return Response.json({ seen, isDirect: env.send !== undefined });
  });
  const send = await listen(app);
  const bodyOf = async (host: string) => JSON.parse((await send('/a%2fb?c=%20d', host)).split('\r\n\r\n')[1] ?? '');
  const [direct, adapted] = [await bodyOf('localhost:3000'), await bodyOf('LOCALHOST:3000')];
  expect([direct.isDirect, adapted.isDirect]).toEqual([true, false]);
  expect(direct.seen).toEqual(adapted.seen);
  expect(direct.seen).toEqual({
    method: 'GET',
    url: 'http://localhost:3000/a%2fb?c=%20d',
    a: '1, 2',
    none: null,
    isAborted: false,
  });
});

test.each([
  ['at once', (): Response => expect.fail('first')],
  ['later', (): Promise<Response> => Promise.reject(new Error('first'))],
])('an error of which no response can be made, %s, ends the connection and not the server', async (_, fail) => {
  const app = new Hono<Env>();
  app.get('/fail', fail);
  app.get('/live', () => new Response('alive'));
  app.onError(() => expect.fail('second'));
  const send = await listen(app);
  expect(await send('/fail', 'localhost')).toBe('');
  expect(await send('/live', 'localhost')).toMatch(/alive$/);
});

test('a host that is no part of a URL is refused', async () => {
  const server = await openServer();
  onTestFinished(server.close);
  expect(await server.raw('GET /api/cars HTTP/1.1\r\nHost: 1.2.3.999:80\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /);
});

test('a stream is written to a client that names no host', async () => {
  const server = await openServer();
  onTestFinished(server.close);
  expect(await server.raw('GET /api/cars?format=xlsx HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /);
});
