/** Requests that a client sends on one connection without waiting for responses. */
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openServer } from '../../support/app/server.ts';
import { temporaryFolder } from '../../support/process/folder.ts';

const HOST = 'Host: x\r\n';
const request = (method: string, path: string, body = '', headers = ''): string =>
  `${method} ${path} HTTP/1.1\r\n${HOST}${headers}${body === '' ? '' : `Content-Length: ${body.length}\r\n`}\r\n${body}`;
const statusesIn = (answer: string): readonly string[] =>
  [...answer.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status = '']) => status);

const POST = request('POST', '/api/cars', '{"identifier":"a","brand":"Seat","model":"Ibiza"}');
const PUT = request('PUT', '/api/cars/a', '{"doors":5}');
const PATCH = request('PATCH', '/api/cars/a', '{"doors":3}');
const DELETE = request('DELETE', '/api/cars/a');
const GET = request('GET', '/api/cars/a');
const CONNECT = 'CONNECT x.example:80 HTTP/1.1\r\nHost: x.example:80\r\n\r\n';
const LAST = request('GET', '/livez', '', 'Connection: close\r\n');
/** Until the server closes the connection. */
const END = /(?!)/;

const open = async (options: Parameters<typeof openServer>[0] = {}) => {
  const server = await openServer({ database: `sqlite:${join(temporaryFolder(), 'cars.db')}`, ...options });
  onTestFinished(() => server.close());
  return server;
};

const CHUNKED = request('POST', '/api/cars', '', 'Transfer-Encoding: chunked\r\n');
const GZIP = request('POST', '/api/cars', '', 'Transfer-Encoding: gzip\r\n');
const TWO_HOSTS = request('GET', '/', '', HOST);
const BROKEN = 'GET / HTTP/1.1\r\nX Y\r\n\r\n';

/** And whether the car is there afterwards. */
const sequences: readonly (readonly [what: string, requests: readonly string[], statuses: string, isThere: boolean])[] =
  [
    ['a write after a write', [POST, DELETE, LAST], '201 204 200', false],
    ['reads between writes', [POST, GET, PUT, PATCH, GET, DELETE, GET, LAST], '201 200 200 200 200 204 404 200', false],
    ['the same write again', [POST, DELETE, POST, PUT, POST, LAST], '201 204 201 200 409 200', true],
    ['CONNECT after a write', [POST, CONNECT], '201 501', true],
    ['what is broken after writes', [POST, DELETE, BROKEN], '201 204 400', false],
    ['a broken body after a write', [POST, CHUNKED, 'zz\r\n'], '201 400', true],
    ['a write after what closes the connection', [POST, TWO_HOSTS, DELETE], '201 400', true],
    ['a write after the last request', [POST, LAST, DELETE], '201 200', true],
    ['an unknown transfer coding', [GZIP, '{}'], '501', false],
    ['an unknown transfer coding after a write', [POST, GZIP, '{}'], '201 400', true],
  ];

test.each(sequences)('%s: each is answered once, in its turn', async (_, requests, statuses, isThere) => {
  const server = await open();
  expect(statusesIn(await server.raw(requests.join(''), END)).join(' ')).toBe(statuses);
  expect(statusesIn(await server.raw(GET))).toEqual([isThere ? '200' : '404']);
});

test('two thousand reads are answered in their order', async () => {
  const server = await open();
  const reads = Array.from({ length: 2_000 }, (_, at) =>
    request('GET', '/api/cars/none', '', `X-Request-Id: r${at}\r\n`),
  );
  const answer = await server.raw(reads.join('') + LAST, END);
  expect([...answer.matchAll(/"requestId":"r(\d+)"/g)].map(([, at]) => Number(at))).toEqual([...reads.keys()]);
});

test('requests that wait are so many, and no more; whoever does not line up is answered meanwhile', async () => {
  let asked = 0;
  const server = await open({
    policies: [
      ({ method }) => {
        if (method !== 'OPTIONS') return undefined;
        asked++;
        return new Promise(() => {});
      },
    ],
  });
  const CLIENTS = 12;
  const sockets = Array.from({ length: CLIENTS }, () => server.open());
  for (const socket of sockets) {
    socket
      .on('error', () => {})
      .on('end', () => socket.destroy())
      .resume();
    socket.write(request('OPTIONS', '/') + GET.repeat(1_480));
  }
  // 10,000 may wait: those of six clients.
  await expect.poll(() => sockets.filter(({ destroyed }) => destroyed).length, { timeout: 60_000 }).toBe(CLIENTS - 6);
  expect(asked).toBe(CLIENTS);
  expect(statusesIn(await server.raw(GET))).toEqual(['404']);
  for (const socket of sockets) socket.destroy();
});
