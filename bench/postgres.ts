/** On PostgreSQL: against Fastify with `pg`, two instances against one, a thousand cars to many. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { growth } from './growth.ts';
import { instances } from './instances.ts';
import type { Options } from './options.ts';
import { PAGE, type Scenario, serviceArguments } from './peers.ts';
import { makePostgresWorld, type PostgresWorld, SETTINGS } from './postgres-databases.ts';
import { contenders, fastifyPg, fastifyPrepared, POOL, service } from './postgres-peers.ts';
import { type Goal, goalTable, type Report } from './report.ts';
import { cpuRatio, rateRatio, resultOf, resultTable } from './results.ts';
import { type Plan, type Result, readInTurns, writeInTurns } from './rounds.ts';
import { type Running, startServer } from './servers.ts';

const TITLES: Readonly<Record<Scenario, string>> = {
  item: 'PostgreSQL: GET item',
  list: `PostgreSQL: GET list of ${PAGE}, filtered, with total and links`,
  post: 'PostgreSQL: POST, synchronous_commit=on, 64 connections',
};

const WANTED: Readonly<Record<Scenario, number>> = { item: 1, list: 1.5, post: 3 };

const goalsOf = (scenario: Scenario, results: readonly Result[]): readonly Goal[] => {
  const ours = resultOf(results, service);
  const isWriting = scenario === 'post';
  const ratio = isWriting ? rateRatio : cpuRatio;
  return [fastifyPg, fastifyPrepared].map((peer) => ({
    name: `to ${peer === fastifyPg ? '' : 'the same '}${peer.name}, ${isWriting ? 'requests/s' : 'CPU'}`,
    found: ratio(ours, resultOf(results, peer)),
    atLeast: WANTED[scenario],
    unit: '×',
  }));
};

const measure = async (scenario: Scenario, plan: Plan<PostgresWorld>): Promise<Report> => {
  const results = await (scenario === 'post'
    ? writeInTurns(contenders, plan)
    : readInTurns(contenders, scenario, plan));
  return [
    `## ${TITLES[scenario]}`,
    '',
    ...resultTable(results, resultOf(results, service)),
    ...goalTable(goalsOf(scenario, results)),
  ];
};

const serve = (url: string): Promise<Running> =>
  startServer({
    args: () => serviceArguments,
    env: { DATABASE_URL: url, DATABASE_POOL: String(POOL) },
    readyPath: '/livez',
  });

/** @returns the tables, one subject after the other */
export async function* postgres(options: Options): AsyncGenerator<Report> {
  const { cars, rounds, seconds, only, many } = options;
  const folder = mkdtempSync(join(tmpdir(), 'car-dealer-bench-'));
  const world = await makePostgresWorld(folder, cars);
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
    for (const scenario of only) yield await measure(scenario, { world, rounds, seconds });
    yield await instances({ world, rounds, seconds }, only);
    if (many > 0) yield* growth({ small: await world.filled(1_000), large: await world.filled(many) }, serve, options);
  } finally {
    await world.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}
