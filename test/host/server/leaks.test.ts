import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openStore } from '../../../src/host/service/open-store.ts';
import { openServer } from '../../support/app/server.ts';
import { catalogue } from '../../support/cars/catalogue.ts';
import { createCar, createOil, inPortions } from '../../support/conformance/fixtures.ts';

const HOST = 'Host: x\r\n';
const asked = (method: string, target: string, headers = '', body = ''): string =>
  `${method} ${target} HTTP/1.1\r\n${HOST}${headers}Content-Length: ${body.length}\r\n\r\n${body}`;
const chunked = (body: string): string =>
  `POST /api/coches HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n${body}`;
const car = (key: string): string => `{"identifier":"${key}","brand":"Seat","model":"Ibiza"}`;

/** Each with a key that nobody has used before, and its answer. */
const hostile: readonly [status: number, request: (key: string) => string][] = [
  [400, () => 'GET /api/cars HTTP/1.1\r\n\r\n'],
  [400, () => `GET /api/cars HTTP/1.1\r\n${HOST}X-A : b\r\n\r\n`],
  [400, () => `GET /api/cars HTTP/1.1\r\n${HOST}X-A: a\0b\r\n\r\n`],
  [400, () => `GET /api/coches HTTP/3.0\r\n${HOST}\r\n`],
  [400, () => `FOO /api/coches HTTP/1.1\r\n${HOST}\r\n`],
  [400, () => '\x16\x03\x01\x02\x00\x01\x00\x01'],
  [431, () => asked('GET', '/api/cars', `X-A: ${'a'.repeat(50_000)}\r\n`)],
  [414, () => asked('GET', `/api/cars?${'a'.repeat(9_000)}`)],
  [431, () => asked('GET', `/api/cars?${'a'.repeat(50_000)}`)],
  [400, () => chunked('zz\r\n{}\r\n0\r\n\r\n')],
  [413, () => chunked(`10000\r\n${'a'.repeat(0x1_0000)}\r\n`.repeat(17))],
  [413, () => `POST /api/coches HTTP/1.1\r\n${HOST}Content-Length: 99999999\r\n\r\n{`],
  [417, () => asked('POST', '/api/cars', 'Expect: nothing\r\n', '{}')],
  [415, () => asked('POST', '/api/cars', 'Content-Type: text/plain\r\n', '{}')],
  [400, (key) => asked('POST', '/api/coches', '', `{"marca":"${key}`)],
  [400, () => asked('POST', '/api/coches', '', '['.repeat(100_000))],
  [400, (key) => asked('POST', '/api/cars', '', `{${Array.from({ length: 500 }, (_, at) => `"${key}${at}":1`)}}`)],
  [409, () => asked('POST', '/api/cars', '', car('kept'))],
  [412, (key) => asked('PUT', '/api/cars/kept', `If-Match: "${key}"\r\n`, '{"doors":1}')],
  [412, () => asked('DELETE', '/api/coches/kept', 'If-None-Match: *\r\n')],
  [412, () => asked('GET', '/api/cars/kept', `If-Match: ${'"x",'.repeat(2_000)}\r\n`)],
  [405, () => asked('POST', '/api/cars/kept')],
  [412, (key) => asked('PATCH', '/api/cars/kept', `If-Match: "${key}"\r\n`, '{"doors":1}')],
  [400, (key) => asked('GET', `/api/coches/${key}%zz`)],
  [404, (key) => asked('GET', `/api/coches/kept/oils/${key}`)],
  [404, (key) => asked('GET', `/${key}/${key}`)],
  [404, (key) => asked('GET', `/api/coches/${key}`, `X-Request-Id: ${key}\r\n`)],
  [400, (key) => asked('GET', `/api/coches?${key}=${key}`)],
  [200, (key) => asked('GET', `/api/cars?brand=${key}&page=2&model=${key}`)],
  [404, (key) => asked('PUT', `/api/cars/${key}`, '', '{}')],
  [201, (key) => asked('POST', '/api/cars', '', car(key))],
  [204, (key) => asked('DELETE', `/api/cars/${key}`)],
  [200, () => asked('HEAD', '/api/cars/kept/oils', 'Connection: close\r\n')],
];

const UPLOAD = `POST /api/cars HTTP/1.1\r\n${HOST}Content-Length: 1000\r\nExpect: 100-continue\r\n\r\n`;
/** Ways to be gone. */
const destroy = (socket: Socket): unknown => socket.destroy();
const reset = (socket: Socket): unknown => socket.resetAndDestroy();
const halfClose = (socket: Socket): unknown => socket.end();

type Server = Awaited<ReturnType<typeof openServer>>;

const abortUpload = async ({ open }: Server, leave: (socket: Socket) => unknown): Promise<void> => {
  const socket = open();
  socket.write(UPLOAD);
  // The server reads the body from here on.
  await once(socket, 'data');
  await new Promise((resolve) => socket.write('{"brand":', resolve));
  const closed = once(socket, 'close');
  leave(socket);
  await closed;
};

/** Clients that all hold a list of 10 MB, of which they read no more than its beginning. */
const abortLists = async ({ open }: Server, targets: readonly string[]): Promise<void> => {
  const sockets = await Promise.all(
    targets.map(async (target) => {
      const socket = open();
      socket.write(asked('GET', target));
      await once(socket, 'readable');
      return socket;
    }),
  );
  const closed = sockets.map((socket) => once(socket, 'close'));
  for (const [at, socket] of sockets.entries()) (at % 2 === 0 ? destroy : reset)(socket);
  await Promise.all(closed);
};

let keys = 0;
const hostilePass = async ({ raw }: Server): Promise<void> => {
  const key = `k${String(++keys).padStart(6, '0')}`;
  for (const [status, request] of hostile) {
    const answer = await raw(request(key));
    expect([request(key).slice(0, 80), answer.slice(0, 12)]).toEqual([request(key).slice(0, 80), `HTTP/1.1 ${status}`]);
  }
};

const hostileRound = async (server: Server): Promise<void> => {
  const lists = ['/api/cars/kept/oils', '/api/coches/kept/aceites'];
  await abortLists(server, [...lists, ...lists]);
  for (let pass = 0; pass < 3; pass++) {
    for (const leave of [destroy, reset, halfClose]) await abortUpload(server, leave);
    await hostilePass(server);
  }
};

const DESCRIPTORS = '/proc/self/fd';
const hasDescriptors = existsSync(DESCRIPTORS);
/** What each open descriptor is of. */
const descriptors = (): readonly string[] =>
  readdirSync(DESCRIPTORS).flatMap((name) => {
    try {
      return [readlinkSync(join(DESCRIPTORS, name))];
    } catch {
      // The one that the folder was read with.
      return [];
    }
  });
const sockets = (): number => descriptors().filter((target) => target.startsWith('socket:')).length;

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');
/** The other end of each connection, and what waits for it, is gone after some turns of the event loop. */
const heapUsed = async (): Promise<number> => {
  // What one collection finds unreachable may hold what only the next one can take.
  for (let collection = 0; collection < 3; collection++) {
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  return process.memoryUsage().heapUsed;
};

/** Rounds after which is measured: when all that is kept once is there, and at the end. */
const WARM = 3;
const LAST = 8;

const fill = async (database: string): Promise<void> => {
  const store = await openStore(database, catalogue);
  await createCar(store, 'kept');
  const otherInfo = 'x'.repeat(10_000);
  await inPortions(1_100, (at) => createOil(store, 'kept', `${at}`, { otherInfo }));
  await store.close();
};

interface Measure {
  readonly heap: number;
  readonly open: readonly string[];
}

describe('hostile clients', () => {
  const folder = mkdtempSync(join(tmpdir(), 'leaks-'));
  const measures = new Map<number, Measure>();
  let server: Server;
  beforeAll(async () => {
    const database = `sqlite:${join(folder, 'cars.db')}`;
    await fill(database);
    server = await openServer({ database });
    const atRest = hasDescriptors ? sockets() : 0;
    for (let round = 1; round <= LAST; round++) {
      await hostileRound(server);
      if (hasDescriptors) await vi.waitFor(() => expect(sockets()).toBe(atRest), 30_000);
      if (round !== WARM && round !== LAST) continue;
      measures.set(round, { heap: await heapUsed(), open: hasDescriptors ? descriptors() : [] });
    }
  }, 120_000);
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('leave nothing in memory', () => {
    const [warm = 0, last = Infinity] = [measures.get(WARM)?.heap, measures.get(LAST)?.heap];
    expect(last - warm).toBeLessThan(1_000_000);
  });

  test('leave no file and no connection open', ({ skip }) => {
    skip(!hasDescriptors, `only where ${DESCRIPTORS} tells what is open`);
    expect(measures.get(LAST)?.open.toSorted()).toEqual(measures.get(WARM)?.open.toSorted() ?? ['none']);
  });

  test('are no reason not to answer the next good one', async () => {
    expect(await server.raw(asked('GET', '/api/coches/kept'))).toMatch(/^HTTP\/1.1 200 /);
    const list = await server.raw(asked('GET', '/api/cars/kept/oils', 'Connection: close\r\n'));
    expect(list).toMatch(/^HTTP\/1.1 200 /);
    expect(list.match(/"type"/g)).toHaveLength(1_100);
    expect(await server.raw(asked('GET', '/api/cars'))).toContain(`[${car('kept')}]`);
  });
});
