/**
 * Each contender has its own server. All get the same requests in alternating bursts, so that changes in the machine's speed
 * affect all of them. A ratio is computed per round, because garbage is not collected in every burst.
 */
import type { Databases } from './databases.ts';
import { pinLoad } from './machine.ts';
import { percentile, shown, table, verdictOf } from './report.ts';
import { type Server, startServer } from './servers.ts';
import { spotCheck } from './spot-check.ts';
import { type Contender, type Sample, turnsOf } from './turns.ts';
import { WORKLOADS, type WorkloadName } from './workloads.ts';

export interface Comparison {
  /** A table for each; what changes much comes last. */
  readonly workloads: readonly WorkloadName[];
  /**
   * The first one with as many writes is in each table, and the others are compared with it; the others are in those of which
   * something is wanted. The first ones are compared with the very first.
   */
  readonly contenders: readonly Contender[];
  readonly rounds?: number;
  /** Whether servers and load share all cores; wrk makes the load then, in bursts of a second. */
  readonly isOnAllCores?: boolean;
}

/** What a contender does and shows in a workload. */
interface Run {
  readonly contender: Contender;
  readonly take: ReturnType<typeof turnsOf>;
  readonly rounds: Sample[];
}

const perRequest = (microseconds: number, { sent, reads }: Sample): number => microseconds / (sent + reads.length);
const cpuOf = (sample: Sample): number => perRequest(sample.cpu, sample);
const secondsOf = ({ sent, seconds }: Sample): number => seconds / sent;

const FIGURES: Readonly<Record<string, (sample: Sample) => number>> = {
  'CPU µs/request': cpuOf,
  'CPU µs/request of PostgreSQL': (sample) => perRequest(sample.database, sample),
  'requests/s': (sample) => 1 / secondsOf(sample),
};

/** What is compared, by the connections, and by rounds of so many turns; a turn takes the first one so many milliseconds of CPU. */
const BY_CPU = { ratio: '× CPU of the first', costOf: cpuOf, connections: 32, rounds: 12, turns: 20, length: 12 };
/** What is committed together must come together. */
const BY_RATE = {
  ...{ ratio: 'requests/s of the first, ×', costOf: secondsOf },
  ...{ connections: 64, rounds: 24, turns: 1, length: 400 },
};
type Method = typeof BY_CPU;

const SMALLEST_BURST = 64;
/** Requests for each car, on average, that warm a server up: more of them change nothing. */
const MOST_VISITS = 5;

const sumOf = (samples: readonly Sample[]): Sample =>
  samples.reduce((sum, each) => ({
    sent: sum.sent + each.sent,
    seconds: sum.seconds + each.seconds,
    cpu: sum.cpu + each.cpu,
    database: sum.database + each.database,
    reads: [...sum.reads, ...each.reads],
  }));

/** Rotates and reverses the order, so that no server always follows the same one. */
const orderOf = <T>(all: readonly T[], turn: number): readonly T[] => {
  const order = [...all.slice(turn % all.length), ...all.slice(0, turn % all.length)];
  return turn % 2 === 0 ? order : order.toReversed();
};

/** Adds to the rounds of each. @returns the requests of a burst */
const takeTurns = async (runs: readonly Run[], warmUp: number, { rounds, turns, length }: Method): Promise<number> => {
  let cost = 0;
  for (const { take } of runs) {
    await take(warmUp / 2, cost);
    const sample = await take(warmUp / 2, cost);
    cost ||= cpuOf(sample);
  }
  const count = Math.max(SMALLEST_BURST, Math.round((length * 1_000) / cost));
  for (let round = 0; round < rounds; round++) {
    const samples = new Map(runs.map((run) => [run, [] as Sample[]]));
    for (let turn = 0; turn < turns; turn++) {
      for (const [run, own] of orderOf([...samples], round * turns + turn)) own.push(await run.take(count, cost));
    }
    for (const [run, own] of samples) run.rounds.push(sumOf(own));
  }
  return count;
};

const cellOfReads = ({ contender: { readsWithin }, rounds }: Run): string => {
  const reads = rounds.flatMap((round) => round.reads);
  const [median = 0, late = 0] = [0.5, 0.99].map((share) => percentile(reads, share));
  const verdict = readsWithin === undefined ? '' : ` (${verdictOf([late], `≤ ${readsWithin}`)})`;
  return `${median.toFixed(1)}, ${late.toFixed(1)}${verdict}`;
};

/** @returns what each has shown in a workload, and what is wanted */
const report = (workload: WorkloadName, { ratio, costOf }: Method, runs: readonly Run[]): string => {
  const hasDatabase = runs.some(({ rounds: [round] }) => round?.database);
  const figures = Object.entries(FIGURES).filter(([head]) => hasDatabase || !head.includes('PostgreSQL'));
  const reads = workload === 'posts' ? ['item reads meanwhile, p50, p99 ms'] : [];
  const rows = runs.map((run) => {
    const { contender, rounds } = run;
    const first = runs.find((each) => each.contender.writes === contender.writes);
    const base = (first === run ? runs[0] : first) ?? run;
    // Round by round: what troubles the machine in one round troubles both.
    const ratios = rounds.map((round, at) => costOf(round) / costOf(base.rounds[at] ?? round));
    return [
      contender.name,
      String(contender.writes),
      ...figures.map(([, figure]) => shown(rounds.map(figure))),
      ...reads.map(() => cellOfReads(run)),
      shown(ratios) + (first === run && base !== run ? ' of its own' : ''),
      verdictOf(ratios, contender.wanted?.[workload] ?? ''),
    ];
  });
  return table(['', 'writes/s', ...figures.map(([head]) => head), ...reads, ratio, 'wanted'], rows);
};

/** @returns a table for each workload whose title contains `only` */
export async function* compare(comparison: Comparison, databases: Databases, only: string, rounds?: number) {
  const { contenders, workloads, isOnAllCores = false } = comparison;
  yield `# ${databases.name}, ${databases.cars.toLocaleString('en')} cars\n`;
  const servers = new Map<Contender, Server>();
  await using ended = new AsyncDisposableStack();
  for (const contender of contenders) {
    const { program, words, env = {} } = contender;
    const role = isOnAllCores ? 'any' : 'server';
    const server = ended.use(await startServer(await databases.copyFor(program), { program, env, role }));
    await spotCheck(server.origin, words, databases.cars);
    servers.set(contender, server);
  }
  if (isOnAllCores) pinLoad('any');
  const isFirst = (each: Contender): boolean => contenders.find(({ writes }) => writes === each.writes) === each;
  for (const workload of workloads) {
    const { title, warmUp } = WORKLOADS[workload];
    if (!title.includes(only)) continue;
    const usual = isOnAllCores || workload === 'posts' ? BY_RATE : BY_CPU;
    const method = { ...usual, rounds: rounds ?? comparison.rounds ?? usual.rounds };
    const runs = [...servers]
      .filter(([contender]) => isFirst(contender) || contender.wanted?.[workload])
      .map(([contender, server]): Run => {
        const take = turnsOf(contender, server, databases, workload, method.connections, isOnAllCores);
        return { contender, take, rounds: [] };
      });
    const count = await takeTurns(runs, Math.min(warmUp, MOST_VISITS * databases.cars), method);
    const size = isOnAllCores ? 'a second, by wrk' : `${count.toLocaleString('en')} requests`;
    yield `## ${title}\n\n${method.rounds} rounds of ${method.turns} bursts of ${size}\n\n${report(workload, method, runs)}`;
  }
}
