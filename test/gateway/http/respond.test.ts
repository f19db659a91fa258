import { expect, test } from 'vitest';
import { decodeChange, itemTag } from '../../../src/gateway/http/exchange.ts';

/** Where the number is written in two parts, each of them below 2^31. */
const PART = 36 ** 5;
const around = [0, 35, 36, PART, 2 * PART, 2 ** 31, 256 * Date.UTC(2026, 0), Number.MAX_SAFE_INTEGER];
const changes = around.flatMap((change) => [change - 1, change, change + 1]).filter((change) => change >= 0);

test.each(changes.filter(Number.isSafeInteger))('change %d is in a tag as in base 36, and read again', (change) => {
  const digits = change.toString(36);
  expect(itemTag(change, 'en')).toBe(`"${digits}.en"`);
  expect(decodeChange(digits)).toBe(change);
});

test.each(['', '0a', 'A', 'x.y', '1 ', 'zzzzzzzzzzzzzzzz'])('%j is no change', (digits) => {
  expect(decodeChange(digits)).toBeUndefined();
});
