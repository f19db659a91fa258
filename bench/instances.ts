/** Two instances against one, on one PostgreSQL. */
import { join } from 'node:path';
import { pathsOf } from './checks.ts';
import { load, writeRequests } from './load.ts';
import { cpuTime, releaseCores } from './machine.ts';
import type { Scenario } from './peers.ts';
import type { PostgresWorld } from './postgres-databases.ts';
import { service } from './postgres-peers.ts';
import { carsUpTo } from './records.ts';
import { type Report, shown, table } from './report.ts';
import type { Plan } from './rounds.ts';
import { type Launch, type Running, startServer } from './servers.ts';
import { ratiosOf, spreadOf } from './statistics.ts';

const CONNECTIONS = 64;

/** What a number of instances did together in one round. */
interface Turn {
  readonly rate: number;
  /** Microseconds of CPU per request: of all instances, and of PostgreSQL. */
  readonly servers: number;
  readonly database: number;
}

const writeQuestions = (scenario: Scenario, { folder }: PostgresWorld): string => {
  const file = join(folder, `instances-${scenario}.txt`);
  const requests =
    scenario === 'post'
      ? carsUpTo(1_000).map(({ identifier: _made, ...car }) => ({ path: '/api/cars', body: JSON.stringify(car) }))
      : pathsOf(service, scenario).map((path) => ({ path }));
  writeRequests(file, requests);
  return file;
};

/** The same connections for any number of instances, half of them to each of two. */
const turnOf = async (servers: readonly Running[], file: string, { world, seconds }: Plan<PostgresWorld>) => {
  const used = () => servers.reduce((sum, { pid }) => sum + cpuTime(pid), 0);
  const [before, databaseBefore] = [used(), cpuTime(world.database)];
  const [one = '', other = one] = servers.map(({ origin }) => origin);
  const results = await Promise.all([one, other].map((origin) => load(origin, file, CONNECTIONS / 2, seconds)));
  const requests = results.reduce((sum, result) => sum + result.requests, 0);
  const failures = results.reduce((sum, result) => sum + result.failures, 0);
  if (failures > 0 || requests === 0) throw new Error(`${failures} failures in ${requests} requests`);
  return {
    rate: results.reduce((sum, result) => sum + result.requests / result.seconds, 0),
    servers: (used() - before) / requests,
    database: (cpuTime(world.database) - databaseBefore) / requests,
  };
};

const compare = async (scenario: Scenario, plan: Plan<PostgresWorld>): Promise<readonly string[]> => {
  const file = writeQuestions(scenario, plan.world);
  const launch: Launch = { ...(await service.launch(plan.world)), isPinned: false };
  const servers = [await startServer(launch), await startServer(launch)];
  const turns: readonly Turn[][] = [[], []];
  try {
    for (let round = -1; round < plan.rounds; round++) {
      for (const count of round % 2 === 0 ? [1, 2] : [2, 1]) {
        const turn = await turnOf(servers.slice(0, count), file, plan);
        if (round >= 0) turns[count - 1]?.push(turn);
      }
    }
  } finally {
    for (const server of servers) await server.stop();
  }
  const figures = (count: number, figure: keyof Turn) => (turns[count - 1] ?? []).map((turn) => turn[figure]);
  return [
    scenario,
    ...[1, 2].map((count) => shown(spreadOf(figures(count, 'rate')))),
    shown(ratiosOf(figures(2, 'rate'), figures(1, 'rate'))),
    shown(spreadOf(figures(2, 'servers'))),
    shown(spreadOf(figures(2, 'database'))),
  ];
};

/** @returns the table */
export const instances = async (plan: Plan<PostgresWorld>, scenarios: readonly Scenario[]): Promise<Report> => {
  releaseCores(plan.world.database);
  const rows: (readonly string[])[] = [];
  for (const scenario of scenarios) rows.push(await compare(scenario, plan));
  return [
    '## PostgreSQL: two instances against one',
    '',
    'PostgreSQL, the instances and the load share all cores of this one machine, nothing is pinned: where these are few,',
    'a second instance can take only what the first leaves idle. The CPU tells what it would cost on machines apart.',
    '',
    ...table(
      ['', 'requests/s of one', 'of two', 'two to one', 'instances: CPU µs/request', 'PostgreSQL: CPU µs/request'],
      rows,
    ),
  ];
};
