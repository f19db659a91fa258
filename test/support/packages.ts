/** What checks and tests need beside the packages of the service has a lock file of its own, `test/package-lock.json`. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '..');
const lock = join(folder, 'package-lock.json');
/** The lock file of what is installed. */
const installed = join(folder, 'node_modules/.installed-lock.json');

/**
 * Installs the packages of the tests, unless those of today's lock file are there.
 *
 * @throws if npm cannot: it has said why
 */
export function installTestPackages(): void {
  if (existsSync(installed) && readFileSync(installed).equals(readFileSync(lock))) return;
  console.error('Installing the packages of the tests (test/package-lock.json)');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error('npm ci failed in test/');
  copyFileSync(lock, installed);
}
