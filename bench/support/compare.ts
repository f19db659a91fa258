/** The one way to compare: everybody answers the same requests in turns, and each round's figures are set against each other. */
import { join } from 'node:path';
import type { Dataset } from './databases.ts';
import { load, steady, writeRequests } from './load.ts';
import { cpuTime, here, memory, type Role } from './machine.ts';
import { type Car, carsUpTo } from './records.ts';
import {
  type Goal,
  goalTable,
  type Limits,
  type Report,
  ratiosOf,
  shown,
  spreadOf,
  table,
  verdictOf,
} from './report.ts';
import { type Running, serviceArguments, startServer } from './servers.ts';
import { spotCheck } from './spot-check.ts';
import { changesOf, itemPath, requestsOf, type Words, type Workload } from './workloads.ts';

export interface Options {
  /** For what lasts no longer than the run. */
  readonly folder: string;
  readonly rounds: number;
  /** Of a round. */
  readonly seconds: number;
  readonly cars: number;
  /** Cars of `million` and `imports`. */
  readonly many: number;
}

/** Somebody who takes turns. */
export interface Contender {
  readonly name: string;
  readonly words: Words;
  readonly program: 'service' | 'peer';
  readonly env?: Readonly<Record<string, string>>;
}

export interface Comparison {
  readonly title: string;
  readonly workload: Workload;
  /** The others are compared with the first. */
  readonly contenders: readonly Contender[];
  /** Writes a second from another client; by default none. */
  readonly writes?: readonly number[];
  /** Times more CPU that the others need (by default), or times more requests a second that the first answers. */
  readonly ratio?: 'cpu' | 'rate';
  readonly wanted: (contender: Contender, writes: number) => Limits;
  /** By how much 10 writes a second may make the first one's requests dearer. */
  readonly dearer?: number;
  /** Milliseconds that item reads beside the first one's POSTs may take, 99th percentile. */
  readonly readsWithin?: number;
  /** Where servers and load run, if not on a core each. */
  readonly role?: Role;
}

const FIGURES = {
  cpu: 'CPU µs/request',
  database: 'CPU µs/request of PostgreSQL',
  rate: 'requests/s',
  rss: 'RSS MiB',
  reads99: 'item reads meanwhile, p99 ms',
} as const;
type Round = Readonly<Record<keyof typeof FIGURES, number>>;

interface Turn {
  readonly contender: Contender;
  readonly writes: number;
  readonly rounds: Round[];
}

/** Item reads a second beside POSTs: enough for a p99, too few to be a load. */
const READS = 200;
/** Seconds before anything is measured: a service that has run for days keeps what it can keep. */
const WARM_UP = 10;
/** Each round begins elsewhere among the requests, so that it is not what the round before left in memory. */
const FAR = 37_501;

const runner = ({ workload, role = 'server' }: Comparison, dataset: Dataset, { folder, seconds }: Options) => {
  const running = new Map<Contender, Running>();
  const [isPosting, loadRole] = [workload === 'posts', role === 'server' ? ('load' as const) : role];
  const items = carsUpTo(1_000);

  const start = async (contender: Contender): Promise<Running> => {
    const { program, words, env } = contender;
    const server = await startServer({
      args: program === 'service' ? serviceArguments : [here('peers/fastify.js')],
      env: { DATABASE_URL: await dataset.copyOf(program), ...env },
      readyPath: itemPath(words, items[0] as Car),
      role,
    });
    running.set(contender, server);
    await spotCheck(words, server.origin, dataset.cars);
    return server;
  };
  const stop = async (contender: Contender): Promise<void> => {
    await running.get(contender)?.stop();
    running.delete(contender);
  };

  const once = async (contender: Contender, writes: number, round: number, lasting = seconds): Promise<Round> => {
    const { words } = contender;
    const { pid, origin } = running.get(contender) ?? (await start(contender));
    const file = join(folder, 'requests.txt');
    writeRequests(file, requestsOf(workload, words, dataset.cars));
    const setting = { connections: isPosting ? 64 : 32, seconds: lasting, start: round * FAR, role: loadRole };
    // As long as a round: what a new process compiles is not what a request costs.
    if (isPosting) await load(origin, file, setting);
    const reading = items.map((car) => ({ path: itemPath(words, car), expected: JSON.stringify(car) }));
    const used = () => [cpuTime(pid), dataset.server === undefined ? Number.NaN : cpuTime(dataset.server)] as const;
    const [ownBefore, databaseBefore] = used();
    const [result, reads] = await Promise.all([
      load(origin, file, setting),
      isPosting ? steady(origin, reading, READS, lasting) : undefined,
      writes > 0 ? steady(origin, changesOf(words, dataset.cars), writes, lasting) : undefined,
    ]);
    const [own, database] = used();
    const requests = result.requests + (reads?.count ?? 0);
    const found = {
      cpu: (own - ownBefore) / requests,
      database: (database - databaseBefore) / requests,
      rate: result.requests / result.seconds,
      rss: memory(pid, 'VmRSS'),
      reads99: reads?.p99 ?? Number.NaN,
    };
    // A server and a database of its own for each round of POSTs, so that nobody pays for having written more before.
    if (isPosting) await stop(contender);
    return found;
  };
  return { once, stop, isPosting };
};

const measure = async (comparison: Comparison, dataset: Dataset, options: Options): Promise<readonly Turn[]> => {
  const { contenders, writes: rates = [0] } = comparison;
  const { once, stop, isPosting } = runner(comparison, dataset, options);
  const warmUp = Math.min(WARM_UP, 5 * options.seconds);
  const all: Turn[] = [];
  try {
    if (!isPosting) for (const contender of contenders) await once(contender, 0, options.rounds, warmUp);
    for (const writes of rates) {
      const turns = contenders.map((contender): Turn => ({ contender, writes, rounds: [] }));
      all.push(...turns);
      for (let round = 0; round < options.rounds; round++) {
        // Nobody is always after the same one.
        const first = round % turns.length;
        for (const { contender, rounds } of [...turns.slice(first), ...turns.slice(0, first)]) {
          rounds.push(await once(contender, writes, round));
        }
      }
    }
    return all;
  } finally {
    for (const contender of contenders) await stop(contender);
  }
};

const figures = ({ rounds }: Turn, figure: keyof Round): readonly number[] => rounds.map((round) => round[figure]);

/** What is wanted of the first contender alone. */
const goalsOf = ({ contenders, dearer, readsWithin }: Comparison, turns: readonly Turn[]): readonly Goal[] => {
  const first = (writes: number) => turns.find((turn) => turn.contender === contenders[0] && turn.writes === writes);
  const [alone, beside] = [first(0), first(10)];
  const goals: Goal[] = [];
  if (dearer !== undefined && alone && beside) {
    const found = ratiosOf(figures(beside, 'cpu'), figures(alone, 'cpu'));
    goals.push(['CPU with 10 writes/s to CPU without', '×', found, { atMost: dearer }]);
  }
  if (readsWithin !== undefined && alone) {
    const found = spreadOf(figures(alone, 'reads99'));
    goals.push(['item reads meanwhile, p99', 'ms', found, { atMost: readsWithin }]);
  }
  return goals;
};

/** @returns a table of what was found and what is wanted */
export const compare = async (comparison: Comparison, dataset: Dataset, options: Options): Promise<Report> => {
  const { title, contenders, ratio = 'cpu', wanted } = comparison;
  const turns = await measure(comparison, dataset, options);
  const names = (Object.keys(FIGURES) as (keyof Round)[]).filter((figure) =>
    turns.some((turn) => figures(turn, figure).some((value) => !Number.isNaN(value))),
  );
  const rows = turns.map((turn) => {
    const { contender, writes } = turn;
    const ours = turns.find((each) => each.writes === writes && each.contender === contenders[0]) ?? turn;
    const [one, other] = ratio === 'cpu' ? [turn, ours] : [ours, turn];
    const found = ratiosOf(figures(one, ratio), figures(other, ratio));
    const cells = names.map((figure) => shown(spreadOf(figures(turn, figure))));
    const end = turn === ours ? ['1', ''] : [shown(found), verdictOf(found, wanted(contender, writes))];
    return [contender.name, String(writes), ...cells, ...end];
  });
  const compared = ratio === 'cpu' ? '× CPU of the first' : 'requests/s of the first, ×';
  const goals = goalsOf(comparison, turns);
  return [
    `## ${title}`,
    '',
    ...table(['', 'writes/s', ...names.map((figure) => FIGURES[figure]), compared, 'wanted'], rows),
    ...(goals.length > 0 ? goalTable(goals) : []),
  ];
};
