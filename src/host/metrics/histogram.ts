import type { Labels, Sample } from './family.ts';

/** Counts values by size. */
export type Histogram = ReturnType<typeof histogram>;

/** @param bounds the greatest value of each bucket but the last, ascending */
export const histogram = (bounds: readonly number[]) => {
  /** Whole numbers up to 2^53. */
  const counts = new Float64Array(bounds.length + 1);
  let sum = 0;
  return {
    observe: (value: number): void => {
      let at = 0;
      while (at < bounds.length && value > (bounds[at] ?? 0)) at++;
      counts[at] = (counts[at] ?? 0) + 1;
      sum += value;
    },
    samples: (labels: Labels = {}): readonly Sample[] => {
      let total = 0;
      const buckets = [...counts].map((count, at): Sample => {
        total += count;
        const bound = bounds[at];
        const le = bound === undefined ? '+Inf' : String(bound);
        return { suffix: '_bucket', labels: { ...labels, le }, value: total };
      });
      return [...buckets, { suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value: total }];
    },
  };
};

/** Bounds, in seconds, for what takes from a tenth of a millisecond to ten seconds. */
export const SECONDS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];
