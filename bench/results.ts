import type { Speaker } from './peers.ts';
import { type Report, shown, table } from './report.ts';
import type { Result, Round } from './rounds.ts';
import { ratiosOf, type Spread, spreadOf } from './statistics.ts';

/** @returns one figure of all rounds */
export const figures = ({ rounds }: Result, figure: keyof Round): readonly number[] =>
  rounds.map((round) => round[figure] ?? Number.NaN);

export const resultOf = (results: readonly Result[], wanted: Speaker): Result => {
  const found = results.find(({ contender }) => contender === wanted);
  if (!found) throw new Error(`${wanted.name} did not take part`);
  return found;
};

/** How many times less CPU ours needs for a request. */
export const cpuRatio = (ours: Result, other: Result): Spread => ratiosOf(figures(other, 'cpu'), figures(ours, 'cpu'));
export const rateRatio = (ours: Result, other: Result): Spread =>
  ratiosOf(figures(ours, 'rate'), figures(other, 'rate'));

const OPTIONAL: readonly (readonly [keyof Round, string])[] = [
  ['probe99', 'item reads meanwhile: p99 ms'],
  ['database', 'CPU µs/request of PostgreSQL'],
];

export const resultTable = (results: readonly Result[], ours: Result): Report => {
  const optional = OPTIONAL.filter(([figure]) => ours.rounds.some((round) => round[figure] !== undefined));
  const heads = ['CPU µs/request', 'requests/s', 'p50 ms', 'p99 ms', 'RSS MiB', '× CPU of ours', 'ours: × requests/s'];
  return table(
    ['', ...heads, ...optional.map(([, head]) => head)],
    results.map((each) => [
      each.contender.name,
      ...(['cpu', 'rate', 'p50', 'p99', 'rss'] as const).map((figure) => shown(spreadOf(figures(each, figure)))),
      each === ours ? '1' : shown(cpuRatio(ours, each)),
      each === ours ? '1' : shown(rateRatio(ours, each)),
      ...optional.map(([figure]) => shown(spreadOf(figures(each, figure)))),
    ]),
  );
};
