import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openServer } from '../support/app/server.ts';
import { servedDocuments } from '../support/documents/served.ts';
import { project } from '../support/process/service.ts';

const folder = join(project, 'test/client');
const generated = join(folder, 'generated');

/** @returns a program of a package, as a file of `from` finds it */
const programOf = (from: string, name: string, file: string): string =>
  join(dirname(createRequire(from).resolve(`${name}/package.json`)), file);

/** The folder has it to itself, with the TypeScript 5 that it needs. */
const generator = programOf(join(folder, 'package.json'), 'openapi-typescript', 'bin/cli.js');
const compiler = programOf(import.meta.url, 'typescript', 'bin/tsc');

const run = (
  program: string,
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly output: string }> =>
  promisify(execFile)(process.execPath, [program, ...args], { cwd: folder }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stdout, stderr }) => ({ code, output: stdout + stderr }),
  );

const compile = () => run(compiler, '--project', folder);

let server: Awaited<ReturnType<typeof openServer>>;

beforeAll(async () => {
  rmSync(generated, { recursive: true, force: true });
  mkdirSync(generated);
  const documents = await servedDocuments();
  await Promise.all(
    [...documents].map(async ([tag, document]) => {
      const file = join(generated, `${tag}.json`);
      writeFileSync(file, JSON.stringify(document));
      const made = await run(generator, file, '--output', join(generated, `${tag}.ts`));
      expect([made.output, made.code]).toEqual([expect.any(String), 0]);
    }),
  );
  server = await openServer();
}, 60_000);
afterAll(() => server.close());

test('the clients of both languages compile strictly, and no wrong word does', async () => {
  expect(await compile()).toEqual({ code: 0, output: '' });
}, 60_000);

test('what is marked as a wrong word would be found if it were none', async () => {
  const file = join(folder, 'wrong-words.ts');
  const text = readFileSync(file, 'utf8');
  const copy = join(generated, 'right-words.ts');
  writeFileSync(
    copy,
    text.replaceAll('./generated/', './').replace("'/api/cars'", "'/api/coches'").replace('year: 2008', 'anio: 2008'),
  );
  const { code, output } = await compile();
  rmSync(copy);
  expect(code).not.toBe(0);
  expect(output.match(/error TS\d+: Unused '@ts-expect-error' directive/g)).toHaveLength(2);
}, 60_000);

/** The programs are checked by the compiler of their own folder. */
const converse = async (program: string) => (await import(join(folder, program))).converse(server.origin);

test('the Spanish one is understood', async () => {
  expect(await converse('spanish.ts')).toEqual({
    created: {
      identificador: 'ibiza/1',
      marca: 'Seat',
      modelo: 'Ibiza',
      anio: 2008,
      cilindrada: 105,
      climatizador: true,
    },
    changed: {
      identificador: 'ibiza/1',
      marca: 'Seat',
      modelo: 'Ibiza',
      puertas: 5,
      cilindrada: 105,
      climatizador: true,
    },
    oils: [['5W-30', 'ñ']],
    power: [105],
    refused: ['/puertas'],
    removed: 204,
    gone: 'not-found',
  });
});

test('the English one is understood', async () => {
  expect(await converse('english.ts')).toEqual({
    created: { identifier: 'ibiza/1', brand: 'Seat', model: 'Ibiza', year: 2008, enginePower: 105, clima: true },
    changed: { identifier: 'ibiza/1', brand: 'Seat', model: 'Ibiza', doors: 5, enginePower: 105, clima: true },
    oils: [['5W-30', 'ñ']],
    power: [105],
    refused: ['/doors'],
    removed: 204,
    gone: 'not-found',
  });
});
