/** Where the app itself fails, and where a request is not one that the adapter takes. */
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Hono } from 'hono';
import { expect, onTestFinished, test } from 'vitest';
import type { Env } from '../../../src/gateway/http/context.ts';
import { Server } from '../../../src/host/server/server.ts';
import { openServer } from '../../support/app/server.ts';

const LIMITS = { headersTimeout: 10_000, requestTimeout: 60_000, idleTimeout: 30_000, maxConnections: 4_000 };

test.each([
  ['at once', (): Response => expect.fail('first')],
  ['later', (): Promise<Response> => Promise.reject(new Error('first'))],
])('an error of which no response can be made, %s, reveals nothing and does not end the server', async (_, fail) => {
  const app = new Hono<Env>();
  app.get('/fail', fail);
  app.get('/live', () => new Response('alive'));
  app.onError(() => expect.fail('second'));
  const { http: server } = new Server({ app, refuse: () => expect.fail() }, LIMITS);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  const get = (path: string): Promise<string> => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    return text(socket);
  };
  expect(await get('/fail')).toMatch(/^HTTP\/1\.1 500 .*\r\n\r\n$/s);
  expect(await get('/live')).toMatch(/alive$/);
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
