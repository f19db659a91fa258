import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text as textOf } from 'node:stream/consumers';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { Server } from '../../../src/host/server/server.ts';
import { openStore } from '../../../src/host/service/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { openApp } from '../../support/app/app.ts';
import { catalogue } from '../../support/cars/catalogue.ts';
import { createCar, createOil, inPortions } from '../../support/conformance/fixtures.ts';
import { temporaryFolder } from '../../support/process/folder.ts';

/** Long lists that are sent at one time, and the share of them that a client with an address has. */
const AT_ONCE = 32;
const SHARE = 2 / AT_ONCE;
/** More than its share, so that no place may be lost. */
const LISTS = 5;
/** Read between other requests; and so many that they are read on a thread of their own. */
const MANY = 1_500;
const VERY_MANY = 2_100;

beforeEach(() => {
  // The adapter prints, beside our own log, why a stream broke off.
  vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => void vi.restoreAllMocks());
});

/** An address that keeps much less of what a client does not read than a port does: 200 kB instead of some MB. */
const socketPath = (): string => {
  const path = join(temporaryFolder(), 'socket');
  return process.platform === 'win32' ? `\\\\.\\pipe\\${path}` : path;
};

const serve = async (file: string, address: string | number = 0) => {
  const { app, refuse, faults, close } = await openApp({ database: `sqlite:${file}`, clientShare: SHARE });
  const limits = { headersTimeout: 10_000, requestTimeout: 60_000, idleTimeout: 30_000, maxConnections: 4_000 };
  const { http: server } = new Server({ app, refuse }, limits);
  if (typeof address === 'string') server.listen(address);
  else server.listen(address, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, faults };
};

/** A text that stands in no index, so that it is found in a page of the table only. */
const markOf = (at: number): string => `Mark ${String(at).padStart(5, '0')} ${'x'.repeat(150)}`;

type Fill = (store: Store) => Promise<unknown>;
const fillCars: Fill = (store) => inPortions(MANY, (at) => createCar(store, `car-${at}`, { version: markOf(at) }));
const oilsOf =
  (count: number, textOf: (at: number) => string): Fill =>
  async (store) => {
    await createCar(store, 'a');
    await inPortions(count, (at) => createOil(store, 'a', `oil-${at}`, { otherInfo: textOf(at) }));
  };

const fileWith = async (fill: Fill): Promise<string> => {
  const file = join(temporaryFolder(), 'cars.db');
  const store = await openStore(`sqlite:${file}`, catalogue);
  await fill(store);
  // The last to close folds the log into the file.
  await store.close();
  return file;
};

const pageSizeOf = (file: string): number => {
  const database = new DatabaseSync(file, { readOnly: true });
  const size = Number(database.prepare('PRAGMA page_size').get()?.page_size);
  database.close();
  return size;
};

/** Overwrites the page that holds an item. */
const spoil = (file: string, at: number, byte: number): void => {
  const size = pageSizeOf(file);
  const bytes = readFileSync(file);
  const found = bytes.indexOf(markOf(at));
  expect(found).toBeGreaterThan(size);
  const start = found - (found % size);
  writeFileSync(file, bytes.fill(byte, start, start + size));
};

interface Received {
  readonly status: number;
  readonly text: string;
  readonly isBroken: boolean;
}

const receive = async (url: string): Promise<Received> => {
  const { status, body } = await fetch(url);
  let text = '';
  try {
    for await (const chunk of body ?? []) text += Buffer.from(chunk).toString();
    return { status, text, isBroken: false };
  } catch {
    return { status, text, isBroken: true };
  }
};

/** What is read in each of the two ways, so often that no place may be lost; and what else may be spoilt. */
const spoilt: readonly (readonly [what: string, fill: Fill, paths: readonly string[], byte: number])[] = [
  ['cars, of whose pages one is empty,', fillCars, ['/api/cars', '/api/coches?orden=descendente'], 0],
  ['cars, of whose pages one is garbage,', fillCars, ['/api/cars?order=desc', '/api/coches'], 0xa5],
  ['very many oils,', oilsOf(VERY_MANY, markOf), ['/api/cars/a/oils', '/api/coches/a/aceites'], 0],
];

test.each(spoilt)(
  'a long list of %s breaks its connection each time, is no JSON, is logged with its cause, and leaves other pages alone',
  async (_, fill, paths, byte) => {
    const file = await fileWith(fill);
    spoil(file, MANY / 2, byte);
    const { origin, faults } = await serve(file);
    for (let at = 0; at < LISTS; at++) {
      const { status, text, isBroken } = await receive(origin + paths[at % paths.length]);
      expect([at, status, isBroken, text.startsWith('[{"')]).toEqual([at, 200, true, true]);
      expect(() => JSON.parse(text)).toThrow(SyntaxError);
    }
    expect(faults).toHaveLength(LISTS);
    for (const fault of faults) expect(fault).toMatchObject({ message: expect.stringContaining('malformed') });
    const url = new URL(paths[0] ?? '', origin);
    url.searchParams.set('number_of_elements', '100');
    const { status, text } = await receive(url.href);
    expect([status, JSON.parse(text).length]).toEqual([200, 100]);
  },
);

/** A client that has its answer's headers and reads no more of it. */
const begin = (url: string, socket?: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get(url, { agent: false, ...(socket && { socketPath: socket }) }, resolve).on('error', reject);
  });

const abort = async (answer: IncomingMessage): Promise<void> => {
  answer.on('error', () => {});
  const closed = new Promise((resolve) => answer.once('close', resolve));
  answer.destroy();
  await closed;
};

/** Long enough to fill every buffer on the way. */
const LONG_TEXT = 'x'.repeat(9_900);
const SHORT_TEXT = 'x'.repeat(990);

test.each([MANY, VERY_MANY])(
  'clients that abort a list of %i leave no fault in the log, and their places to others',
  async (count) => {
    const file = await fileWith(oilsOf(count, () => SHORT_TEXT));
    const socket = socketPath();
    const { faults } = await serve(file, socket);
    const urls = ['http://localhost/api/cars/a/oils', 'http://localhost/api/coches/a/aceites'] as const;
    // A socket in a folder has no address, and so no share.
    for (let at = 0; at < AT_ONCE + 2; at++) {
      const answer = await begin(urls[at % 2 === 0 ? 0 : 1], socket);
      expect([at, answer.statusCode]).toEqual([at, 200]);
      if (at % 4 < 2) await once(answer, 'data');
      await abort(answer);
    }
    // The service notices a moment later that a client has gone; then there is room for as many as there may be.
    const together: IncomingMessage[] = [];
    while (together.length < AT_ONCE) {
      const answer = await begin(urls[0], socket);
      if (answer.statusCode === 200) together.push(answer);
      else await abort(answer);
    }
    const refused = await begin(urls[1], socket);
    expect(refused.statusCode).toBe(503);
    await Promise.all([...together, refused].map(abort));
    const whole = await begin(urls[0], socket);
    expect([whole.statusCode, JSON.parse(await textOf(whole)).length]).toEqual([200, count]);
    // Only the one that was refused; it has no cause.
    expect(faults).toEqual([]);
  },
);

test('a client that has its share of long lists is told so in its language, and gets pages all the same', async () => {
  const { origin } = await serve(await fileWith(oilsOf(VERY_MANY, () => LONG_TEXT)));
  const lists = [await begin(`${origin}/api/cars/a/oils`), await begin(`${origin}/api/coches/a/aceites`)];
  expect(lists.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  const refusals = [
    [
      '/api/coches/a/aceites',
      'Ya tiene en curso el máximo de peticiones de este tipo. Vuelva a intentarlo cuando termine alguna.',
    ],
    [
      '/api/cars/a/oils?number_of_elements=1000',
      'You already have the maximum number of requests of this kind in progress. Try again when one of them has finished.',
    ],
  ];
  for (const [path, detail] of refusals) {
    const refused = await fetch(origin + path);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await refused.json()).toMatchObject({ code: 'unavailable', detail });
  }
  const page = await fetch(`${origin}/api/coches/a/aceites?numero_de_elementos=5`);
  expect(await page.json()).toHaveLength(5);
  await Promise.all(lists.map(abort));
  await expect.poll(async () => (await receive(`${origin}/api/cars/a/oils`)).status, { timeout: 60_000 }).toBe(200);
});
