/** Every command explains itself in every language. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand, runHere } from '../../support/commands/given.ts';
import { launch, project } from '../../support/process/service.ts';

const scripts: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(project, 'package.json'), 'utf8'),
).scripts;
const commands = Object.entries(scripts).flatMap(([name, script]) => {
  const [, main] = / (src\/(?!main\.ts)\S+\.ts)$/.exec(script) ?? [];
  return main === undefined ? [] : [[name, main] as const];
});

const SPOKEN = ['import', 'export'];

test.each(commands)(
  'npm run %s explains itself, in every language if it works on files of lists',
  async (name, main) => {
    const [code, text] = await runHere(main, ['--help'], { LANG: 'C.UTF-8' });
    expect([code, text]).toEqual([0, expect.stringMatching(new RegExp(`^npm run ${name} -- `))]);
    expect(text).toMatch(/^Exit code: 0 /m);
    expect(/^Código de salida: 0 /m.test(text)).toBe(SPOKEN.includes(name));
  },
);

test('in the language of the terminal alone, where it has one', async () => {
  const [code, text] = await runCommand('src/tools/import-export/import-main.ts', ['--help', 'list', '--zap'], {
    LC_ALL: 'es_MX.UTF-8',
  });
  expect([code, text]).toEqual([0, expect.stringContaining('Código de salida')]);
  expect(text).not.toContain('Exit code');
});

const gone = Object.entries(scripts).filter(([, script]) => script.includes(' is gone'));
test.each(gone)('npm run %s says what replaces it, and does nothing', async (name, script) => {
  // As npm runs it.
  const { exit, output } = launch({ cwd: project, command: 'sh', args: ['-c', `${script} "$@"`, name, '--out', 'x'] });
  expect([await exit, output()]).toEqual([2, expect.stringMatching(`^npm run ${name} is gone: [^\n]*\\.\n$`)]);
});

/** Where the results of a command go, and who reads them. */

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
