import { once } from 'node:events';
import { expect, test } from 'vitest';
import { openStore } from '../src/host/service/open-store.ts';
import { catalogue } from './support/cars/catalogue.ts';
import { ofTests } from './support/commands/given.ts';
import { carsListed, fillFile } from './support/conformance/fixtures.ts';
import { inFile, pathOf, sqliteUrl } from './support/database/files.ts';
import { isListening, openSocket, project, received, serve } from './support/process/service.ts';

const CAR = JSON.stringify({ identifier: 'a', brand: 'Seat', model: 'Ibiza' });

/** What the next service would find. */
const carsIn = async (url: string): Promise<readonly string[]> => {
  const store = await openStore(url, catalogue);
  const found = await carsListed(store);
  await store.close();
  return found;
};

/** A request whose headers the service has read, and whose body it waits for. */
const beginPost = async (port: number) => {
  const socket = await openSocket(port);
  const headers = ['POST /api/cars HTTP/1.1', 'Host: localhost', 'Content-Type: application/json'];
  const continued = received(socket, '100 Continue');
  socket.write([...headers, `Content-Length: ${CAR.length}`, 'Expect: 100-continue', '', ''].join('\r\n'));
  await continued;
  return socket;
};

/** A connection that waits for its next request. */
const beIdle = async (port: number) => {
  const socket = await openSocket(port);
  const answered = received(socket, '"ok"');
  socket.write('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await answered;
  return socket;
};

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s, sent twice, lets what is in flight finish, and takes nothing new meanwhile',
  async (signal) => {
    const url = sqliteUrl();
    const service = await serve({ env: { ...ofTests, DATABASE_URL: url } });
    const idle = await beIdle(service.port);
    const inFlight = await beginPost(service.port);

    service.child.kill(signal);
    await once(idle, 'close');
    // In the same turn, but the system tells of the one before the other.
    await expect.poll(() => isListening(service.port), { timeout: 60_000, interval: 20 }).toBe(false);
    service.child.kill(signal);

    const answered = received(inFlight, '"Ibiza"');
    inFlight.write(CAR);
    expect(await answered).toContain('HTTP/1.1 201 Created');
    inFlight.end();
    expect(await service.exit).toBe(0);
    expect(service.output().match(/stopping/g)).toHaveLength(1);
    expect(await carsIn(url)).toEqual(['a']);
  },
);

test('STOP_DELAY is a time in which balancers learn that the service stops, and everything is still answered', async () => {
  const { origin, send, child, exit, wrote } = await serve({ env: { STOP_DELAY: '1500' } });
  // Reads the documents that every response is checked against, which takes longer than the delay on a busy machine.
  expect((await fetch(`${origin}/readyz`)).status).toBe(200);
  child.kill('SIGTERM');
  await wrote(/stopping/);
  const ready = await fetch(`${origin}/readyz`, { headers: { 'accept-language': 'es' } });
  expect([ready.status, ready.headers.get('connection'), await ready.json()]).toEqual([
    503,
    'keep-alive',
    expect.objectContaining({
      code: 'unavailable',
      detail: 'El servicio se está deteniendo. Vuelva a intentarlo dentro de un momento.',
    }),
  ]);
  const created = await send('POST', '/api/cars', CAR);
  expect([created.status, created.headers.get('connection')]).toEqual([201, 'keep-alive']);
  expect(await exit).toBe(0);
});

test('beyond STOP_TIMEOUT nobody holds back the end: a client that never reads, or a file that still arrives, of which nothing is stored', async () => {
  const url = await fillFile(sqliteUrl(), 'a');
  // 21 MB together, so that a list of them fits into no socket's buffers.
  inFile(
    pathOf(url),
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 210)
     INSERT INTO oils (_created, _revision, _parent, type, _type, otherInfo)
     SELECT i, i, 'a', i, i, replace(hex(zeroblob(100000)), '00', 'x') FROM n`,
  );
  const service = await serve({ env: { ...ofTests, DATABASE_URL: url, STOP_TIMEOUT: '500' } });
  const unread = await openSocket(service.port);
  unread.pause();
  const begun = once(unread, 'readable');
  unread.write('GET /api/cars/a/oils HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await begun;

  const arriving = await openSocket(service.port);
  const continued = received(arriving, '100 Continue');
  const headers = ['POST /api/cars HTTP/1.1', 'Host: localhost', 'Content-Type: text/csv', 'Content-Length: 1000000'];
  arriving.write([...headers, 'Expect: 100-continue', '', ''].join('\r\n'));
  await continued;
  const rows = Array.from({ length: 3_000 }, (_, at) => `${at},Seat,Ibiza\n`);
  arriving.write(`identifier,brand,model\n${rows.join('')}`);
  // Another response in between: by now the list fills every buffer on its way.
  expect((await fetch(`${service.origin}/readyz`)).status).toBe(200);

  const since = performance.now();
  expect(await service.end('SIGTERM')).toBe(0);
  // The default, which is what the contract allows.
  expect(performance.now() - since).toBeLessThan(8_000);
  expect(await carsIn(url)).toEqual(['a']);
});

test('SIGTERM to npm start reaches the service and leaves nothing behind', async () => {
  const system = (process.env.PATH ?? '').split(':').filter((folder) => !folder.includes('node_modules'));
  const npm = await serve({
    command: 'npm',
    args: ['start'],
    cwd: project,
    env: { PATH: system.join(':'), npm_config_update_notifier: 'false' },
  });
  expect((await fetch(`${npm.origin}/livez`)).status).toBe(200);
  await npm.end('SIGTERM');
  expect(npm.output()).toMatch(/stopped/);
  expect(await isListening(npm.port)).toBe(false);
});
