/** Policies come before whatever could answer: nothing that one client has fetched reaches another who may not have it. */
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { sentence } from '../../../src/gateway/texts/phrase.ts';
import { Problem } from '../../../src/gateway/texts/problem.ts';
import { type Policy, Server } from '../../../src/host/server/server.ts';
import { openApp } from '../../support/app/app.ts';

const limits = { headersTimeout: 10_000, requestTimeout: 60_000, idleTimeout: 30_000, maxConnections: 4_000 };
const CARS = '/api/coches';

const refusal = (): Problem => new Problem('not-found', sentence('internal', {}));
const hasKey = ({ headers }: IncomingMessage): boolean => headers.authorization === 'Bearer good';
const atOnce: Policy = (incoming) => (hasKey(incoming) ? undefined : refusal());
const later: Policy = async (...exchange) => atOnce(...exchange);
const failing: Policy = (incoming) => {
  if (hasKey(incoming)) return undefined;
  throw new Error('broken');
};
const failingLater: Policy = async (...exchange) => failing(...exchange);

const KEY = { Authorization: 'Bearer good' };

const open = async (policies: readonly Policy[]) => {
  const { app, refuse, faults, close } = await openApp();
  const { http: server } = new Server({ app, refuse }, { ...limits, policies });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.close().closeAllConnections();
    await close();
  });
  const { port } = server.address() as AddressInfo;
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}${path}`, init);
  return { ask, port, faults };
};

const cases = [
  ['at once', atOnce, 404],
  ['later', later, 404],
  ['by failing', failing, 500],
  ['by failing later', failingLater, 500],
] as const;

test.each(cases)('a policy that refuses %s is asked before anything answers', async (_, policy, status) => {
  const { ask, faults } = await open([() => undefined, policy]);
  for (let time = 1; time <= 3; time++) expect((await ask(CARS, { headers: KEY })).status).toBe(200);
  for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
    const refused = await ask(CARS, { method });
    expect([method, refused.status]).toEqual([method, status]);
    expect(refused.headers.get('content-language')).toBe('es');
    expect(refused.headers.get('x-total-count')).toBeNull();
  }
  expect((await ask(CARS, { headers: KEY })).status).toBe(200);
  expect(faults.map(String)).toEqual(status === 500 ? Array(4).fill('Error: broken') : []);
});

test.each(cases)('a policy that refuses %s refuses no health check', async (_, policy, status) => {
  const { ask } = await open([policy]);
  for (const path of ['/livez', '/readyz/', '/readyz?writes']) {
    expect([path, (await ask(path)).status]).toEqual([path, 200]);
    expect([path, (await ask(path, { method: 'POST' })).status]).toEqual([path, status]);
  }
});

test('policies are told what is asked for, and add to the headers of every response', async () => {
  const { ask } = await open([
    (_, admission) => {
      admission.policyHeaders = { 'X-Kind': admission.kind };
      return undefined;
    },
    (_, { kind }) => (kind === 'page' ? refusal() : undefined),
  ]);
  const getKind = async (path: string, method = 'GET') => (await ask(path, { method })).headers.get('x-kind');
  const kinds = ['/livez', '/docs/', '/api/problems/x', CARS, '/api', '/nada'].map((path) => getKind(path));
  expect(await Promise.all(kinds)).toEqual(['probe', 'page', 'page', 'tree', 'tree', 'tree']);
  expect(await getKind(CARS, 'OPTIONS')).toBe('preflight');
  expect(await getKind('/livez', 'DELETE')).toBe('page');
});

test('a body is not asked for before the policies let the request pass', async () => {
  const { port } = await open([later]);
  const post = (more: string): Promise<string> =>
    new Promise((resolve) => {
      let received = '';
      const socket = connect(port, '127.0.0.1').setEncoding('utf8');
      onTestFinished(() => void socket.destroy());
      socket.on('data', (text: string) => {
        received += text;
        resolve(received);
      });
      socket.write(
        `POST ${CARS} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nExpect: 100-continue\r\n${more}\r\n`,
      );
    });
  expect(await post('')).toMatch(/^HTTP\/1\.1 404 /);
  expect(await post('Authorization: Bearer good\r\n')).toMatch(/^HTTP\/1\.1 100 /);
});
