/**
 * Each contender has its own server. All get the same requests in alternating bursts of some milliseconds, so that changes in the
 * machine's speed affect all of them. A ratio is computed per round, because garbage is not collected in every burst.
 */
import { setTimeout } from 'node:timers/promises';
import type { Dataset } from './databases.ts';
import { burst, openAhead, openClient, steady, textsOf } from './load.ts';
import { here, memory, usedBy, usedSince } from './machine.ts';
import { carAt } from './records.ts';
import type { Limits } from './report.ts';
import { type Running, serviceArguments, startServer, startTogether } from './servers.ts';
import { spotCheck } from './spot-check.ts';
import { changesOf, itemPath, requestsOf, type Words, type Workload } from './workloads.ts';
import { loadOf } from './wrk.ts';

export interface Options {
  /** A temporary folder, removed after the run. */
  readonly folder: string;
  /** Only tables whose title contains this are made. */
  readonly only: string;
  /** Replaces the number of rounds of each table. */
  readonly rounds: number | undefined;
  readonly cars: number;
  /** Cars of `million` and `imports`. */
  readonly many: number;
}

/** The default number of rounds of parts that are not comparisons. */
export const ROUNDS = 3;

/** A server to compare. */
export interface Contender {
  readonly name: string;
  readonly words: Words;
  readonly program: 'service' | 'peer';
  readonly env?: Readonly<Record<string, string>>;
  /** Whether it is the first one again, which shows the precision of a ratio; it runs without writes only. */
  readonly isControl?: boolean;
}

/** A table: what is measured, and its goals. */
export interface Subject {
  readonly title: string;
  readonly workload: Workload;
  /** What is divided: the others' CPU by the first one's (default), or the first one's requests/s by theirs. */
  readonly ratio?: 'cpu' | 'rate';
  readonly rounds: number;
  /** Turns of a round. */
  readonly turns: number;
  /** Length of a burst, in milliseconds of the first one's CPU. */
  readonly burst: number;
  readonly wanted: (contender: Contender, writes: number) => Limits;
  /** A contender that is left out. */
  readonly without?: Contender;
  /** Goal: the first one's CPU with 10 writes a second to that without. */
  readonly dearer?: number;
  /** Milliseconds that item reads beside the first one's POSTs may take, 99th percentile. */
  readonly readsWithin?: number;
}

export interface Comparison {
  /** The others are compared with the first. */
  readonly contenders: readonly Contender[];
  /** Writes a second from another client; by default none. */
  readonly writes?: readonly number[];
  /** All in one process: two processes of the same program differ by more than a setting costs. */
  readonly isTogether?: boolean;
  /** Servers and load, wrk's for a second, share all cores. */
  readonly isOnAllCores?: boolean;
  /** In this order: what changes much comes last. */
  readonly subjects: readonly Subject[];
}

/** The results of a round. */
export interface Figures {
  /** Microseconds for each request. */
  readonly cpu: number;
  readonly database: number;
  /** Requests a second. */
  readonly rate: number;
}

/** A contender at a rate of writes. */
export interface Row {
  readonly contender: Contender;
  readonly writes: number;
  readonly rounds: readonly Figures[];
  /** Milliseconds of item reads beside POSTs. */
  readonly reads: readonly number[];
  /** MiB at the end. */
  readonly rss: number;
}

interface Burst {
  /** Microseconds. */
  readonly own: number;
  readonly database: number;
  readonly sent: number;
  readonly seconds: number;
  readonly reads: readonly number[];
}
type Load = (count: number) => Promise<Pick<Burst, 'sent' | 'seconds' | 'reads'>>;

interface Side {
  readonly contender: Contender;
  readonly writes: number;
  readonly server: Running;
}

/** Requests before anything is measured: what has run for days is compiled, and has in memory what it can have. */
const WARM_UP = { uniform: 100_000, zipf: 20_000, repeated: 10_000, lists: 4_000, posts: 4_000 } as const;
/** Item reads a second beside POSTs: enough for a 99th percentile, too few to be a load. */
const READS = 200;
/** Connections of these reads, open before: as many as may wait at once. */
const READERS = 64;
const SMALLEST_BURST = 64;
/** Each run of wrk begins elsewhere among the requests. */
const FAR = 37_501;

const connectionsOf = (workload: Workload): number => (workload === 'posts' ? 64 : 32);

/** @returns what sends one burst to a side's server; of changes, one after each `every` requests */
const loadFor = ({ contender, writes, server }: Side, workload: Workload, cars: number, every: () => number): Load => {
  const { words } = contender;
  const isPosting = workload === 'posts';
  const connections = connectionsOf(workload);
  const client = openClient(server.origin);
  const next = textsOf(isPosting ? 'POST' : 'GET', requestsOf(workload, words, cars));
  const nextRead = textsOf('GET', requestsOf('repeated', words, cars));
  const nextChange = textsOf('PUT', changesOf(words, cars));
  return async (count) => {
    const changes = writes > 0 ? { changes: { next: nextChange, every: every() } } : {};
    if (isPosting) await openAhead(client, connections + READERS, nextRead);
    const sent = burst(client, { connections, count, next, ...changes });
    const reads = isPosting ? await steady(client, nextRead, READS, sent) : [];
    return { sent: count, seconds: await sent, reads };
  };
};

const wrkFor = ({ contender, server }: Side, workload: Workload, cars: number, folder: string): Load => {
  const load = loadOf(folder, 'requests', requestsOf(workload, contender.words, cars));
  let runs = 0;
  return async () => {
    const setting = { connections: connectionsOf(workload), seconds: 1, start: runs++ * FAR };
    const { requests, seconds } = await load(server.origin, setting);
    return { sent: requests, seconds, reads: [] };
  };
};

const startAll = async (comparison: Comparison, dataset: Dataset, running: Running[]): Promise<readonly Side[]> => {
  const { contenders, writes: rates = [0], isTogether = false, isOnAllCores = false } = comparison;
  const wanted = rates.flatMap((writes) =>
    contenders.filter(({ isControl }) => writes === 0 || !isControl).map((contender) => ({ contender, writes })),
  );
  if (isTogether) {
    const DATABASE_URL = await dataset.copyOf('service');
    running.push(...(await startTogether(contenders.map(({ env }) => ({ DATABASE_URL, ...env })))));
  } else {
    for (const { contender } of wanted) {
      const { program, words, env } = contender;
      running.push(
        await startServer({
          args: program === 'service' ? serviceArguments : [here('peers/fastify.js')],
          env: { DATABASE_URL: await dataset.copyOf(program), ...env },
          readyPath: itemPath(words, carAt(0)),
          role: isOnAllCores ? 'any' : 'server',
        }),
      );
    }
  }
  const sides = wanted.map((each, at) => ({ ...each, server: running[at] as Running }));
  for (const { contender, server } of sides) await spotCheck(contender.words, server.origin, dataset.cars);
  return sides;
};

const sum = (bursts: readonly Burst[], value: (each: Burst) => number): number =>
  bursts.reduce((total, each) => total + value(each), 0);

const figuresOf = (bursts: readonly Burst[]): Figures => {
  const requests = sum(bursts, ({ sent, reads }) => sent + reads.length);
  return {
    cpu: sum(bursts, ({ own }) => own) / requests,
    database: sum(bursts, ({ database }) => database) / requests,
    rate: sum(bursts, ({ sent }) => sent) / sum(bursts, ({ seconds }) => seconds),
  };
};

/** Rotates and reverses the order, so that no server always follows the same one. */
const orderOf = <T>(all: readonly T[], turn: number): readonly T[] => {
  const order = [...all.slice(turn % all.length), ...all.slice(0, turn % all.length)];
  return turn % 2 === 0 ? order : order.toReversed();
};

/** @returns a row for each side, and how they were measured */
const takeTurns = async (
  subject: Subject,
  sides: readonly Side[],
  loadOn: (side: Side, every: () => number) => Load,
  database: number | undefined,
  options: Options,
) => {
  const { workload, turns } = subject;
  let cost = Number.NaN;
  const all = sides.map((side) => {
    /** As many changes as there would be if the first one answered all the time. */
    const load = loadOn(side, () => Math.ceil(1e6 / cost / side.writes));
    const once = async (count: number): Promise<Burst> => {
      const before = usedBy(side.server.pid);
      const databaseBefore = usedBy(database);
      const done = await load(count);
      // Work that a burst leaves behind belongs to it.
      await setTimeout(2);
      return { ...done, own: usedSince(before, side.server.pid), database: usedSince(databaseBefore, database) };
    };
    return { side, once, rounds: [] as Figures[], reads: [] as number[] };
  });

  for (const { once } of all) {
    await once(WARM_UP[workload] / 2);
    const { cpu } = figuresOf([await once(WARM_UP[workload] / 2)]);
    if (Number.isNaN(cost)) cost = cpu;
  }
  const idle = sides.map(({ server }) => usedBy(server.pid));
  await setTimeout(1_000);
  const used = Math.max(...sides.map(({ server }, at) => usedSince(idle[at] ?? new Map(), server.pid)));

  const count = Math.max(SMALLEST_BURST, Math.round((subject.burst * 1_000) / cost));
  const rounds = options.rounds ?? subject.rounds;
  for (let round = 0; round < rounds; round++) {
    const bursts = new Map(all.map((each) => [each, [] as Burst[]]));
    for (let turn = 0; turn < turns; turn++) {
      for (const each of orderOf(all, round * turns + turn)) bursts.get(each)?.push(await each.once(count));
    }
    for (const [each, found] of bursts) {
      each.rounds.push(figuresOf(found));
      each.reads.push(...found.flatMap(({ reads }) => reads));
    }
  }
  const rows = all.map(
    ({ side, rounds, reads }): Row => ({ ...side, rounds, reads, rss: memory(side.server.pid, 'VmRSS') }),
  );
  const size = `${count.toLocaleString('en')} requests`;
  const note = `${rounds} rounds of ${turns} bursts of ${size}; idle servers used ${(used / 10_000).toFixed(2)} % of a core at most`;
  return { rows, note };
};

/** @returns each subject's rows, and how they were measured */
export async function* measure(comparison: Comparison, dataset: Dataset, options: Options) {
  const { contenders, isOnAllCores, subjects } = comparison;
  const running: Running[] = [];
  try {
    const sides = await startAll(comparison, dataset, running);
    for (const subject of subjects) {
      if (!subject.title.includes(options.only)) continue;
      const present = sides.filter(({ contender }) => contender !== subject.without);
      const { workload } = subject;
      const loadOn = (side: Side, every: () => number): Load =>
        isOnAllCores
          ? wrkFor(side, workload, dataset.cars, options.folder)
          : loadFor(side, workload, dataset.cars, every);
      const found = await takeTurns(subject, present, loadOn, dataset.server, options);
      yield { subject, first: contenders[0], ...found };
    }
  } finally {
    for (const { stop } of running) await stop();
  }
}
