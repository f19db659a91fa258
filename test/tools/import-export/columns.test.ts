/** `npm run import` of files whose headers are those of another program. */
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
  ['en', 'enginePower', /created 1, /],
  ['es', 'cilindrada', /creados 1, /],
] as const)('the columns of a file are chosen in %s', async (tag, power, counts) => {
  const env = { DATABASE_URL: await url(), LANG: tag };
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
  [
    'en',
    '“KW” does not say which column is which field: write it like “CV=<field>”, or “KW=” for a column that is not read.\n“anio” is not a field of the car; did you mean “year”?\n“npm run import -- --help” explains the command.\n',
  ],
  [
    'es',
    '«KW» no indica a qué campo corresponde una columna: escríbalo como «CV=<campo>», o «KW=» para una columna que no se lee.\n«any» no es un campo del coche; los campos son: identificador, marca, modelo, anio, puertas, cilindrada, version, climatizador, ac, fuel.\n«npm run import -- --help» explica el comando.\n',
  ],
])('what is no choice of a column is told in %s', async (tag, said) => {
  const args = ['a.csv', '--column', 'KW', '--column', tag === 'en' ? 'A=anio' : 'A=any', '--language', tag];
  expect(await run({ DATABASE_URL: 'sqlite::memory:' }, ...args)).toEqual([2, said]);
});

test.each([
  ['en', '“nowhere” cannot be used (ENOENT).\n'],
  ['es', 'No se puede usar «nowhere» (ENOENT).\n'],
])('a saved choice that is not there is told in %s', async (LANG, said) => {
  expect(await run({ DATABASE_URL: 'sqlite::memory:', LANG }, 'a.csv', '--columns', 'nowhere')).toEqual([2, said]);
});

test('rejected rows are below the header that was chosen, and more than are allowed store nothing', async () => {
  const env = { DATABASE_URL: await url() };
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
    '--header-row must be one of: 1, 2, 3….\n--max-rejected must be one of: 0, 1, 2….\n“x” does not say which column is which field: write it like “CV=<field>”, or “KW=” for a column that is not read.\n“npm run import -- --help” explains the command.\n',
  ],
  [
    'es',
    '--header-row debe ser uno de estos valores: 1, 2, 3….\n--max-rejected debe ser uno de estos valores: 0, 1, 2….\n«x» no indica a qué campo corresponde una columna: escríbalo como «CV=<campo>», o «KW=» para una columna que no se lee.\n«npm run import -- --help» explica el comando.\n',
  ],
])('what is no number or no pair is told in %s', async (LANG, said) => {
  const args = ['a.csv', '--header-row=x', '--max-rejected=x', '--skip-rows=x'];
  expect(await run({ DATABASE_URL: 'sqlite::memory:', LANG }, ...args)).toEqual([2, said]);
});

test('a file in another language than the default is told so, unless its language was said', async () => {
  const env = { DATABASE_URL: await url(), LANG: 'es_ES.UTF-8' };
  const file = join(temporaryFolder(), 'coches.csv');
  writeFileSync(file, 'marca;modelo;puertas\nSeat;Ibiza;5\n');
  const hint = 'Las columnas tienen palabras de otro idioma: añada --language es.\n';
  expect(await run(env, file)).toEqual([2, expect.stringContaining(hint)]);
  expect(await run(env, file, '--language=en')).toEqual([2, expect.not.stringContaining('añada --language')]);
  expect(await run(env, file, '--language=es')).toEqual([0, expect.stringContaining('creados 1')]);
});

test('what stands before decimals, and a time zone, are said by options', async () => {
  const env = { DATABASE_URL: await url() };
  const file = join(temporaryFolder(), 'cars.csv');
  writeFileSync(file, 'brand,model,enginePower\nSeat,Ibiza,"1.100"\n');
  expect(await run(env, file)).toEqual([1, expect.stringContaining('“1.100” may be 1100 or 1.1')]);
  expect(await run(env, file, '--decimals=comma')).toEqual([0, expect.stringContaining('created 1')]);
  expect(await run(env, file, '--decimals=x', '--time-zone=Mars/Base')).toEqual([
    2,
    expect.stringMatching(/^--decimals .*comma, point.*\n--time-zone .*Europe\/Madrid/),
  ]);
});
