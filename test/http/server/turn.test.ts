/** Requests of one turn of the event loop share a look at the database, but none that is older than a request. */
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Hono } from 'hono';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Env } from '../../../src/http/context.ts';
import type { Policy } from '../../../src/http/server/refusal.ts';
import { serverFor } from '../../../src/http/server/server.ts';
import { respondCacheable } from '../../../src/http/write/respond.ts';

const LIMITS = { headersTimeout: 10_000, requestTimeout: 60_000, idleTimeout: 30_000, maxConnections: 4_000 };
const HEAD = 'GET /a HTTP/1.1\r\nHost: x\r\n';
const GET = `${HEAD}\r\n`;
/** A request whose body has not come yet. */
const UNFINISHED = `${HEAD}Content-Length: 4\r\n\r\n`;
const BODY = 'body';

/** A server with `/a` in its cache, connections to it, and how often the database was looked at since `/a` was cached. */
const openServer = async (count: number, policies: readonly Policy[] = []) => {
  let looks = 0;
  const app = new Hono<Env>();
  const content = '"a"';
  app.all('*', (c) =>
    respondCacheable(c, content, { 'Content-Type': 'application/json' }, [], { name: 'a', isCurrent: () => true }),
  );
  const validator = {
    dataVersion: () => {
      looks += 1;
      return 1;
    },
    lastChange: () => 1,
    changedSince: () => [],
  };
  const { server, count: countConnections } = serverFor(app, {
    ...LIMITS,
    validator,
    cacheCapacity: 1_000_000,
    policies,
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;

  const open = async () => {
    const socket: Socket = connect({ port, host: '127.0.0.1' });
    let received = '';
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text;
    });
    /** Sends text and waits until so many responses have come in all. */
    const responses = async (most: number): Promise<void> => {
      while (received.split(content).length - 1 < most) await new Promise((resolve) => socket.once('data', resolve));
    };
    await new Promise((resolve) => socket.once('connect', resolve));
    return { send: (text: string) => void socket.write(text), responses };
  };
  const connections = await Promise.all(Array.from({ length: count }, open));
  // Cached from the second request on; all connections have been read from.
  for (const { send, responses } of connections) {
    for (const at of [1, 2]) {
      send(GET);
      await responses(at);
    }
  }
  looks = 0;
  return { connections, port, count: countConnections, looks: () => looks };
};

/** Sends texts in one turn, one on each connection, and waits for the responses. @returns how often the database was looked at */
const looksFor = async (
  { connections, looks }: Awaited<ReturnType<typeof openServer>>,
  texts: readonly string[],
  responses: readonly number[],
): Promise<number> => {
  const before = looks();
  for (const [at, text] of texts.entries()) connections[at]?.send(text);
  await Promise.all(responses.map((more, at) => connections[at]?.responses(2 + more)));
  return looks() - before;
};

test('requests that arrive together share one look', async () => {
  const server = await openServer(8);
  const together = Array.from({ length: 8 }, () => GET);
  const once = together.map(() => 1);
  expect(await looksFor(server, together, once)).toBe(1);
  const twice = once.map(() => 2);
  expect(await looksFor(server, together, twice)).toBe(1);
});

describe('a request that may have been sent after a look has one of its own', () => {
  test('behind another on its connection', async () => {
    const server = await openServer(2);
    expect(await looksFor(server, [GET, GET + GET + GET], [1, 3])).toBe(3);
  });

  test('behind the end of another, which has its response already', async () => {
    const server = await openServer(2);
    const begun = await looksFor(server, ['', UNFINISHED], [0, 1]);
    expect(begun).toBe(1);
    expect(await looksFor(server, [GET, BODY + GET], [1, 2])).toBe(2);
  });

  test('where a policy waited before', async () => {
    let pass = (): void => {};
    const policy: Policy = ({ headers }) =>
      headers['x-wait'] === undefined
        ? undefined
        : new Promise((resolve) => {
            pass = () => resolve(undefined);
          });
    const server = await openServer(2, [policy]);
    const waiting = looksFor(server, ['', `${HEAD}X-Wait: 1\r\n\r\n`], [0, 1]);
    expect(await looksFor(server, [GET], [1])).toBe(1);
    pass();
    expect(await waiting).toBe(2);
  });

  test('on one of so many connections that libuv learns of them in parts', async () => {
    const server = await openServer(2);
    const { port } = server;
    const idle = Array.from({ length: 1_000 }, () => connect({ port, host: '127.0.0.1' }));
    onTestFinished(() => {
      for (const socket of idle) socket.destroy();
    });
    await Promise.all(idle.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
    await expect.poll(server.count).toBe(1_002);
    expect(await looksFor(server, [GET, GET], [1, 1])).toBe(2);
  });
});
