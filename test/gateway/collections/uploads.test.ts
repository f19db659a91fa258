/** Files on real connections: slow ones, broken ones, and those that nobody should have to send. */
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { Store } from '../../../src/store/store.ts';
import { openApp } from '../../support/app/app.ts';
import { openServer } from '../../support/app/server.ts';

const head = (path: string, ...more: readonly string[]) =>
  [`POST ${path} HTTP/1.1`, 'Host: x', 'Content-Type: text/csv', ...more, '', ''].join('\r\n');
const CHUNKED = 'Transfer-Encoding: chunked';
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const ROWS = Array.from({ length: 400 }, (_, at) => `car-${at},Seat,"Ibiza, ${'ñ'.repeat(30)}"\r\n`);
const FILE = `identifier,brand,model\r\n${ROWS.join('')}`;

/** Whose headers have arrived, however busy the machine is, before it can be late. */
const begin = async <T>(server: Awaited<ReturnType<typeof openWatched>>, send: () => T): Promise<T> => {
  server.setPatient(true);
  const sent = send();
  await server.begun(1);
  server.setPatient(false);
  return sent;
};

/** A service that tells what became of each import. */
const openWatched = async (options: Parameters<typeof openServer>[0] = {}, slowly = async () => {}) => {
  const settled: string[] = [];
  const spoil = (store: Store): Partial<Store> => ({
    importRows: async (...sent) => {
      try {
        const outcome = await store.importRows(...sent);
        await slowly();
        settled.push(outcome.kind);
        return outcome;
      } catch (error) {
        settled.push('failed');
        throw error;
      }
    },
  });
  const server = await openServer({ ...options, spoil });
  onTestFinished(server.close);
  const total = async () => Number((await fetch(`${server.origin}/api/cars`)).headers.get('x-total-count'));
  return { ...server, settled, total };
};

test('a connection that breaks off anywhere leaves nothing behind', async () => {
  const server = await openWatched();
  const bytes = Buffer.from(FILE);
  const places = [1, 12, 24, 25, 40, ...Array.from({ length: 5 }, (_, at) => 60 + at * 4_807), bytes.length - 1];
  for (const [at, place] of places.entries()) {
    const socket = server.open().on('error', () => {});
    const isChunked = at % 2 === 0;
    socket.write(
      head(at % 3 === 0 ? '/api/coches' : '/api/cars', isChunked ? CHUNKED : `Content-Length: ${bytes.length}`),
    );
    if (isChunked) socket.write(`${bytes.length.toString(16)}\r\n`);
    socket.write(bytes.subarray(0, place), () => socket.resetAndDestroy());
    await expect.poll(() => server.settled.length, { timeout: 30_000 }).toBe(at + 1);
  }
  expect(new Set(server.settled)).toEqual(new Set(['failed']));
  expect(await server.total()).toBe(0);
  const whole = await server.raw(head('/api/cars', `Content-Length: ${bytes.length}`) + bytes.toString('latin1'));
  expect(whole).toMatch(/"created":400,/);
});

test('a file that trickles is given up', async () => {
  const server = await openWatched({ requestTimeout: 200, headersTimeout: 200 });
  const socket = server.open();
  let response = '';
  socket.on('data', (data) => (response += data)).on('error', () => {});
  await begin(server, () => socket.write(head('/api/coches', CHUNKED) + chunk('identifier,brand,model\r\n')));
  while (response === '' && socket.writable) {
    await setTimeout(50);
    socket.write(chunk('a'));
  }
  expect(response).toMatch(/^HTTP\/1.1 408 /);
  await expect.poll(() => server.settled, { timeout: 30_000 }).toEqual(['failed']);
  expect(await server.total()).toBe(0);
});

test('nobody who waits for the service is given up, however long nothing moves', async () => {
  const limits = { idleTimeout: 100, requestTimeout: 100, headersTimeout: 100 };
  // Longer than the time between two looks for what is late.
  const server = await openWatched(limits, () => setTimeout(700));
  const sent = head('/api/cars', `Content-Length: ${Buffer.byteLength(FILE)}`) + Buffer.from(FILE).toString('latin1');
  expect(await begin(server, () => server.raw(sent))).toMatch(/"created":400,/);
});

test.each([
  ['a misspelt preference', '/api/cars', 'Prefer: handling=chek', 400],
  ['another type', '/api/coches', 'Content-Type: text/plain', 415],
  ['compression', '/api/cars', 'Content-Encoding: gzip', 415],
  ['a car that there is not', '/api/cars/nobody/oils', 'Prefer: handling=check', 404],
  ['too large a file', '/api/cars', 'Content-Length: 5000', 413],
])('%s is refused before the file is asked for', async (_, path, header, status) => {
  const server = await openWatched({ importLimit: 4_000 });
  const line = header.startsWith('Content-Type')
    ? head(path).replace('Content-Type: text/csv', header)
    : head(path, header);
  const length = header.startsWith('Content-Length') ? '' : 'Content-Length: 100\r\n';
  const response = await server.raw(
    line.replace('\r\n\r\n', `\r\n${length}Expect: 100-continue\r\n\r\n`),
    /\r\n\r\n\{/,
  );
  expect(response).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
});

test('a client that expects to be asked is asked, once the service reads', async () => {
  const server = await openWatched();
  const row = 'identifier,brand,model\na,Seat,Ibiza\n';
  const socket = server.open();
  let response = '';
  socket.on('data', (data) => (response += data));
  socket.write(head('/api/cars', `Content-Length: ${row.length}`, 'Expect: 100-continue'));
  await expect.poll(() => response).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  socket.write(row);
  await expect.poll(() => response).toMatch(/\r\n\r\nHTTP\/1.1 200 [\s\S]*"created":1,/);
  socket.destroy();
});

/** More than is on its way at one time. */
const PIECES = 40;

test('a file that waits for its place is not read', async () => {
  let sent = 0;
  const gate = Promise.withResolvers<void>();
  const { app, close } = await openApp({
    spoil: (store) => ({
      importRows: async (...asked) => {
        await gate.promise;
        return store.importRows(...asked);
      },
    }),
  });
  onTestFinished(close);
  const text = Buffer.from(ROWS.join('').replaceAll('car-', ''));
  const body = new ReadableStream(
    {
      pull: (controller) => {
        controller.enqueue(sent === 0 ? Buffer.from('identifier,brand,model\r\n') : text);
        sent += 1;
        if (sent > PIECES) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { 'content-type': 'text/csv', prefer: 'handling=lenient' };
  const init = { method: 'POST', headers, body, duplex: 'half' } as const;
  const response = app.request('/api/cars', init);
  await setTimeout(100);
  expect(sent).toBeLessThan(2);
  gate.resolve();
  expect((await response).status).toBe(200);
  expect(sent).toBe(PIECES + 1);
});
