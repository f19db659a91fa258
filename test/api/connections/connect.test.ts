import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openServer } from '../../support/app/server.ts';

const closeOf = (socket: Socket): Promise<unknown> => new Promise((resolve) => socket.once('close', resolve));

const ASKED = 'CONNECT x.example:80 HTTP/1.1\r\nHost: x.example:80\r\n\r\n';
const CLIENTS = 50;

/** Node would end the process with these; a test's process it does not. */
const watchUncaught = (): readonly unknown[] => {
  const uncaught: unknown[] = [];
  const keep = (error: unknown): void => {
    uncaught.push(error);
  };
  process.on('uncaughtException', keep);
  onTestFinished(() => void process.off('uncaughtException', keep));
  return uncaught;
};

/** A client that keeps its own side open whatever the server does, and everything that it is sent. */
const clientOf = (socket: Socket): { readonly socket: Socket; readonly text: () => string } => {
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => {});
  return { socket, text: () => text };
};

type Leave = (socket: Socket) => Promise<unknown>;

const leavings: readonly (readonly [when: string, leave: Leave])[] = [
  ['as soon as they have asked', (socket) => new Promise((resolve) => socket.write(ASKED, resolve))],
  [
    'before their request is whole',
    (socket) => new Promise((resolve) => socket.write(ASKED.slice(0, -2), () => resolve(undefined))),
  ],
];

test.each(leavings)('clients that ask to CONNECT and break off %s harm nobody', async (_, leave) => {
  const uncaught = watchUncaught();
  const server = await openServer();
  for (let at = 0; at < CLIENTS; at++) {
    const { socket } = clientOf(server.open());
    await once(socket, 'connect');
    await leave(socket);
    const closed = closeOf(socket);
    socket.resetAndDestroy();
    await closed;
    expect(await server.raw('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /);
  }
  await server.close();
  expect(uncaught).toEqual([]);
});

test('a client that asks to CONNECT loses its connection, as with any server of Node that is no proxy', async () => {
  const server = await openServer();
  const clients = Array.from({ length: 5 }, () => clientOf(server.open()));
  const closed = clients.map(({ socket }) => closeOf(socket.once('end', () => socket.destroy())));
  for (const { socket } of clients) socket.write(ASKED);
  await Promise.all(closed);
  expect(clients.map(({ text }) => text())).toEqual(['', '', '', '', '']);
  await server.close();
});
