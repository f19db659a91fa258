/** A catalogue that says what its collections and fields were: clients see the same, and what is stored stays. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Catalogue, collection, defineCatalogue } from '../../src/gateway/model/catalogue.ts';
import { key, text } from '../../src/gateway/model/fields.ts';
import { openStore } from '../../src/host/service/open-store.ts';
import { connect } from '../../src/store/sqlite/connection.ts';
import { findWrongIndexes } from '../../src/tools/verify/verify.ts';
import { openApp, type Send } from '../support/app/app.ts';
import { specsOf } from '../support/cars/catalogue.ts';
import { onServer, sharedDatabase } from '../support/database/database.ts';
import { everyKind, everyKindTables } from '../support/language/every-kind.ts';
import { folderOf, type LooseTable } from '../support/language/locale-folder.ts';

const COLLECTIONS: Readonly<Record<string, string>> = { boats: 'ships', trips: 'voyages' };
const FIELDS: Readonly<Record<string, string>> = {
  code: 'number',
  name: 'title',
  price: 'cost',
  hull: 'shell',
  number: 'place',
};

const fieldsOf = (of: string) =>
  Object.fromEntries(
    Object.entries(specsOf(everyKind, of)).map(([name, spec]) => {
      const now = FIELDS[name];
      return now === undefined ? [name, spec] : [now, { ...spec, renamedFrom: name }];
    }),
  );
const renamed = defineCatalogue(
  collection(
    { name: 'ships', renamedFrom: 'boats' },
    { ...fieldsOf('boats'), remarks: text({ max: 9 }) },
    collection({ name: 'voyages', renamedFrom: 'trips' }, fieldsOf('trips')),
  ),
  collection('ports', fieldsOf('ports')),
);

const rekeyed = (node: LooseTable, names: Readonly<Record<string, string>>): LooseTable =>
  Object.fromEntries(Object.entries(node).map(([name, each]) => [names[name] ?? name, each]));

/** @returns the same words by the new names */
const renamedTables = (): string => {
  const folder = everyKindTables();
  const tableIn = (tag: string): LooseTable => {
    const table = JSON.parse(readFileSync(join(folder, `${tag}.json`), 'utf8'));
    for (const part of ['paths', 'nouns', 'fields', 'choices']) table[part] = rekeyed(table[part], COLLECTIONS);
    for (const part of ['fields', 'choices']) table[part].ships = rekeyed(table[part].ships, FIELDS);
    table.fields.ships.remarks = 'notas';
    table.fields.voyages = rekeyed(table.fields.voyages, { number: 'place' });
    table.pages.totals = rekeyed(table.pages.totals, COLLECTIONS);
    for (const part of ['collections', 'fields'])
      table.descriptions[part] = rekeyed(table.descriptions[part], COLLECTIONS);
    return table;
  };
  return folderOf({ 'en.json': tableIn('en'), 'es.json': tableIn('es') });
};

const READS = [
  '/api/barcos?ordenar_por=precio',
  '/api/barcos?nombre=aurora&precio_desde=3',
  '/api/barcos?buscar=auro',
  '/api/barcos?agrupar_por=nombre',
  '/api/barcos?agrupar_por=casco',
  '/api/barcos/a?incluir=viajes',
  '/api/barcos/a/viajes',
  '/api/boats?hull=wood',
];
const seen = async (send: Send, position: string, filtered: string): Promise<readonly unknown[]> => {
  const targets = [
    ...READS,
    `/api/barcos?cambiado_desde=${position}`,
    `/api/barcos?nombre=aurora&cambiado_desde=${filtered}`,
  ];
  const all = [];
  for (const target of targets) {
    const { status, headers, text } = await send('GET', target);
    const told = ['x-total-count', 'x-change'].map((name) => headers.get(name));
    all.push([target, status, text, ...(target.includes('nombre=aurora&p') ? [] : told)]);
  }
  return all;
};

const filled = async (database: string) => {
  const app = await openApp({ catalogue: everyKind, locales: everyKindTables(), database });
  const items = [
    { codigo: 'a', nombre: 'Aurora', precio: 12.5, casco: 'madera', aparejo: 'queche' },
    { codigo: 'b', nombre: 'Bruma', precio: 2 },
    { codigo: 'c', nombre: 'Calma' },
  ];
  for (const item of items) expect((await app.send('POST', '/api/barcos', item)).status).toBe(201);
  await app.send('POST', '/api/barcos/a/viajes', { numero: '1', tarifa: 2.5 });
  const position = async (query: string) =>
    (await app.send('GET', `/api/barcos${query}`)).headers.get('x-change') ?? '';
  const positions = [await position(''), await position('?nombre=aurora')] as const;
  await app.send('DELETE', '/api/barcos/c');
  const before = await seen(app.send, ...positions);
  await app.close();
  return { positions, before };
};

const faultOf = (database: string, catalogue: Catalogue): Promise<string> =>
  openStore(database, catalogue).then(
    () => '',
    (error: Error) => error.message,
  );

test('a renamed catalogue finds its rows, whoever starts first and however often, and clients see no difference', async () => {
  const database = await sharedDatabase(false);
  const { positions, before } = await filled(database);
  const stores = await Promise.all([1, 2, 3].map(() => openStore(database, renamed)));
  for (const store of stores) await store.close();
  const app = await openApp({ catalogue: renamed, locales: renamedTables(), database });
  expect(await seen(app.send, ...positions)).toEqual(before);
  const { status, text: written } = await app.send('PATCH', '/api/barcos/b', { nombre: 'Brisa', notas: 'x' });
  expect([status, written]).toEqual([200, expect.stringContaining('"nombre":"Brisa","precio":2.00')]);
  expect((await app.send('GET', '/api/barcos?buscar=brisa')).json).toHaveLength(1);
  await app.close();
  if (onServer) return;
  const connection = connect(database.slice('sqlite:'.length));
  expect(findWrongIndexes(connection, renamed)).toEqual([]);
  connection.close();
});

test.skipIf(onServer)('a start that was broken off after it has renamed is finished by the next one', async () => {
  const database = await sharedDatabase(false);
  const { positions, before } = await filled(database);
  const breakOff = (): void => {
    throw new Error('broken off');
  };
  await expect(openStore(database, renamed, { report: breakOff })).rejects.toThrow('broken off');
  const app = await openApp({ catalogue: renamed, locales: renamedTables(), database });
  expect(await seen(app.send, ...positions)).toEqual(before);
  await app.close();
});

const notes = (...fields: readonly string[]) =>
  collection('notes', { code: key(), ...Object.fromEntries(fields.map((name) => [name, text({ max: 9 })])) });
const marks = collection('marks', { code: key() });

test('a name and the former one in a database are a fault, and nothing is changed', async () => {
  const database = await sharedDatabase(false);
  await (await openStore(database, defineCatalogue(notes('topic', 'title'), marks))).close();
  const field = defineCatalogue(
    collection('notes', { code: key(), title: { ...text({ max: 9 }), renamedFrom: 'topic' } }),
    marks,
  );
  const both =
    'which the catalogue says is the same: move the rows of one to the other, or take `renamedFrom` out of the catalogue';
  expect(await faultOf(database, field)).toContain(`has both notes.title and notes.topic, ${both}`);
  const table = defineCatalogue(collection({ name: 'notes', renamedFrom: 'marks' }, { code: key() }));
  expect(await faultOf(database, table)).toContain(`has both notes and marks, ${both}`);
  expect(await faultOf(database, defineCatalogue(notes('topic', 'title'), marks))).toBe('');
});

test.each<[fault: string, define: () => unknown]>([
  [
    '"a" is the name, or renamedFrom, of two things',
    () => collection('x', { key: key(), a: text({ max: 1 }), b: text({ max: 1, renamedFrom: 'a' }) }),
  ],
  [
    '"y" is the name, or renamedFrom, of two things',
    () => defineCatalogue(collection({ name: 'x', renamedFrom: 'y' }, { key: key() }), collection('y', { key: key() })),
  ],
  ['"_a" must be lower camel case', () => collection('x', { key: key({ renamedFrom: '_a' }) })],
])('a catalogue is refused: %s', (fault, define) => {
  expect(define).toThrow(fault);
});
