/** Lines of Markdown. */
export type Report = readonly string[];

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export const spreadOf = (values: readonly number[]): Spread => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = Number.NaN, high = low] = sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1);
  return { median: (low + high) / 2, min: sorted[0] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN };
};

/** Ratios round by round: what troubles the machine in one round troubles both sides of it. */
export const ratiosOf = (above: readonly number[], below: readonly number[]): Spread =>
  spreadOf(above.map((value, at) => value / (below[at] ?? Number.NaN)));

/** Three digits are more than the noise allows. */
const digits = (value: number): string => {
  if (!Number.isFinite(value)) return '–';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
};

export const shown = ({ median, min, max }: Spread): string => `${digits(median)} [${digits(min)}–${digits(max)}]`;

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
export const verdictOf = ({ median }: Spread, { atLeast, atMost }: Limits): string => {
  if (atLeast === undefined && atMost === undefined) return '';
  const isMet = median >= (atLeast ?? -Infinity) && median <= (atMost ?? Infinity);
  return `${atLeast === undefined ? `≤ ${atMost}` : `≥ ${atLeast}`}: ${isMet ? 'met' : '**missed**'}`;
};

/** A figure that is to be reached. */
export type Goal = readonly [name: string, unit: string, found: Spread, limits: Limits];

export const goalTable = (goals: readonly Goal[]): Report =>
  table(
    ['goal', 'found: median [range]', 'wanted'],
    goals.map(([name, unit, found, limits]) => [name, `${shown(found)} ${unit}`, verdictOf(found, limits)]),
  );
