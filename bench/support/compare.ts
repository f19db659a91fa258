/**
 * Each contender has its own server. All get the same requests in alternating bursts, so that changes in the machine's speed
 * affect all of them. A ratio is computed per round, because garbage is not collected in every burst.
 */
import { en } from '../../test/support/app/trees.ts';
import { carsFile, type Databases, importFile } from './databases.ts';
import { burst, openClient, requestText } from './load.ts';
import { carAt } from './records.ts';
import { percentile, shown, table, verdictOf } from './report.ts';
import { type Server, startServer } from './servers.ts';
import { spotCheck } from './spot-check.ts';
import { type Contender, type Sample, turnsOf } from './turns.ts';
import { WORKLOADS, type WorkloadName } from './workloads.ts';

export interface Comparison {
  /** A table for each; what changes much comes last. */
  readonly workloads: readonly WorkloadName[];
  /**
   * The first one with as many writes is in each table, and the others are compared with it; the others are in those for which
   * `wanted` has an entry, which may be empty. The first ones are compared with the very first.
   */
  readonly contenders: readonly Contender[];
  readonly rounds?: number;
}

/** What a contender does and shows in a workload. */
interface Run {
  readonly contender: Contender;
  readonly take: ReturnType<typeof turnsOf>;
  readonly rounds: Sample[];
}

const cpuOf = ({ cpu, sent, reads }: Sample): number => cpu / (sent + reads.length);
const cpuOfDatabase = ({ database, sent, reads }: Sample): number => database / (sent + reads.length);
const timeOf = ({ sent, seconds }: Sample): number => seconds / sent;

const rateOf = (sample: Sample): number => 1 / timeOf(sample);

/** Ways to compare: what of each is divided by that of the first; rounds of so many turns, each of them `ms` of the first one's CPU. */
const BY_CPU = { ratio: '× CPU of the first', measure: cpuOf, connections: 32, rounds: 12, turns: 20, ms: 12 };
/** Long turns: what is committed together must come together. */
const BY_RATE = { ratio: '× requests/s of the first', measure: rateOf, connections: 64, rounds: 24, turns: 1, ms: 400 };
type Method = typeof BY_CPU;

const SMALLEST_BURST = 64;
/** Requests of a burst while a server warms up, and seconds for which it does: a user's first minute counts, too. */
const WARMING_BURST = 1_000;
const WARM_UP = 2;

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
const takeTurns = async (runs: readonly Run[], { rounds, turns, ms }: Method): Promise<number> => {
  let cost = 0;
  for (const { take } of runs) {
    let sample = await take(SMALLEST_BURST, cost);
    for (let { seconds } = sample; seconds < WARM_UP; seconds += sample.seconds) {
      sample = await take(WARMING_BURST, cost);
    }
    cost ||= cpuOf(sample);
  }
  const count = Math.max(SMALLEST_BURST, Math.round((ms * 1_000) / cost));
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

const figure = (of: (round: Sample) => number) => (run: Run) => shown(run.rounds.map(of));

/** @returns what each has shown in a workload, and what is wanted */
const report = (workload: WorkloadName, { ratio, measure }: Method, runs: readonly Run[]): string => {
  const firstOf = (run: Run) => runs.find(({ contender }) => contender.writes === run.contender.writes);
  const isOther = (run: Run): boolean => run === firstOf(run) && run !== runs[0];
  // Round by round: what troubles the machine in one round troubles both.
  const ratiosOf = (run: Run): readonly number[] => {
    const base = run === firstOf(run) ? runs[0] : firstOf(run);
    return run.rounds.map((round, at) => measure(round) / measure(base?.rounds[at] ?? round));
  };
  const columns = {
    '': ({ contender }: Run) => contender.name,
    'writes/s': ({ contender }: Run) => String(contender.writes),
    'CPU µs/request': figure(cpuOf),
    ...(runs[0]?.rounds[0]?.database && { 'CPU µs/request of PostgreSQL': figure(cpuOfDatabase) }),
    'requests/s': figure(rateOf),
    ...(workload === 'posts' && { 'item reads meanwhile, p50, p99 ms': cellOfReads }),
    [ratio]: (run: Run) => shown(ratiosOf(run)) + (isOther(run) ? ' of its own' : ''),
    wanted: (run: Run) => verdictOf(ratiosOf(run), run.contender.wanted?.[workload] ?? ''),
  };
  const rows = runs.map((run) => Object.values(columns).map((cell) => cell(run)));
  return table(Object.keys(columns), rows);
};

/** First cars by one, so that every connection has planned what it does in a small table; then all others. */
const grow = async ({ origin }: Server, url: string, cars: number): Promise<void> => {
  const send = openClient(origin);
  let posted = 0;
  await burst(64, 1_000, () => send(requestText('POST', en.cars, carAt(posted++))));
  await importFile(await carsFile(cars), url);
};

/** @returns a table for each workload whose title contains `only` */
export async function* compare(comparison: Comparison, databases: Databases, only: string, rounds?: number) {
  const { contenders, workloads } = comparison;
  yield `# ${databases.name}, ${databases.cars.toLocaleString('en')} cars\n`;
  const servers = new Map<Contender, Server>();
  await using ended = new AsyncDisposableStack();
  for (const contender of contenders) {
    const { program, words, env = {}, isGrown = false } = contender;
    const url = await (isGrown ? databases.create() : databases.copyFor(program));
    const server = ended.use(await startServer(url, { program, env, role: 'server' }));
    if (isGrown) await grow(server, url, databases.cars);
    for (const each of words) await spotCheck(server.origin, each, databases.cars);
    servers.set(contender, server);
  }
  const isFirst = (each: Contender): boolean => contenders.find(({ writes }) => writes === each.writes) === each;
  for (const workload of workloads) {
    const { title } = WORKLOADS[workload];
    if (!title.includes(only)) continue;
    const usual = workload === 'posts' ? BY_RATE : BY_CPU;
    const method = { ...usual, rounds: rounds ?? comparison.rounds ?? usual.rounds };
    const runs = [...servers]
      .filter(([contender]) => isFirst(contender) || contender.wanted?.[workload] !== undefined)
      .map(([contender, server]): Run => {
        const take = turnsOf(contender, server, databases, workload, method.connections);
        return { contender, take, rounds: [] };
      });
    const count = await takeTurns(runs, method);
    const size = `${count.toLocaleString('en')} requests`;
    yield `## ${title}\n\n${method.rounds} rounds of ${method.turns} bursts of ${size}\n\n${report(workload, method, runs)}`;
  }
}
