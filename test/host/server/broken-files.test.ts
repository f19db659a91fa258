import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Row } from '../../../src/gateway/port/port.ts';
import { openServer } from '../../support/app/server.ts';
import { foundOf, type Listing, spoilLists } from '../../support/database/reads.ts';

/** More than one response can have at once, so that it is sent in pieces. */
const ROWS = 500;
const TOTAL = 1_000_000;
const rows: readonly Row[] = Array.from(
  { length: ROWS },
  (_, at): Row => [1, `car-${at}`, 'Citroën', 'C4', 2006, 5, 109, '1.6 HDi', 0, 1, 'Diésel'],
);

/** How many chunks come before the database fails; and the lists that were given up. */
let sound = 0;
let ended = 0;
const list = (): Listing => {
  let at = 0;
  return {
    total: TOTAL,
    change: 1,
    long: true,
    chunks: {
      next: async () => {
        if (at++ === sound) throw new Error('the disk is gone');
        return { done: false, value: rows };
      },
      return: async () => {
        ended++;
        return { done: true, value: undefined };
      },
    },
  };
};

const open = (idleTimeout = 30_000) =>
  openServer({ idleTimeout, spoil: (store) => spoilLists(store, () => foundOf(list())) });
const server = await open();
afterAll(server.close);
beforeEach(() => {
  // The adapter prints, beside our own log, why a stream broke off.
  vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => void vi.restoreAllMocks());
  ended = 0;
});

const formats = ['json', 'ndjson', 'csv', 'xlsx'] as const;

describe('a list whose database fails midway', () => {
  test.each(formats.flatMap((format) => [0, 3, 40].map((chunks) => [format, chunks] as const)))(
    'as %s after %i chunks breaks its connection',
    async (format, chunks) => {
      sound = chunks;
      const text = await server.raw(`GET /api/coches?formato=${format} HTTP/1.1\r\nHost: x\r\n\r\n`);
      expect(text).toMatch(/^HTTP\/1\.1 200 /);
      expect(text).toMatch(/\r\ntransfer-encoding: chunked\r\n/i);
      // The chunk that ends a whole response (RFC 9112 §7.1) did not come.
      expect(text.endsWith('0\r\n\r\n')).toBe(false);
      await expect.poll(() => ended).toBeGreaterThan(0);
    },
  );
});

describe('a client that leaves', () => {
  test.each(formats)('ends its list as %s', async (format) => {
    sound = Number.POSITIVE_INFINITY;
    const socket = server.open();
    socket.write(`GET /api/cars?format=${format} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await new Promise((resolve) => socket.once('data', resolve));
    socket.destroy();
    await expect.poll(() => ended).toBe(1);
  });

  test('by not reading on loses its connection, and others are answered meanwhile', async () => {
    sound = Number.POSITIVE_INFINITY;
    const { open: connect, ask, close } = await open(200);
    onTestFinished(close);
    const socket = connect()
      .on('error', () => {})
      .pause();
    socket.write('GET /api/coches HTTP/1.1\r\nHost: x\r\n\r\n');
    expect((await ask('GET', '/livez')).status).toBe(200);
    await expect.poll(() => ended, { timeout: 60_000 }).toBe(1);
    socket.destroy();
  });
});
