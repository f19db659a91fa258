import fc from 'fast-check';
import { expect, test } from 'vitest';
import { digest } from '../../src/gateway/http/exchange.ts';
import { KeySet } from '../../src/util/key-set.ts';
import { memoize } from '../../src/util/memoize.ts';

test('what recurs is made once, until it is too much', () => {
  const made: unknown[] = [];
  const nameOf = memoize((value: unknown) => {
    made.push(value);
    return `${typeof value} ${value}`;
  });
  const long = 'x'.repeat(65);
  const list = [1];
  for (const value of ['1', 1, true, '1', 1, true, long, long, list, list]) {
    expect(nameOf(value)).toBe(`${typeof value} ${value}`);
  }
  expect(made).toEqual(['1', 1, true, long, long, list, list]);
  for (let at = 0; at < 10_000; at++) expect(nameOf(at)).toBe(`number ${at}`);
  expect(nameOf(9_999)).toBe('number 9999');
  expect(made).toHaveLength(7 + 9_999);
});

test('a key is new once, however many there are, and no other is taken for one', () => {
  const set = new KeySet();
  const count = 50_000;
  let known = 0;
  for (let at = 0; at < count; at++) if (!set.add(`car-${at}`)) known++;
  expect(known).toBe(0);
  for (let at = 0; at < count; at += 100) expect([set.has(`car-${at}`), set.add(`car-${at}`)]).toEqual([true, false]);
  const mistaken = Array.from({ length: count }, (_, at) => set.has(`coche-${at}`)).filter(Boolean);
  expect(mistaken.length).toBe(0);
});

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
