/** The service against its peers over HTTP: items, lists, writes. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordAnswers } from './checks.ts';
import type { Options } from './options.ts';
import * as peers from './peers.ts';
import { type Goal, goalTable, type Report, table } from './report.ts';
import { cpuRatio, figures, rateRatio, resultOf, resultTable } from './results.ts';
import { type Plan, type Result, readInTurns, writeInTurns } from './rounds.ts';
import { startServer } from './servers.ts';
import { type Spread, spreadOf } from './statistics.ts';

const TITLES: Readonly<Record<peers.Scenario, string>> = {
  item: 'GET item',
  list: `GET list of ${peers.PAGE}, filtered, with total and links`,
  post: 'POST, synchronous=FULL, 64 connections',
};

const goalsOf = (scenario: peers.Scenario, results: readonly Result[]): readonly Goal[] => {
  const of = (contender: peers.Contender): Result => resultOf(results, contender);
  const ours = of(peers.service);
  const atLeast = (atLeast: number, name: string, found: Spread): Goal => ({ name, found, atLeast, unit: '×' });
  switch (scenario) {
    case 'item': {
      const spanish = of(peers.serviceInSpanish);
      return [
        atLeast(0.7, 'English tree to raw node:http, CPU', cpuRatio(ours, of(peers.raw))),
        atLeast(0.7, 'Spanish tree to raw node:http, CPU', cpuRatio(spanish, of(peers.raw))),
        atLeast(0.7, 'nothing kept, to raw node:http, CPU', cpuRatio(of(peers.serviceAnew), of(peers.raw))),
        atLeast(1.7, 'to Fastify + node:sqlite, CPU', cpuRatio(ours, of(peers.fastifySqlite))),
        atLeast(3, 'to json-server, CPU', cpuRatio(ours, of(peers.jsonServer))),
      ];
    }
    case 'list':
      return [
        atLeast(2, 'to Fastify + node:sqlite with count(*), CPU', cpuRatio(ours, of(peers.fastifySqlite))),
        atLeast(1.5, 'to the same with a counter, CPU', cpuRatio(ours, of(peers.fastifyCounter))),
        atLeast(
          2,
          'nothing kept, to Fastify with count(*), CPU',
          cpuRatio(of(peers.serviceAnew), of(peers.fastifySqlite)),
        ),
        atLeast(
          1.5,
          'nothing kept, to the same with a counter, CPU',
          cpuRatio(of(peers.serviceAnew), of(peers.fastifyCounter)),
        ),
      ];
    case 'post':
      return [
        atLeast(6, 'to Fastify with a transaction per request, requests/s', rateRatio(ours, of(peers.fastifySqlite))),
        { name: 'item reads meanwhile, p99', found: spreadOf(figures(ours, 'probe99')), atMost: 10, unit: 'ms' },
      ];
  }
};

/** From the peer to ours by way of the same peer with one technique after the other. */
const STEPS: Readonly<Record<peers.Scenario, readonly (readonly [string, peers.Contender])[]>> = {
  item: [
    ['Fastify + node:sqlite, as its users write it', peers.fastifySqlite],
    ['rows as arrays, JSON by concatenation', peers.fastifyText],
    ['hono’s adapter for Fastify, less the entity tag, links and checks that only ours has', peers.serviceAnew],
    ['answers kept as long as nothing is written', peers.service],
  ],
  list: [
    ['Fastify + node:sqlite, as its users write it', peers.fastifySqlite],
    ['a counter instead of count(*)', peers.fastifyCounter],
    ['rows as arrays, JSON by concatenation', peers.fastifyCounterText],
    [
      'all else: hono’s adapter for Fastify, less the entity tag, links and checks that only ours has',
      peers.serviceAnew,
    ],
    ['answers kept as long as nothing is written', peers.service],
  ],
  post: [
    ['Fastify + node:sqlite, as its users write it', peers.fastifySqlite],
    ['group commit', peers.fastifyGroup],
    [
      'all else: a thread that writes, a larger log; less the change number, totals, folded columns and their indexes',
      peers.service,
    ],
  ],
};

const shares = (scenario: peers.Scenario, results: readonly Result[]): Report => {
  const costs = STEPS[scenario].map(
    ([name, contender]) => [name, spreadOf(figures(resultOf(results, contender), 'cpu')).median] as const,
  );
  return [
    'Where the difference comes from, median CPU µs per request:',
    '',
    ...table(
      ['technique', 'µs with it', 'gained by it'],
      costs.map(([name, cost], at) => {
        const gained = at === 0 ? '' : ((costs[at - 1]?.[1] ?? Number.NaN) - cost).toFixed(1);
        return [name, cost.toFixed(1), gained];
      }),
    ),
  ];
};

const measure = async (scenario: peers.Scenario, plan: Plan): Promise<Report> => {
  const taking = peers.contenders.filter(({ scenarios }) => scenarios.includes(scenario));
  const results = await (scenario === 'post' ? writeInTurns(taking, plan) : readInTurns(taking, scenario, plan));
  return [
    `## ${TITLES[scenario]}`,
    '',
    ...resultTable(results, resultOf(results, peers.service)),
    ...goalTable(goalsOf(scenario, results)),
    ...shares(scenario, results),
  ];
};

/** @returns the tables, one scenario after the other */
export async function* http({ cars, rounds, seconds, only }: Options): AsyncGenerator<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'car-dealer-bench-'));
  try {
    const world = await peers.makeWorld(folder, cars);
    const server = await startServer(await peers.service.launch(world));
    await recordAnswers(peers.service, server.origin, world);
    await server.stop();
    yield [
      `# Over HTTP, ${cars.toLocaleString('en')} cars, ${rounds} rounds of ${seconds} s`,
      '',
      'Median [min–max] over the rounds; a ratio is taken within each round. json-server has no durable writes and',
      'therefore no POST; its items are looked for from the start of its list, so only the first 1,000 are asked for.',
      '',
    ];
    for (const scenario of only) yield await measure(scenario, { world, rounds, seconds });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
