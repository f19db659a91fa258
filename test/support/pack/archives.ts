/** The archives that `npm pack` makes of a copy of the project, so that the project's own files stay as they are meanwhile. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder, type WhenOver } from '../process/folder.ts';
import { project } from '../process/service.ts';

export const run = promisify(execFile);

/** The folder of each package. */
export const packages = {
  'car-dealer-catalogue': '.',
  vocabularies: 'packages/vocabularies',
  'vocabulary-parity': 'packages/parity',
} as const;
export type PackageName = keyof typeof packages;
export const packageNames = Object.keys(packages) as readonly PackageName[];

export const readManifest = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** What is packed, and what packs it. */
const PARTS = [
  '.ci',
  'src',
  'packages',
  'locales',
  'examples/new',
  'test/support/packages.ts',
  'test/package-lock.json',
];
const FILES = ['package.json', 'tsconfig.json', 'tsconfig.build.json', 'LICENSE', 'README.md', 'README.es.md'];

export function copyProject(whenOver?: WhenOver): string {
  const copy = temporaryFolder(whenOver);
  for (const part of [...PARTS, ...FILES]) {
    cpSync(join(project, part), join(copy, part), {
      recursive: true,
      filter: (file) => !/[\\/](?:dist|__pycache__|node_modules)$/.test(file),
    });
  }
  for (const folder of ['', 'test'])
    symlinkSync(join(project, folder, 'node_modules'), join(copy, folder, 'node_modules'));
  return copy;
}

/** @returns the path of the archive of a package */
export async function pack(copy: string, name: PackageName, destination: string): Promise<string> {
  const args = ['pack', '--silent', '--pack-destination', destination];
  const { stdout } = await run('npm', args, { cwd: join(copy, packages[name]) });
  return join(destination, stdout.trim());
}

/**
 * Puts an archive into the `node_modules` of a folder as an installation does, with links to what it says that it needs.
 *
 * @param others that the folder has, too
 * @returns the folder of the package
 */
export async function extract(archive: string, name: string, folder: string, others: readonly string[] = []) {
  const modules = join(folder, 'node_modules');
  const installed = join(modules, name);
  mkdirSync(installed, { recursive: true });
  await run('tar', ['-xzf', archive, '--strip-components=1', '-C', installed]);
  const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = readManifest(installed);
  const needed = [...new Set([...Object.keys(dependencies), ...Object.keys(peerDependencies), ...others])];
  for (const other of needed.filter((needs) => !peerDependenciesMeta[needs]?.optional)) {
    mkdirSync(join(modules, other, '..'), { recursive: true });
    symlinkSync(join(project, 'node_modules', other), join(modules, other));
  }
  return installed;
}
