/** Figures, and tables of them in Markdown. */

/** @returns the percentile, between the two nearest values where it is none of them */
export const percentile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const [below = Number.NaN, above = below] = sorted.slice(Math.floor(at));
  return below + (above - below) * (at % 1);
};

/** Three digits are more than the noise allows. */
const digits = (value: number): string => {
  if (!Number.isFinite(value)) return '–';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
};

/** @returns the median, and in brackets the tenth and ninetieth percentile */
export const shown = (values: readonly number[]): string => {
  const [low, median, high] = [0.1, 0.5, 0.9].map((share) => digits(percentile(values, share)));
  return low === high ? `${median}` : `${median} [${low}–${high}]`;
};

export const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string => {
  const rule = heads.map((_, at) => (at === 0 ? '---' : '---:'));
  return [heads, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
};

/** What is to be reached. */
type Limit = `${'≥' | '≤'} ${number}`;
export type Limits = '' | Limit | `${Limit}, ${Limit}`;

/** Judged by the median; the range tells how sure that is. */
export const verdictOf = (values: readonly number[], limits: Limits): string => {
  if (limits === '') return '';
  const median = percentile(values, 0.5);
  const isMet = limits.split(', ').every((limit) => {
    const number = Number(limit.slice(2));
    return limit.startsWith('≥') ? median >= number : median <= number;
  });
  return `${limits}: ${isMet ? 'met' : '**missed**'}`;
};

/** A figure that is to be reached. */
export type Goal = readonly [name: string, unit: string, values: readonly number[], limits: Limits];

export const goalTable = (title: string, goals: readonly Goal[]): string => {
  const rows = goals.map(([name, unit, values, limits]) => {
    return [name, `${shown(values)} ${unit}`, verdictOf(values, limits)];
  });
  return `## ${title}\n\n${table(['goal', 'found: median [range]', 'wanted'], rows)}`;
};
