/** Requests a second and memory by the size of the catalogue: the table of docs/deployment.md. Servers, database and load share all cores. */
import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../test/support/database/postgres-server.ts';
import type { Options } from './options.ts';
import { fillStore, serviceDatabase } from './support/databases.ts';
import { type LoadRequest, load, writeRequests } from './support/load.ts';
import { rss } from './support/machine.ts';
import { serviceArguments } from './support/peers.ts';
import { SETTINGS, withClient } from './support/postgres-databases.ts';
import { carAt, carsUpTo } from './support/records.ts';
import { type Report, shown, table } from './support/report.ts';
import { startServer } from './support/servers.ts';
import { spreadOf } from './support/statistics.ts';
import { ENGLISH, itemPath, pathsOf } from './support/workloads.ts';

const SIZES = [20_000, 200_000, 1_000_000];
const WORKERS = [1, 2];
const CONNECTIONS = 32;
/** Each round begins elsewhere in its file. */
const FAR = 37_501;

interface Filled {
  readonly name: string;
  readonly url: string;
  readonly megabytes: number;
  readonly remove: () => Promise<void>;
}

const onSqlite = async (folder: string, cars: number): Promise<Filled> => {
  const file = join(folder, `${cars}.db`);
  copyFileSync(await serviceDatabase(cars), file);
  return {
    name: 'SQLite',
    url: `sqlite:${file}`,
    megabytes: statSync(file).size / 1e6,
    remove: async () => {
      for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
    },
  };
};

const onPostgres = async (_: string, cars: number): Promise<Filled> => {
  const server = await startPostgres({ settings: SETTINGS });
  const url = server.url();
  try {
    await fillStore(url, cars);
    const [{ size }] = await withClient(url, async (client) => {
      await client.query('VACUUM (ANALYZE)');
      return (await client.query('SELECT pg_database_size(current_database())::float8 AS size')).rows;
    });
    return { name: 'PostgreSQL', url, megabytes: size / 1e6, remove: server.remove };
  } catch (error) {
    await server.remove();
    throw error;
  }
};

const posts = carsUpTo(1_000).map(({ identifier: _made, ...car }) => JSON.stringify(car));
const workloadsOf = (cars: number): readonly (readonly LoadRequest[])[] => [
  pathsOf('uniform', ENGLISH, cars).map((path) => ({ path })),
  pathsOf('lists', ENGLISH, cars).map((path) => ({ path })),
  posts.map((body) => ({ path: ENGLISH.collection, body })),
];

/** @returns a row of the table: what one start of the service carries */
const measure = async (
  filled: Filled,
  cars: number,
  workers: number,
  folder: string,
  { rounds, seconds }: Options,
): Promise<readonly string[]> => {
  const server = await startServer({
    args: () => serviceArguments,
    env: { DATABASE_URL: filled.url, WORKERS: String(workers), LOG_LEVEL: 'warn' },
    readyPath: itemPath(ENGLISH, carAt(0)),
    role: 'any',
  });
  try {
    const rates: string[] = [];
    for (const [at, requests] of workloadsOf(cars).entries()) {
      const file = join(folder, `${at}.txt`);
      writeRequests(file, requests);
      const found: number[] = [];
      for (let round = 0; round <= rounds; round++) {
        const result = await load(server.origin, file, {
          connections: CONNECTIONS,
          seconds,
          start: round * FAR,
          role: 'any',
        });
        // The first round warms up.
        if (round > 0) found.push(result.requests / result.seconds);
      }
      rates.push(shown(spreadOf(found)));
    }
    const memory = Math.round(rss(server.pid)).toString();
    const size = Math.round(filled.megabytes).toLocaleString('en');
    return [cars.toLocaleString('en'), filled.name, String(workers), ...rates, memory, size];
  } finally {
    await server.stop();
  }
};

const HEADS = ['cars', 'database', 'WORKERS', 'items/s', 'lists of some 50/s', 'POSTs/s', 'RSS MiB', 'database MB'];

/** @returns one table; `--many` is the largest catalogue */
export async function* capacity(options: Options): AsyncGenerator<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'car-dealer-bench-'));
  const rows: (readonly string[])[] = [];
  try {
    for (const cars of SIZES.filter((size) => size <= options.many)) {
      for (const open of [onSqlite, onPostgres]) {
        const filled = await open(folder, cars);
        try {
          for (const workers of WORKERS) {
            process.stderr.write(`${cars} cars on ${filled.name}, WORKERS=${workers} …\n`);
            rows.push(await measure(filled, cars, workers, folder, options));
          }
        } finally {
          await filled.remove();
        }
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  yield [`# Capacity, ${options.rounds} rounds of ${options.seconds} s`, '', ...table(HEADS, rows)];
}
