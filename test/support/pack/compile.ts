/** Checks what consumers write against the declarations of an installed package, as strictly as the compiler can. */

import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { project } from '../process/service.ts';
import { run } from './archives.ts';

/** TypeScript 7, and 5.9, which the generators of clients need. */
const compilers = { now: 'test/package.json', 5.9: 'test/client/package.json' } as const;

export interface Combination {
  readonly version: keyof typeof compilers;
  readonly resolution: 'nodenext' | 'bundler';
  readonly hasDom: boolean;
}

/** @returns the errors, one a line */
export async function compile(folder: string, file: string, { version, resolution, hasDom }: Combination) {
  const manifest = createRequire(join(project, compilers[version])).resolve('typescript/package.json');
  const name = `tsconfig.${version}.${resolution}.${hasDom}.json`;
  const compilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, noPropertyAccessFromIndexSignature: true },
    ...{ noUncheckedIndexedAccess: true, noImplicitReturns: true, verbatimModuleSyntax: true, skipLibCheck: false },
    ...{ target: 'es2024', lib: hasDom ? ['es2024', 'dom', 'dom.iterable'] : ['es2024'], noEmit: true },
    ...{
      module: resolution === 'bundler' ? 'esnext' : resolution,
      moduleResolution: resolution,
      resolveJsonModule: true,
    },
    // Without `dom` it is Node.js that declares `Request`.
    types: hasDom ? [] : ['node'],
  };
  writeFileSync(join(folder, name), JSON.stringify({ compilerOptions, files: [file] }));
  const args = [join(manifest, '../bin/tsc'), '-p', name, '--pretty', 'false'];
  const output = await run(process.execPath, args, { cwd: folder }).then(
    () => '',
    (error: { readonly stdout: string; readonly stderr: string }) => error.stdout + error.stderr,
  );
  return output.split('\n').filter((line) => line !== '');
}
