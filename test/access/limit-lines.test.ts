import { expect, test } from 'vitest';
import { limitLines } from '../../src/access/limit-lines.ts';

test('every number has all of its digits, whichever number came before', () => {
  const linesOf = limitLines({ quota: 1_000_000_000, window: 60 });
  const numbers = [
    999_999_999, 999_999_000, 1_000_007, 1_000_000, 12_045, 12_044, 1_001, 1_000, 999, 45, 7, 0, 12_044, 0,
  ];
  for (const remaining of numbers) {
    for (const seconds of [60, 60, 1]) {
      expect(linesOf(remaining, seconds)).toBe(
        `RateLimit-Policy: "default";q=1000000000;w=60\r\nRateLimit: "default";r=${remaining};t=${seconds}\r\n`,
      );
    }
  }
});
