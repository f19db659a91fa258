/** Chooses what follows from a seed alone, so that a run can be repeated: Mulberry32, which is short and good enough for test cases. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** @returns a whole number from 0 to below `end` */
  below(end: number): number {
    return Math.floor(this.#next() * end);
  }

  /** @returns whether something happens that happens once in so many times */
  once(times: number): boolean {
    return this.below(times) === 0;
  }

  /** @throws RangeError if there is nothing to choose from */
  pick<T>(from: readonly T[]): T {
    if (from.length === 0) throw new RangeError('nothing to choose from');
    return from[this.below(from.length)] as T;
  }

  /** @returns some of them, at least one, in any order */
  some<T>(from: readonly T[], most = from.length): readonly T[] {
    const rest = [...from];
    const count = 1 + this.below(Math.min(most, rest.length));
    return Array.from({ length: Math.min(count, rest.length) }, () => rest.splice(this.below(rest.length), 1)[0] as T);
  }
}
