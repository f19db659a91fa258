/** Receivers that answer nothing that a client of HTTP expects: neither the service nor another receiver waits for them. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { attempt, newSecret } from '../../../src/host/hooks/attempt.ts';
import { runHere } from '../../support/commands/given.ts';
import { onServer, preparedDatabase } from '../../support/database/database.ts';
import { temporaryFolder } from '../../support/process/folder.ts';
import { receiver } from '../../support/process/receiver.ts';
import { serve } from '../../support/process/service.ts';

const MAIN = 'src/tools/hooks/main.ts';
const SWITCHING = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

/** Answers every request with these bytes, and then says nothing. */
const strange = async (bytes: string) => {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => {});
    socket.once('data', () => socket.write(bytes));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`, open };
};

const send = (url: string) => attempt({ url, secret: newSecret() }, { id: 'msg_1', body: '{}' }, { reach: 'any' });

test.each([
  ['switches to another protocol', SWITCHING, 101],
  ['begins an answer that has no end', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx', 200],
  ['never sends the content of its answer', 'HTTP/1.1 500 Oops\r\nTransfer-Encoding: chunked\r\n\r\n', 500],
])('a receiver that %s has answered, and holds no connection', async (_, bytes, status) => {
  const { url, open } = await strange(bytes);
  for (let tries = 0; tries < 3; tries++) {
    expect(await send(url)).toEqual({ status, retryAfter: undefined });
    expect(open.size).toBeLessThanOrEqual(1);
  }
  await expect.poll(() => open.size).toBe(0);
});

test('a receiver that ends without an answer has answered nothing', async () => {
  const { url, open } = await strange('HTTP/1.1 102 Processing\r\n\r\n');
  const sent = send(url);
  await expect.poll(() => open.size).toBe(1);
  for (const socket of open) socket.end();
  await expect(sent).rejects.toThrow('socket hang up');
});

test('whoever switches protocols is listed, tried and told as that; others get what changes, also after SIGHUP; SIGTERM ends all', async () => {
  const DATABASE_URL = onServer ? await preparedDatabase() : `sqlite:${join(temporaryFolder(), 'catalogue.db')}`;
  const env = { DATABASE_URL, HOOK_ADDRESSES: 'any' };
  const run = (...args: readonly string[]) => runHere(MAIN, args, env);
  const [bad, good] = [await strange(SWITCHING), await receiver()];
  const service = await serve({ env });
  const create = (identifier: string) =>
    fetch(`${service.origin}/api/cars`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ identifier, brand: 'Seat', model: 'Ibiza' }),
    });
  expect((await run('add', bad.url, '--language', 'es'))[0]).toBe(0);
  expect((await run('add', good.url, '--language', 'es'))[0]).toBe(0);
  const keys = () => good.items().map(({ identificador }) => identificador);

  await create('a');
  await expect.poll(keys).toEqual(['a']);
  await expect.poll(async () => (await run('list'))[1]).toMatch(/1 × failed since \S+: HTTP 101/);
  const [, listed] = await run('list');
  const id =
    listed
      .split('\n')
      .find((line) => line.includes(bad.url))
      ?.slice(0, 10) ?? '';
  expect(await run('test', id)).toEqual([1, `${id}: the address has not accepted the test (HTTP 101).\n`, '']);

  service.child.kill('SIGHUP');
  await service.wrote(/were read again/);
  await create('b');
  await expect.poll(keys).toEqual(['a', 'b']);
  expect(await service.end('SIGTERM')).toBe(0);
});
