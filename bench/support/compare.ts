/** The tables of comparisons. */
import type { Dataset } from './databases.ts';
import {
  type Goal,
  goalTable,
  percentile,
  type Report,
  ratiosOf,
  shown,
  spreadOf,
  table,
  verdictOf,
} from './report.ts';
import {
  type Comparison,
  type Contender,
  type Figures,
  measure,
  type Options,
  type Row,
  type Subject,
} from './turns.ts';

const FIGURES = { cpu: 'CPU µs/request', database: 'CPU µs/request of PostgreSQL', rate: 'requests/s' } as const;

const figures = ({ rounds }: Row, figure: keyof Figures): readonly number[] => rounds.map((round) => round[figure]);

/** What is wanted of the first contender alone. */
const goalsOf = ({ dearer, readsWithin }: Subject, first: (writes: number) => Row | undefined): readonly Goal[] => {
  const [alone, beside] = [first(0), first(10)];
  const goals: Goal[] = [];
  if (dearer !== undefined && alone && beside) {
    const found = ratiosOf(figures(beside, 'cpu'), figures(alone, 'cpu'));
    goals.push(['CPU with 10 writes/s to CPU without', '×', found, { atMost: dearer }]);
  }
  if (readsWithin !== undefined && alone) {
    goals.push(['item reads meanwhile, p99', 'ms', spreadOf([percentile(alone.reads, 0.99)]), { atMost: readsWithin }]);
  }
  return goals;
};

const report = (subject: Subject, rows: readonly Row[], contender: Contender | undefined, note: string): Report => {
  const { title, ratio = 'cpu', wanted } = subject;
  const first = (writes: number) => rows.find((row) => row.contender === contender && row.writes === writes);
  const isOn = { cpu: true, database: rows.some((row) => figures(row, 'database')[0]), rate: true };
  const names = (Object.keys(FIGURES) as (keyof Figures)[]).filter((figure) => isOn[figure]);
  const hasReads = rows.some(({ reads }) => reads.length > 0);
  const lines = rows.map((row) => {
    const { contender, writes, reads, rss } = row;
    const ours = first(writes) ?? row;
    const [one, other] = ratio === 'cpu' ? [row, ours] : [ours, row];
    const found = ratiosOf(figures(one, ratio), figures(other, ratio));
    const cells = names.map((figure) => shown(spreadOf(figures(row, figure))));
    const times = hasReads ? [[0.5, 0.99].map((share) => percentile(reads, share).toFixed(1)).join(', ')] : [];
    const end = row === ours ? ['1', ''] : [shown(found), verdictOf(found, wanted(contender, writes))];
    return [contender.name, String(writes), ...cells, ...times, rss.toFixed(0), ...end];
  });
  const compared = ratio === 'cpu' ? '× CPU of the first' : 'requests/s of the first, ×';
  const reads = hasReads ? ['item reads meanwhile, p50, p99 ms'] : [];
  const heads = ['', 'writes/s', ...names.map((figure) => FIGURES[figure]), ...reads, 'RSS MiB', compared, 'wanted'];
  const goals = goalsOf(subject, first);
  return [`## ${title}`, '', note, '', ...table(heads, lines), ...(goals.length > 0 ? goalTable(goals) : [])];
};

/** @returns a table for each subject: what was found, and what is wanted */
export async function* compare(all: readonly Comparison[], dataset: Dataset, options: Options): AsyncGenerator<Report> {
  yield [`# ${dataset.name}, ${dataset.cars.toLocaleString('en')} cars`, ''];
  for (const each of all) {
    for await (const { subject, rows, first, note } of measure(each, dataset, options)) {
      yield report(subject, rows, first, note);
    }
  }
}
