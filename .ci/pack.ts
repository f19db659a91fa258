/**
 * `prepack` of each package: compiles the projects that are named into `dist/`. The catalogue's also gets what is read at run time, and
 * its `exports`, which in the repository name TypeScript, name what was compiled: `postpack` (`--restore`) puts the former names back.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { installTestPackages } from '../test/support/packages.ts';

const project = join(import.meta.dirname, '..');
const folder = process.cwd();
const dist = join(folder, 'dist');
const manifestFile = join(folder, 'package.json');
const readManifest = () => JSON.parse(readFileSync(manifestFile, 'utf8'));
const writeJson = (file: string, content: unknown) => writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);

/** Named by what finds threads or assets beside itself: most bundlers, whose condition is `module`, cannot resolve it, and fail with its name. */
const MARK = '#leave-car-dealer-catalogue-out-of-the-bundle';

/** The other bundlers write it into the bundle, which it then ends. */
const marker = `if (!import.meta.url.endsWith('/marker.js')) throw new Error('${MARK.slice(1)}: docs/library.md');\n`;

/** What is copied of swagger-ui-dist, because its install script phones home. */
const SWAGGER = ['swagger-ui.css', 'swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt', 'LICENSE', 'NOTICE'];

function renameExports(rename: (file: string) => string): void {
  const manifest = readManifest();
  const renamed = Object.entries<string>(manifest.exports).map(([name, file]) => [name, rename(file)]);
  writeJson(manifestFile, { ...manifest, exports: Object.fromEntries(renamed) });
}

function compile(projects: readonly string[]): void {
  rmSync(dist, { recursive: true, force: true });
  const compiler = join(project, 'test/node_modules/.bin/tsc');
  for (const name of projects) execFileSync(compiler, ['-p', name], { stdio: 'inherit' });
  // The compiler renames what is imported, and leaves the URLs of workers as they are.
  for (const file of globSync('**/*.js', { cwd: dist })) {
    const code = readFileSync(join(dist, file), 'utf8');
    const renamed = code.replaceAll(/(new URL\('\.\/[\w-]+)\.ts(', import\.meta\.url\))/g, '$1.js$2');
    const isMarked = /^src\/(?:gateway|store)\//.test(file) && code.includes('import.meta.');
    if (isMarked || renamed !== code)
      writeFileSync(join(dist, file), `${isMarked ? `import '${MARK}'; ` : ''}${renamed}`);
  }
}

function copyAssets(): void {
  const pages = 'src/gateway/site/pages/browser';
  // Tables, and what `init` writes.
  for (const part of ['locales', 'examples/new']) cpSync(part, join(dist, part), { recursive: true });
  for (const file of globSync(`${pages}/*.{js,css,svg}`)) cpSync(file, join(dist, file));
  const swagger = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  for (const file of SWAGGER) cpSync(join(swagger, file), join(dist, pages, 'swagger-ui', file));
  // What the service reads of its manifest; the compiler has copied all of it.
  const { name, version, description, license, type, engines } = readManifest();
  const imports = { [MARK]: { workerd: './marker.js', module: null, default: './marker.js' } };
  writeJson(join(dist, 'package.json'), { name, version, description, license, type, engines, imports });
  writeFileSync(join(dist, 'marker.js'), marker);
}

const [first = '', ...projects] = process.argv.slice(2);
if (first === '--restore') {
  renameExports((file) => file.replace('./dist/', './').replace(/\.js$/, '.ts'));
} else {
  installTestPackages();
  compile([first, ...projects]);
  if (folder === project) {
    copyAssets();
    renameExports((file) => file.replace(/^\.\/(?=src|locales|packages)/, './dist/').replace(/\.ts$/, '.js'));
  }
}
