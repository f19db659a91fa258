/** The tables of a comparison. */
import type { Comparison, Options } from './comparison.ts';
import type { Dataset } from './databases.ts';
import { percentile, type Report, shown, spreadOf, table, verdictOf } from './report.ts';
import { type Figures, type Measured, measure, type Row } from './turns.ts';

const FIGURES = { cpu: 'CPU µs/request', database: 'CPU µs/request of PostgreSQL', rate: 'requests/s' } as const;
const names = Object.keys(FIGURES) as (keyof Figures)[];

const figures = ({ rounds }: Row, name: keyof Figures): readonly number[] => rounds.map((round) => round[name]);

/** Round by round: what troubles the machine in one round troubles both. */
const ratiosOf = (above: readonly number[], below: readonly number[]): readonly number[] =>
  above.map((value, at) => value / (below[at] ?? Number.NaN));

const cellsOfReads = ({ reads }: Row, readsWithin: number | undefined): string => {
  const [median = 0, late = 0] = [0.5, 0.99].map((share) => percentile(reads, share));
  const verdict = readsWithin === undefined ? '' : ` (${verdictOf(late, { atMost: readsWithin })})`;
  return `${median.toFixed(1)}, ${late.toFixed(1)}${verdict}`;
};

const report = ({ workload, shape, rows, note }: Measured, readsWithin: number | undefined): Report => {
  const { title, ratio } = shape;
  const own = names.filter((name) => rows.some((row) => figures(row, name)[0]));
  const hasReads = rows.some(({ reads }) => reads.length > 0);
  const lines = rows.map((row, at) => {
    const { contender, writes, wanted } = row;
    const first = rows.find((each) => each.writes === writes);
    const base = (first === row ? rows[0] : first) ?? row;
    const found =
      ratio === 'cpu'
        ? ratiosOf(figures(row, 'cpu'), figures(base, 'cpu'))
        : ratiosOf(figures(base, 'rate'), figures(row, 'rate'));
    return [
      contender.name,
      String(writes),
      ...own.map((figure) => shown(spreadOf(figures(row, figure)))),
      ...(hasReads ? [cellsOfReads(row, at === 0 ? readsWithin : undefined)] : []),
      row.rss.toFixed(0),
      shown(spreadOf(found)) + (first === row && at > 0 ? ' of its own' : ''),
      verdictOf(percentile(found, 0.5), wanted[workload] ?? {}),
    ];
  });
  const heads = [
    '',
    'writes/s',
    ...own.map((figure) => FIGURES[figure]),
    ...(hasReads ? ['item reads meanwhile, p50, p99 ms'] : []),
    'RSS MiB',
    ratio === 'cpu' ? '× CPU of the first' : 'requests/s of the first, ×',
    'wanted',
  ];
  return [`## ${title}`, '', note, '', ...table(heads, lines)];
};

/** @returns a table for each workload: what was found, and what is wanted */
export async function* compare(comparison: Comparison, dataset: Dataset, options: Options): AsyncGenerator<Report> {
  yield [`# ${dataset.place.name}, ${dataset.cars.toLocaleString('en')} cars`, ''];
  for await (const measured of measure(comparison, dataset, options)) yield report(measured, comparison.readsWithin);
}
