/** `npm run import` of files whose headers are those of another program. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runHere } from '../../support/commands/given.ts';
import { sqliteUrl } from '../../support/database/files.ts';
import { editedLocales } from '../../support/language/locale-folder.ts';
import { temporaryFolder } from '../../support/process/folder.ts';
import { project } from '../../support/process/service.ts';

const run = async (env: Readonly<Record<string, string>>, ...args: readonly string[]) => {
  const [code, said] = await runHere('src/tools/import-export/import-main.ts', args, env);
  return [code, said] as const;
};

test.each([
  ['en', 'enginePower', /created 1, /],
  ['es', 'cilindrada', /creados 1, /],
] as const)('the columns of a file are chosen in %s', async (tag, power, counts) => {
  const env = { DATABASE_URL: sqliteUrl(), LANG: tag };
  const folder = temporaryFolder();
  const [file, saved, out] = ['erp.csv', 'columns.txt', 'out.csv'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(file, 'CODIGO;MARCA;MODELO;LEISTUNG;P.V.P.;TIENDA;brand\r\n0042;Seat;Ibiza;105,00;9990;3;x\r\n');
  writeFileSync(saved, `# of the ERP\r\nCODIGO=identifier\nMODELO=model\n\nLeistung=${power}\n`);
  const args = [file, '--language', tag, '--columns', saved, '--column', 'P.V.P.=', '--column=brand='];
  const [code, said] = await run(env, ...args, '--column', 'Marca=brand', '--ignore-unknown-columns');
  expect([code, said]).toEqual([0, expect.stringMatching(counts)]);
  await runHere('src/tools/import-export/export-main.ts', [out, '--language=en', '--format=csv'], env);
  expect(readFileSync(out, 'utf8').split('\r\n')[1]).toBe('0042,Seat,Ibiza,,,105,,,,');
});

test.each([
  ['en', '“nowhere” cannot be used (ENOENT).\n'],
  ['es', 'No se puede usar «nowhere» (ENOENT).\n'],
])('a saved choice that is not there is told in %s', async (LANG, said) => {
  expect(await run({ DATABASE_URL: 'sqlite::memory:', LANG }, 'a.csv', '--columns', 'nowhere')).toEqual([2, said]);
});

test('rejected rows are below the header that was chosen, and more than are allowed store nothing', async () => {
  const env = { DATABASE_URL: sqliteUrl() };
  const file = join(temporaryFolder(), 'erp.csv');
  writeFileSync(
    file,
    '"";""\nListado\nMATRICULA;MARCA;MODELO;AÑO;PVP\na;Seat;Ibiza;1/1/97;9\nb;Seat;Leon;1999;9\n;TOTAL;;;9\n',
  );
  const args = [file, '--language', 'es', '--header-row', '3', '--column', 'PVP=', '--skip-rows', 'MARCA=total'];
  const refused = await run(env, ...args, '--lenient', '--max-rejected', '0');
  expect(refused).toEqual([
    1,
    expect.stringMatching(/no se ha guardado nada[\s\S]*\ncreados 1, .* rechazados 1, vaciados 0\n1 × /),
  ]);
  expect(readFileSync(`${file}.rejected.csv`, 'utf8').replace('\uFEFF', '').split('\r\n')).toEqual([
    '#',
    '#',
    'MATRICULA;MARCA;MODELO;AÑO;PVP;# fila;# errores',
    'a;Seat;Ibiza;1/1/97;9;4;«anio» debe ser un número entero entre 1886 y 2100.',
    '',
  ]);
  const stored = await run(env, ...args, '--lenient', '--max-rejected', '1');
  expect(stored).toEqual([1, expect.stringMatching(/importado en [\s\S]*\ncreados 1, .* rechazados 1, vaciados 0\n/)]);
});

test.each([
  [
    'en',
    '“x” does not say which column is which field: write it like “CV=<field>”, or “KW=” for a column that is not read.\n--max-rejected must be one of: 0, 1, 2….\n--header-row must be one of: 1, 2, 3….\n“npm run import -- --help” explains the command.\n',
  ],
  [
    'es',
    '«x» no indica a qué campo corresponde una columna: escríbalo como «CV=<campo>», o «KW=» para una columna que no se lee.\n--max-rejected debe ser uno de estos valores: 0, 1, 2….\n--header-row debe ser uno de estos valores: 1, 2, 3….\n«npm run import -- --help» explica el comando.\n',
  ],
])('what is no number or no pair is told in %s', async (LANG, said) => {
  const args = ['a.csv', '--header-row=x', '--max-rejected=x', '--skip-rows=x'];
  expect(await run({ DATABASE_URL: 'sqlite::memory:', LANG }, ...args)).toEqual([2, said]);
});

test('a file in another language than the default is told so, unless its language was said', async () => {
  const env = { DATABASE_URL: sqliteUrl(), LANG: 'es_ES.UTF-8' };
  const file = join(temporaryFolder(), 'coches.csv');
  writeFileSync(file, 'marca;modelo;puertas\nSeat;Ibiza;5\n');
  const hint = 'Las columnas tienen palabras de otro idioma: añada --language es.\n';
  expect(await run(env, file)).toEqual([2, expect.stringContaining(hint)]);
  expect(await run(env, file, '--language=en')).toEqual([2, expect.not.stringContaining('añada --language')]);
  expect(await run(env, file, '--language=es')).toEqual([0, expect.stringContaining('creados 1')]);
});

test('what stands before decimals, and a time zone, are said by options', async () => {
  const env = { DATABASE_URL: sqliteUrl() };
  const file = join(temporaryFolder(), 'cars.csv');
  writeFileSync(file, 'brand,model,enginePower\nSeat,Ibiza,"1.100"\n');
  expect(await run(env, file)).toEqual([1, expect.stringContaining('“1.100” may be 1100 or 1.1')]);
  expect(await run(env, file, '--decimals=comma')).toEqual([0, expect.stringContaining('created 1')]);
  expect(await run(env, file, '--decimals=x', '--time-zone=Mars/Base')).toEqual([
    2,
    expect.stringMatching(/^--decimals .*comma, point.*\n--time-zone .*Europe\/Madrid/),
  ]);
});

/** `npm run import --changes`: what a file changes, as lines. */

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
  const env = { DATABASE_URL: sqliteUrl(), LANG: tag };
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

test.skipIf(process.platform !== 'linux')(
  'to a disk that is full is told, and what is stored stays stored',
  async () => {
    const env = { DATABASE_URL: sqliteUrl(), LANG: 'en' };
    const file = join(temporaryFolder(), 'a.csv');
    writeFileSync(file, 'identifier,brand,model\na,Seat,Ibiza\n');
    const [code, said] = await run(env, file, '--language=en', '--changes=/dev/full');
    expect([code, said]).toEqual([
      1,
      expect.stringMatching(/created 1,.*\n“\/dev\/full” cannot be used \(ENOSPC\)\.\n$/),
    ]);
  },
);

/** @returns imports a text as a file in Spanish words, for a person who speaks Spanish */
const importer = () => {
  const env = { DATABASE_URL: sqliteUrl(), LANG: 'es_ES.UTF-8' };
  const file = join(temporaryFolder(), 'coches.csv');
  return (text: string, ...options: readonly string[]) => {
    writeFileSync(file, text);
    return run(env, file, '--language=es', ...options);
  };
};

test('the columns of a file are listed with their units', async () => {
  const [, said] = await run({ LANG: 'es_ES.UTF-8' }, '--help', '--language=es');
  expect(said).toContain('\n  coches: identificador, marca, modelo, anio, puertas, cilindrada (CV), version,');
});

test('damaged keys and values in another unit are told of', async () => {
  const run = importer();
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
  const run = importer();
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
  const env = { CATALOGUE, DATABASE_URL: sqliteUrl() };
  const file = join(CATALOGUE, 'coches.csv');
  writeFileSync(file, 'identificador;SELLO;modelo\na-1;Seat;Ibiza\n');
  const [code, said] = await run(env, file, '--list', 'autos');
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

test.each(['--changes', '--save-profile'])('%s does not overwrite a file that is imported', async (option) => {
  const file = join(temporaryFolder(), 'cars.csv');
  const content = 'identifier,brand,model\na-1,Seat,Ibiza\n';
  writeFileSync(file, content);
  const env = { DATABASE_URL: sqliteUrl() };
  const said = await run(env, file, '--check', option, file.replace('cars.csv', './cars.csv'));
  expect(said).toEqual([2, expect.stringMatching(/cars\.csv” cannot be used \(EEXIST\)/)]);
  expect(readFileSync(file, 'utf8')).toBe(content);
});
