/**
 * Clients that ask for more than a database can read, and leave: how long others wait meanwhile and afterwards, and what it
 * costs. Clients of one address, each with a connection of its own; the others come from another address.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { runHere } from '../support/commands/given.ts';
import { fillWithMany, inFile, sqliteUrl } from '../support/database/files.ts';
import { type PostgresServer, startPostgres } from '../support/database/postgres-server.ts';
import { type Serving, serve } from '../support/process/service.ts';
import type { Crowd } from './crowd.ts';

const CARS = 150_000;
/** Clients that leave, and milliseconds until they do. */
const LEAVING = 250;
const STAY = 3_000;
const WHOLE_LISTS = 100;
/** Milliseconds that a page or a health check may take; on a machine that does nothing else, a tenth of it. */
const LONGEST = 2_000;

const CROWD = '127.0.0.2';
const NORMAL = '127.0.0.3';

/** In an order that no index gives; and by a filter without one. */
const WHOLE = '/api/cars?sort_by=enginePower';
const PAGE = '/api/coches?fuel=diesel&numero_de_elementos=5';
const LIVE = '/livez';

interface Answer {
  readonly status: number;
  readonly text: string;
  /** Milliseconds to the end. */
  readonly time: number;
}

/** Asks on a connection of its own. */
const ask = ({ port }: Serving, path: string, localAddress = NORMAL): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const begin = performance.now();
    const asked = request({ port, host: '127.0.0.1', localAddress, path, agent: false }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece)).on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(pieces).toString();
        resolve({ status: response.statusCode ?? 0, text, time: performance.now() - begin });
      });
    });
    asked.on('error', reject).end();
  });

/** Clients that ask for the same, on a thread of their own. @returns has all of them leave */
const openCrowd = ({ port }: Serving, count: number, path: string): (() => Promise<unknown>) => {
  const requests = Array.from({ length: count }, () => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  const workerData: Crowd = { port, localAddress: CROWD, requests };
  const crowd = new Worker(new URL('./crowd.ts', import.meta.url), { workerData });
  const leave = () => crowd.terminate();
  onTestFinished(() => void leave());
  return leave;
};

/** Megabytes of memory at its greatest, and descriptors of a process. */
const peakOf = ({ child: { pid } }: Serving): number =>
  Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024);
const descriptorsOf = ({ child: { pid } }: Serving): number => readdirSync(`/proc/${pid}/fd`).length;

/** Asks again and again, until it is stopped. @returns milliseconds of what was answered, and the most descriptors */
const watch = (service: Serving, path: string) => {
  const times: number[] = [];
  const refused: number[] = [];
  let descriptors = 0;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const { status, time } = await ask(service, path);
      (status === 200 ? times : refused).push(time);
      descriptors = Math.max(descriptors, descriptorsOf(service));
      await setTimeout(20);
    }
  })();
  return {
    stop: async () => {
      isOver = true;
      await watching;
      const [first = 0] = times;
      return {
        first: Math.round(first),
        longest: Math.round(Math.max(...times)),
        refused: refused.length,
        descriptors,
      };
    },
  };
};

const tell = (what: string, figures: object): void => console.log(`${what}: ${JSON.stringify(figures)}`);

const folder = mkdtempSync(join(tmpdir(), 'catalogue-'));
let server: PostgresServer;
const urls: Record<string, string> = {};

beforeAll(async () => {
  const path = join(folder, 'catalogue.db');
  await fillWithMany(path, CARS);
  inFile(
    path,
    `UPDATE cars SET enginePower = _created * 7919 % 9973, doors = _created % 6,
       version = 'v ' || (_created * 31 % 5003), _version = 'v ' || (_created * 31 % 5003),
       fuel = CASE _created % 3 WHEN 0 THEN 'diesel' ELSE 'gasolina' END, _fuel = CASE _created % 3 WHEN 0 THEN 'diesel' ELSE 'gasolina' END`,
  );
  server = await startPostgres({ settings: { shared_buffers: '256MB' } });
  urls.sqlite = sqliteUrl(path);
  urls.postgres = server.url();
  const file = join(folder, 'cars.csv');
  const move = async (main: string, url: string) =>
    expect((await runHere(`src/tools/import-export/${main}`, [file], { DATABASE_URL: url }))[0]).toBe(0);
  await move('export-main.ts', urls.sqlite);
  await move('import-main.ts', urls.postgres);
}, 5 * 60_000);
afterAll(async () => {
  await server?.remove();
  rmSync(folder, { recursive: true });
});

describe.each(['sqlite', 'postgres'])('on %s', (database) => {
  const start = (env: Readonly<Record<string, string>> = {}): Promise<Serving> =>
    serve({ env: { DATABASE_URL: urls[database] ?? '', ...env } });

  test(`${LEAVING} clients that ask for whole lists and leave keep nobody waiting`, async () => {
    const service = await start();
    const alone = { page: await ask(service, PAGE), whole: await ask(service, WHOLE) };
    expect(JSON.parse(alone.whole.text)).toHaveLength(CARS);
    const before = peakOf(service);
    const [pages, live] = [watch(service, PAGE), watch(service, LIVE)];
    const leave = openCrowd(service, LEAVING, WHOLE);
    await setTimeout(STAY);
    await leave();
    const [page, whole] = await Promise.all([ask(service, PAGE), ask(service, WHOLE)]);
    const figures = {
      alone: { page: Math.round(alone.page.time), whole: Math.round(alone.whole.time) },
      after: { page: Math.round(page.time), whole: Math.round(whole.time) },
      pages: await pages.stop(),
      live: await live.stop(),
      megabytes: { before, peak: peakOf(service) },
    };
    tell(`${database}, ${LEAVING} clients that leave`, figures);
    expect([page.status, whole.status]).toEqual([200, 200]);
    expect(JSON.parse(whole.text)).toHaveLength(CARS);
    expect(figures.after.page).toBeLessThan(LONGEST);
    expect(figures.pages).toMatchObject({ refused: 0 });
    expect(figures.pages.longest).toBeLessThan(LONGEST);
    expect(figures.live.longest).toBeLessThan(LONGEST);
    expect(figures.megabytes.peak).toBeLessThan(600);
    await expect.poll(() => descriptorsOf(service), { timeout: 10_000 }).toBeLessThan(100);
  });

  test.each(['/api/cars', WHOLE])(
    `${WHOLE_LISTS} whole lists at once do not keep health checks waiting, %s`,
    async (path) => {
      const service = await start({ CLIENT_SHARE: '100' });
      const leave = openCrowd(service, WHOLE_LISTS, path);
      const live = watch(service, LIVE);
      await setTimeout(5_000);
      await leave();
      const figures = { ...(await live.stop()), peak: peakOf(service) };
      tell(`${database}, ${WHOLE_LISTS} times ${path}`, figures);
      expect(figures.longest).toBeLessThan(LONGEST);
    },
  );
});
