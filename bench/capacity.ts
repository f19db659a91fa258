/** Requests a second and memory by the size of the catalogue: the table of docs/deployment.md. Servers, database and load share all cores. */
import { statSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { type Dataset, postgresDataset, sqliteDataset, withClient } from './support/databases.ts';
import { memory } from './support/machine.ts';
import { type Report, shown, spreadOf, table } from './support/report.ts';
import { serviceArguments, withServer } from './support/servers.ts';
import { type Options, ROUNDS } from './support/turns.ts';
import { ENGLISH, requestsOf } from './support/workloads.ts';
import { loadOf } from './support/wrk.ts';

const SIZES = [20_000, 200_000, 1_000_000];
/** Seconds of the first round, which is not measured: the first commits after a start may wait for the disk. */
const WARM_UP = 5;
const SECONDS = 2;
/** Each round begins elsewhere in its file. */
const FAR = 37_501;

/** Megabytes of a database. */
const sizeOf = async (url: string): Promise<number> => {
  if (url.startsWith('sqlite:')) return statSync(url.slice('sqlite:'.length)).size / 1e6;
  const sql = 'SELECT pg_database_size(current_database())::float8 AS size';
  return withClient(url, async (client) => (await client.query(sql)).rows[0].size / 1e6);
};

/** @returns a row of the table: what one start of the service carries */
const measure = async (dataset: Dataset, workers: string, options: Options): Promise<readonly string[]> => {
  const { rounds = ROUNDS, folder } = options;
  const url = await dataset.copyOf('service');
  const size = await sizeOf(url);
  const env = { DATABASE_URL: url, WORKERS: workers, LOG_LEVEL: 'warn' };
  return withServer({ args: serviceArguments, env, role: 'any' }, async ({ pid, origin }) => {
    const rates: string[] = [];
    for (const workload of ['uniform', 'lists', 'posts'] as const) {
      const load = loadOf(folder, workload, requestsOf(workload, ENGLISH, dataset.cars));
      const found: number[] = [];
      for (let round = 0; round <= rounds; round++) {
        const seconds = round === 0 ? WARM_UP : SECONDS;
        const result = await load(origin, { connections: 32, seconds, start: round * FAR });
        if (round > 0) found.push(result.requests / result.seconds);
      }
      rates.push(shown(spreadOf(found)));
    }
    const [database = ''] = dataset.name.split(' ');
    const ends = [memory(pid, 'VmRSS'), size].map((value) => Math.round(value).toLocaleString('en'));
    return [dataset.cars.toLocaleString('en'), database, workers, ...rates, ...ends];
  });
};

const HEADS = ['cars', 'database', 'WORKERS', 'items/s', 'lists of some 50/s', 'POSTs/s', 'RSS MiB', 'database MB'];

/** @returns one table; `--many` is the largest catalogue */
export async function* capacity(options: Options): AsyncGenerator<Report> {
  const rows: (readonly string[])[] = [];
  for (const cars of SIZES.filter((size) => size <= options.many)) {
    for (const open of [sqliteDataset, postgresDataset]) {
      const dataset = await open(await mkdtemp(join(options.folder, 'capacity-')), cars);
      try {
        for (const workers of ['1', '2']) rows.push(await measure(dataset, workers, options));
      } finally {
        await dataset.remove();
      }
    }
  }
  yield [`# Capacity, ${options.rounds ?? ROUNDS} rounds of ${SECONDS} s`, '', ...table(HEADS, rows)];
}
