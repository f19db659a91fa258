/** What follows from a seed alone, so that a run can be repeated. */
export interface Random {
  /** @returns a whole number from 0 to below `end` */
  readonly below: (end: number) => number;
  /** @returns whether something happens that happens once in so many times */
  readonly once: (times: number) => boolean;
  /** @throws RangeError where there is nothing to choose from */
  readonly pick: <T>(from: readonly T[]) => T;
  /** @returns some of them, at least one, in any order */
  readonly some: <T>(from: readonly T[], most?: number) => readonly T[];
}

/** Mulberry32, which is short and good enough to choose test cases. */
export const randomOf = (seed: number): Random => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  const pick = <T>(from: readonly T[]): T => {
    if (from.length === 0) throw new RangeError('nothing to choose from');
    return from[below(from.length)] as T;
  };
  const some = <T>(from: readonly T[], most = from.length): readonly T[] => {
    const left = [...from];
    const count = 1 + below(Math.min(most, left.length));
    return Array.from({ length: Math.min(count, left.length) }, () => left.splice(below(left.length), 1)[0] as T);
  };
  return { below, once: (times) => below(times) === 0, pick, some };
};
