/** The packed package on Node 22, Bun, Deno and workerd, which are installed beside it for this. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const PACKAGE = join(import.meta.dirname, '../../packages/vocabularies');
const folder = mkdtempSync(join(tmpdir(), 'runtimes-'));
const run = (command: string, ...args: readonly string[]): string =>
  execFileSync(command, args, { cwd: folder, encoding: 'utf8' });
const installed = (name: string) => join(folder, 'node_modules/.bin', name);

beforeAll(() => {
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
    cwd: PACKAGE,
    encoding: 'utf8',
  });
  rmSync(join(PACKAGE, 'dist'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  run('npm', 'install', '--silent', 'bun', 'deno', 'miniflare', 'node@22', 'hono@4', join(folder, packed.trim()));
  execFileSync(process.execPath, ['install.js'], { cwd: join(folder, 'node_modules/bun') });
  cpSync(join(import.meta.dirname, 'runtimes'), folder, { recursive: true });
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['node', ['main.js']],
  ['bun', ['main.js']],
  ['deno', ['run', 'main.js']],
])('%s', (name, args) => {
  expect(run(installed(name), ...args)).toContain('passed 13');
});

test('workerd', () => {
  run(installed('bun'), 'build', 'worker.js', '--format=esm', '--target=browser', '--outfile=bundle.js');
  expect(run(installed('node'), 'workerd.js')).toContain('passed 13');
});
