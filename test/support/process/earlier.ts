import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder, type WhenOver } from './folder.ts';
import { project } from './service.ts';

/** @returns the command line of version 0.1.0, as it was, with the packages of today */
export const firstVersion = (whenOver?: WhenOver): readonly string[] => {
  const folder = temporaryFolder(whenOver);
  execFileSync('tar', ['-xzf', join(project, 'test/data/version-0.1.0.tar.gz'), '-C', folder]);
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
  return ['--import', join(folder, 'src/guard.js'), join(folder, 'src/main.ts')];
};
