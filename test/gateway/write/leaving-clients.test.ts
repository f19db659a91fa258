/** What a store hears of clients that go away while it reads for them. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Caller, CallerOf } from '../../../src/gateway/port/port.ts';
import type { Store } from '../../../src/store/store.ts';
import { openServer } from '../../support/app/server.ts';
import { spoilLists } from '../../support/database/reads.ts';

const HOST = 'Host: localhost\r\n';

/** A service whose lists are never found; each request for one is heard of. */
const openEndless = async () => {
  const callers: Caller[] = [];
  let heard: (() => void) | undefined;
  const read = (callerOf: CallerOf | undefined): Promise<undefined> =>
    new Promise((_, reject) => {
      const caller = callerOf?.();
      if (!caller) throw new TypeError('nobody asks');
      callers.push(caller);
      caller.signal.addEventListener('abort', () => reject(new Error('gone')));
      heard?.();
    });
  const spoil = (store: Store) => ({
    ...spoilLists(store, (_, caller) => read(caller)),
    summarize: (...[, caller]: Parameters<Store['summarize']>) => read(caller),
  });
  const server = await openServer({ database: 'sqlite::memory:', spoil });
  onTestFinished(server.close);
  return {
    callers,
    open: async (): Promise<Socket> => {
      const socket = server.open().on('error', () => {});
      await once(socket, 'connect');
      return socket;
    },
    /** Resolves once so many reads have been asked for. */
    asked: async (count: number): Promise<void> => {
      while (callers.length < count) await new Promise<void>((resolve) => (heard = resolve));
    },
  };
};

const aborted = ({ signal }: Caller): Promise<unknown> => (signal.aborted ? Promise.resolve() : once(signal, 'abort'));

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => void vi.restoreAllMocks());
});

const requests: readonly (readonly [what: string, request: string])[] = [
  ['a whole list', `GET /api/cars HTTP/1.1\r\n${HOST}\r\n`],
  ['a page', `GET /api/coches?numero_de_elementos=5 HTTP/1.1\r\n${HOST}\r\n`],
  ['the headers of a list', `HEAD /api/coches HTTP/1.1\r\n${HOST}\r\n`],
  ['a list that may have changed', `GET /api/cars HTTP/1.1\r\n${HOST}If-None-Match: W/"1.en"\r\n\r\n`],
  ['the oils of a car', `GET /api/cars/a/oils HTTP/1.1\r\n${HOST}\r\n`],
];

describe.each(requests)('a client that asks for %s and goes away', (_, request) => {
  test.each([
    ['closes', (socket: Socket) => socket.destroy()],
    ['resets', (socket: Socket) => socket.resetAndDestroy()],
  ])('%s its connection: its read is ended', async (_, leave) => {
    const { open, asked, callers } = await openEndless();
    const socket = await open();
    socket.write(request);
    await asked(1);
    const [caller] = callers as [Caller];
    expect([caller.signal.aborted, caller.client]).toEqual([false, '127.0.0.1']);
    leave(socket);
    await aborted(caller);
  });
});

test('a client that asks for several lists on one connection and goes away ends all of them', async () => {
  const { open, asked, callers } = await openEndless();
  const socket = await open();
  socket.write(`GET /api/cars HTTP/1.1\r\n${HOST}\r\n`.repeat(10));
  await asked(10);
  socket.destroy();
  await Promise.all(callers.map(aborted));
});
