import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tags } from './support/language/locale-folder.ts';
import { commandLine, launch, serve } from './support/process/service.ts';

const PRETEND = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })`;

const isOld = (node: string): boolean => {
  const [major = 0] = execFileSync(node, ['--version'], { encoding: 'utf8' }).slice(1).split('.').map(Number);
  return major < 24;
};

/** A real one, where this machine has one; else today's, which says that it is one. */
const installed = [...(process.env.PATH ?? '').split(':'), '/usr/local/bin', '/usr/bin']
  .map((folder) => join(folder, 'node'))
  .find((node) => existsSync(node) && isOld(node));

const commands: readonly (readonly [what: string, command: string, args: readonly string[]])[] = [
  ['pretended', process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(PRETEND)}`]],
  ...(installed ? [['installed', installed, []] as const] : []),
];

test.each(commands)(
  'an old Node.js (%s) is told so in every language, without a stack trace',
  async (_, command, args) => {
    const { exit, output } = launch({ command, args: [...args, ...commandLine()] });
    expect(await exit).toBe(1);
    const lines = output().trimEnd().split('\n');
    expect(lines).toHaveLength(tags.length);
    for (const line of lines) expect(line).toMatch(/Node\.js 24\.15\.0\b.*\b\d+\.\d+\.\d+/);
    expect(new Set(lines).size).toBe(lines.length);
    expect(output()).not.toMatch(/^\s+at |[{}]/m);
  },
);

test('the Node.js that the tests run under is new enough to say nothing', async () => {
  const args = ['--import', ...commandLine().slice(1, 2), '--eval', 'console.log("ran")'];
  const { exit, output } = launch({ args });
  expect([await exit, output()]).toEqual([0, 'ran\n']);
});

test.runIf(process.platform === 'linux')(
  'the service begins again with what gives memory back, as the same process, and keeps what it was given',
  async () => {
    const { child } = await serve({ env: { DATABASE_URL: 'sqlite::memory:', MALLOC_TRIM_THRESHOLD_: '65536' } });
    const [line, environment] = ['cmdline', 'environ'].map((of) =>
      readFileSync(`/proc/${child.pid}/${of}`, 'utf8').split('\0'),
    );
    expect(line).toEqual(expect.arrayContaining(['--no-memory-pool-share-memory-on-teardown', ...commandLine()]));
    expect(environment).toEqual(expect.arrayContaining(['MALLOC_ARENA_MAX=1', 'MALLOC_TRIM_THRESHOLD_=65536']));
  },
);
