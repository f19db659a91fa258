import type { LoadResult } from './load.ts';
import { cpuTime, rss } from './machine.ts';
import type { Contender } from './peers.ts';
import { type Limits, type Report, shown, table, verdictOf } from './report.ts';
import { ratiosOf, type Spread, spreadOf } from './statistics.ts';

/** One contender's figures of one round. Times in milliseconds but for the CPU's, in microseconds per request. */
export interface Round {
  readonly cpu: number;
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  /** MiB. */
  readonly rss: number;
  /** Of item reads meanwhile. */
  readonly reads99?: number;
  /** The database server's CPU, in microseconds per request. */
  readonly database?: number;
}

/** Somebody's rounds. */
export interface Result {
  readonly name: string;
  readonly rounds: readonly Round[];
}

/** @returns what tells how much CPU a server, and its database's server, have used per request since */
export const meter = (pid: number, database?: number): ((result: LoadResult, more?: number) => Round) => {
  const before = cpuTime(pid);
  const databaseBefore = database === undefined ? 0 : cpuTime(database);
  return (result, more = 0) => {
    const requests = result.requests + more;
    return {
      cpu: (cpuTime(pid) - before) / requests,
      rate: result.requests / result.seconds,
      p50: result.p50,
      p99: result.p99,
      rss: rss(pid),
      ...(database === undefined ? {} : { database: (cpuTime(database) - databaseBefore) / requests }),
    };
  };
};

/** Lets everybody take a turn in each round, nobody always after the same one. */
export const inTurns = async <T>(
  all: readonly T[],
  rounds: number,
  turn: (each: T, round: number) => Promise<void>,
): Promise<void> => {
  for (let round = 0; round < rounds; round++) {
    const first = round % all.length;
    for (const each of [...all.slice(first), ...all.slice(0, first)]) await turn(each, round);
  }
};

/** @returns one figure of all rounds */
export const figures = ({ rounds }: Result, figure: keyof Round): readonly number[] =>
  rounds.map((round) => round[figure] ?? Number.NaN);

export const resultOf = <D>(results: readonly Result[], { name }: Contender<D>): Result => {
  const found = results.find((each) => each.name === name);
  if (!found) throw new Error(`${name} did not take part`);
  return found;
};

/** How many times less CPU the one needs for a request than the other. */
export const cpuRatio = (one: Result, other: Result): Spread => ratiosOf(figures(other, 'cpu'), figures(one, 'cpu'));
export const rateRatio = (one: Result, other: Result): Spread => ratiosOf(figures(one, 'rate'), figures(other, 'rate'));

const OPTIONAL: readonly (readonly [keyof Round, string])[] = [
  ['reads99', 'item reads meanwhile: p99 ms'],
  ['database', 'CPU µs/request of PostgreSQL'],
];

const HEADS = ['CPU µs/request', 'requests/s', 'p50 ms', 'p99 ms', 'RSS MiB', '× CPU of the first'];

const cellsOf = (result: Result, ours: Result): readonly string[] => [
  result.name,
  ...(['cpu', 'rate', 'p50', 'p99', 'rss'] as const).map((figure) => shown(spreadOf(figures(result, figure)))),
  result === ours ? '1' : shown(cpuRatio(ours, result)),
];

/** @param ours what the others are compared with, the first of all */
export const resultTable = (results: readonly Result[], [ours] = results): Report => {
  if (!ours) return [];
  const optional = OPTIONAL.filter(([figure]) => ours.rounds.some((round) => round[figure] !== undefined));
  return table(
    ['', ...HEADS, ...optional.map(([, head]) => head)],
    results.map((each) => [
      ...cellsOf(each, ours),
      ...optional.map(([figure]) => shown(spreadOf(figures(each, figure)))),
    ]),
  );
};

/** What is wanted of a contender's CPU, in times that of the first. */
export type Wanted = (name: string, writes: number) => Limits | undefined;

/** One table of what was measured at several rates of writes, with what is wanted. */
export const ratesTable = (rates: readonly { writes: number; results: readonly Result[] }[], wanted: Wanted): Report =>
  table(
    ['', 'writes/s', ...HEADS, 'wanted'],
    rates.flatMap(({ writes, results }) => {
      const [ours] = results;
      if (!ours) return [];
      return results.map((each) => {
        const [name = '', ...cells] = cellsOf(each, ours);
        const limits = wanted(each.name, writes);
        return [name, String(writes), ...cells, limits ? verdictOf(cpuRatio(ours, each), limits) : ''];
      });
    }),
  );
