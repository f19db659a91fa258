import { join } from 'node:path';
import { askAt, checkAnswers, countCars, meanBytes, pathsOf } from './checks.ts';
import { type LoadResult, load, writeRequests } from './load.ts';
import { cpuTime, rss } from './machine.ts';
import type { Contender, Ground, Speaker, World } from './peers.ts';
import { probe, writeProbe } from './probe.ts';
import { carAt, carsUpTo } from './records.ts';
import { type Running, startServer } from './servers.ts';

/** One contender's figures of one round. Times in milliseconds but for the CPU's, in microseconds per request. */
export interface Round {
  readonly cpu: number;
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  readonly rss: number;
  /** Of item reads meanwhile. */
  readonly probe99?: number;
  /** The database server's CPU, in microseconds per request. */
  readonly database?: number;
}

/** Somebody's rounds. */
export interface Result {
  readonly contender: Speaker;
  readonly rounds: readonly Round[];
}

export interface Plan<W extends Ground = World> {
  readonly world: W;
  readonly rounds: number;
  readonly seconds: number;
}

/** Waiting at one time: enough to keep a core busy. */
const READERS = 32;
const WRITERS = 64;
/** The last answers of a round are cut off, and a round ends anywhere in the list of paths. */
const TOLERANCE = 0.02;

const fileName = (text: string): string => text.replaceAll(/\W+/g, '-');

/** @returns what says how much CPU a server, and its database's server, have used since */
const meter = (pid: number, { database }: Ground) => {
  const before = cpuTime(pid);
  const databaseBefore = database && cpuTime(database);
  return (result: LoadResult, more = 0): Round => {
    const requests = result.requests + more;
    return {
      cpu: (cpuTime(pid) - before) / requests,
      rate: result.requests / result.seconds,
      p50: result.p50,
      p99: result.p99,
      rss: rss(pid),
      ...(database && databaseBefore ? { database: (cpuTime(database) - databaseBefore) / requests } : {}),
    };
  };
};

const requireAllGood = (name: string, { failures, requests }: LoadResult): void => {
  if (failures > 0 || requests === 0) throw new Error(`${name}: ${failures} failures in ${requests} requests`);
};

/** Lets everybody take a turn in each round, nobody always after the same one. */
const inTurns = async <T>(all: readonly T[], rounds: number, turn: (each: T) => Promise<void>): Promise<void> => {
  for (let round = 0; round < rounds; round++) {
    const first = round % all.length;
    for (const each of [...all.slice(first), ...all.slice(0, first)]) await turn(each);
  }
};

interface Reader {
  readonly contender: Speaker;
  readonly server: Running;
  readonly file: string;
  /** Bytes of an answer on average, headers included. */
  readonly bytes: number;
  readonly rounds: Round[];
}

/** Rounds of reading; all servers run throughout, one at a time has something to do. */
export const readInTurns = async <W extends Ground>(
  contenders: readonly Contender<W>[],
  scenario: 'item' | 'list',
  { world, rounds, seconds }: Plan<W>,
): Promise<readonly Result[]> => {
  const readers: Reader[] = [];
  try {
    for (const contender of contenders) {
      const server = await startServer(await contender.launch(world));
      const paths = pathsOf(contender, scenario);
      const file = join(world.folder, `${fileName(contender.name)}-${scenario}.txt`);
      writeRequests(
        file,
        paths.map((path) => ({ path })),
      );
      readers.push({ contender, server, file, bytes: await meanBytes(server.origin, paths), rounds: [] });
    }
    await inTurns(readers, 2, async ({ server, file }) => {
      await load(server.origin, file, READERS, seconds);
    });
    await inTurns(readers, rounds, async (reader) => {
      const { contender, server, file } = reader;
      await checkAnswers(contender, askAt(server.origin), scenario, world);
      const read = meter(server.pid, world);
      const result = await load(server.origin, file, READERS, seconds);
      reader.rounds.push(read(result));
      requireAllGood(contender.name, result);
      const bytes = result.bytes / result.requests;
      if (Math.abs(bytes / reader.bytes - 1) > TOLERANCE)
        throw new Error(`${contender.name}: ${bytes} bytes an answer instead of ${reader.bytes}`);
      await checkAnswers(contender, askAt(server.origin), scenario, world);
    });
    return readers;
  } finally {
    for (const { server } of readers) await server.stop();
  }
};

const createAndRead = async ({ name, itemPath, shape }: Speaker, origin: string): Promise<void> => {
  const car = { ...carAt(0), identifier: 'created by hand' };
  const body = JSON.stringify(car);
  const headers = { 'Content-Type': 'application/json' };
  const created = await fetch(`${origin}/api/cars`, { method: 'POST', headers, body });
  const text = await created.text();
  const read = await (await fetch(origin + itemPath({ ...car, identifier: 'created%20by%20hand' }))).text();
  const wanted = JSON.stringify(shape(car));
  if (created.status !== 201 || text !== wanted || read !== wanted) throw new Error(`${name}: ${text}, ${read}`);
};

/** A round of writing, on a server and a database of its own, so that nobody pays for having written more before. */
const writeOnce = async <W extends Ground>(
  contender: Contender<W>,
  file: string,
  questions: string,
  plan: Plan<W>,
): Promise<Round> => {
  const server = await startServer(await contender.launch(plan.world));
  const { origin, pid } = server;
  try {
    await createAndRead(contender, origin);
    // As long as a round: what a new process compiles is not what a request costs.
    await load(origin, file, WRITERS, plan.seconds);
    const carsBefore = await countCars(contender, origin);
    const read = meter(pid, plan.world);
    const [result, reads] = await Promise.all([
      load(origin, file, WRITERS, plan.seconds),
      probe(origin, questions, plan.seconds),
    ]);
    const round = { ...read(result, reads.count), probe99: reads.p99 };
    requireAllGood(contender.name, result);
    const written = (await countCars(contender, origin)) - carsBefore;
    // Those that were on their way when a load was over were written too: of the warm-up, and of the round.
    if (written < result.requests || written > result.requests + 2 * WRITERS)
      throw new Error(`${contender.name}: ${result.requests} answers, but ${written} cars`);
    return round;
  } finally {
    await server.stop();
  }
};

/** Rounds of writing: cars without a key, which the server makes; and item reads at a steady rate meanwhile. */
export const writeInTurns = async <W extends Ground>(
  contenders: readonly Contender<W>[],
  plan: Plan<W>,
): Promise<readonly Result[]> => {
  const file = join(plan.world.folder, 'post.txt');
  const bodies = carsUpTo(1_000).map(({ identifier: _made, ...car }) => JSON.stringify(car));
  writeRequests(
    file,
    bodies.map((body) => ({ path: '/api/cars', body })),
  );
  const questions = join(plan.world.folder, 'probe.txt');
  const results = contenders.map((contender) => ({ contender, rounds: [] as Round[] }));
  await inTurns(results, plan.rounds, async ({ contender, rounds }) => {
    writeProbe(questions, carsUpTo(1_000), contender.itemPath);
    rounds.push(await writeOnce(contender, file, questions, plan));
  });
  return results;
};
