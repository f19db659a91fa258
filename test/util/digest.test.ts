import fc from 'fast-check';
import { expect, test } from 'vitest';
import { digest } from '../../src/gateway/http/exchange.ts';

test.each([
  ['', '07h0j2b0k4n83c'],
  ['a', '10ae7sx0m87353'],
  ['["cars",[["brand","equals",["seat"]]],null,[]]', '1csyqrp0isx9zo'],
])('the digest of %j stays what it is', (text, expected) => {
  expect(digest(text)).toBe(expected);
});

test('bytes have the digest of their characters, and what differs has another one', () => {
  expect(digest(Buffer.from('Seat'))).toBe(digest('Seat'));
  const seen = new Map<string, string>();
  fc.assert(
    fc.property(fc.string({ maxLength: 4 }), (text) => {
      const known = seen.get(digest(text));
      expect(digest(text)).toMatch(/^[\da-z]{14}$/);
      expect(known ?? text).toBe(text);
      seen.set(digest(text), text);
    }),
    { numRuns: 20_000 },
  );
});
