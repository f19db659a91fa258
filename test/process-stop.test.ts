import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { catalogue } from '../src/catalogue.ts';
import { openStore } from '../src/service/open-store.ts';
import { carsListed, createCar, createOil } from './support/conformance/fixtures.ts';
import { temporaryFolder } from './support/process/folder.ts';
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

test('SIGTERM lets what is in flight finish, and takes nothing new meanwhile', async () => {
  const url = `sqlite:${join(temporaryFolder(), 'cars.db')}`;
  const service = await serve({ env: { DATABASE_URL: url } });
  const idle = await beIdle(service.port);
  const inFlight = await beginPost(service.port);

  service.child.kill('SIGTERM');
  await once(idle, 'close');
  // In the same turn, but the system tells of the one before the other.
  await expect.poll(() => isListening(service.port), { timeout: 60_000, interval: 20 }).toBe(false);

  const answered = received(inFlight, '"Ibiza"');
  inFlight.write(CAR);
  expect(await answered).toContain('HTTP/1.1 201 Created');
  inFlight.end();
  expect(await service.exit).toBe(0);
  expect(await carsIn(url)).toEqual(['a']);
});

test.each(['SIGTERM', 'SIGINT'] as const)('%s sent twice ends it once', async (signal) => {
  const service = await serve();
  const inFlight = await beginPost(service.port);
  service.child.kill(signal);
  await service.wrote(/stopping/);
  service.child.kill(signal);
  const answered = received(inFlight, '"Ibiza"');
  inFlight.write(CAR);
  expect(await answered).toContain('201');
  inFlight.end();
  expect(await service.exit).toBe(0);
  expect(await isListening(service.port)).toBe(false);
});

test('STOP_DELAY is a time in which balancers learn that the service stops, and everything is still answered', async () => {
  const { origin, child, exit, wrote } = await serve({ env: { STOP_DELAY: '3000' } });
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
  const created = await fetch(`${origin}/api/cars`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: CAR,
  });
  expect([created.status, created.headers.get('connection')]).toEqual([201, 'keep-alive']);
  expect(await exit).toBe(0);
});

/** Oils that take 21 MB together, so that a list of them fits into no socket's buffers. */
const makeOils = async (url: string): Promise<void> => {
  const store = await openStore(url, catalogue);
  await createCar(store, 'a');
  const otherInfo = 'x'.repeat(10_000);
  await Promise.all(Array.from({ length: 2_100 }, (_, at) => createOil(store, 'a', `oil-${at}`, { otherInfo })));
  await store.close();
};

describe('a client that never reads', () => {
  test('does not hold back the end beyond STOP_TIMEOUT', async () => {
    const url = `sqlite:${join(temporaryFolder(), 'cars.db')}`;
    await makeOils(url);
    const service = await serve({ env: { DATABASE_URL: url, STOP_TIMEOUT: '500' } });
    const socket = await openSocket(service.port);
    socket.pause();
    const begun = once(socket, 'readable');
    socket.write('GET /api/cars/a/oils HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await begun;
    // Another answer in between: by now the list fills every buffer on its way.
    expect((await fetch(`${service.origin}/readyz`)).status).toBe(200);

    const since = performance.now();
    expect(await service.end('SIGTERM')).toBe(0);
    // The default, which is what the contract allows.
    expect(performance.now() - since).toBeLessThan(8_000);
  });
});

test('an error that nobody caught, of a promise, ends the process with 1 and is logged', async () => {
  const code = "process.on('SIGUSR2', () => { void Promise.reject(new Error('boom')) })";
  const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(code)}`;
  const service = await serve({ env: { NODE_OPTIONS } });
  expect(await service.end('SIGUSR2')).toBe(1);
  expect(service.output()).toMatch(/^\d{4}-\d\d-\d\dT\S+ error .*(?:\n {2}.*)*boom/m);
});

test('what was acknowledged is there after the process was killed', async () => {
  const url = `sqlite:${join(temporaryFolder(), 'cars.db')}`;
  const killed = await serve({ env: { DATABASE_URL: url } });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      fetch(`${killed.origin}/api/cars`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ identifier: `car-${at}`, brand: 'Seat', model: 'Ibiza' }),
      }),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  expect(await killed.end('SIGKILL')).toBe('SIGKILL');
  expect(await carsIn(url)).toHaveLength(answers.length);
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

test('a file that is still arriving is cut off when the time is up, and nothing of it is stored', async () => {
  const url = `sqlite:${join(temporaryFolder(), 'cars.db')}`;
  const service = await serve({ env: { DATABASE_URL: url, STOP_TIMEOUT: '500' } });
  const socket = await openSocket(service.port);
  const continued = received(socket, '100 Continue');
  const headers = ['POST /api/cars HTTP/1.1', 'Host: localhost', 'Content-Type: text/csv', 'Content-Length: 1000000'];
  socket.write([...headers, 'Expect: 100-continue', '', ''].join('\r\n'));
  await continued;
  const rows = Array.from({ length: 3_000 }, (_, at) => `${at},Seat,Ibiza\n`);
  socket.write(`identifier,brand,model\n${rows.join('')}`);
  const closed = once(socket, 'close');
  socket.on('error', () => {});
  service.child.kill('SIGTERM');
  await closed;
  expect(await service.exit).toBe(0);
  expect(await carsIn(url)).toEqual([]);
});
