/** What is deleted because it refers to another item takes its nested items along: their list across parents tells each of them. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { collection, defineCatalogue, listed } from '../../../src/gateway/model/catalogue.ts';
import { key, reference } from '../../../src/gateway/model/field.ts';
import { layered } from '../../../src/host/tables/layers.ts';
import { openApp, type Send } from '../../support/app/app.ts';
import { folderOf, tableOf } from '../../support/language/locale-folder.ts';

const catalogue = defineCatalogue(
  collection('regions', { name: key() }),
  collection('branches', { name: key(), region: reference('regions', { onDelete: 'delete' }) }),
  collection(
    'cars',
    { registration: key(), branch: reference('branches', { onDelete: 'delete' }) },
    listed(collection('photos', { number: key(), taken: reference('branches', { onDelete: 'delete' }) })),
  ),
);

const schemas = { regions: 'Region', branches: 'Branch', cars: 'Car', photos: 'Photo', allPhotos: 'CarPhoto' };
const count = { one: '{count}', many: '{count}', other: '{count}' };
const texts = {
  subject: { title: 'Cars', summary: 'Cars.' },
  pages: { totals: { regions: count, branches: count, cars: count } },
  descriptions: {
    collections: Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, { name, schema }])),
  },
};
const nouns = (name: string) => ({ the: name, of: name });
const english = {
  ...texts,
  paths: { regions: 'regions', branches: 'branches', cars: 'cars', photos: 'photos' },
  fields: {
    regions: { name: 'name' },
    branches: { name: 'name', region: 'region' },
    cars: { registration: 'registration', branch: 'branch' },
    photos: { number: 'number', taken: 'taken', cars: 'car' },
  },
  nouns: {
    regions: nouns('the region'),
    branches: nouns('the branch'),
    cars: { ...nouns('the car'), within: 'for this car' },
    photos: nouns('the photo'),
  },
};
const spanish = {
  ...texts,
  paths: { regions: 'regiones', branches: 'sedes', cars: 'coches', photos: 'fotos' },
  fields: {
    regions: { name: 'nombre' },
    branches: { name: 'nombre', region: 'region' },
    cars: { registration: 'matricula', branch: 'sede' },
    photos: { number: 'numero', taken: 'tomada_en', cars: 'coche' },
  },
  nouns: {
    regions: nouns('la región'),
    branches: nouns('la sede'),
    cars: { ...nouns('el coche'), within: 'en este coche' },
    photos: nouns('la foto'),
  },
};

let send: Send;
beforeAll(async () => {
  const locales = folderOf(
    { 'en.json': layered(tableOf('en'), english), 'es.json': layered(tableOf('es'), spanish) },
    afterAll,
  );
  const app = await openApp({ catalogue, locales });
  afterAll(app.close);
  send = app.send;
});

beforeEach(async () => {
  for (const [path, ...bodies] of [
    ['/api/regions', { name: 'Asturias' }, { name: 'León' }],
    ['/api/branches', { name: 'Gijón', region: 'Asturias' }, { name: 'Astorga', region: 'León' }],
    [
      '/api/cars',
      { registration: '4821 KBC', branch: 'Gijón' },
      { registration: '0937 LDM', branch: 'Gijón' },
      { registration: '1111 BBB', branch: 'Astorga' },
    ],
    ['/api/cars/4821%20KBC/photos', { number: '1', taken: 'Gijón' }, { number: '2' }],
    ['/api/cars/0937%20LDM/photos', { number: '1' }],
    ['/api/cars/1111%20BBB/photos', { number: '1', taken: 'Gijón' }, { number: '2' }],
  ] as const) {
    for (const body of bodies) await send('POST', path, body);
  }
});

const GONE = [
  { numero: '1', coche: '0937 LDM', eliminado: true },
  { numero: '1', coche: '1111 BBB', eliminado: true },
  { numero: '1', coche: '4821 KBC', eliminado: true },
  { numero: '2', coche: '4821 KBC', eliminado: true },
];
const replaceAll = { 'content-type': 'text/csv', prefer: 'resolution=replace-all; allow-deletions' };

test.each([
  ['DELETE', '/api/sedes/Gij%C3%B3n', undefined, {}, GONE],
  ['DELETE', '/api/regions/Asturias', undefined, {}, GONE],
  ['POST', '/api/importaciones/regiones', 'nombre\r\nLeón\r\n', replaceAll, GONE],
  ['POST', '/api/imports/branches', 'name,region\r\nAstorga,León\r\n', replaceAll, GONE],
  ['DELETE', '/api/coches/0937%20LDM', undefined, {}, [GONE[0]]],
])('%s %s', async (method, path, body, headers, told) => {
  const position = (await send('GET', '/api/fotos')).headers.get('x-change');
  expect((await send(method, path, body, headers)).status).toBeLessThan(300);
  const { json } = await send('GET', `/api/cambios/fotos?cambiado_desde=${position}`);
  const order = ({ coche, numero }: Record<string, string>) => `${coche} ${numero}`;
  expect(json.toSorted((one: never, other: never) => (order(one) < order(other) ? -1 : 1))).toEqual(told);
  const left = (await send('GET', '/api/photos')).headers.get('x-total-count');
  expect(left).toBe(String(5 - told.length));
});
