/** Durable POSTs, and item reads meanwhile, against Fastify with a transaction each and with group commit. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Options } from './options.ts';
import { makeDataset } from './support/databases.ts';
import { load, steady, writeRequests, writeSteady } from './support/load.ts';
import { type Contender, fastifyGroup, fastifySqlite, service } from './support/peers.ts';
import { carAt, carsUpTo } from './support/records.ts';
import { type Goal, goalTable, type Report } from './support/report.ts';
import {
  figures,
  inTurns,
  meter,
  type Result,
  type Round,
  rateRatio,
  resultOf,
  resultTable,
} from './support/rounds.ts';
import { startServer } from './support/servers.ts';
import { spotCheck } from './support/spot-check.ts';
import { spreadOf } from './support/statistics.ts';
import { itemPath } from './support/workloads.ts';

const CONNECTIONS = 64;
/** Item reads a second: enough for a p99, too few to be a load. */
const READS = 200;

interface Plan<D> {
  readonly dataset: D;
  readonly folder: string;
  readonly cars: number;
  readonly options: Options;
  /** The process of a database server, whose CPU is told apart. */
  readonly database?: number;
}

/** A server and a database of its own for each round, so that nobody pays for having written more before. */
const writeOnce = async <D>(contender: Contender<D>, plan: Plan<D>, posts: string, items: string): Promise<Round> => {
  const { dataset, cars, database } = plan;
  const { seconds } = plan.options;
  const server = await startServer(await contender.launch(dataset));
  try {
    await spotCheck(contender, server.origin, cars);
    // As long as a round: what a new process compiles is not what a request costs.
    await load(server.origin, posts, { connections: CONNECTIONS, seconds });
    const read = meter(server.pid, database);
    const [result, reads] = await Promise.all([
      load(server.origin, posts, { connections: CONNECTIONS, seconds }),
      steady(server.origin, items, READS, seconds),
    ]);
    return { ...read(result, reads.count), reads99: reads.p99 };
  } finally {
    await server.stop();
  }
};

/** Rounds of writing: cars without a key, which the server makes; and item reads at a steady rate meanwhile. */
export const writeInTurns = async <D>(
  contenders: readonly Contender<D>[],
  plan: Plan<D>,
): Promise<readonly Result[]> => {
  const posts = join(plan.folder, 'posts.txt');
  const items = join(plan.folder, 'items.txt');
  const bodies = carsUpTo(1_000).map(({ identifier: _made, ...car }) => JSON.stringify(car));
  writeRequests(
    posts,
    bodies.map((body) => ({ path: '/api/cars', body })),
  );
  const results = contenders.map((contender) => ({ contender, rounds: [] as Round[] }));
  await inTurns(results, plan.options.rounds, async ({ contender, rounds }) => {
    const numbers = Array.from({ length: 1_000 }, (_, at) => carAt(at));
    writeSteady(
      items,
      numbers.map((car) => ({ path: itemPath(contender.words, car), expected: JSON.stringify(car) })),
    );
    rounds.push(await writeOnce(contender, plan, posts, items));
  });
  return results.map(({ contender, rounds }) => ({ name: contender.name, rounds }));
};

const goalsOf = (results: readonly Result[]): readonly Goal[] => {
  const of = (contender: Contender): Result => resultOf(results, contender);
  const ours = of(service);
  return [
    {
      name: 'to Fastify with a transaction each, requests/s',
      found: rateRatio(ours, of(fastifySqlite)),
      atLeast: 4,
      unit: '×',
    },
    {
      name: 'to Fastify with group commit, requests/s',
      found: rateRatio(ours, of(fastifyGroup)),
      atLeast: 0.9,
      unit: '×',
    },
    { name: 'item reads meanwhile, p99', found: spreadOf(figures(ours, 'reads99')), atMost: 10, unit: 'ms' },
  ];
};

/** @returns one table */
export async function* writes(options: Options): AsyncGenerator<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'car-dealer-bench-'));
  try {
    const dataset = await makeDataset(folder, options.cars);
    const contenders = [service, fastifySqlite, fastifyGroup];
    const results = await writeInTurns(contenders, { dataset, folder, cars: options.cars, options });
    yield [
      `# POST, synchronous=FULL, ${CONNECTIONS} connections, ${options.rounds} rounds of ${options.seconds} s`,
      '',
      ...resultTable(results),
      ...goalTable(goalsOf(results)),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
