/** On PostgreSQL, against Fastify with `pg`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Options } from './options.ts';
import { searchPages } from './searches.ts';
import { here, load, writeRequests } from './support/load.ts';
import { type Contender, serviceArguments } from './support/peers.ts';
import { makePostgresDataset, type PostgresDataset, SETTINGS } from './support/postgres-databases.ts';
import { carAt } from './support/records.ts';
import { goalTable, type Report } from './support/report.ts';
import {
  cpuRatio,
  inTurns,
  meter,
  type Result,
  type Round,
  rateRatio,
  resultOf,
  resultTable,
} from './support/rounds.ts';
import { type Running, startServer } from './support/servers.ts';
import { spotCheck } from './support/spot-check.ts';
import { ENGLISH, itemPath, pathsOf, TITLES } from './support/workloads.ts';
import { writeInTurns } from './writes.ts';

/** Connections of each server. */
const POOL = 10;
const CONNECTIONS = 32;

type OnPostgres = Contender<PostgresDataset>;

const service: OnPostgres = {
  name: 'this service on PostgreSQL',
  words: ENGLISH,
  launch: async ({ copyOf }) => ({
    args: () => serviceArguments,
    env: { DATABASE_URL: await copyOf('service'), DATABASE_POOL: String(POOL) },
    readyPath: '/livez',
  }),
};

const fastify = (name: string, env: Readonly<Record<string, string>>): OnPostgres => ({
  name,
  words: ENGLISH,
  launch: async ({ copyOf }) => ({
    args: () => [here('peers/fastify-pg.js')],
    env: { DATABASE: await copyOf('peer'), POOL: String(POOL), ...env },
    readyPath: itemPath(ENGLISH, carAt(0)),
  }),
});
const fastifyPg = fastify('Fastify + pg', {});
const contenders = [service, fastifyPg, fastify('… with named (prepared) statements', { PREPARED: '1' })];

const readInTurns = async (
  workload: 'uniform' | 'lists',
  dataset: PostgresDataset,
  { rounds, seconds }: Options,
): Promise<readonly Result[]> => {
  const readers: { readonly contender: OnPostgres; readonly server: Running; readonly rounds: Round[] }[] = [];
  const paths = join(dataset.folder, 'paths.txt');
  writeRequests(
    paths,
    pathsOf(workload, ENGLISH, dataset.cars).map((path) => ({ path })),
  );
  try {
    for (const contender of contenders) {
      const server = await startServer(await contender.launch(dataset));
      await spotCheck(contender, server.origin, dataset.cars);
      readers.push({ contender, server, rounds: [] });
    }
    await inTurns(readers, rounds + 1, async ({ server, rounds: done }, round) => {
      const read = meter(server.pid, dataset.database);
      const result = await load(server.origin, paths, { connections: CONNECTIONS, seconds, start: round * 37_501 });
      // The first round warms up.
      if (round > 0) done.push(read(result));
    });
    return readers.map(({ contender, rounds: done }) => ({ name: contender.name, rounds: done }));
  } finally {
    for (const { server } of readers) await server.stop();
  }
};

/** Of a million cars with `--cars 1000000`. */
const searching = async (dataset: PostgresDataset): Promise<Report> => {
  const server = await startServer(await service.launch(dataset));
  try {
    return await searchPages(server.origin);
  } finally {
    await server.stop();
  }
};

const reportOf = (title: string, results: readonly Result[], atLeast: number, ratio: typeof cpuRatio): Report => [
  `## ${title}`,
  '',
  ...resultTable(results),
  ...goalTable([
    {
      name: `to Fastify + pg, ${ratio === cpuRatio ? 'CPU' : 'requests/s'}`,
      found: ratio(resultOf(results, service), resultOf(results, fastifyPg)),
      atLeast,
      unit: '×',
    },
  ]),
];

/** @returns the tables, one subject after the other */
export async function* postgres(options: Options): AsyncGenerator<Report> {
  const { cars, rounds, seconds } = options;
  const folder = mkdtempSync(join(tmpdir(), 'car-dealer-bench-'));
  const dataset = await makePostgresDataset(folder, cars);
  try {
    yield [
      `# On PostgreSQL, ${cars.toLocaleString('en')} cars, ${rounds} rounds of ${seconds} s`,
      '',
      `PostgreSQL on the same machine, on the load’s core, with ${Object.entries(SETTINGS)
        .map((each) => each.join('='))
        .join(', ')};`,
      `${POOL} connections for each server. CPU is that of the server of HTTP alone; PostgreSQL’s stands beside it.`,
      '',
    ];
    yield reportOf(TITLES.uniform, await readInTurns('uniform', dataset, options), 1.9, cpuRatio);
    yield reportOf(TITLES.lists, await readInTurns('lists', dataset, options), 1.3, cpuRatio);
    yield await searching(dataset);
    const posts = await writeInTurns(contenders, { dataset, folder, cars, options, database: dataset.database });
    yield reportOf('POST, synchronous_commit=on', posts, 1.5, rateRatio);
  } finally {
    await dataset.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}
