/** Requests that are sent again to another process, because the first one was killed, or at the same time. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from './support/process/folder.ts';
import { openSocket, received, type Serving, serve } from './support/process/service.ts';

const trees = [
  ['/api/cars', '{"brand":"Seat","model":"Ibiza"}'],
  ['/api/coches', '{"modelo":"Ibiza","marca":"Seat"}'],
] as const;

const openFile = () => {
  const file = join(temporaryFolder(), 'catalogue.db');
  const start = (): Promise<Serving> => serve({ env: { DATABASE_URL: `sqlite:${file}` } });
  const open = (): DatabaseSync => {
    const database = new DatabaseSync(file, { timeout: 5_000 });
    onTestFinished(() => database.close());
    return database;
  };
  return { start, open };
};

const headersOf = (key: string) => ({ 'Content-Type': 'application/json', 'Idempotency-Key': `"${key}"` });

/** @returns status, path of the item's collection, and key of the item */
const post = async ({ origin }: Serving, key: string, [path, body]: (typeof trees)[number]) => {
  const response = await fetch(`${origin}${path}`, { method: 'POST', headers: headersOf(key), body });
  await response.text();
  const [, list, identifier] = /^(.*)\/([^/]*)$/.exec(response.headers.get('location') ?? '') ?? [];
  return { status: response.status, list, identifier };
};

/** Sends a request whose response nobody reads. */
const postUnread = async ({ port }: Serving, key: string): Promise<void> => {
  const socket = await openSocket(port);
  const [path, body] = trees[0];
  const headers = Object.entries({
    ...headersOf(key),
    Host: 'x',
    'Content-Length': body.length,
    Expect: '100-continue',
  });
  const going = received(socket, '100 Continue');
  socket.write(`POST ${path} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
  await going;
  socket.write(body);
};

const carsIn = (database: DatabaseSync) => database.prepare('SELECT identifier FROM cars ORDER BY _created').all();

test('a process that is killed has made one car or none, and the same request tells which', async () => {
  const { start, open } = openFile();
  const first = await start();
  const database = open();
  await postUnread(first, 'one');
  await expect.poll(() => carsIn(database).length, { interval: 5, timeout: 30_000 }).toBe(1);
  // Nobody else can write.
  database.exec('BEGIN IMMEDIATE');
  await postUnread(first, 'none');
  expect(await first.end('SIGKILL')).toBe('SIGKILL');
  database.exec('ROLLBACK');
  const [{ identifier: made } = {}] = carsIn(database);

  const second = await start();
  expect(await post(second, 'one', trees[1])).toEqual({ status: 201, list: '/api/coches', identifier: made });
  expect(carsIn(database)).toHaveLength(1);
  const again = await post(second, 'none', trees[1]);
  expect(again).toMatchObject({ status: 201, list: '/api/coches' });
  expect(await post(second, 'none', trees[0])).toEqual({ ...again, list: '/api/cars' });
  expect(carsIn(database).map(({ identifier }) => identifier)).toEqual([made, again.identifier]);
});

test('twenty requests with one key over two processes and both trees make one car', async () => {
  const { start, open } = openFile();
  const services = [await start(), await start()] as const;
  for (let round = 0; round < 5; round++) {
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        post(services[at % 2 === 0 ? 0 : 1], `round ${round}`, trees[at % 4 < 2 ? 0 : 1]),
      ),
    );
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(made.map(({ identifier }) => identifier)).size).toBe(1);
    expect(new Set(made.map(({ list }) => list))).toEqual(new Set(['/api/cars', '/api/coches']));
  }
  expect(carsIn(open())).toHaveLength(5);
});
