/** What one client may hold of uploads, reports and streams, by its key or by its address behind a proxy. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { serveHere } from '../../support/process/service-here.ts';

type Headers = Readonly<Record<string, string>>;

const from = (address: string): Headers => ({ 'x-forwarded-for': address });
const [ONE, OTHER] = [from('198.51.100.1'), from('198.51.100.2')];

const open = async (env: Headers = {}) => {
  const service = await serveHere(
    { TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'error', ...env },
    { clients: ['a', 'b'] },
  );
  const { origin, port, keys } = service;
  /** Sends the head of a request, and what is given of its body. @returns the first bytes of the response */
  const begin = async (
    head: string,
    headers: Headers,
    body = '',
  ): Promise<{ socket: Socket; status: number; isClosing: boolean }> => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    onTestFinished(() => void socket.destroy());
    const lines = Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`${head} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
    const [bytes] = await once(socket, 'data');
    socket.pause();
    const text = String(bytes);
    return {
      socket,
      status: Number(/^HTTP\/1.1 (\d+)/.exec(text)?.[1]),
      isClosing: /\r\nconnection: close\r\n/i.test(text),
    };
  };
  const importCar = async (identifier: string, headers: Headers): Promise<number> => {
    const file = `identifier,brand,model\n${identifier},Seat,Ibiza\n`;
    const response = await service.send('POST', '/api/cars', file, { 'content-type': 'text/csv', ...headers });
    await response.text();
    return response.status;
  };
  const live = async (): Promise<number> => (await fetch(`${origin}/livez`)).status;
  return { origin, begin, importCar, live, keys: keys.map(({ key }) => ({ authorization: `Bearer ${key}` })) };
};

const UPLOAD = { 'content-type': 'text/csv', 'content-length': '1000000', expect: '100-continue' };
const upload = ({ begin }: Awaited<ReturnType<typeof open>>, headers: Headers) =>
  begin('POST /api/cars', { ...UPLOAD, ...headers }).then(({ status }) => status);
const follow = ({ begin }: Awaited<ReturnType<typeof open>>, headers: Headers) =>
  begin('GET /api/events/cars', headers);

test('eight slow uploads from one address hold up neither another address nor their own', async () => {
  const service = await open();
  for (let at = 0; at < 8; at++) expect(await upload(service, ONE)).toBe(100);
  expect(await service.importCar('a', OTHER)).toBe(200);
  expect(await service.importCar('b', ONE)).toBe(200);
});

test.each([
  ['address', {}, ONE, OTHER],
  ['key', { ACCESS: 'all' }, undefined, undefined],
  ['subnet', {}, from('2001:db8::1'), from('2001:db8:0:1::1')],
])(
  'uploads are counted by %s: whoever has as many as it may gets no more, and others do',
  async (_, env, one, other) => {
    const service = await open({ CLIENT_SHARE: '3', ...env });
    const [first = {}, second = {}] = one ? [one, other] : service.keys;
    for (let at = 0; at < 3; at++) expect(await upload(service, first)).toBe(100);
    expect(await upload(service, first)).toBe(503);
    expect(await service.importCar('a', first)).toBe(503);
    expect(await service.importCar('b', second)).toBe(200);
  },
);

test('eight slow readers of a report hold up nobody', async () => {
  const service = await open();
  const report = { 'content-type': 'text/csv', prefer: 'return=representation', ...ONE };
  for (let at = 0; at < 8; at++) {
    const rows = Array.from({ length: 2_000 }, (_, row) => `${at}-${row},Seat,Ibiza,${'v'.repeat(190)}`);
    const file = `identifier,brand,model,version\n${rows.join('\n')}\n`;
    const headers = { ...report, 'content-length': String(file.length) };
    expect((await service.begin('POST /api/cars', headers, file)).status).toBe(200);
  }
  expect(await service.importCar('x', OTHER)).toBe(200);
  expect(await service.importCar('y', ONE)).toBe(200);
});

test('streams take three quarters of the connections at most, and a client has no more than its own', async () => {
  const service = await open({ MAX_CONNECTIONS: '16', KEY_STREAMS: '5' });
  const sockets: Socket[] = [];
  const statuses: number[] = [];
  for (const [client, count] of [
    ['198.51.100.1', 6],
    ['2001:db8::1', 3],
    ['2001:db8::2', 3],
    ['198.51.100.2', 3],
  ] as const) {
    for (let at = 0; at < count; at++) {
      const { socket, status, isClosing } = await follow(service, from(client));
      statuses.push(status);
      // Whoever is refused holds no connection either.
      expect(isClosing).toBe(status !== 200);
      if (status === 200) sockets.push(socket);
      else socket.destroy();
    }
  }
  // The two addresses of version 6 are one subnet, and the last client gets what is left of twelve.
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 200, 200, 200, 200, 200, 429, 200, 200, 503]);
  expect(await service.live()).toBe(200);
  // A client that waits for a change holds a connection, too.
  const { status } = await service.begin('GET /api/cars?changed_since=now', {
    prefer: 'wait=20',
    ...from('192.0.2.9'),
  });
  expect(status).toBe(503);
  sockets[0]?.destroy();
  await expect.poll(async () => (await follow(service, from('192.0.2.9'))).status, { timeout: 30_000 }).toBe(200);
});

test('streams are counted by key', async () => {
  const service = await open({ ACCESS: 'all', KEY_STREAMS: '2' });
  const [one = {}, other = {}] = service.keys;
  const statuses: number[] = [];
  for (const headers of [one, one, one, other]) statuses.push((await follow(service, { ...headers, ...ONE })).status);
  expect(statuses).toEqual([200, 200, 429, 200]);
});
