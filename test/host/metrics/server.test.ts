import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createMetricsServer } from '../../../src/host/metrics/server.ts';
import { listen } from '../../../src/host/server/server.ts';

const open = async (read: () => Promise<string>, isOpen = false) => {
  const faults: unknown[] = [];
  const server = createMetricsServer(read, (error) => faults.push(error), isOpen ? ['*'] : ['prom.example']);
  const origin = await listen(server, '127.0.0.1', 0);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin, faults, port: (server.address() as AddressInfo).port };
};

const TEXT = '# HELP a A.\n# TYPE a gauge\na 1\n';
const one = async (): Promise<string> => TEXT;

test('the metrics are at /metrics', async () => {
  const { origin } = await open(one);
  for (const path of ['/metrics', '/metrics?name=a']) {
    const response = await fetch(origin + path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(await response.text()).toBe(TEXT);
  }
  const head = await fetch(`${origin}/metrics`, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '31', '']);
});

test.each([
  ['localhost', 200],
  ['127.0.0.1:9464', 200],
  ['[::1]:9464', 200],
  ['prom.example', 200],
  ['attacker.example', 403],
  ['localhost.attacker.example:9464', 403],
])('a page that points its own name at the machine reads nothing: %s is %i', async (host, status) => {
  const ask = (port: number): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const request = get({ port, host: '127.0.0.1', path: '/metrics', headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      request.on('error', reject);
    });
  expect(await ask((await open(one)).port)).toBe(status);
  expect(await ask((await open(one, true)).port)).toBe(200);
});

test.each([
  ['GET', '/', 404],
  ['GET', '/api/cars', 404],
  ['POST', '/metrics', 405],
])('%s %s is %i', async (method, path, status) => {
  const { origin } = await open(one);
  expect((await fetch(origin + path, { method })).status).toBe(status);
});

test('what cannot be collected is 500, and told; the next request is no worse for it', async () => {
  const fault = new Error('the reason');
  let isBroken = true;
  const { origin, faults } = await open(async () => {
    if (isBroken) throw fault;
    return one();
  });
  const response = await fetch(`${origin}/metrics`);
  expect([response.status, await response.text()]).toEqual([500, '']);
  expect(faults).toEqual([fault]);
  isBroken = false;
  expect((await fetch(`${origin}/metrics`)).status).toBe(200);
});

test('a port that is taken is named by its setting', async () => {
  const { port } = await open(one);
  const second = createMetricsServer(one, () => {}, []);
  await expect(listen(second, '127.0.0.1', port, 'METRICS_')).rejects.toThrow(
    `METRICS_HOST=127.0.0.1 METRICS_PORT=${port}: is in use already`,
  );
});
