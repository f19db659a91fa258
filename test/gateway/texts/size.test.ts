import { expect, test } from 'vitest';
import { byteSize } from '../../../src/gateway/texts/phrase.ts';

test.each([
  [1, '1 B'],
  [1_000, '1000 B'],
  [1_024, '1 KiB'],
  [1_500, '1500 B'],
  [8_192, '8 KiB'],
  [10_240, '10 KiB'],
  [1_000_000, '1000000 B'],
  [1_048_576, '1 MiB'],
  [1_572_864, '1536 KiB'],
  [1_073_741_824, '1 GiB'],
  [1_099_511_627_776, '1024 GiB'],
])('%i bytes are %s', (bytes, size) => {
  expect(byteSize(bytes)).toBe(size);
});
