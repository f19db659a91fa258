import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import versions from '../../client/package.json' with { type: 'json' };
import { itemIn } from '../../support/app/reports.ts';
import { openServer } from '../../support/app/server.ts';
import { es } from '../../support/app/trees.ts';
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

/** The page about clients in each language, and the folder for what its commands and programs make. */
const PAGES = [
  { tag: 'en', page: 'docs/clients.md', list: '/api/cars', record: '{"brand":"Seat","model":"Ibiza"}\n' },
  { tag: 'es', page: 'docs/es/clients.md', list: '/api/coches', record: '{"marca":"Seat","modelo":"Ibiza"}\n' },
] as const;
const ORIGIN = 'http://localhost:3000';

/** @returns the sections of a page that have commands, each with its commands and its program */
function readSections(page: string) {
  const sections = readFileSync(join(project, page), 'utf8').split(/^## /m);
  const blocks = (section: string, kind: string): string =>
    Array.from(section.matchAll(new RegExp(`^\`\`\`${kind}\\n([^]*?)^\`\`\`$`, 'gm')), ([, code]) => code).join('\n');
  return sections
    .map((section) => ({
      name: section.split('\n', 1)[0]?.toLowerCase().replaceAll(' ', '-') ?? '',
      commands: blocks(section, 'sh').trim().split('\n'),
      program: blocks(section, 'ts'),
    }))
    .filter(({ program }) => program !== '');
}

const madeBy = (tag: string): string => join(generated, `page-${tag}`);

/** Runs the commands of a page that start with `npx`, with the programs that are installed here. */
async function runCommands(tag: string, page: string): Promise<void> {
  const require = createRequire(join(folder, 'package.json'));
  for (const command of readSections(page).flatMap(({ commands }) => commands)) {
    const [npx, name = '', ...args] = command.replace(ORIGIN, server.origin).split(' ');
    if (npx !== 'npx') continue;
    const homes = require.resolve.paths(name)?.map((path) => join(path, name));
    const home = homes?.find((path) => existsSync(path)) ?? '';
    const { bin } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
    const [file] = Object.values<string>(bin);
    const made = await run(join(home, file ?? ''), ...args.with(-1, join(madeBy(tag), args.at(-1) ?? '')));
    expect([made.output, made.code]).toEqual([expect.any(String), 0]);
  }
}

type Documents = Awaited<ReturnType<typeof servedDocuments>>;

/** @returns what stands for all that clients are made of: documents, the generators, and how they are called */
const sumOf = (documents: Documents): string => {
  const pages = PAGES.map(({ page }) => join(project, page));
  const programs = [generator, join(project, 'package-lock.json'), ...pages].map((file) => readFileSync(file, 'utf8'));
  return hash('sha256', JSON.stringify([...documents, ...programs]));
};

const generate = async (documents: Documents): Promise<void> => {
  rmSync(generated, { recursive: true, force: true });
  mkdirSync(generated);
  for (const [tag, document] of documents) writeFileSync(join(generated, `${tag}.json`), JSON.stringify(document));
  const made = await run(generator, generated, ...documents.keys());
  expect([made.output, made.code]).toEqual([expect.any(String), 0]);
  for (const { tag, page } of PAGES) await runCommands(tag, page);
};

/** Of what the clients that are there were made; written last, so that half of them never pass for all. */
const sumFile = join(generated, 'made-of.sha256');
const isMadeOf = (sum: string): boolean => existsSync(sumFile) && readFileSync(sumFile, 'utf8') === sum;

beforeAll(async () => {
  // A busy machine is no fault: a connection that waits stays open.
  server = await openServer({ idleTimeout: 120_000 });
  const documents = await servedDocuments();
  const sum = sumOf(documents);
  if (!isMadeOf(sum)) {
    await generate(documents);
    writeFileSync(sumFile, sum);
  }
  for (const { tag, page } of PAGES)
    for (const { name, program } of readSections(page)) writeFileSync(join(madeBy(tag), `${name}.ts`), program);
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

const [CAR, MORE] = [
  { identifier: 'ibiza/1', brand: 'Seat', model: 'Ibiza' },
  { enginePower: 105, clima: true },
];
/** What the program of each generator is to find; in English the programs of the page tell, because documents differ in words alone. */
const expected = {
  ...{ created: itemIn(es, { ...CAR, year: 2008, ...MORE }), changed: itemIn(es, { ...CAR, doors: 5, ...MORE }) },
  oils: [['5W-30', 'ñ']],
  found: ['ibiza/1'],
  stale: 'precondition-failed',
  groups: [['Seat', 1]],
  imported: 1,
  selected: [itemIn(es, { identifier: 'leon/1', brand: 'Seat' })],
  exported: ['identificador;modelo', 'leon/1;León', ''],
  power: [105],
  refused: ['/puertas'],
  removed: 204,
  gone: 'not-found',
};

/** The programs are checked by the compiler of their own folder. */
test.each(['openapi-fetch', 'hey-api', 'swagger-typescript-api', 'orval'])(
  'the client that %s makes creates, lists, changes, imports, exports and deletes',
  async (name) => {
    const { converse } = await import(join(folder, `${name}.es.ts`));
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

const programs = PAGES.flatMap((page) => readSections(page.page).map((section) => ({ ...page, ...section })));

test.each(programs)('the program of $page with $name creates, changes and reads in pages', async (program) => {
  const own = await openServer();
  onTestFinished(() => own.close());
  const headers = { 'content-type': 'application/x-ndjson' };
  await fetch(own.origin + program.list, { method: 'POST', headers, body: program.record.repeat(250) });
  const file = join(madeBy(program.tag), `${program.name}.run.ts`);
  writeFileSync(file, program.program.replace(ORIGIN, own.origin));
  const log = vi.spyOn(console, 'log').mockReturnValue();
  onTestFinished(() => log.mockRestore());
  await import(file);
  expect(log.mock.calls).toEqual([[5, 'precondition-failed'], [251]]);
});

test.each(programs)('the commands of $page for $name install what is tested here', ({ commands }) => {
  const installed = commands.join('\n').matchAll(/(?<= )(@?[^@\s]+)@(\S+)/g);
  const named = Array.from(installed, ([, name = '', version]) => [name, version]);
  expect(named.length).toBeGreaterThan(1);
  expect(Object.entries(versions.devDependencies)).toEqual(expect.arrayContaining(named));
});
