/** `npm run import` and `npm run export` beside a service that runs. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCommand, runHere } from '../../support/commands/given.ts';
import { sqliteUrl } from '../../support/database/files.ts';
import { carWords } from '../../support/language/car-words.ts';
import { temporaryFolder } from '../../support/process/folder.ts';
import { serveHere } from '../../support/process/service-here.ts';

type Env = Readonly<Record<string, string>>;

/** Runs a command to its end: in a process of its own, or in this one. */
const runIn =
  (program: typeof runCommand | typeof runHere) =>
  async (command: 'import' | 'export', env: Env, ...args: readonly string[]) => {
    const [code, said] = await program(`src/tools/import-export/${command}-main.ts`, args, env);
    return { code, said };
  };
const run = runIn(runCommand);
const runAgain = runIn(runHere);

test('files are imported and exported while a service runs, in both languages', async () => {
  const env = { DATABASE_URL: sqliteUrl() };
  const { origin } = await serveHere(env);
  const get = async (path: string): Promise<unknown> => (await fetch(origin + path)).json();
  const folder = temporaryFolder();
  const file = (name: string) => join(folder, name);
  expect(await get('/api/cars')).toEqual([]);

  // A good file.
  writeFileSync(file('cars.csv'), 'identifier,brand,model,year\na-1,Seat,Ibiza,2008.0\na-2,Citroën,C4,\n');
  const english = await run('import', env, file('cars.csv'));
  expect(english.said).toMatch(
    /cars\.csv: imported in [\d.]+ s, \d+ rows\/s\ncreated 2, updated 0, unchanged 0, skipped 0, deleted 0, rejected 0, cleared 0\n$/,
  );
  expect(english.code).toBe(0);
  const ibiza = { identifier: 'a-1', brand: 'Seat', model: 'Ibiza', year: 2008 };
  expect(await get('/api/cars')).toEqual([ibiza, { identifier: 'a-2', brand: 'Citroën', model: 'C4' }]);

  // A person whose terminal speaks Spanish, about a file in the words of the default language.
  const again = await runAgain('import', { ...env, LANG: 'es_ES.UTF-8' }, file('cars.csv'), '--on-duplicate=merge');
  expect(again.said).toMatch(
    / leído en [^\n]*; no había nada que guardar\ncreados 0, actualizados 0, sin cambios 2, omitidos 0, eliminados 0, /,
  );

  // One with errors, of which the good rows are stored, and then the others, mended.
  const header = 'identificador;marca;modelo;anio;climatizador';
  writeFileSync(file('coches.csv'), `${header}\r\na-1;Seat;"León;";;sí\r\na-3;Seat;;MMVIII;quizá\r\n`);
  const spanish = await runAgain(
    'import',
    env,
    file('coches.csv'),
    '--language',
    'es',
    '--on-duplicate=merge',
    '--lenient',
  );
  expect(spanish.said).toContain(
    'creados 0, actualizados 1, sin cambios 0, omitidos 0, eliminados 0, rechazados 1, vaciados 0\n',
  );
  expect(spanish.said).toContain('.rejected.csv» con sus errores. Corríjalas allí e importe ese archivo.\n');
  expect(spanish.said).toContain('Fila 3: «anio» debe ser un número entero entre 1886 y 2100.\n');
  expect(spanish.code).toBe(1);
  expect(await get('/api/cars/a-1')).toMatchObject({ model: 'León;' });
  const rejected = file('coches.csv.rejected.csv');
  const text = readFileSync(rejected, 'utf8');
  expect(text).toBe(
    `\uFEFF${header};# fila;# errores\r\na-3;Seat;;MMVIII;quizá;3;«anio» debe ser un número entero entre 1886 y 2100. «climatizador» debe ser uno de estos valores: sí, s, verdadero, true, 1, no, n, falso, false, 0.\r\n`,
  );
  writeFileSync(rejected, text.replace(';;MMVIII;quizá', ';Ateca;2018;no'));
  expect(await runAgain('import', env, rejected, '--language', 'es')).toMatchObject({ code: 0 });
  expect(await get('/api/coches?marca=seat&campos=modelo')).toEqual([
    { identificador: 'a-1', modelo: 'León;' },
    { identificador: 'a-3', modelo: 'Ateca' },
  ]);

  // The same faults again do not overwrite what is being corrected.
  const said = `\nRow 2: “year” must be a whole number from 1886 to 2100.\nThe rejected rows are in “${file('x.csv.rejected-2.csv')}” with their errors. Nothing was stored, so mend “${file('x.csv')}” itself.\n`;
  writeFileSync(file('x.csv'), 'year\nMM\n');
  await runAgain('import', env, file('x.csv'));
  writeFileSync(file('x.csv.rejected.csv'), 'year\n2000\n');
  expect((await runAgain('import', env, file('x.csv'))).said).toContain(said);
  expect(readFileSync(file('x.csv.rejected.csv'), 'utf8')).toBe('year\n2000\n');

  // Out again.
  const wanted = ['--language', 'es', '--marca', 'SEAT', '--ordenar_por=anio', '--orden', 'descendente'];
  expect(await run('export', env, file('seat.csv'), ...wanted)).toMatchObject({ code: 0 });
  expect(readFileSync(file('seat.csv'), 'utf8')).toBe(
    `\uFEFF${carWords.es.join(';')}\r\na-3;Seat;Ateca;2018;;;;false;;\r\na-1;Seat;"León;";2008;;;;true;;\r\n`,
  );
  expect(readdirSync(folder).toSorted()).toEqual([
    'cars.csv',
    'coches.csv',
    'coches.csv.rejected.csv',
    'seat.csv',
    'x.csv',
    'x.csv.rejected-2.csv',
    'x.csv.rejected.csv',
  ]);
});

test.skipIf(process.platform === 'win32')('no pipe is imported, because a file is read twice', async () => {
  const pipe = join(temporaryFolder(), 'cars.csv');
  execFileSync('mkfifo', [pipe]);
  const said = `“${pipe}” cannot be used (ESPIPE).\n`;
  expect(await runAgain('import', { DATABASE_URL: sqliteUrl() }, pipe)).toEqual({ code: 2, said });
});

test('rejected rows of NDJSON are read in its charset, too', async () => {
  const file = join(temporaryFolder(), 'cars.ndjson');
  const lines = ['{"identifier":"a","brand":"Citroën","model":"C4"}', '{"brand":"Citroën","model":"C4","year":1}'];
  writeFileSync(file, lines.join('\n'), 'latin1');
  const env = { DATABASE_URL: sqliteUrl() };
  expect(await runAgain('import', env, file, '--lenient', '--charset=iso-8859-1')).toMatchObject({ code: 1 });
  expect(readFileSync(`${file}.rejected.csv`, 'utf8')).toContain('\n,Citroën,C4,1,');
});

test('an export takes the place of no link, as /dev/stdout is one', async () => {
  const file = join(temporaryFolder(), 'cars.csv');
  symlinkSync('somewhere else', file);
  const env = { DATABASE_URL: sqliteUrl() };
  const source = join(temporaryFolder(), 'cars.csv');
  writeFileSync(source, 'brand,model\nSeat,Ibiza\n');
  await runAgain('import', env, source);
  const { code, said } = await runAgain('export', env, file);
  expect([code, said, readlinkSync(file)]).toEqual([
    2,
    `“${file}” cannot be used (not a regular file).\n`,
    'somewhere else',
  ]);
});

describe('cannot be run', () => {
  const env = { DATABASE_URL: 'sqlite::memory:' };
  test('with what is no option, or a word of another language', async () => {
    expect(await runAgain('import', env, '--lenient=x', '--language', 'es')).toEqual({
      code: 2,
      said: '--lenient no admite ningún valor.\nIndique qué archivos se importan.\n«npm run import -- --help» explica el comando.\n',
    });
    expect(
      await runAgain('import', { ...env, LANG: 'es_ES.UTF-8' }, 'a.csv', '--on-duplicate', 'x', '--charset=y'),
    ).toEqual({
      code: 2,
      said: '--on-duplicate debe ser uno de estos valores: error, merge, ignore, replace-all.\n--charset debe ser uno de estos valores: utf-8, windows-1252, iso-8859-1.\n«npm run import -- --help» explica el comando.\n',
    });
    expect(await runAgain('export', env, 'x.csv', '--marca', 'Seat')).toEqual({
      code: 2,
      said: '“marca” is not a parameter here; did you mean “brand”?\n',
    });
  });

  test('an export of a database that is not there', async () => {
    const missing = join(temporaryFolder(), 'catalogue.db');
    const { code, said } = await runAgain('export', { DATABASE_URL: `sqlite:${missing}` }, 'x.csv');
    expect([code, said, existsSync(missing)]).toEqual([2, `${missing} does not exist, or is not a file.\n`, false]);
  });
});
