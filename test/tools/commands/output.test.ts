/** Where the results of a command go, and who reads them. */
import { expect, test } from 'vitest';
import { launch, project } from '../../support/process/service.ts';

const HELP = '"$NODE" src/tools/api-keys/main.ts --help';

const run = async (line: string) => {
  const env = { NODE: process.execPath, LANG: 'en_US.UTF-8' };
  const { exit, output } = launch({ cwd: project, command: 'sh', args: ['-c', line], env });
  await exit;
  return output();
};

test('a reader that leaves early is no error', async () => {
  expect(await run(`{ ${HELP}; echo "exit code $?" >&2; } | true`)).toBe('exit code 0\n');
});

test('a result that cannot be written is an error', async () => {
  expect(await run(`${HELP} > /dev/full; echo "exit code $?"`)).toMatch(/^[^\n]*ENOSPC[^\n]*\nexit code 2\n$/);
});
