/** Requests that are sent again to another process, at the same time, or because the first one was killed. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from './support/process/folder.ts';
import { openSocket, received, type Serving, serve } from './support/process/service.ts';

const trees = [
  ['/api/cars', '{"brand":"Seat","model":"Ibiza"}'],
  ['/api/coches', '{"modelo":"Ibiza","marca":"Seat"}'],
] as const;

let services: readonly [Serving, Serving];
let database: DatabaseSync;
beforeEach(async () => {
  const file = join(temporaryFolder(), 'catalogue.db');
  const start = (): Promise<Serving> => serve({ env: { DATABASE_URL: `sqlite:${file}` } });
  services = await Promise.all([start(), start()]);
  database = new DatabaseSync(file, { timeout: 5_000 });
  onTestFinished(() => database.close());
});

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

const keysOfCars = (): readonly unknown[] =>
  database
    .prepare('SELECT identifier FROM cars ORDER BY _created')
    .all()
    .map(({ identifier }) => identifier);

test('twenty requests with one key over two processes and both trees make one car', async () => {
  const keys: unknown[] = [];
  for (let round = 0; round < 5; round++) {
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        post(services[at % 2 === 0 ? 0 : 1], `round ${round}`, trees[at % 4 < 2 ? 0 : 1]),
      ),
    );
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(made.map(({ identifier }) => identifier)).size).toBe(1);
    expect(new Set(made.map(({ list }) => list))).toEqual(new Set(['/api/cars', '/api/coches']));
    keys.push(made[0]?.identifier);
  }
  expect(keysOfCars()).toEqual(keys);
});

test('of a process that is killed what it acknowledged is there, and the same request tells whether it made another one', async () => {
  const [first, second] = services;
  const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => post(first, `key ${at}`, trees[0])));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  const before = keysOfCars();
  expect(before).toEqual(expect.arrayContaining(answers.map(({ identifier }) => identifier)));
  await postUnread(first, 'one');
  await expect.poll(() => keysOfCars().length, { interval: 5, timeout: 30_000 }).toBe(before.length + 1);
  // Nobody else can write.
  database.exec('BEGIN IMMEDIATE');
  await postUnread(first, 'none');
  expect(await first.end('SIGKILL')).toBe('SIGKILL');
  database.exec('ROLLBACK');
  const left = keysOfCars();
  expect(left.slice(0, -1)).toEqual(before);

  expect(await post(second, 'one', trees[1])).toEqual({ status: 201, list: '/api/coches', identifier: left.at(-1) });
  expect(keysOfCars()).toEqual(left);
  const again = await post(second, 'none', trees[1]);
  expect(again).toMatchObject({ status: 201, list: '/api/coches' });
  expect(await post(second, 'none', trees[0])).toEqual({ ...again, list: '/api/cars' });
  expect(keysOfCars()).toEqual([...left, again.identifier]);
});
