/**
 * `npm pack` of the catalogue: `prepack` compiles it into `dist/` and copies beside it what is read at run time. Within the repository
 * `exports` name TypeScript, which runs as it is; in the archive they name what was compiled, so `postpack` puts the former names back.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { installTestPackages } from '../test/support/packages.ts';

const project = join(import.meta.dirname, '..');
const dist = join(project, 'dist');
const manifestFile = join(project, 'package.json');
const readManifest = () => JSON.parse(readFileSync(manifestFile, 'utf8'));
const writeJson = (file: string, content: unknown) => writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);

/** What is copied of swagger-ui-dist, which asks to be left out of archives because its install script phones home. */
const SWAGGER_FILES = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'LICENSE',
  'NOTICE',
];

/** @returns the file of the archive for one of the repository, or the other way around */
function renameExport(file: string, restore: boolean): string {
  if (file === './package.json') return file;
  if (restore) return file.replace('./dist/', './').replace(/\.js$/, '.ts');
  return file.replace('./', './dist/').replace(/\.ts$/, '.js');
}

function renameExports(restore: boolean): void {
  const manifest = readManifest();
  const isPacked = manifest.exports['.'].startsWith('./dist/');
  if (isPacked !== restore) return;
  const renamed = Object.entries<string>(manifest.exports).map(([name, file]) => [name, renameExport(file, restore)]);
  writeJson(manifestFile, { ...manifest, exports: Object.fromEntries(renamed) });
}

function compile(): void {
  rmSync(dist, { recursive: true, force: true });
  const compiler = join(project, 'test/node_modules/.bin/tsc');
  execFileSync(compiler, ['-p', join(project, 'tsconfig.build.json')], { stdio: 'inherit' });
  // The compiler renames what is imported, and leaves the URLs of workers as they are.
  for (const file of globSync('src/**/*.js', { cwd: dist })) {
    const code = readFileSync(join(dist, file), 'utf8');
    const renamed = code.replaceAll(/(new URL\('\.\/[\w-]+)\.ts(', import\.meta\.url\))/g, '$1.js$2');
    if (renamed !== code) writeFileSync(join(dist, file), renamed);
  }
}

function copyAssets(): void {
  const pages = 'src/gateway/site/pages/browser';
  // Tables, and what `init` writes.
  for (const folder of ['locales', 'examples/new'])
    cpSync(join(project, folder), join(dist, folder), { recursive: true });
  for (const file of globSync(`${pages}/*.{js,css,svg}`, { cwd: project }))
    cpSync(join(project, file), join(dist, file));
  const swagger = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  for (const file of SWAGGER_FILES) cpSync(join(swagger, file), join(dist, pages, 'swagger-ui', file));
  // Which the service reads from beside its modules: its version and what it needs.
  const { name, version, description, license, type, engines } = readManifest();
  writeJson(join(dist, 'package.json'), { name, version, description, license, type, engines });
}

const restore = process.argv.includes('--restore');
if (!restore) {
  installTestPackages();
  compile();
  copyAssets();
}
renameExports(restore);
