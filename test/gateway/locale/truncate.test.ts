import { expect, test } from 'vitest';
import { truncate } from '../../../src/gateway/texts/phrase.ts';

test.each([
  ['', ''],
  ['marca', 'marca'],
  ['x'.repeat(200), 'x'.repeat(200)],
  ['x'.repeat(201), `${'x'.repeat(200)}…`],
  ['🚗'.repeat(200), '🚗'.repeat(200)],
  ['🚗'.repeat(201), `${'🚗'.repeat(200)}…`],
] as const)('%s is truncated to 200 characters', (text, truncated) => {
  expect(truncate(text)).toBe(truncated);
});
