/** What `npm run import` tells of a file that is probably not meant, and what it does not store then. */
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runHere } from '../../support/commands/given.ts';
import { onServer, preparedDatabase } from '../../support/database/database.ts';
import { editedLocales } from '../../support/language/locale-folder.ts';
import { temporaryFolder } from '../../support/process/folder.ts';
import { project } from '../../support/process/service.ts';

const url = async (): Promise<string> =>
  onServer ? preparedDatabase() : `sqlite:${join(temporaryFolder(), 'catalogue.db')}`;

/** @returns imports a text as a file in Spanish words, for a person who speaks Spanish */
const importer = async () => {
  const env = { DATABASE_URL: await url(), LANG: 'es_ES.UTF-8' };
  const file = join(temporaryFolder(), 'coches.csv');
  return async (text: string, ...options: readonly string[]) => {
    writeFileSync(file, text);
    const [code, said] = await runHere(
      'src/tools/import-export/import-main.ts',
      [file, '--language=es', ...options],
      env,
    );
    return [code, said] as const;
  };
};

test('the columns of a file are listed with their units', async () => {
  const [, said] = await runHere('src/tools/import-export/import-main.ts', ['--help', '--language=es'], {
    LANG: 'es_ES.UTF-8',
  });
  expect(said).toContain('\n  coches: identificador, marca, modelo, anio, puertas, cilindrada (CV), version,');
});

test('damaged keys and values in another unit are told of', async () => {
  const run = await importer();
  const [code, said] = await run(
    'identificador;marca;modelo;cilindrada\n8,437E+18;Seat;Ibiza;1598\na-1;Seat;León;1968\n',
    '--check',
  );
  expect(said).toMatch(
    /\ncreados 2, .*\nLa clave «identificador» parece dañada en 1 de 2 filas: .*\nFila 2: 8,437E\+18\n«cilindrada» es «Potencia \(CV\)», pero supera 700 en 2 de 2 filas: .*\nFila 2: 1598\nFila 3: 1968\n$/,
  );
  expect(code).toBe(0);
});

test('updates only create nothing, and a file without keys has to be meant', async () => {
  const run = await importer();
  const given = await run('identificador;marca;modelo;anio\na;Seat;Ibiza;2008\n');
  expect(given[0]).toBe(0);
  const [code, said] = await run(
    'identificador;marca;modelo;anio\na;Seat;Ibiza;2010\nb;Seat;León;2010\n',
    '--update-only',
    '--lenient',
  );
  expect(said).toMatch(
    /\ncreados 0, actualizados 1, .* rechazados 1, vaciados 0\n1 × No existe el coche «b»\. El primero es «b», en la fila 3\.\nFila 3: No existe el coche «b»\.\n/,
  );
  expect(code).toBe(1);

  const unkeyed = 'marca;modelo\nCitroën;C4\n';
  const merge = '--on-duplicate=merge';
  expect(await run(unkeyed, merge)).toEqual([
    2,
    expect.stringContaining(
      'Ninguna fila del archivo tiene «identificador», así que no se sabe qué elementos cambian: cada una se añadiría a «coches» como un elemento nuevo. Si es lo que desea, indíquelo: «--allow-new-keys».\n',
    ),
  ]);
  expect(await run(unkeyed, '--update-only')).toEqual([
    2,
    expect.stringContaining(
      'Ninguna fila del archivo tiene «identificador», así que no se sabe qué elementos cambian.\n',
    ),
  ]);
  expect(await run(unkeyed, merge, '--allow-new-keys')).toEqual([0, expect.stringContaining('\ncreados 1, ')]);
});

test('words that others have replaced are told of, in columns, options and paths', async () => {
  const CATALOGUE = temporaryFolder();
  const own = join(project, 'test/support/cars/catalogue.ts');
  writeFileSync(join(CATALOGUE, 'catalogue.ts'), `export { catalogue } from ${JSON.stringify(own)};`);
  const locales = editedLocales(({ paths, fields }, tag) => {
    if (tag !== 'es') return;
    const was = (word: string) => [{ word, since: '2026-01-15', until: '2199-06-30' }];
    paths.cars = { word: 'coches', former: was('autos') };
    fields.cars.brand = { word: 'marca', former: was('sello') };
  });
  cpSync(locales, join(CATALOGUE, 'locales'), { recursive: true });
  const env = { CATALOGUE, DATABASE_URL: await url() };
  const file = join(CATALOGUE, 'coches.csv');
  writeFileSync(file, 'identificador;SELLO;modelo\na-1;Seat;Ibiza\n');
  const [code, said] = await runHere('src/tools/import-export/import-main.ts', [file, '--list', 'autos'], env);
  expect([code, said.split('\n').slice(1)]).toEqual([
    0,
    [
      'created 1, updated 0, unchanged 0, skipped 0, deleted 0, rejected 0, cleared 0',
      '“autos” is the former word, accepted until June 30, 2199; use “coches”.',
      '“sello” is the former word, accepted until June 30, 2199; use “marca”.',
      '',
    ],
  ]);
  const filter = ['--language=es', '--sello=Seat'];
  const [, exported] = await runHere('src/tools/import-export/export-main.ts', [`${file}.csv`, ...filter], env);
  expect(exported).toMatch(
    /\n«sello» es la palabra anterior, que se admite hasta el 30 de junio de 2199; use «marca».\n$/,
  );
});
