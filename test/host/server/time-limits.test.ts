import { type AddressInfo, connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { Hono } from 'hono';
import { expect, onTestFinished, test } from 'vitest';
import type { Env } from '../../../src/gateway/http/context.ts';
import { Server } from '../../../src/host/server/server.ts';
import { openServer } from '../../support/app/server.ts';

const HOST = 'Host: x\r\n';
const LIMITS = { headersTimeout: 10_000, requestTimeout: 60_000, idleTimeout: 30_000, maxConnections: 4_000 };

test('headers and bodies that do not arrive in time are 408', async () => {
  const server = await openServer({ headersTimeout: 300, requestTimeout: 600 });
  const slow: readonly string[] = [
    `GET /api/coches HTTP/1.1\r\n${HOST}X-A: b`,
    `POST /api/coches HTTP/1.1\r\n${HOST}Content-Length: 20\r\n\r\n{"marca":`,
    `POST /api/coches HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n5\r\n{"mar`,
  ];
  server.setPatient(true);
  const asked = slow.map((request) => server.raw(request, /(?!)/));
  // Those with headers are known by their path, however busy the machine is.
  await server.begun(2);
  server.setPatient(false);
  const answers = await Promise.all(asked);
  for (const answer of answers) expect(answer).toBe('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
  await server.close();
});

/** Bytes of a response that no system keeps for a client, and of what is read of it at a time. */
const HUGE = 32_000_000;
const SIP = 4_000_000;

test('a client that reads slowly gets all of a response, though nothing moves for longer than the idle limit', async () => {
  const app = new Hono<Env>();
  app.get('*', (c) => c.body('x'.repeat(HUGE)));
  const { http: server } = new Server({ app, refuse: () => expect.fail() }, { ...LIMITS, idleTimeout: 400 });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let length = 0;
  const ended = new Promise<void>((resolve, reject) => {
    socket.on('end', resolve).on('error', reject);
  });
  socket.on('data', (chunk) => {
    if (Math.floor(length / SIP) < Math.floor((length + chunk.length) / SIP)) socket.pause();
    length += chunk.length;
  });
  socket.write(`GET / HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`);
  for (let pause = 0; pause < 3; pause++) {
    await setTimeout(600);
    socket.resume();
  }
  socket.removeAllListeners('data').on('data', (chunk) => {
    length += chunk.length;
  });
  socket.resume();
  await ended;
  expect(length).toBeGreaterThan(HUGE);
});
