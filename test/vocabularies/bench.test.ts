/** The comparison of bench/vocabularies.ts still runs: each of its requests is answered, and each workload gets its line. */
import { expect, test } from 'vitest';
import { vocabularies } from '../../bench/vocabularies.ts';

test('what the translator costs is measured for each workload', async () => {
  const [head = '', ...lines] = await Array.fromAsync(vocabularies(1, 200));
  expect(head).toContain('| Spanish |');
  expect(lines.pop()).toMatch(/ \d+ MiB without it and \d+ MiB with it\.$/);
  // The kernel may count no time at all for a short turn.
  const number = String.raw`(?:\d+\.\d+|NaN|Infinity)`;
  const names = ['an item', 'a list of 50', '33,000 items', 'an item of a bare Hono handler'];
  expect(lines).toEqual(
    names.map((name) =>
      expect.stringMatching(new RegExp(`^\\| ${name} \\| ${number} \\| ${number} \\|.*\\| ${number} \\|`)),
    ),
  );
});
