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

test('idle connections make room for new ones, and beyond the most that are at work a new one is closed', async () => {
  const MOST = 20;
  const { connect } = await open({ maxConnections: MOST });
  const begin = async (): Promise<Socket> => {
    const socket = await connect();
    await ask(socket, POST.replace('Content-Type', 'Expect: 100-continue\r\nContent-Type'));
    return socket;
  };
  const asking = await begin();
  const idle: Socket[] = [];
  for (let at = 0; at < 2 * MOST; at++) idle.push((await connect()).resume());
  await expect.poll(() => countOpen(idle), { timeout: 60_000 }).toBe(MOST - 2);
  expect(countOpen(idle.slice(-(MOST - 2)))).toBe(MOST - 2);
  // Those that have been answered are idle, too.
  for (let at = 0; at < 2 * MOST; at++) expect(await ask(await connect(), LIVE)).toMatch(/^HTTP\/1.1 200 /);

  const working = [asking];
  while (working.length < MOST) working.push(await begin());
  const refused = (await connect()).resume();
  await expect.poll(() => refused.destroyed).toBe(true);
  expect(countOpen(working)).toBe(MOST);
  expect(await ask(asking, BODY)).toMatch(/^HTTP\/1.1 201 /);
  const askAnew = async (): Promise<string> => {
    const socket = await connect();
    return Promise.race([ask(socket, LIVE), once(socket, 'close').then(() => 'closed')]);
  };
  // What is answered is idle, and makes room at the next try.
  await expect.poll(askAnew, { timeout: 60_000 }).toMatch(/^HTTP\/1.1 200 /);
});

test('a server that stops answers what is asked and on its way, and closes each connection with its response', async () => {
  const { connect, stop } = await open();
  const [before, within, after, silent] = await Promise.all([connect(), connect(), connect(), connect()]);
  const continued = await ask(before, POST.replace('Content-Type', 'Expect: 100-continue\r\nContent-Type'));
  expect(continued).toMatch(/^HTTP\/1.1 100 /);
  for (const socket of [within, after]) expect(await ask(socket, LIVE)).toMatch(/\r\nconnection: keep-alive\r\n/i);
  within.write(POST);
  const stopped = stop(0);
  // An idle connection takes one more request; in that time none is closed.
  const answers = [await ask(after, POST + BODY), await ask(within, BODY), await ask(before, BODY)];
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1.1 201 [\s\S]*\r\nconnection: close\r\n/i);
  silent.resume();
  await stopped;
  await expect.poll(() => countOpen([before, within, after, silent]), { timeout: 60_000 }).toBe(0);
});

test('a server that stops later takes connections until then', async () => {
  const { connect, stop, raw } = await open();
  const stopped = stop(400);
  const early = await ask(await connect(), LIVE);
  expect(early).toMatch(/^HTTP\/1.1 200 [\s\S]*\r\nconnection: keep-alive\r\n/i);
  await stopped;
  await expect(raw(LIVE)).rejects.toThrow('ECONNREFUSED');
});
