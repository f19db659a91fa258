/** Files that `npm run export` writes for people undo nothing when `npm run import` reads them again. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runHere } from '../../support/commands/given.ts';
import { sqliteUrl } from '../../support/database/files.ts';
import { temporaryFolder } from '../../support/process/folder.ts';

const IMPORT = 'src/tools/import-export/import-main.ts';
const EXPORT = 'src/tools/import-export/export-main.ts';

test.each([
  ['en', 'identifier,brand,model\r\na,Seat,Ibiza\r\n', 'Since the file was made, the car “a” has changed'],
  ['es', 'identificador;marca;modelo\r\na;Seat;Ibiza\r\n', 'Desde que se hizo el archivo, el coche «a» ha cambiado'],
] as const)('a row that is stale is told in %s, and stored if that is meant', async (LANG, first, said) => {
  const env = { DATABASE_URL: sqliteUrl(), LANG };
  const folder = temporaryFolder();
  const [cars, yard, tagged] = ['cars.csv', 'yard.csv', 'tagged.csv'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const language = `--language=${LANG}`;
  const update = ['--on-duplicate', 'merge', language];
  writeFileSync(cars, first);
  writeFileSync(yard, first.replace('Ibiza', 'León'));
  expect((await runHere(IMPORT, [cars, language], env))[0]).toBe(0);
  for (const flags of [['--tags'], []]) {
    expect((await runHere(EXPORT, [tagged, language, ...flags], env))[0]).toBe(0);
    expect(/r[0-9a-z]+-[0-9a-z]+\r\n$/.test(readFileSync(tagged, 'utf8'))).toBe(flags.length > 0);
  }
  await runHere(EXPORT, [tagged, language, '--tags'], env);
  expect((await runHere(IMPORT, [yard, ...update], env))[0]).toBe(0);
  const [code, told] = await runHere(IMPORT, [tagged, ...update], env);
  expect([code, told]).toEqual([1, expect.stringContaining(said)]);
  expect(readFileSync(`${tagged}.rejected.csv`, 'utf8')).toContain(said);
  expect((await runHere(IMPORT, [tagged, ...update, '--stale', 'x'], env))[0]).toBe(2);
  expect((await runHere(IMPORT, [tagged, ...update, '--stale', 'overwrite'], env))[0]).toBe(0);
  await runHere(EXPORT, [cars, language], env);
  expect(readFileSync(cars, 'utf8')).toContain('Ibiza');
});
