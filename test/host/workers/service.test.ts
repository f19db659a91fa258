/** Two workers on one database, a file or on a server. */
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newDatabase, onServer } from '../../support/database/database.ts';
import { valuesIn } from '../../support/metrics/parse.ts';
import { temporaryFolder, type WhenOver } from '../../support/process/folder.ts';
import { openSocket, received, type Serving, serve } from '../../support/process/service.ts';
import { childrenOf, isRunning, onNewConnection, whoServed } from '../../support/process/workers.ts';

const ROUNDS = 40;
const QUOTA = 40;
const MOST = 30;
/** A busy machine is no fault. */
const LATE = { timeout: 60_000 };
const CAR = { brand: 'Seat', model: 'Ibiza' };

const cleanUps: (() => void | Promise<void>)[] = [];
const whenOver: WhenOver = (cleanUp) => void cleanUps.push(cleanUp);

let service: Serving;
beforeAll(async () => {
  const database = onServer
    ? await newDatabase(true)
    : { url: `sqlite:${join(temporaryFolder(whenOver), 'catalogue.db')}`, drop: async () => {} };
  whenOver(() => void database.drop());
  const env = {
    DATABASE_URL: database.url,
    WORKERS: '2',
    LOG_LEVEL: 'debug',
    METRICS_PORT: '0',
    MAX_CONNECTIONS: String(MOST),
    // No connection is closed because it waits.
    HEADERS_TIMEOUT: '3600000',
    REQUEST_TIMEOUT: '3600000',
    IDLE_TIMEOUT: '3600000',
    RATE_LIMIT: String(QUOTA),
    RATE_WINDOW: '86400',
    TRUSTED_PROXIES: '127.0.0.0/8',
  };
  service = await serve({ env, whenOver });
});
afterAll(async () => {
  for (const cleanUp of cleanUps.toReversed()) await cleanUp();
});

/** One of many clients, none of which comes to its limit. */
let clients = 0;
const ask = (method: string, path: string, body?: object, client = `192.0.2.${++clients % 250}`) =>
  onNewConnection(service, method, path, body, { 'x-forwarded-for': client });

const readMetrics = async () => {
  const [, address = ''] = await service.wrote(/metrics (http:\S+)/);
  return valuesIn(await (await fetch(address)).text());
};

test('they start as one: each line once, with the process that says it', () => {
  const lines = service
    .output()
    .split('\n')
    .filter((line) => / (?:info|warn|error) /.test(line));
  const line = / info {2}\[(\d+)\] (car-dealer-catalogue|metrics|serving) /;
  expect(lines.map((each) => line.exec(each)?.[2])).toEqual(['car-dealer-catalogue', 'metrics', 'serving']);
  expect(new Set(lines.map((each) => line.exec(each)?.[1]))).toEqual(new Set([String(service.child.pid)]));
});

test('what one has acknowledged, another one shows: items, lists, and what is gone', async () => {
  const first = JSON.parse((await ask('POST', '/api/cars', CAR)).text);
  const path = `/api/cars/${first.identifier}`;
  for (let power = 0; power < ROUNDS; power++) {
    expect((await ask('PUT', path, { enginePower: power })).status).toBe(200);
    const [item, list] = await Promise.all([ask('GET', path), ask('GET', `/api/coches?cilindrada=${power}`)]);
    expect(JSON.parse(item.text).enginePower).toBe(power);
    expect(list.headers['x-total-count']).toBe('1');
  }
  expect((await ask('DELETE', path)).status).toBe(204);
  const reads = await Promise.all(Array.from({ length: 8 }, () => ask('GET', path)));
  expect(new Set(reads.map(({ status }) => status))).toEqual(new Set([404]));
  await expect.poll(() => whoServed(service).length, LATE).toBe(2);
});

test('of POSTs with one idempotency key one makes a car', async () => {
  const headers = { 'idempotency-key': '"one"', 'x-forwarded-for': '198.51.100.1' };
  const made = await Promise.all(
    Array.from({ length: 12 }, () => onNewConnection(service, 'POST', '/api/cars', CAR, headers)),
  );
  expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]));
  expect(new Set(made.map(({ headers }) => headers.location)).size).toBe(1);
});

test('they count the requests of a client together', async () => {
  const answers: number[] = [];
  for (let at = 0; at < QUOTA + 10; at++) {
    answers.push((await ask('GET', '/api/cars/none', undefined, '203.0.113.1')).status);
  }
  const found = Map.groupBy(answers, (status) => status);
  expect([found.get(404)?.length, found.get(429)?.length]).toEqual([QUOTA, 10]);
});

const countOpen = (sockets: readonly Socket[]): number => sockets.filter(({ destroyed }) => !destroyed).length;

test('they count connections together', async () => {
  const sockets: Socket[] = [];
  for (let at = 0; at < 2 * MOST; at++) sockets.push((await openSocket(service.port)).resume());
  for (const socket of sockets) socket.on('end', () => socket.destroy());
  await expect.poll(() => countOpen(sockets), { timeout: 60_000 }).toBeLessThanOrEqual(MOST);
  expect(countOpen(sockets)).toBeGreaterThan(MOST / 2);
  for (const socket of sockets) socket.destroy();
});

test('they are measured as one', async () => {
  const labels = { route: '/api/coches', language: 'es', method: 'GET', status: '200' };
  const before = await readMetrics();
  for (let time = 0; time < 20; time++) await ask('GET', '/api/coches?marca=Seat&numero_de_elementos=1');
  expect((await ask('POST', '/api/coches', { marca: 'Seat', modelo: 'Ibiza' })).status).toBe(201);
  const name = 'catalogue_http_requests_total';
  await expect
    .poll(async () => (await readMetrics())(name, labels) - before(name, labels), { timeout: 60_000 })
    .toBe(20);
  const after = await readMetrics();
  expect(after('catalogue_store_commit_writes_sum') - before('catalogue_store_commit_writes_sum')).toBe(1);
  expect(after('catalogue_items', { collection: 'cars' }) - before('catalogue_items', { collection: 'cars' })).toBe(1);
  expect(after('catalogue_info')).toBe(1);
});

/** @returns resolves with who takes its place */
const kill = async (victim = Number.NaN): Promise<number> => {
  process.kill(victim, 'SIGKILL');
  const [, other] = await service.wrote(
    new RegExp(` error \\[${service.child.pid}\\] worker ${victim} ended: SIGKILL; worker (\\d+) takes its place\n`),
  );
  return Number(other);
};
const serves = (pid: number): Promise<void> => {
  const served = (): boolean => whoServed(service).includes(pid);
  return expect.poll(() => ask('GET', '/livez').then(served, served), { timeout: 60_000, interval: 20 }).toBe(true);
};

test('one that is killed is replaced, and what it has acknowledged is there', async () => {
  const before = await readMetrics();
  const made = await Promise.all(Array.from({ length: 10 }, () => ask('POST', '/api/cars', CAR)));
  const other = await kill(childrenOf(service)[0]);
  for (const { headers } of made) {
    await expect
      .poll(() =>
        ask('GET', String(headers.location)).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200);
  }
  await serves(other);
  // Counters do not run backwards.
  const after = await readMetrics();
  for (const method of ['GET', 'POST']) {
    const name = 'catalogue_http_requests_total';
    expect(after(name, { method })).toBeGreaterThan(before(name, { method }));
  }
});

const BODY = JSON.stringify(CAR);

/** A terminal sends it to all of them, and so does systemd. */
const signal = onServer ? 'SIGTERM' : 'SIGINT';

test(`${signal} to all of them lets what is in flight finish; nobody is left`, async () => {
  const headers = [
    'POST /api/cars HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    'X-Forwarded-For: ::1',
  ];
  const inFlight = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const socket = await openSocket(service.port);
      const continued = received(socket, '100 Continue');
      socket.write([...headers, `Content-Length: ${BODY.length}`, 'Expect: 100-continue', '', ''].join('\r\n'));
      await continued;
      return socket;
    }),
  );
  const pids = whoServed(service);
  process.kill(-(service.child.pid ?? 0), signal);
  await service.wrote(new RegExp(`stopping on ${signal}`));
  const answers = inFlight.map((socket) => {
    const answered = received(socket, '"Ibiza"');
    socket.write(BODY);
    return answered;
  });
  for (const answer of answers) expect(await answer).toContain('HTTP/1.1 201 Created');
  for (const socket of inFlight) socket.end();
  expect(await service.exit).toBe(0);
  await expect.poll(() => pids.filter(isRunning), { timeout: 60_000 }).toEqual([]);
  expect(service.output().match(/stopp/g)).toHaveLength(2);
});
