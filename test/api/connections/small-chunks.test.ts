import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { openServer } from '../../support/app/server.ts';
import { openSocket, serve } from '../../support/process/service.ts';

/** MiB of heap that the service gets; it starts with a third of that. */
const HEAP = 48;

/** A space, which JSON allows before a value, as a chunk of its own. */
const spaces = (count: number): string => '1\r\n \r\n'.repeat(count);
const CAR = '{"brand":"Seat","model":"Ibiza"}';
const HEADERS = 'Host: localhost\r\nTransfer-Encoding: chunked\r\n\r\n';

test('bodies of one-byte chunks, read or not, take no more memory than their bytes', async () => {
  const { port } = await serve({ env: { NODE_OPTIONS: `--max-old-space-size=${HEAP}` } });
  const sent = await Promise.all(
    (
      [
        ['POST /api/cars', 201],
        ['GET /api/cars?page=1', 200],
      ] as const
    ).map(async ([request, status]) => ({ request, status, socket: await openSocket(port) })),
  );
  // All of them are in the middle of their bodies before the first one ends.
  await Promise.all(
    sent.map(
      ({ socket, request }) =>
        new Promise((resolve) => socket.write(`${request} HTTP/1.1\r\n${HEADERS}${spaces(150_000)}`, resolve)),
    ),
  );
  for (const { socket, status } of sent) {
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
  // Node stops reading a body of which 64 KiB wait.
  socket.write(`GET /api/cars HTTP/1.1\r\n${HEADERS}${spaces(70_000)}0\r\n\r\n`);
  await expect.poll(() => asked?.complete, { timeout: 60_000 }).toBe(true);
  expect(asked?.readableLength).toBe(0);
  socket.destroy();
  await server.close();
});
