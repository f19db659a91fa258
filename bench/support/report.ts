/** Figures, and tables of them. */

/** Lines of Markdown. */
export type Report = readonly string[];

/** The median, and the tenth and ninetieth percentile. */
export interface Spread {
  readonly low: number;
  readonly median: number;
  readonly high: number;
}

/** @returns the percentile, between the two nearest values where it is none of them */
export const percentile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const [below = Number.NaN, above = below] = sorted.slice(Math.floor(at));
  return below + (above - below) * (at % 1);
};

export const spreadOf = (values: readonly number[]): Spread => ({
  low: percentile(values, 0.1),
  median: percentile(values, 0.5),
  high: percentile(values, 0.9),
});

/** Three digits are more than the noise allows. */
const digits = (value: number): string => {
  if (!Number.isFinite(value)) return '–';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
};

export const shown = ({ low, median, high }: Spread): string =>
  low === high ? digits(median) : `${digits(median)} [${digits(low)}–${digits(high)}]`;

export const table = (heads: readonly string[], rows: readonly (readonly string[])[]): Report => {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(heads), line(heads.map((_, at) => (at === 0 ? '---' : '---:'))), ...rows.map(line), ''];
};

/** What is to be reached: at least, or at most. */
export interface Limits {
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** Judged by the median; the range tells how sure that is. */
export const verdictOf = (median: number, { atLeast = -Infinity, atMost = Infinity }: Limits): string => {
  const limits = [...(atLeast > -Infinity ? [`≥ ${atLeast}`] : []), ...(atMost < Infinity ? [`≤ ${atMost}`] : [])];
  if (limits.length === 0) return '';
  return `${limits.join(', ')}: ${median >= atLeast && median <= atMost ? 'met' : '**missed**'}`;
};

/** A figure that is to be reached. */
export type Goal = readonly [name: string, unit: string, values: readonly number[], limits: Limits];

export const goalTable = (title: string, goals: readonly Goal[]): Report => {
  const rows = goals.map(([name, unit, values, limits]) => {
    const found = spreadOf(values);
    return [name, `${shown(found)} ${unit}`, verdictOf(found.median, limits)];
  });
  return [`## ${title}`, '', ...table(['goal', 'found: median [range]', 'wanted'], rows)];
};
