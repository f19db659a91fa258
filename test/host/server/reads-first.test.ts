/** Which of the requests that arrive together is handled first. */
import { type AddressInfo, connect } from 'node:net';
import { Hono } from 'hono';
import { expect, onTestFinished, test } from 'vitest';
import type { Env } from '../../../src/gateway/http/context.ts';
import { serverFor } from '../../../src/host/server/server.ts';

const LIMITS = { headersTimeout: 10_000, requestTimeout: 60_000, idleTimeout: 30_000, maxConnections: 4_000 };

test('a read that arrives with writes is handled before them', async () => {
  const handled: string[] = [];
  const app = new Hono<Env>();
  app.all('*', (c) => {
    handled.push(c.req.method);
    return c.body(null, 204);
  });
  const { server } = serverFor({ app, refuse: () => expect.fail() }, LIMITS);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  const open = async () => {
    const socket = connect({ port, host: '127.0.0.1' });
    await new Promise((resolve) => socket.once('connect', resolve));
    return (method: string): Promise<unknown> => {
      socket.write(`${method} /a HTTP/1.1\r\nHost: x\r\n\r\n`);
      return new Promise((resolve) => socket.once('data', resolve));
    };
  };
  const connections = await Promise.all(Array.from({ length: 7 }, open));
  // Each connection has been read from, so that Node learns of what comes next on all of them at once.
  for (const send of connections) await send('GET');
  handled.length = 0;
  const methods = ['POST', 'PUT', 'PATCH', 'DELETE', 'POST', 'POST', 'GET'];
  await Promise.all(connections.map((send, at) => send(methods[at] ?? '')));
  expect(handled).toEqual(['GET', ...methods.slice(0, -1)]);
});
