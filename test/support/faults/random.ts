export interface Random {
  /** From 0 up to and without 1. */
  readonly fraction: () => number;
  readonly chance: (likelihood: number) => boolean;
  readonly pick: <T>(from: readonly T[]) => T;
}

/** Numbers that a seed determines (mulberry32). */
export const randomFrom = (seed: number): Random => {
  let state = seed;
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    fraction,
    chance: (likelihood) => fraction() < likelihood,
    pick: (from) => from[Math.floor(fraction() * from.length)] as (typeof from)[number],
  };
};
