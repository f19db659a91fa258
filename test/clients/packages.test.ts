/** The packages of this service: made anew they are the same, small, and understood wherever they are installed. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Deployment, readDeployments } from '../../clients/generate/deployment.ts';
import { makePackage } from '../../clients/generate/package.ts';
import { clientWords, englishWords } from '../../clients/generate/words.ts';
import { catalogue } from '../../src/catalogue.ts';
import { openApp } from '../support/app/app.ts';
import { temporaryFolder } from '../support/process/folder.ts';
import { project } from '../support/process/service.ts';

const folderOf = (tag: string): string => join(project, 'clients', tag);
const run = async (file: string, args: readonly string[], cwd: string): Promise<string> =>
  promisify(execFile)(file, args, { cwd }).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }) => `failed: ${stdout}${stderr}`,
  );
const bin = (name: string): string => join(project, 'node_modules/.bin', name);

let service: Awaited<ReturnType<typeof openApp>>;
let deployments: readonly Deployment[];
beforeAll(async () => {
  service = await openApp({ catalogue, locales: join(project, 'locales') });
  deployments = await readDeployments('', ['en', 'es'], async (url, init) => service.app.request(url, init));
});
afterAll(() => service.close());

describe.each(['en', 'es'])('the client in %s', (tag) => {
  test('is what the service makes of it: -u, or npm run clients, writes it anew', async () => {
    const deployment = deployments.find(({ dictionary }) => dictionary.tag === tag);
    if (!deployment) throw new TypeError(`no dictionary for ${tag}`);
    const made = await makePackage(
      deployment,
      clientWords(tag) ?? englishWords,
      `catalogue-client-${tag}`,
      folderOf(tag),
    );
    for (const [name, text] of Object.entries(made.files))
      await expect(text).toMatchFileSnapshot(join(folderOf(tag), name));
    expect(readdirSync(folderOf(tag)).sort()).toEqual(Object.keys(made.files).sort());
  });

  test('has at most 12 kB, compressed', () => {
    const programs = readdirSync(folderOf(tag)).filter((name) => name.endsWith('.js'));
    const bytes = programs.map((name) => gzipSync(readFileSync(join(folderOf(tag), name))).length);
    expect(bytes.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(12_000);
  });
});

test('packages, which are made alike, are right for publint and for attw', async () => {
  const folder = folderOf('en');
  expect(await run(bin('publint'), ['--strict', folder], project)).toContain('All good!');
  const told = await run(bin('attw'), ['--pack', folder, '--profile', 'esm-only', '--format', 'json'], project);
  expect(JSON.parse(told).analysis.problems.map(({ kind }: { kind: string }) => kind)).toEqual(['CJSResolvesToESM']);
});

/** What somebody writes who has installed both: words of another language, and values of another kind, are errors. */
const program = `
import { CatalogueError, connect, type Car, type CarsQuery, type Name } from 'catalogue-client-en';
import { conectar, type Coche, type ConsultaDeCoches, ErrorDelCatalogo, type Nombre } from 'catalogue-client-es';

export const { cars } = connect('http://localhost:3000', { key: 'k', retries: 1, timeout: 5 });
export const { coches } = conectar('http://localhost:3000', { clave: 'k', reintentos: 1, tiempoMaximo: 5 });

export const models = async (query: CarsQuery, signal: AbortSignal): Promise<readonly string[]> =>
  (await cars.list({ ...query, sort_by: 'year', order: 'desc', year_from: 2008 }, { signal })).items.map(({ model }: Car) => model);
export const modelos = async (consulta: ConsultaDeCoches, signal: AbortSignal): Promise<readonly string[]> =>
  (await coches.listar({ ...consulta, ordenar_por: 'anio', orden: 'descendente', anio_desde: 2008 }, { signal })).elementos.map(({ modelo }: Coche) => modelo);

export const what = (error: unknown): string => {
  if (!(error instanceof CatalogueError)) return 'unknown';
  switch (error.code) {
    case 'invalid-value':
      return error.problem.errors?.map(({ name }) => (name === 'doors' ? 'the doors' : String(name))).join() ?? '';
    case 'a-code-of-tomorrow':
      return error.problem.detail;
    default:
      return error.code;
  }
};
export const name: Name = 'brand';
export const nombre: Nombre = name;
export const isSpanish = (error: unknown): boolean => error instanceof ErrorDelCatalogo && error.problem.report?.creados === 0;

// @ts-expect-error
await cars.list({ marca: 'seat' }).catch(() => 0);
// @ts-expect-error
await coches.listar({ ordenar_por: 'year' }).catch(() => 0);
// @ts-expect-error
await cars.list({ order: 'descendente' }).catch(() => 0);
// @ts-expect-error
await coches.crear({ marca: 'Seat' }).catch(() => 0);
// @ts-expect-error
await cars.update('a', { year: '2008' }).catch(() => 0);
// @ts-expect-error
await coches.eliminar('a', { tag: 'x' }).catch(() => 0);
// @ts-expect-error
await cars.group({}).catch(() => 0);
console.log(typeof cars.iterate, typeof coches.recorrer);
`;

/** How modules are found, and whose globals there are: neither knows of the other. */
const compilers = {
  'node16, with the types of browsers': ['--module', 'node16', '--lib', 'es2022,dom', '--skipLibCheck', 'false'],
  'bundler, with the types of Node.js': [
    ...['--module', 'esnext', '--moduleResolution', 'bundler'],
    ...['--lib', 'es2022', '--types', 'node', '--skipLibCheck', 'true'],
  ],
};

test.each(Object.entries(compilers))('types are right under %s', async (_, options) => {
  const folder = temporaryFolder();
  for (const tag of ['en', 'es'])
    cpSync(folderOf(tag), join(folder, 'node_modules', `catalogue-client-${tag}`), { recursive: true });
  for (const types of ['@types/node', 'undici-types'])
    cpSync(join(project, 'node_modules', types), join(folder, 'node_modules', types), { recursive: true });
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'src/use.ts'), program);
  const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2022', '--ignoreConfig'];
  expect(await run(bin('tsc'), [...strict, '--singleThreaded', ...options, 'src/use.ts'], folder)).toBe('');
});
