import { expect, test } from 'vitest';
import { decodeChange, itemTag, requestTarget, routePath, UNROUTABLE } from '../../../src/gateway/http/exchange.ts';

/** What was sent, and the target from its path on. */
const targets = [
  ['/api/cars', '/api/cars'],
  ['/api/%2e%2e/cars?x=1', '/api/%2e%2e/cars?x=1'],
  ['http://localhost/api/cars?x', '/api/cars?x'],
  ['https://x.example:8080/', '/'],
  ['http://x.example', '/'],
  ['http://host?/docs/', '/?/docs/'],
  ['http://host#/docs/', '/#/docs/'],
  ['http://host/a?/docs/', '/a?/docs/'],
  ['//x/y', '//x/y'],
  ['*', '/'],
] as const;

test.each(targets)('%s is the target %s', (sent, expected) => {
  const request = new Request('http://localhost/elsewhere');
  expect(requestTarget(request, { target: sent })).toBe(expected);
});

test('without a server the target is the URL of the request', () => {
  expect(requestTarget(new Request('http://localhost/api/coches?marca=x'), undefined)).toBe('/api/coches?marca=x');
});

/** A target, and the path that routes are matched against. */
test.each([
  ['/', '/'],
  ['/api/cars//', '/api/cars/'],
  ['/api/cars?a/', '/api/cars'],
  ['/api/cars#a', '/api/cars'],
  ['/api/cars/a%2fb', '/api/cars/a%2Fb'],
  ['/api/%63ars', '/api/cars'],
  ['/api/cars/a+b', '/api/cars/a%2Bb'],
  ['/api/cars/%7E', '/api/cars/~'],
  ['/api/cars?%zz', '/api/cars'],
  ['/api/cars/%ff', UNROUTABLE],
  ['/api/cars/%00', UNROUTABLE],
  [`/${'x'.repeat(8_192)}`, UNROUTABLE],
] as const)('path %#', (target, expected) => {
  expect(routePath(target)).toBe(expected);
});

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
