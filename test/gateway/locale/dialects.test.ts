/** A language that extends another one: a whole tree in a few lines. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { createNumberWriter } from '../../../src/gateway/locale/language.ts';
import { loadLocales } from '../../../src/host/tables/load.ts';
import { openApp } from '../../support/app/app.ts';
import { catalogue } from '../../support/cars/catalogue.ts';
import { localeFaults, warningsOf } from '../../support/language/locale-faults.ts';
import { apart, folderOf, tableOf } from '../../support/language/locale-folder.ts';

const MEXICAN = {
  extends: 'es',
  paths: { cars: 'carros' },
  fields: { cars: { identifier: 'placa' } },
  csv: { delimiter: 'comma', byteOrderMark: true, decimals: 'point', dates: 'day-first' },
};

const folderAnd = (tables: Readonly<Record<string, unknown>>): string =>
  folderOf({ ...apart({ 'en.json': tableOf('en'), 'es.json': tableOf('es') }), ...tables });

const open = async (tables: Readonly<Record<string, unknown>>) => {
  const app = await openApp({ locales: folderAnd(tables) });
  onTestFinished(() => app.close());
  return app;
};

describe('Mexican Spanish', () => {
  test('has its own words, and all others of Spanish', async () => {
    const { send } = await open({ 'es-MX.json': MEXICAN });
    const car = { placa: 'seat-1', marca: 'Seat', modelo: 'Ibiza', anio: 2008 };
    const created = await send('POST', '/api/carros', car);
    expect([created.status, created.headers.get('content-language')]).toEqual([201, 'es-MX']);
    expect(created.headers.get('location')).toBe('/api/carros/seat-1');
    expect((await send('GET', '/api/coches/seat-1')).json).toMatchObject({ identificador: 'seat-1', anio: 2008 });
    expect((await send('GET', '/api/carros?ordenar_por=anio&orden=descendente')).json).toHaveLength(1);
    const refused = await send('GET', '/api/carros?identificador=seat-1');
    expect(refused.json).toMatchObject({
      title: 'Parámetro desconocido',
      errors: [{ suggestion: 'placa', remedy: tableOf('es').problems['unknown-parameter'].remedy }],
    });
    expect(refused.headers.get('content-language')).toBe('es-MX');
    expect((await send('GET', '/api/openapi.es-MX.json')).headers.get('content-language')).toBe('es-MX');
  });

  test('writes numbers as its readers do', async () => {
    const { request } = await open({ 'es-MX.json': MEXICAN });
    const bytes = await (await request('/api/carros?formato=csv')).arrayBuffer();
    expect(Buffer.from(bytes).toString()).toMatch(/^\uFEFFplaca,marca,modelo,/);
    expect(['es-MX', 'es'].map((tag) => createNumberWriter(tag)(12_990.5))).toEqual(['12,990.5', '12\u{a0}990,5']);
  });

  test('is no fault, and nothing is said at the start', () => {
    expect(localeFaults(folderAnd({ 'es-MX.json': MEXICAN }))).toEqual([]);
    expect(warningsOf(folderAnd({ 'es-MX.json': MEXICAN }))).toEqual([]);
  });
});

describe('a path at the top', () => {
  test('that is inherited has the tag behind it, and the start says so', async () => {
    const tables = { 'es-MX.json': { extends: 'es' } };
    expect(warningsOf(folderAnd(tables))).toEqual([
      'es-MX.json: paths.cars: "coches" is the word of es.json, so this language has "coches-es-mx"',
    ]);
    const { send } = await open(tables);
    expect((await send('GET', '/api/coches-es-mx')).headers.get('content-language')).toBe('es-MX');
    expect((await send('GET', '/api/coches')).headers.get('content-language')).toBe('es');
  });

  test('stays if the language above is not served', () => {
    const folder = folderAnd({ 'es-MX.json': { extends: 'es' } });
    const [, own] = loadLocales(catalogue, folder, 'en', { languages: ['en', 'es-MX'] });
    expect([own?.tag, own?.table.paths.cars]).toEqual(['es-MX', 'coches']);
  });
});

describe('a chain', () => {
  test('may be of several languages, each of which replaces what is above it', () => {
    const tables = {
      'es-MX.json': MEXICAN,
      'es-GT.json': { extends: 'es-MX', paths: { cars: 'autos' }, fields: { cars: { doors: 'portezuelas' } } },
      'messages/es-GT.json': { phrases: { internal: 'Falla.' } },
    };
    const own = loadLocales(catalogue, folderAnd(tables), 'en').find(({ tag }) => tag === 'es-GT');
    expect(own?.table.fields.cars).toMatchObject({ identifier: 'placa', doors: 'portezuelas', brand: 'marca' });
    expect(own?.table.phrases).toMatchObject({ internal: 'Falla.' });
    expect(own?.borrowed?.size).toBe(0);
  });

  test('may begin with a table of the project', () => {
    const folder = folderOf({ ...apart({ 'en.json': tableOf('en') }), 'es-MX.json': MEXICAN });
    const own = loadLocales(catalogue, folder, 'en').find(({ tag }) => tag === 'es-MX');
    expect(own?.table.fields.cars).toMatchObject({ identifier: 'placa', brand: 'marca' });
  });

  test.each<readonly [tables: Readonly<Record<string, unknown>>, faults: readonly string[]]>([
    [{ 'es-MX.json': { extends: 'xx' } }, ['es-MX.json: extends: there is no table xx.json']],
    [{ 'es-MX.json': { extends: 'es-MX' } }, ['es-MX.json: extends: es-MX → es-MX is a circle']],
    [
      { 'es-MX.json': { extends: 'es-GT' }, 'es-GT.json': { extends: 'es-MX' } },
      [
        'es-GT.json: extends: es-GT → es-MX → es-GT is a circle',
        'es-MX.json: extends: es-MX → es-GT → es-MX is a circle',
      ],
    ],
  ])('that leads nowhere is named: %j', (tables, faults) => {
    expect(localeFaults(folderAnd(tables)).filter((fault) => fault.includes('extends'))).toEqual(faults);
  });

  test('has the faults of its beginning once', () => {
    const spanish = tableOf('es');
    spanish.fields.cars.brand = 'la marca';
    spanish.phrases.internal = '{wrong}';
    const tables = { ...apart({ 'es.json': spanish }), 'es-MX.json': MEXICAN };
    expect(localeFaults(folderAnd(tables))).toEqual([
      expect.stringMatching(/^es\.json: fields\.cars\.brand: /),
      expect.stringMatching(/^messages\/es\.json: phrases\.internal: /),
    ]);
  });
});

test('Catalan that extends Spanish says that it speaks both', () => {
  const own = loadLocales(catalogue, folderAnd({ 'ca.json': { extends: 'es', paths: { cars: 'cotxes' } } }), 'en').find(
    ({ tag }) => tag === 'ca',
  );
  expect(own?.borrowed?.get('phrases.internal')).toBe('es');
});

test('a synonym that is also the word of its name is no fault', () => {
  const table = tableOf('es');
  table.synonyms.fields.cars.brand = ['marca', 'MARCA', 'fabricante'];
  expect(localeFaults(folderOf(apart({ 'en.json': tableOf('en'), 'es.json': table })))).toEqual([]);
});
