/** Values and profiles of imports, refused, proposed, explained and saved: over HTTP, and by the command. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { catalogue } from '../../examples/dealer/catalogue.ts';
import { openApp, useApp } from '../support/app/app.ts';
import { runHere } from '../support/commands/given.ts';
import { dealerTables, dealerFolder as folder } from '../support/language/dealer.ts';
import { folderOf } from '../support/language/locale-folder.ts';
import { temporaryFolder } from '../support/process/folder.ts';
import { launch } from '../support/process/service.ts';

const profiles: Readonly<Record<string, string>> = {
  erp: '\uFEFF{"list": "coches", "values": {"fuel": {"01": "diesel"}}, "columns": {"KENNZ": "registration"}}',
  sedes: '{"list": "branches"}',
  misspelt: '{"colums": {}, "decimals": "dot", "values": {"fuel": "x"}}',
  unknown: '{"columns": {"KW": "powr"}, "values": {"fuel": {"X": "wood"}}, "units": {"power": "parsec"}}',
  miles: '{"units": {"kilometres": "mi"}}',
  broken: '{"list":',
};

const ALL = 'broken, erp, miles, misspelt, sedes, unknown';

const files = join(
  folderOf(
    Object.fromEntries([
      ['outside.json', '{}'],
      ...Object.entries(profiles).map(([name, text]) => [`profiles/${name}.json`, text]),
    ]),
    afterAll,
  ),
  'profiles',
);
const app = useApp({ catalogue, locales: dealerTables(afterAll), profiles: files });

const [EN, ES] = ['/api/imports/cars', '/api/importaciones/coches'];
const post = (path: string, prefer: string, file: string) =>
  app.send('POST', path, file, {
    'content-type': 'text/csv',
    prefer: Buffer.from(`handling=check, return=representation, ${prefer}`).toString('latin1'),
  });

test.each([
  [ES, 'profile=erq', 'No hay ningún perfil «erq»; ¿quería decir «erp»?'],
  [EN, 'profile="../outside"', `There is no profile “../outside”; the profiles are: ${ALL}.`],
  [ES, 'profile="erp.json"', `No hay ningún perfil «erp.json»; los perfiles son: ${ALL}.`],
  [EN, 'profile=broken', 'The profile “broken” is not a JSON object.'],
  [ES, 'profile=sedes', 'El perfil «sedes» es para «branches», no para «coches».'],
])('at %s, %s is refused', async (path, prefer, detail) => {
  const { status, json } = await post(path, prefer, 'matricula\n');
  expect([status, json.code, json.detail]).toEqual([400, 'invalid-header', detail]);
});

test.each([
  [
    EN,
    'misspelt',
    [
      '“values” of the profile “misspelt” is written like this: {"<field>": {"GASOLEO": "diesel", "-": null}}.',
      '“decimals” of the profile “misspelt” is written like this: "comma", "point".',
      '“colums” is not a member of the profile “misspelt”; did you mean “columns”?',
    ],
  ],
  [
    ES,
    'unknown',
    [
      '«units» no puede ser «power=parsec»; los valores son: kilometros=km, kilometros=mi, potencia=kW, potencia=CV, potencia=HP.',
      '«powr» no es un campo del coche; los campos son: matricula, marca, modelo, version, precio, kilometros, fecha_matriculacion, combustible, cambio, carroceria, potencia, color, estado, sede, equipamiento, bastidor, modificado.',
      '«combustible» no puede ser «wood»; debe ser uno de estos valores: gasolina, diésel, híbrido, híbrido enchufable, eléctrico, GLP, GNC, hidrógeno. Si equivale a alguno, indíquelo con «values»: combustible:wood=…',
    ],
  ],
])('at %s, every fault of the profile %s is listed', async (path, name, details) => {
  const { status, json } = await post(path, `profile=${name}`, 'matricula\n');
  expect([status, json.errors.map((each: { detail: string }) => each.detail).sort()]).toEqual([400, details.sort()]);
});

test('a service without a folder of profiles says so, and a folder that is none stops the start', async () => {
  const { app: other, close } = await openApp();
  const headers = { 'content-type': 'text/csv', prefer: 'profile=erp' };
  const response = await other.request('/api/coches', { method: 'POST', headers, body: 'marca\n' });
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { detail: 'No hay ningún perfil «erp»: este servicio no tiene ninguno.' },
  ]);
  await close();
  const { exit, output } = launch({ env: { PROFILES_DIR: join(files, 'erp.json') } });
  expect([await exit, output()]).toEqual([1, expect.stringContaining('PROFILES_DIR: must be a folder')]);
});

test('a folder of profiles that is gone has none', async () => {
  const gone = join(temporaryFolder(), 'gone');
  const { app: other, close, faults } = await openApp({ profiles: gone });
  const headers = { 'content-type': 'text/csv', prefer: 'profile=erp' };
  const response = await other.request('/api/cars', { method: 'POST', headers, body: 'brand\n' });
  expect([response.status, faults, await response.json()]).toMatchObject([400, [], { code: 'invalid-header' }]);
  await close();
});

test('a profile serves both trees, what a request says itself counts more, and the response says what was followed', async () => {
  const file = (fuel: string) => `Kennz;marca;modelo;combustible\n1;Seat;Ibiza;${fuel}\n`;
  const spanish = await post(ES, 'profile=erp', file('01'));
  expect(spanish.json.cambios?.[0]?.despues).toMatchObject({ matricula: '1', combustible: 'diésel' });
  expect(spanish.headers.get('preference-applied')).toContain('profile=erp');
  const english = await post(EN, 'profile=erp', file('01').replace('marca;modelo;combustible', 'make;model;fuel'));
  expect(english.json.changes?.[0]?.after).toMatchObject({ registration: '1', fuel: 'diesel' });
  const own = await post(ES, 'profile=erp, values="combustible:01=GLP"', file('01'));
  expect(own.json.cambios?.[0]?.despues).toMatchObject({ combustible: 'GLP' });
});

describe('values', () => {
  test.each([
    [EN, 'values="feul:X=diesel"', '“feul” is not a field of the car; did you mean “fuel”?'],
    [
      ES,
      'values="combustible:X=dísel"',
      '«combustible» no puede ser «dísel»; ¿quería decir «diésel»? «values» lo indica para todo el archivo: combustible:dísel=diésel',
    ],
    [EN, 'values="kilometres:X=abc"', '“kilometres” must be a whole number from 0 to 2,000,000.'],
    [EN, 'values="fuel:X=diesel; fuel:x=LPG"', '“fuel:x” cannot be both “diesel” and “LPG”.'],
    [
      ES,
      'values="combustible"',
      '«values» no puede ser «combustible»; se escribe así: values="<field>:GASOLEO=diesel; <field>:S/N=".',
    ],
    [EN, 'null-values=";"', '“null-values” cannot be “;”; it is written like this: null-values="N/D; -".'],
    [EN, 'lists=spaces', '“lists” cannot be “spaces”; its values are: commas, semicolons, pipes.'],
    [EN, 'delimiter=pip', '“delimiter” cannot be “pip”; did you mean “pipe”?'],
  ])('at %s, %s is refused', async (path, prefer, detail) => {
    const { status, json } = await post(path, prefer, 'x\n');
    expect([status, json.code, json.detail]).toEqual([400, 'invalid-header', detail]);
  });

  test('that are unknown are counted by value, and the line that says what they are is proposed', async () => {
    const rows = ['STEAM', 'steam', 'diesle', 'Steam', 'diesle'].map((fuel, at) => `${at},Seat,Ibiza,${fuel}`);
    const file = ['matricula,marca,modelo,combustible', ...rows].join('\n');
    const { json } = await post(ES, '', file);
    const list = json.motivos.map(({ cantidad, detalle }: Record<string, unknown>) => [cantidad, detalle]);
    expect(list).toEqual([
      [
        3,
        '«combustible» no puede ser «STEAM»; debe ser uno de estos valores: gasolina, diésel, híbrido, híbrido enchufable, eléctrico, GLP, GNC, hidrógeno. Si equivale a alguno, indíquelo con «values»: combustible:STEAM=…',
      ],
      [
        2,
        '«combustible» no puede ser «diesle»; ¿quería decir «diésel»? «values» lo indica para todo el archivo: combustible:diesle=diésel',
      ],
    ]);
    const lines = list.map(([, text]: [number, string]) => text.split(': ').at(-1)?.replace('…', 'gasolina'));
    expect((await post(ES, `values="${lines.join('; ')}"`, file)).json).not.toHaveProperty('motivos');
  });

  test('null values clear where empty cells do, and a row of nothing else is empty', async () => {
    await app.send('POST', '/api/cars', { registration: 'N1', make: 'Seat', model: 'Ibiza', kilometres: 5 });
    const file = 'registration,make,model,kilometres\nN1,Seat,Ibiza,n/d\n-,N/D,-,-\n';
    const prefer = 'resolution=merge-duplicates, null-values="N/D; -"';
    expect((await post(EN, prefer, file)).json).toMatchObject({ unchanged: 1, created: 0, rejected: 0 });
    expect((await post(EN, `${prefer}, absent-cells=clear`, file)).json).toMatchObject({ updated: 1, cleared: 1 });
  });
});

describe('the command', () => {
  const newDatabase = () => `sqlite:${join(temporaryFolder(), 'dealer.db')}`;
  const run = async (args: readonly string[], LANG = 'en', DATABASE_URL = newDatabase()) => {
    const env = { CATALOGUE: folder, DATABASE_URL, LANG };
    return (await runHere('src/tools/import-export/import-main.ts', args, env)).slice(0, 2);
  };
  const write = (name: string, text: string): string => {
    const path = join(temporaryFolder(), name);
    writeFileSync(path, text);
    return path;
  };
  const CSV =
    'Kennz|Marca|MODELO|P.V.P.|CARBURANTE|Cambio|Equipamiento|Interno\n1|Seat|Ibiza|9.990,50|01|CVT|A, B|x\n2|Seat|León|-|GASOIL|manual||x\n';

  test('explains how a file is read, and saves how as a profile, which reads the next one', async () => {
    const lines = [
      'A «Kennz» es «matricula», como indica «columns».',
      'B «Marca» es «marca».',
      'C «MODELO» es «modelo».',
      'D «P.V.P.» es «precio», por «pvp».',
      'E «CARBURANTE» es «combustible», por «carburante».',
      'F «Cambio» es «cambio».',
      'G «Equipamiento» es «equipamiento».',
      'H «Interno» no se lee.',
      'Fila 2, A «matricula»: «1».',
      'Fila 2, B «marca»: «Seat».',
      'Fila 2, C «modelo»: «Ibiza».',
      'Fila 2, D «precio»: «9.990,50» se lee como «9990,50».',
      'Fila 2, E «combustible»: «01» se lee como «diésel», como indica «values».',
      'Fila 2, F «cambio»: «CVT» se lee como «automático», por un sinónimo.',
      'Fila 2, G «equipamiento»: «A, B» se lee como «A\nB».',
      'Fila 3, A «matricula»: «2».',
      'Fila 3, B «marca»: «Seat».',
      'Fila 3, C «modelo»: «León».',
      'Fila 3, D «precio»: «-» no es ningún valor, como indica «values» o «null-values».',
      'Fila 3, E «combustible»: «GASOIL» se lee como «diésel», por un sinónimo.',
      'Fila 3, F «cambio»: «manual».',
      'Fila 3, G «equipamiento»: ningún valor.',
    ];
    const [file, saved] = [write('erp.csv', CSV), join(temporaryFolder(), 'saved.json')];
    const mapping = write('erp.txt', 'Kennz=matricula\ncombustible:01=diésel\n');
    const options = ['--columns', mapping, '--null-values', '-', '--delimiter', 'pipe', '--lists=commas'];
    const args = [file, '--language', 'es', ...options, '--ignore-unknown-columns', '--check'];
    const [code, printed] = await run([...args, '--explain', '--save-profile', saved]);
    expect([
      code,
      String(printed)
        .split(/\n(?!B»)/)
        .slice(0, lines.length),
    ]).toEqual([0, lines]);
    expect(JSON.parse(readFileSync(saved, 'utf8'))).toEqual({
      list: 'coches',
      columns: { Kennz: 'registration' },
      values: { fuel: { '01': 'diesel' } },
      'null-values': ['-'],
      lists: 'commas',
      delimiter: 'pipe',
      'ignore-unknown-columns': true,
    });
    expect(await run([file, '--language=es', '--profile', saved])).toEqual([0, expect.stringContaining('creados 2')]);
    expect(await run([file, '--language=es', `--profile=${saved}`, '--value', 'combustible:01=x'])).toEqual([
      2,
      expect.stringContaining('«combustible» no puede ser «x»'),
    ]);
  });

  test.each([
    ['en', ['--explain', '--value=x'], ['--explain needs --check', '“x” does not say what a value stands for']],
    ['en', ['--profile=nowhere.json'], ['“nowhere.json” cannot be used (ENOENT)']],
    [
      'en',
      ['--lists=x', '--delimiter=x'],
      ['--lists must be one of: commas, semicolons, pipes.', '--delimiter must be one of'],
    ],
  ])('says in %s what is wrong with %s', async (LANG, args, said) => {
    const [code, printed] = await run(['a.csv', ...args], LANG);
    expect(code).toBe(2);
    for (const text of said) expect(printed).toContain(text);
  });

  test('reads the units that a profile says', async () => {
    const [profile, out] = [write('miles.json', profiles.miles ?? ''), join(temporaryFolder(), 'out.csv')];
    const database = newDatabase();
    const file = write('miles.csv', 'matricula;marca;modelo;kilometros\n1;Seat;Ibiza;100,7\n');
    const args = [file, '--language=es', `--profile=${profile}`];
    const explained = await run([...args, '--check', '--explain'], 'es', database);
    expect(explained).toEqual([0, expect.stringContaining('D «kilometros»: «100,7»')]);
    expect((await run(args, 'es', database))[0]).toBe(0);
    const env = { CATALOGUE: folder, DATABASE_URL: database };
    await runHere('src/tools/import-export/export-main.ts', [out, '--language=en', '--list=cars', '--format=csv'], env);
    expect(readFileSync(out, 'utf8')).toContain('1,Seat,Ibiza,,,162,');
  });

  test('explains in English how a file is read, the decimals of its values being those of the profile', async () => {
    const profile = write('erp.json', '{"decimals": "comma", "null-values": ["n/a"]}');
    const file = write(
      'erp.csv',
      'NUMBER PLATE,Make,Model,FUEL,Price,Internal\n1,Seat,Ibiza,gasoline,ASK,x\n2,Seat,,steam,N/A,\n',
    );
    const args = [file, '--language=en', '--ignore-unknown-columns', '--check', '--explain', `--profile=${profile}`];
    const [code, printed] = await run([...args, '--value', 'price:ASK=9,5'], 'en');
    expect([code, String(printed).split('\n').slice(0, 16)]).toEqual([
      1,
      [
        'A “NUMBER PLATE” is “registration”, by “number plate”.',
        'B “Make” is “make”.',
        'C “Model” is “model”.',
        'D “FUEL” is “fuel”.',
        'E “Price” is “price”.',
        'F “Internal” is not read.',
        'Row 2, A “registration”: “1”.',
        'Row 2, B “make”: “Seat”.',
        'Row 2, C “model”: “Ibiza”.',
        'Row 2, D “fuel”: “gasoline” is read as “petrol”, by a synonym.',
        'Row 2, E “price”: “ASK” is read as “9,50”, as “values” says.',
        'Row 3, A “registration”: “2”.',
        'Row 3, B “make”: “Seat”.',
        'Row 3, C “model”: no value.',
        'Row 3, D: “fuel” cannot be “steam”; it must be one of: petrol, diesel, hybrid, plug-in hybrid, electric, LPG, CNG, hydrogen. If it stands for one of them, say so by “values”: fuel:steam=…',
        'Row 3, E “price”: “N/A” is no value, as “values” or “null-values” says.',
      ],
    ]);
  });

  test('reads a corrected file of rejected rows by the same profile', async () => {
    const profile = write('erp.json', '{"delimiter": "pipe", "header-row": 3, "charset": "windows-1252"}');
    const file = write('erp.csv', 'Title\n\nmatricula|marca|modelo|combustible\n1|Seat|Le\u00f3n; "FR"|steam\n');
    writeFileSync(file, Buffer.from(readFileSync(file, 'utf8'), 'latin1'));
    const args = ['--language=es', `--profile=${profile}`];
    expect((await run([file, ...args], 'es'))[0]).toBe(1);
    const rejected = `${file}.rejected.csv`;
    writeFileSync(rejected, readFileSync(rejected, 'utf8').replace('|steam|', '|DIESEL|'));
    const created = [0, expect.stringContaining('creados 1,')];
    expect(await run([rejected, ...args], 'es')).toEqual(created);
    // Its header is found without any option, too.
    const plain = write('plain.csv', readFileSync(rejected, 'utf8').replaceAll('|', '\t'));
    expect(await run([plain, '--language=es'], 'es')).toEqual(created);
  });

  test('says that lines of JSON have no cells', async () => {
    const line = '{"matricula":"1","marca":"Seat","modelo":"Ibiza"}';
    const args = [write('cars.ndjson', line), '--language=es', '--check', '--explain'];
    const said = 'solo las tablas (CSV, XLSX) tienen celdas que explicar.';
    expect(await run(args, 'es')).toEqual([0, expect.stringContaining(said)]);
  });
});
