/** Items and lists against Fastify with node:sqlite, while nobody, somebody or a feed writes. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Options } from './options.ts';
import { makeDataset } from './support/databases.ts';
import { load, steady, writeRequests, writeSteady } from './support/load.ts';
import {
  type Contender,
  type Dataset,
  fastifyCounter,
  fastifySqlite,
  service,
  serviceInSpanish,
} from './support/peers.ts';
import type { Report } from './support/report.ts';
import { inTurns, meter, type Result, type Round, ratesTable, type Wanted } from './support/rounds.ts';
import { type Running, startServer } from './support/servers.ts';
import { spotCheck } from './support/spot-check.ts';
import { changesOf, pathsOf, TITLES, type Workload } from './support/workloads.ts';

/** Waiting at one time: enough to keep a core busy. */
const CONNECTIONS = 32;
/** Writes a second from another client. */
const WRITES = [0, 10, 200] as const;

interface Reader {
  readonly contender: Contender;
  readonly server: Running;
  readonly paths: string;
  readonly changes: string;
}

const contendersOf = (workload: Workload): readonly Contender[] => [
  service,
  serviceInSpanish,
  fastifySqlite,
  ...(workload === 'lists' ? [fastifyCounter] : []),
];

const startReader = async (contender: Contender, workload: Workload, dataset: Dataset): Promise<Reader> => {
  const server = await startServer(await contender.launch(dataset));
  const file = (kind: string): string => join(dataset.folder, `${kind}-${server.pid}.txt`);
  await spotCheck(contender, server.origin, dataset.cars);
  writeRequests(
    file('paths'),
    pathsOf(workload, contender.words, dataset.cars).map((path) => ({ path })),
  );
  writeSteady(file('changes'), changesOf(contender.words, dataset.cars));
  return { contender, server, paths: file('paths'), changes: file('changes') };
};

/** Each round begins elsewhere in the list of paths, so that it is not what the round before left in memory. */
const FAR = 37_501;

const readOnce = async (
  { server, paths, changes }: Reader,
  writes: number,
  seconds: number,
  round: number,
): Promise<Round> => {
  const read = meter(server.pid);
  const [result] = await Promise.all([
    load(server.origin, paths, { connections: CONNECTIONS, seconds, start: round * FAR }),
    writes > 0 ? steady(server.origin, changes, writes, seconds) : undefined,
  ]);
  return read(result);
};

/** Seconds before anything is measured: a service that has run for days keeps what it can keep. */
const WARM_UP = 10;

/** All servers run throughout, one at a time has something to do. */
const compare = async (readers: readonly Reader[], writes: number, options: Options): Promise<readonly Result[]> => {
  const rounds = readers.map(({ contender: { name } }) => ({ name, rounds: [] as Round[] }));
  await inTurns([...readers.keys()], options.rounds, async (at, round) => {
    const [reader, result] = [readers[at], rounds[at]];
    if (reader) result?.rounds.push(await readOnce(reader, writes, options.seconds, round));
  });
  return rounds;
};

const wantedOf =
  (workload: Workload, isLarge: boolean): Wanted =>
  (name, writes) => {
    switch (name) {
      case serviceInSpanish.name:
        return { atMost: 1.03 };
      case fastifySqlite.name:
        if (workload === 'lists') return { atLeast: writes === 0 ? 1.8 : 1.4 };
        return { atLeast: isLarge ? 1 : 1.2 };
      case fastifyCounter.name:
        return { atLeast: 1.4 };
      default:
        return undefined;
    }
  };

async function* readWorkload(
  workload: Workload,
  dataset: Dataset,
  options: Options,
  isLarge: boolean,
): AsyncGenerator<Report> {
  const readers: Reader[] = [];
  try {
    for (const contender of contendersOf(workload)) readers.push(await startReader(contender, workload, dataset));
    for (const reader of readers) await readOnce(reader, 0, WARM_UP, options.rounds);
    const rates: { readonly writes: number; readonly results: readonly Result[] }[] = [];
    for (const writes of WRITES) rates.push({ writes, results: await compare(readers, writes, options) });
    yield [`## ${TITLES[workload]}`, '', ...ratesTable(rates, wantedOf(workload, isLarge))];
  } finally {
    for (const { server } of readers) await server.stop();
  }
}

/**
 * @param cars in the catalogue
 * @returns a table for each workload
 */
export async function* readsOf(cars: number, options: Options, isLarge: boolean): AsyncGenerator<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'car-dealer-bench-'));
  try {
    const dataset = await makeDataset(folder, cars);
    yield [`# Reads, ${cars.toLocaleString('en')} cars, ${options.rounds} rounds of ${options.seconds} s`, ''];
    for (const workload of ['uniform', 'zipf', 'repeated', 'lists'] as const) {
      yield* readWorkload(workload, dataset, options, isLarge);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @returns the tables of the smaller catalogue */
export const reads = (options: Options): AsyncGenerator<Report> => readsOf(options.cars, options, false);
