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
