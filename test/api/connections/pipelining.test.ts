/** Requests that a client sends on one connection without waiting for responses. */
import { expect, onTestFinished, test } from 'vitest';
import { openServer } from '../../support/app/server.ts';

const HOST = 'Host: x\r\n';
const get = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\n${HOST}${headers}\r\n`;
const LAST = get('/livez', 'Connection: close\r\n');
/** Until the server closes the connection. */
const END = /(?!)/;

test.each([
  ['reads of different cost', [get('/api/cars'), get('/livez'), get('/api/coches/x'), LAST], '200 200 404 200'],
  ['a read after what closes the connection', [get('/livez'), get('/', HOST), get('/livez')], '200 400'],
])('%s: each is answered once, in its turn', async (_, requests, statuses) => {
  const server = await openServer();
  onTestFinished(() => server.close());
  const answer = await server.raw(requests.join(''), END);
  expect([...answer.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status).join(' ')).toBe(statuses);
});

test('two thousand reads are answered in their order', async () => {
  const server = await openServer();
  onTestFinished(() => server.close());
  const reads = Array.from({ length: 2_000 }, (_, at) => get('/api/cars/none', `X-Request-Id: r${at}\r\n`));
  const answer = await server.raw(reads.join('') + LAST, END);
  expect([...answer.matchAll(/"requestId":"r(\d+)"/g)].map(([, at]) => Number(at))).toEqual([...reads.keys()]);
});
