/** For `expect.extend` of vitest and jest; node:test needs none: `assertSaysTheSame` throws. */
import type { Dictionary } from './dictionary.ts';
import { differences, formatDifferences, type Spoken } from './same.ts';

export const matchers = {
  /** @param expected the same request in another language @param others as in `assertSaysTheSame` */
  toSayTheSameAs(received: Spoken, expected: Spoken, others?: readonly Dictionary[]) {
    const all = differences(received, expected, others);
    return {
      pass: all.length === 0,
      message: () =>
        all.length === 0
          ? `${received.language.tag} says the same as ${expected.language.tag}`
          : `${expected.language.tag} does not say the same as ${received.language.tag}\n${formatDifferences(all)}`,
    };
  },
};
