import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openServer } from '../../support/app/server.ts';
import { servedDocuments } from '../../support/documents/served.ts';
import { project } from '../../support/process/service.ts';

const folder = join(project, 'test/client');
const generated = join(folder, 'generated');

/** Its generators are found from there, with the versions of TypeScript that they need. */
const generator = join(folder, 'generate.js');
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

const run = (
  program: string,
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly output: string }> =>
  promisify(execFile)(process.execPath, [program, ...args], { cwd: folder }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stdout, stderr }) => ({ code, output: stdout + stderr }),
  );

/** Without the declarations of packages, which are no business of the clients; one thread takes less CPU than several. */
const compile = () => run(compiler, '--project', folder, '--singleThreaded');

let server: Awaited<ReturnType<typeof openServer>>;

type Documents = Awaited<ReturnType<typeof servedDocuments>>;

/** @returns what stands for all that clients are made of: documents, the generators, and how they are called */
const sumOf = (documents: Documents): string => {
  const programs = [generator, join(project, 'package-lock.json')].map((file) => readFileSync(file, 'utf8'));
  return hash('sha256', JSON.stringify([...documents, ...programs]));
};

const generate = async (documents: Documents): Promise<void> => {
  rmSync(generated, { recursive: true, force: true });
  mkdirSync(generated);
  for (const [tag, document] of documents) writeFileSync(join(generated, `${tag}.json`), JSON.stringify(document));
  const made = await run(generator, generated, ...documents.keys());
  expect([made.output, made.code]).toEqual([expect.any(String), 0]);
};

/** Of what the clients that are there were made; written last, so that half of them never pass for all. */
const sumFile = join(generated, 'made-of.sha256');
const isMadeOf = (sum: string): boolean => existsSync(sumFile) && readFileSync(sumFile, 'utf8') === sum;

beforeAll(async () => {
  const documents = await servedDocuments();
  const sum = sumOf(documents);
  if (!isMadeOf(sum)) {
    await generate(documents);
    writeFileSync(sumFile, sum);
  }
  // A busy machine is no fault: a connection that waits stays open.
  server = await openServer({ idleTimeout: 120_000 });
}, 120_000);
afterAll(() => server.close());

/** Compiled once for both: what is found must stand in the copy in which two wrong words are right. */
test('the clients of both languages compile strictly, and no wrong word does; one that is none would be found', async () => {
  const text = readFileSync(join(folder, 'wrong-words.ts'), 'utf8');
  writeFileSync(
    join(generated, 'right-words.ts'),
    text.replaceAll('./generated/', './').replace("'/api/cars'", "'/api/coches'").replace('year: 2008', 'anio: 2008'),
  );
  const { output } = await compile();
  const lines = output.trim().split('\n');
  expect(lines.filter((line) => !line.startsWith('generated/right-words.ts('))).toEqual([]);
  expect(output.match(/error TS\d+: Unused '@ts-expect-error' directive/g)).toHaveLength(2);
}, 120_000);

const GENERATORS = ['openapi-fetch', 'hey-api', 'swagger-typescript-api', 'orval'] as const;

/** What the programs of each language are to find. */
const conversations = [
  [
    'en',
    {
      created: { identifier: 'ibiza/1', brand: 'Seat', model: 'Ibiza', year: 2008, enginePower: 105, clima: true },
      changed: { identifier: 'ibiza/1', brand: 'Seat', model: 'Ibiza', doors: 5, enginePower: 105, clima: true },
      oils: [['5W-30', 'ñ']],
      found: ['ibiza/1'],
      stale: 'precondition-failed',
      groups: [['Seat', 1]],
      imported: 1,
      selected: [{ identifier: 'leon/1', brand: 'Seat' }],
      exported: ['identifier,model', 'leon/1,León', ''],
      power: [105],
      refused: ['/doors'],
      removed: 204,
      gone: 'not-found',
    },
  ],
  [
    'es',
    {
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
      found: ['ibiza/1'],
      stale: 'precondition-failed',
      groups: [['Seat', 1]],
      imported: 1,
      selected: [{ identificador: 'leon/1', marca: 'Seat' }],
      exported: ['identificador;modelo', 'leon/1;León', ''],
      power: [105],
      refused: ['/puertas'],
      removed: 204,
      gone: 'not-found',
    },
  ],
] as const;

const cases = conversations.flatMap(([tag, expected]) =>
  GENERATORS.map((generator) => [generator, tag, expected] as const),
);

/** The programs are checked by the compiler of their own folder. */
test.each(cases)(
  'the client that %s makes for %s creates, lists, changes, imports, exports and deletes',
  async (name, tag, expected) => {
    const { converse } = await import(join(folder, `${name}.${tag}.ts`));
    expect(await converse(server.origin)).toEqual(expected);
  },
);

test('no client has a type that fits everything in the place of a word’s, or a character that no text has', () => {
  for (const { tag, items } of [
    { tag: 'en', items: /export (?:interface|type) (?:New)?(?:Car|Oil)(?:Changes)? [\s\S]*?\n\}/g },
    { tag: 'es', items: /export (?:interface|type) (?:CambiosDe)?(?:Coche|Aceite)(?:Nuevo)? [\s\S]*?\n\}/g },
  ]) {
    for (const file of [`hey-api-${tag}/types.gen.ts`, `swagger-typescript-api-${tag}.ts`, `orval-${tag}-fetch.ts`]) {
      const text = readFileSync(join(generated, file), 'utf8');
      const found = text.match(items) ?? [];
      expect([file, found.length]).toEqual([file, 6]);
      for (const type of found) expect(type).not.toMatch(/\b(?:any|unknown)\b(?=[;,\s|]*$)/m);
      expect(text).not.toMatch(/[\0-\x08\x0e-\x1f\x7f-\x9f]/);
    }
  }
});
