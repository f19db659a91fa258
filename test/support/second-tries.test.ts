import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from './process/folder.ts';
import { project } from './process/service.ts';

const TESTS = `
let tries = 0;
let cleaned = 0;
describe('a car', () => {
  test('sells at once', () => {});
  test('sells at last', ({ onTestFinished }) => {
    onTestFinished(() => void cleaned++);
    expect(tries++).toBe(1);
    expect(cleaned).toBe(1);
  });
});
test('that never sells', () => expect.fail('rust'));
`;

const CONFIG = `
import { secondTries } from '${project}/test/support/second-tries.ts';
export default { test: { globals: true, retry: 1, reporters: ['minimal', secondTries()] } };
`;

test('a run says which of its tests passed only at their second try, and why; one that fails twice has failed', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'cars.test.js'), TESTS);
  writeFileSync(join(folder, 'vitest.config.mjs'), CONFIG);
  const vitest = join(project, 'node_modules/vitest/vitest.mjs');
  const { status, stderr } = spawnSync(process.execPath, [vitest, 'run', '--root', folder], { encoding: 'utf8' });
  expect(stderr).toMatch(
    /^Passed only at the second try: 1\n {2}cars\.test\.js > a car > sells at last\n {4}line 8: expected \+0 to be 1 /m,
  );
  expect(status).toBe(1);
});
