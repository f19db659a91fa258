/** Spanish against English: the same answers from the same process, over HTTP and in process. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../src/app.ts';
import { catalogue } from '../src/catalogue.ts';
import { loadLocales } from '../src/locale/load.ts';
import { openStore } from '../src/open-store.ts';
import { type Ask, askAt, checkAnswers, checkWhole, pathsOf } from './checks.ts';
import { load, writeRequests } from './load.ts';
import { cpuTime } from './machine.ts';
import type { Options } from './options.ts';
import { type Contender, makeWorld, service, serviceInSpanish, type World } from './peers.ts';
import { type Goal, goalTable, type Report, shown, table } from './report.ts';
import { project, startServer } from './servers.ts';
import { ratiosOf, spreadOf } from './statistics.ts';

type Kind = 'item' | 'list' | 'stream';
const KINDS: readonly Kind[] = ['item', 'list', 'stream'];
const TREES = [service, serviceInSpanish] as const;
/** Connections. */
const READERS = 32;
const STREAMS = 2;

const questions = (tree: Contender, kind: Kind): readonly string[] =>
  kind === 'stream' ? [tree.collection] : pathsOf(tree, kind);

const check = (tree: Contender, ask: Ask, kind: Kind, world: World): Promise<void> =>
  kind === 'stream' ? checkWhole(tree, ask, world) : checkAnswers(tree, ask, kind, world);

/** Microseconds of CPU per answer, a figure a round, of English and Spanish. */
interface Duel {
  readonly kind: Kind;
  readonly english: readonly number[];
  readonly spanish: readonly number[];
}

type Measure = (tree: Contender, kind: Kind) => Promise<number>;

/** Who goes first changes from round to round. */
const fight = async (kind: Kind, rounds: number, measure: Measure): Promise<Duel> => {
  const costs = new Map<Contender, number[]>(TREES.map((tree) => [tree, []]));
  for (const tree of TREES) await measure(tree, kind);
  for (let round = 0; round < rounds; round++) {
    for (const tree of round % 2 === 0 ? TREES : TREES.toReversed()) {
      costs.get(tree)?.push(await measure(tree, kind));
    }
  }
  return { kind, english: costs.get(service) ?? [], spanish: costs.get(serviceInSpanish) ?? [] };
};

const NAMES: Readonly<Record<Kind, string>> = { item: 'item', list: 'list of 50, filtered', stream: 'whole list' };

const reportOf = (title: string, duels: readonly Duel[], atLeast: number): Report => {
  const goals = duels.map(
    ({ kind, english, spanish }): Goal => ({
      name: `${NAMES[kind]}: Spanish to English, CPU`,
      found: ratiosOf(english, spanish),
      atLeast,
      unit: '×',
    }),
  );
  return [
    `## ${title}`,
    '',
    ...table(
      ['', 'English CPU µs', 'Spanish CPU µs'],
      duels.map(({ kind, english, spanish }) => [NAMES[kind], shown(spreadOf(english)), shown(spreadOf(spanish))]),
    ),
    ...goalTable(goals),
  ];
};

const allDuels = async (rounds: number, measure: Measure): Promise<readonly Duel[]> => {
  const duels: Duel[] = [];
  for (const kind of KINDS) duels.push(await fight(kind, rounds, measure));
  return duels;
};

const overHttp = async (world: World, { rounds, seconds }: Options): Promise<readonly Duel[]> => {
  const server = await startServer(await service.launch(world));
  const file = join(world.folder, 'requests.txt');
  const measure: Measure = async (tree, kind) => {
    await check(tree, askAt(server.origin), kind, world);
    writeRequests(
      file,
      questions(tree, kind).map((path) => ({ path })),
    );
    const before = cpuTime(server.pid);
    const result = await load(server.origin, file, kind === 'stream' ? STREAMS : READERS, seconds);
    const used = cpuTime(server.pid) - before;
    if (result.failures > 0 || result.requests === 0) throw new Error(`${tree.name}: ${result.failures} failures`);
    await check(tree, askAt(server.origin), kind, world);
    return used / result.requests;
  };
  try {
    return await allDuels(rounds, measure);
  } finally {
    await server.stop();
  }
};

/** Answers of one round in process: some tenths of a second, so that both languages meet the same moment. */
const BATCH: Readonly<Record<Kind, number>> = { item: 20_000, list: 2_000, stream: 10 };
/** More rounds than over HTTP, because they are short. */
const TIMES_THE_ROUNDS = 5;

const inProcess = async (world: World, rounds: number): Promise<readonly Duel[]> => {
  const store = await openStore(`sqlite:${world.service}`, catalogue);
  const app = createApp({
    catalogue,
    locales: loadLocales(catalogue, join(project, 'locales'), 'en'),
    defaultLanguage: 'en',
    store,
    assignKey: randomUUID,
    bodyLimit: 1_048_576,
    onFault: (error) => {
      throw error;
    },
  });
  const request = (path: string): Request => new Request(`http://localhost${path}`);
  const ask: Ask = (path) => app.fetch(request(path), {});
  const measure: Measure = async (tree, kind) => {
    await check(tree, ask, kind, world);
    const requests = questions(tree, kind).map(request);
    const before = process.cpuUsage();
    for (let at = 0; at < BATCH[kind]; at++) {
      const asked = requests[at % requests.length];
      if (asked) await (await app.fetch(asked, {})).arrayBuffer();
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / BATCH[kind];
  };
  try {
    return await allDuels(rounds, measure);
  } finally {
    await store.close();
  }
};

/** @returns the tables of both ways */
export async function* languages(options: Options): AsyncGenerator<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'car-dealer-bench-'));
  try {
    const world = await makeWorld(folder, options.cars);
    yield [`# Spanish against English, ${options.cars.toLocaleString('en')} cars`, ''];
    yield reportOf('Over HTTP', await overHttp(world, options), 0.95);
    yield reportOf('In process, app.fetch', await inProcess(world, options.rounds * TIMES_THE_ROUNDS), 0.97);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
