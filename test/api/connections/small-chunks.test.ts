import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { openServer } from '../../support/app/server.ts';
import { openSocket, serve } from '../../support/process/service.ts';

/** MiB of heap that the service gets; it starts with a third of that. */
const HEAP = 48;
const SENDERS = 2;
const CHUNKS = 150_000;

/** A space, which JSON allows before a value, as a chunk of its own. */
const SPACES = '1\r\n \r\n'.repeat(CHUNKS);
const CAR = '{"brand":"Seat","model":"Ibiza"}';
const HEADERS = 'Host: localhost\r\nTransfer-Encoding: chunked\r\n\r\n';

test.each([
  ['read', 'POST /api/cars', 201],
  ['not read', 'GET /api/cars?page=1', 200],
])('a body of one-byte chunks that is %s takes no more memory than its bytes', async (_, request, status) => {
  const { port } = await serve({ env: { NODE_OPTIONS: `--max-old-space-size=${HEAP}` } });
  const sockets = await Promise.all(Array.from({ length: SENDERS }, () => openSocket(port)));
  // All of them are in the middle of their bodies before the first one ends.
  await Promise.all(
    sockets.map(
      (socket) => new Promise((resolve) => socket.write(`${request} HTTP/1.1\r\n${HEADERS}${SPACES}`, resolve)),
    ),
  );
  for (const socket of sockets) {
    const answered = once(socket, 'data');
    socket.write(`${CAR.length.toString(16)}\r\n${CAR}\r\n0\r\n\r\n`);
    expect(String(await answered)).toContain(`HTTP/1.1 ${status} `);
  }
});

test('a body that nobody will read is not kept while its request waits', async () => {
  let asked: IncomingMessage | undefined;
  const server = await openServer({
    policies: [
      (incoming) => {
        asked = incoming;
        return new Promise(() => {});
      },
    ],
  });
  const socket = server.open();
  socket.write(`GET /api/cars HTTP/1.1\r\n${HEADERS}${SPACES}0\r\n\r\n`);
  // Node stops reading a body of which 64 KiB wait.
  await expect.poll(() => asked?.complete, { timeout: 60_000 }).toBe(true);
  expect(asked?.readableLength).toBe(0);
  socket.destroy();
  await server.close();
});
