import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openServer } from '../../support/app/server.ts';

const LIVE = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n';
const BODY = '{"brand":"Seat","model":"Ibiza"}';
const POST = `POST /api/cars HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n`;

const open = async (options: Parameters<typeof openServer>[0] = {}) => {
  const server = await openServer(options);
  onTestFinished(() => server.close());
  const connect = async (): Promise<Socket> => {
    const socket = server.open();
    socket.on('error', () => {}).on('end', () => socket.destroy());
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  return { ...server, connect };
};
const ask = async (socket: Socket, request: string): Promise<string> => {
  const answered = once(socket, 'data');
  socket.write(request);
  return String(await answered);
};
const countOpen = (sockets: readonly Socket[]): number => sockets.filter(({ destroyed }) => !destroyed).length;

test('connections on which nothing is asked make room for new ones, the oldest first', async () => {
  const MOST = 20;
  const { connect } = await open({ maxConnections: MOST });
  const asking = await connect();
  await ask(asking, POST.replace('Content-Type', 'Expect: 100-continue\r\nContent-Type'));
  const silent: Socket[] = [];
  for (let at = 0; at < 200; at++) {
    const socket = await connect();
    socket.resume();
    silent.push(socket);
  }
  await expect.poll(() => countOpen(silent), { timeout: 60_000 }).toBe(MOST - 1);
  expect(countOpen(silent.slice(-(MOST - 1)))).toBe(MOST - 1);
  expect(await ask(await connect(), LIVE)).toMatch(/^HTTP\/1.1 200 /);
  // What was asked before all of them is still answered.
  expect(await ask(asking, BODY)).toMatch(/^HTTP\/1.1 201 /);
});

test('where something is asked on all connections, a new one is closed', async () => {
  let asked = 0;
  const { connect } = await open({
    maxConnections: 3,
    policies: [
      () => {
        asked++;
        return new Promise(() => {});
      },
    ],
  });
  const asking = await Promise.all([connect(), connect(), connect()]);
  for (const socket of asking) socket.resume().write(LIVE);
  await expect.poll(() => asked, { timeout: 60_000 }).toBe(3);
  const late = await connect();
  late.resume();
  await expect.poll(() => late.destroyed, { timeout: 60_000 }).toBe(true);
  expect(countOpen(asking)).toBe(3);
});

test('a server that stops answers what is asked and on its way, and closes each connection with its response', async () => {
  const { connect, stop } = await open();
  const [before, within, after, silent] = await Promise.all([connect(), connect(), connect(), connect()]);
  const continued = await ask(before, POST.replace('Content-Type', 'Expect: 100-continue\r\nContent-Type'));
  expect(continued).toMatch(/^HTTP\/1.1 100 /);
  for (const socket of [within, after])
    expect(await ask(socket, LIVE)).toMatch(/\r\nconnection: keep-alive\r\n(?!keep-alive:)/i);
  within.write(POST);
  const stopped = stop(0);
  // An idle connection takes one more request; in that time none is closed.
  const answers = [await ask(after, POST + BODY), await ask(within, BODY), await ask(before, BODY)];
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1.1 201 [\s\S]*\r\nconnection: close\r\n/i);
  silent.resume();
  await stopped;
  await expect.poll(() => countOpen([before, within, after, silent]), { timeout: 60_000 }).toBe(0);
});

test('a server that stops answers on connections that it has not accepted yet', async () => {
  const { stop, open: openSocket } = await open();
  const answers = Array.from({ length: 100 }, async () => {
    const socket = openSocket();
    socket.on('error', () => {});
    onTestFinished(() => void socket.destroy());
    socket.write(LIVE);
    const [answer] = await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => ['closed'])]);
    return String(answer).split('\r\n')[0];
  });
  const stopped = stop(0);
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['HTTP/1.1 200 OK']));
  await stopped;
});

test('a server that stops later takes connections until then', async () => {
  const { connect, stop, raw } = await open();
  const stopped = stop(1_000);
  const early = await ask(await connect(), LIVE);
  expect(early).toMatch(/^HTTP\/1.1 200 [\s\S]*\r\nconnection: keep-alive\r\n/i);
  await stopped;
  await expect(raw(LIVE)).rejects.toThrow('ECONNREFUSED');
});

test('a client that has all the connections it may have keeps the newest; proxies may have any number', async () => {
  const limited = await open({ clientConnections: 3 });
  const asking = await limited.connect();
  await ask(asking, POST.replace('Content-Type', 'Expect: 100-continue\r\nContent-Type'));
  const silent: Socket[] = [];
  for (let at = 0; at < 6; at++) silent.push((await limited.connect()).resume());
  await expect.poll(() => silent.map(({ destroyed }) => destroyed)).toEqual([true, true, true, true, false, false]);
  expect(await ask(asking, BODY)).toMatch(/^HTTP\/1.1 201 /);
  expect(await ask(await limited.connect(), LIVE)).toMatch(/^HTTP\/1.1 200 /);

  const proxied = await open({ clientConnections: 3, isProxy: (address) => address === '127.0.0.1' });
  const many: Socket[] = [];
  for (let at = 0; at < 6; at++) many.push(await proxied.connect());
  for (const socket of many) expect(await ask(socket, LIVE)).toMatch(/^HTTP\/1.1 200 /);
});
