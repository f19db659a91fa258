/** The archives: what is in them, and that they work in a folder that has nothing else. `npm run soak -- pack` installs them. */
import { cpSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeApi, findRaise } from '../support/pack/api.ts';
import {
  copyProject,
  extract,
  type PackageName,
  pack,
  packageNames,
  packages,
  readManifest,
  run,
} from '../support/pack/archives.ts';
import { type Combination, compile } from '../support/pack/compile.ts';
import { temporaryFolder } from '../support/process/folder.ts';
import { launch, project, serve } from '../support/process/service.ts';

/** The consumer of each package, and one of the combinations of compilers and settings; the long test has all of them. */
const consumers: readonly (readonly [PackageName, file: string, Combination])[] = [
  ['car-dealer-catalogue', 'catalogue.ts', { version: 'now', resolution: 'nodenext', hasDom: false }],
  ['vocabularies', 'vocabularies.ts', { version: 'now', resolution: 'bundler', hasDom: true }],
  ['vocabulary-parity', 'parity.ts', { version: 'now', resolution: 'nodenext', hasDom: false }],
];
const folders = new Map<PackageName, string>();
const archives = new Map<PackageName, string>();
let copy: string;
const installed = (name: PackageName): string => join(folders.get(name) ?? '', 'node_modules', name);

/** @returns the path of the bundle of a program */
async function bundle(folder: string, file: string, ...options: readonly string[]): Promise<string> {
  const args = ['--bundle', '--platform=node', '--format=esm', '--log-level=error', '--outfile=bundle.js', ...options];
  await run(join(project, 'test/node_modules/.bin/esbuild'), [file, ...args], { cwd: folder });
  return join(folder, 'bundle.js');
}

beforeAll(async () => {
  copy = copyProject(afterAll);
  const destination = temporaryFolder(afterAll);
  const prepare = async (name: PackageName, file: string): Promise<void> => {
    const archive = await pack(copy, name, destination);
    const folder = temporaryFolder(afterAll);
    await extract(archive, name, folder, ['@types/node']);
    cpSync(join(project, 'test/pack/consumers', file), join(folder, file));
    cpSync(join(project, 'test/pack/consumers/package.json'), join(folder, 'package.json'));
    folders.set(name, folder);
    archives.set(name, archive);
  };
  await Promise.all(consumers.map(([name, file]) => prepare(name, file)));
}, 300_000);

describe.each(packageNames.map((name) => [name] as const))('%s', (name) => {
  test('is packed as files, of which none is TypeScript but what `init` writes', async () => {
    const { stdout } = await run('tar', ['-tvzf', archives.get(name) ?? '']);
    const entries = stdout.trim().split('\n');
    expect(entries.filter((entry) => !entry.startsWith('-'))).toEqual([]);
    const files = entries.map((entry) => entry.split(' package/')[1] ?? '');
    expect(files).toEqual(expect.arrayContaining(['package.json', 'LICENSE', 'README.md']));
    const outside = files.filter((file) => !/^(?:dist\/|python\/|[^/]+$)/.test(file));
    const sources = files.filter((file) => /(?<!\.d)\.ts$|\.tsbuildinfo$|\.tgz$/.test(file));
    expect([outside, sources.filter((file) => !file.startsWith('dist/examples/new/'))]).toEqual([[], []]);
  });

  test('publint has nothing to say', async () => {
    const { messages } = await publint({ pkgDir: installed(name), pack: false });
    // `imports` of the nearest manifest are those that Node.js reads.
    expect(messages.filter(({ code }) => code !== 'NESTED_PACKAGE_JSON_FIELD_IGNORED')).toEqual([]);
  });

  test('exports what the version says', async () => {
    const folder = installed(name);
    const { version, exports } = readManifest(folder);
    const report = `${version}\n${describeApi(folder, exports)}`;
    const file = join(project, 'docs/api', `${name}.txt`);
    const raise = existsSync(file) ? findRaise(readFileSync(file, 'utf8'), report) : undefined;
    // Before a version is released, remove the file instead, and run this test.
    expect(raise, `the public API of ${name} has changed: raise its version, then -u writes ${file}`).toBeUndefined();
    await expect(report).toMatchFileSnapshot(file);
  });
});

test('all packages, and the manifests of Kubernetes, have one version', () => {
  const { version } = readManifest(project);
  const manifests = globSync('{packages/*,test,test/client}/package.json', { cwd: project });
  const versions = manifests.map((file) => [file, readManifest(join(project, dirname(file))).version]);
  expect(versions).toEqual(manifests.map((file) => [file, version]));
  expect(versions.length).toBeGreaterThanOrEqual(5);
  for (const file of globSync('deploy/kubernetes/*/kustomization.yaml', { cwd: project }))
    expect(readFileSync(join(project, file), 'utf8')).toContain(`newTag: ${version}\n`);
});

test.each(consumers)('a strict program that uses %s compiles and runs', async (name, file, combination) => {
  const folder = folders.get(name) ?? '';
  expect(await compile(folder, file, combination)).toEqual([]);
  expect((await run(process.execPath, [file], { cwd: folder })).stdout).toBe('passed\n');
});

test.each([
  ['1.0.0\na\nb', '1.0.0\na\nb', undefined],
  ['1.0.0\na\nb', '1.0.1\na\nb', undefined],
  ['1.0.0\na\nb', '1.0.0\na\nb\nc', 'minor'],
  ['1.0.0\na\nb', '1.0.1\na\nb\nc', 'minor'],
  ['1.0.0\na\nb', '1.1.0\na\nb\nc', undefined],
  ['1.0.0\na\nb', '1.1.0\na\nc', 'major'],
  ['1.0.0\na\nb', '2.0.0\na\nc', undefined],
])('from %j to %j lacks %s', (former, report, raise) => {
  expect(findRaise(former, report)).toBe(raise);
});

test('the commands of the translator run from its archive, and speak Spanish', async () => {
  const main = join(installed('vocabularies'), 'dist/serve/main.js');
  const { stdout } = await run(process.execPath, [main, '--help'], { env: { ...process.env, LC_ALL: 'es_ES.UTF-8' } });
  expect(stdout).toContain('se pone delante de una API');
  const folder = temporaryFolder(afterAll);
  writeFileSync(join(folder, 'api.json'), '{"openapi":"3.1.0","paths":{"/boats":{"get":{}}}}');
  const options = ['propose', '--document', join(folder, 'api.json')];
  expect((await run(process.execPath, [main, ...options])).stdout).toContain('"boats": "boats" # "/boats"');
});

describe('the catalogue', () => {
  const bin = () => join(installed('car-dealer-catalogue'), 'dist/src/bin.js');

  test('has the translator in it, and the notices of what was copied', () => {
    const dist = join(installed('car-dealer-catalogue'), 'dist');
    const notices = ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt'];
    const copied = notices.map((file) => join('src/gateway/site/pages/browser/swagger-ui', file));
    const files = ['packages/vocabularies/src/index.js', 'packages/vocabularies/src/index.d.ts', ...copied];
    expect(files.filter((file) => !existsSync(join(dist, file)))).toEqual([]);
  });

  test('needs nothing that runs a script when it is installed, and no Node.js', () => {
    const { packages: locked } = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8'));
    const needed = new Set<string>();
    const need = (name: string): void => {
      if (needed.has(name)) return;
      needed.add(name);
      for (const other of Object.keys(locked[`node_modules/${name}`].dependencies ?? {})) need(other);
    };
    for (const name of Object.keys(readManifest(installed('car-dealer-catalogue')).dependencies)) need(name);
    expect(needed.size).toBeGreaterThan(10);
    const scripted = [...needed].filter((name) => locked[`node_modules/${name}`].hasInstallScript);
    expect([scripted, [...needed].filter((name) => /^node(?:$|-(?:bin|linux|darwin|win))/.test(name))]).toEqual([
      [],
      [],
    ]);
  });

  test('serves, and its threads and assets are there', async () => {
    const { origin, end } = await serve({ args: [bin()] });
    const headers = { 'content-type': 'text/csv' };
    const body = 'marca;modelo\nSeat;Ibiza\n';
    expect((await fetch(`${origin}/api/coches`, { method: 'POST', headers, body })).status).toBe(200);
    for (const path of ['/docs/swagger-ui-bundle.js', '/docs/swagger-ui.css', '/docs/browse.js', '/?lang=es'])
      expect([path, (await fetch(origin + path)).status]).toEqual([path, 200]);
    expect(await end('SIGTERM')).toBe(0);
  });

  test('is refused by a bundler, which names what to do', async () => {
    const folder = folders.get('car-dealer-catalogue') ?? '';
    const message = 'Could not resolve "#leave-car-dealer-catalogue-out-of-the-bundle"';
    await expect(bundle(folder, 'catalogue.ts')).rejects.toThrow(message);
  });

  test('serves lists and writes from a bundle for a runtime without files, and says why it has no pages', async () => {
    const folder = folders.get('car-dealer-catalogue') ?? '';
    cpSync(join(project, 'examples/mounted'), join(folder, 'mounted'), { recursive: true });
    const program = await bundle(folder, 'mounted/app.ts', '--conditions=workerd');
    const script = `
      const { app } = await import(${JSON.stringify(program)});
      const headers = { 'content-type': 'application/json' };
      const write = await app.request('/api/coches', { method: 'POST', headers, body: '{"marca":"Seat","modelo":"Ibiza"}' });
      const [list, page] = [await app.request('/api/cars'), await app.request('/docs/')];
      console.log(write.status, list.status, page.status);`;
    const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '--eval', script]);
    expect([stdout, stderr]).toEqual([
      '201 200 500\n',
      expect.stringContaining('Error: leave-car-dealer-catalogue-out-of-the-bundle: docs/library.md'),
    ]);
  });

  test('says what PostgreSQL needs', async () => {
    const { exit, output } = launch({ args: [bin()], env: { DATABASE_URL: 'postgres://user@127.0.0.1:1/cars' } });
    expect(await exit).toBe(1);
    expect(output()).toMatch(/^DATABASE_URL: PostgreSQL needs the package pg: npm install pg$/m);
  });

  test('is named in the repository as before it was packed', () => {
    expect(readManifest(copy).exports).toEqual(readManifest(project).exports);
    expect(Object.values(readManifest(project).exports)).toContain('./src/gateway/bilingual.ts');
    expect(Object.keys(packages)).toEqual(packageNames);
  });
});
