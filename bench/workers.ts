/** One process against two workers, with the load on the same two cores: what WORKERS gains, and that writes lose nothing. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Options } from './options.ts';
import { makeDataset } from './support/databases.ts';
import { load, writeRequests } from './support/load.ts';
import { type Contender, type Dataset, service } from './support/peers.ts';
import { carsUpTo } from './support/records.ts';
import { goalTable, type Report } from './support/report.ts';
import { inTurns, meter, type Result, type Round, rateRatio, resultTable } from './support/rounds.ts';
import { type Running, startServer } from './support/servers.ts';
import { spotCheck } from './support/spot-check.ts';
import { ENGLISH, pathsOf } from './support/workloads.ts';

const CONNECTIONS = 32;
const WRITING = 64;
/** Each round begins elsewhere in its file. */
const FAR = 37_501;

const contender = (count: number): Contender => ({
  ...service,
  name: `WORKERS=${count}`,
  launch: async (dataset: Dataset) => {
    const launch = await service.launch(dataset);
    return { ...launch, env: { ...launch.env, WORKERS: String(count) }, role: 'any' };
  },
});
const ONE = contender(1);
const TWO = contender(2);

interface Workload {
  readonly name: string;
  readonly connections: number;
  /** How many times the rate of one process two workers must reach. */
  readonly atLeast: number;
  readonly requests: (cars: number) => Parameters<typeof writeRequests>[1];
}

const posts = carsUpTo(1_000).map(({ identifier: _made, ...car }) => JSON.stringify(car));
const workloads: readonly Workload[] = [
  {
    name: 'GET item, uniformly at random',
    connections: CONNECTIONS,
    atLeast: 1.4,
    requests: (cars) => pathsOf('uniform', ENGLISH, cars).map((path) => ({ path })),
  },
  {
    name: 'GET list of some 50',
    connections: CONNECTIONS,
    atLeast: 1.6,
    requests: (cars) => pathsOf('lists', ENGLISH, cars).map((path) => ({ path })),
  },
  {
    name: 'POST, durable',
    connections: WRITING,
    atLeast: 1,
    requests: () => posts.map((body) => ({ path: '/api/cars', body })),
  },
];

interface Served {
  readonly server: Running;
  readonly result: { readonly name: string; readonly rounds: Round[] };
}

async function* compare(workload: Workload, dataset: Dataset, options: Options): AsyncGenerator<Report> {
  const { name, connections, atLeast, requests } = workload;
  const file = join(dataset.folder, 'requests.txt');
  writeRequests(file, requests(options.cars));
  const all: Served[] = [];
  try {
    for (const each of [ONE, TWO]) {
      const server = await startServer(await each.launch(dataset));
      await spotCheck(each, server.origin, options.cars);
      all.push({ server, result: { name: each.name, rounds: [] } });
    }
    const run = ({ server }: Served, round: number) =>
      load(server.origin, file, { connections, seconds: options.seconds, start: round * FAR, role: 'any' });
    // What a new process compiles is not what a request costs.
    for (const each of all) await run(each, options.rounds);
    await inTurns(all, options.rounds, async (each, round) => {
      const read = meter(each.server.pid);
      each.result.rounds.push(read(await run(each, round)));
    });
    const [one, two]: readonly (Result | undefined)[] = all.map(({ result }) => result);
    if (!one || !two) return;
    const goal = { name: 'two workers to one process, requests/s', found: rateRatio(two, one), atLeast, unit: '×' };
    yield [`## ${name}, ${connections} connections`, '', ...resultTable([one, two]), ...goalTable([goal])];
  } finally {
    for (const { server } of all) await server.stop();
  }
}

/** @returns a table for each workload */
export async function* workers(options: Options): AsyncGenerator<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'car-dealer-bench-'));
  try {
    const dataset = await makeDataset(folder, options.cars);
    const cars = options.cars.toLocaleString('en');
    yield [
      `# Workers, ${cars} cars, servers and load on two cores, ${options.rounds} rounds of ${options.seconds} s`,
      '',
    ];
    for (const workload of workloads) yield* compare(workload, dataset, options);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
