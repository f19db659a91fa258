/** `npm run import --changes`: what a file changes, as lines. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runHere } from '../../support/commands/given.ts';
import { onServer, preparedDatabase } from '../../support/database/database.ts';
import { temporaryFolder } from '../../support/process/folder.ts';

const url = async (): Promise<string> =>
  onServer ? preparedDatabase() : `sqlite:${join(temporaryFolder(), 'catalogue.db')}`;
const run = async (env: Readonly<Record<string, string>>, ...args: readonly string[]) =>
  (await runHere('src/tools/import-export/import-main.ts', args, env)).slice(0, 2);

test.each([
  [
    'en',
    'identifier,brand,model,year',
    [
      '{"row":2,"key":"a","action":"created","after":{"identifier":"a","brand":"Seat","model":"Ibiza","year":2008}}',
      '{"row":2,"key":"b","action":"created","after":{"identifier":"b","brand":"Seat","model":"León"}}',
    ],
    [
      '{"row":2,"key":"a","action":"updated","before":{"year":2008},"after":{"year":2009}}',
      '{"key":"b","action":"deleted","before":{"identifier":"b","brand":"Seat","model":"León"}}',
    ],
  ],
  [
    'es',
    'identificador,marca,modelo,anio',
    [
      '{"fila":2,"clave":"a","accion":"creado","despues":{"identificador":"a","marca":"Seat","modelo":"Ibiza","anio":2008}}',
      '{"fila":2,"clave":"b","accion":"creado","despues":{"identificador":"b","marca":"Seat","modelo":"León"}}',
    ],
    [
      '{"fila":2,"clave":"a","accion":"actualizado","antes":{"anio":2008},"despues":{"anio":2009}}',
      '{"clave":"b","accion":"eliminado","antes":{"identificador":"b","marca":"Seat","modelo":"León"}}',
    ],
  ],
])('in %s', async (tag, header, first, second) => {
  const env = { DATABASE_URL: await url(), LANG: tag };
  const folder = temporaryFolder();
  const path = (name: string) => join(folder, name);
  writeFileSync(path('a.csv'), `${header}\na,Seat,Ibiza,2008\n`);
  writeFileSync(path('b.csv'), `${header}\nb,Seat,León,\n`);
  writeFileSync(path('night.csv'), `${header}\na,Seat,Ibiza,2009\n`);
  const listed = async (...args: readonly string[]) => {
    const [code] = await run(env, ...args, '--language', tag, '--changes', path('changes'));
    return [code, readFileSync(path('changes'), 'utf8')];
  };
  const night = [path('night.csv'), '--on-duplicate', 'replace-all', '--allow-deletions'];
  const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
  expect(await listed(path('a.csv'), path('b.csv'))).toEqual([0, text(first)]);
  expect(await listed(...night, '--check')).toEqual([0, text(second)]);
  expect(await listed(...night)).toEqual([0, text(second)]);
  expect(await listed(...night)).toEqual([0, '']);
});

test.each([
  ['en', '“/nowhere/changes” cannot be used (ENOENT).\n'],
  ['es', 'No se puede usar «/nowhere/changes» (ENOENT).\n'],
])('to a file that cannot be written is told in %s, and stores nothing', async (LANG, said) => {
  const env = { DATABASE_URL: await url(), LANG };
  const file = join(temporaryFolder(), 'a.csv');
  writeFileSync(file, 'brand,model\nSeat,Ibiza\n');
  expect(await run(env, file, `--language=${LANG}`, '--changes=/nowhere/changes')).toEqual([2, said]);
});

test.skipIf(process.platform !== 'linux')(
  'to a disk that is full is told, and what is stored stays stored',
  async () => {
    const env = { DATABASE_URL: await url(), LANG: 'en' };
    const file = join(temporaryFolder(), 'a.csv');
    writeFileSync(file, 'identifier,brand,model\na,Seat,Ibiza\n');
    const [code, said] = await run(env, file, '--language=en', '--changes=/dev/full');
    expect([code, said]).toEqual([
      1,
      expect.stringMatching(/created 1,.*\n“\/dev\/full” cannot be used \(ENOSPC\)\.\n$/),
    ]);
  },
);
