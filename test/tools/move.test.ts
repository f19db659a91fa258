/** The commands of docs/operations.md that move a catalogue to another database, as they stand there; there and back. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Row } from '../../src/gateway/port/port.ts';
import { openStore } from '../../src/host/service/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { catalogue } from '../support/cars/catalogue.ts';
import { runHere } from '../support/commands/given.ts';
import { HOOK } from '../support/conformance/client-keys.ts';
import { cars, createCar, createOil, oils, readList, remove, update } from '../support/conformance/fixtures.ts';
import { emptyDatabase, onServer } from '../support/database/database.ts';
import { sqliteUrl } from '../support/database/files.ts';
import { temporaryFolder } from '../support/process/folder.ts';
import { project } from '../support/process/service.ts';

const [, block = ''] =
  /## Moving to another database\n.*?```sh\n(.*?)```/s.exec(
    readFileSync(join(project, 'docs/operations.md'), 'utf8'),
  ) ?? [];
const lines = block.trim().split('\n');
const scripts: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(project, 'package.json'), 'utf8'),
).scripts;

const SOURCE = 'sqlite:data/catalogue.db';
const TARGET = 'postgres://user:password@host/catalogue';
const COMMAND = /^DATABASE_URL=(\S+) npm run (?:--silent )?(\w+) -- (.*?)(?: > (\S+))?$/;

/** Runs the commands between two databases. @returns what each has printed as its result */
const move = async (from: string, to: string): Promise<readonly string[]> => {
  const folder = temporaryFolder();
  const results: string[] = [];
  for (const line of lines) {
    const [, url = '', name = '', args = '', output] = COMMAND.exec(line) ?? [];
    if (name === '') {
      expect(line).toBe('rm hooks.ndjson');
      continue;
    }
    expect([SOURCE, TARGET]).toContain(url);
    const [main = ''] = /src\/\S+\.ts$/.exec(scripts[name] ?? '') ?? [];
    const words = args.split(' ').map((word) => (word.endsWith('.ndjson') ? join(folder, word) : word));
    const env = { DATABASE_URL: url === SOURCE ? from : to, HOOK_ADDRESSES: 'any' };
    const [code, printed, result] = await runHere(main, words, env);
    expect([line, code, printed]).toEqual([line, 0, printed]);
    if (output) writeFileSync(join(folder, output), result);
    results.push(result);
  }
  return results;
};

const cellsOf = (rows: readonly Row[] | undefined) => rows?.map(([, ...cells]) => cells);

/** What a database has, without the numbers of changes. */
const contentOf = async (url: string): Promise<unknown> => {
  const store = await openStore(url, catalogue);
  const keys = ['z 9/%?', 'b', 'a', 'm'];
  const content = {
    cars: cellsOf((await readList(store, cars, []))?.rows),
    oils: await Promise.all(keys.map(async (key) => cellsOf((await readList(store, oils, [key]))?.rows))),
    keys: await store.apiKeys.all(),
    hooks: (await store.hooks.all()).map(({ state: _, ...hook }) => hook),
  };
  await store.close();
  return content;
};

const fill = async (store: Store): Promise<void> => {
  await createCar(store, 'z 9/%?', {
    brand: "Citroën «C4» d'Été",
    model: 'Citroe\u0308n',
    version: 'line\nbreak',
    year: 1886,
  });
  await createCar(store, 'b', { brand: '汽车🚗', model: '100 % "real", \\', doors: 0, clima: 1, ac: 0 });
  await createCar(store, 'gone');
  await createCar(store, 'a', { enginePower: 105 });
  await createCar(store, 'm');
  await createOil(store, 'm', '5W-30', { otherInfo: 'one' });
  await createOil(store, 'a', 'Aceite nº 1');
  await createOil(store, 'm', '10W/40');
  await createOil(store, 'b', '5W-30');
  await createOil(store, 'm', '0W-20');
  await update(store, cars, ['b'], { year: 2008 });
  await remove(store, cars, ['gone']);
  const key = { hash: 'a1'.repeat(32), created: 2_000_000_000_001 };
  await store.apiKeys.add({
    ...key,
    id: '00000first',
    name: 'La tienda «A»',
    scopes: ['read', 'write'],
    expires: 2_100_000_000_001,
  });
  await store.apiKeys.add({ ...key, id: '0000second', name: 'The shop', scopes: ['read'], expires: undefined });
  await store.hooks.add({ ...HOOK, list: '/api/coches?marca=Seat', language: 'es' });
  await store.close();
};

test('the commands of docs/operations.md move items, oils, keys and hooks in their order, and can be run again', async () => {
  const from = sqliteUrl();
  await fill(await openStore(from, catalogue));
  const content = await contentOf(from);
  const to = onServer ? await emptyDatabase() : sqliteUrl();
  const results = await move(from, to);
  expect(await contentOf(to)).toEqual(content);
  expect(results.slice(-2)).toEqual(['imported: 2, there already: 0\n', 'imported: 1, there already: 0\n']);
  const back = sqliteUrl();
  await move(to, back);
  expect(await contentOf(back)).toEqual(content);
});

test.skipIf(onServer).each([
  ['key', 'src/tools/api-keys/main.ts', '{"id":"x","name":"x","hash":"no","scopes":["read"],"created":1}'],
  [
    'key',
    'src/tools/api-keys/main.ts',
    JSON.stringify({ id: '../../../x', name: 'x', hash: 'a'.repeat(64), scopes: ['read'], created: 1 }),
  ],
  [
    'key',
    'src/tools/api-keys/main.ts',
    JSON.stringify({ id: '0123456789', name: 'x', hash: 'a'.repeat(64), scopes: [], created: 1 }),
  ],
  ['hook', 'src/tools/hooks/main.ts', '{"id":"x"}'],
])('npm run %s -- import refuses a file that it has not written, and adds nothing of it', async (name, main, line) => {
  const file = join(temporaryFolder(), 'some.ndjson');
  writeFileSync(file, `\n${line}\n`);
  const DATABASE_URL = sqliteUrl();
  expect(await runHere(main, ['import', file], { DATABASE_URL, LANG: 'es_ES' })).toEqual([
    2,
    `“${file}”, line 2: is not as “npm run ${name} -- export” writes it.\n`,
    '',
  ]);
  expect((await runHere(main, ['import', `${file}.none`], { DATABASE_URL, LANG: 'en_GB' }))[1]).toBe(
    `“${file}.none” cannot be used (ENOENT).\n`,
  );
  expect((await runHere(main, ['export'], { DATABASE_URL }))[2]).toBe('');
});
