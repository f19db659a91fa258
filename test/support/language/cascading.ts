/** A catalogue in which the deletion of an item deletes others, and what is nested in them and listed across parents. */

import { layered } from '../../../src/gateway/locale/layers.ts';
import { collection, defineCatalogue } from '../../../src/gateway/model/catalogue.ts';
import { key, reference } from '../../../src/gateway/model/fields.ts';
import type { WhenOver } from '../process/folder.ts';
import { folderOf, tableOf } from './locale-folder.ts';

export const cascading = defineCatalogue(
  collection('regions', { name: key() }),
  collection('branches', { name: key(), region: reference('regions', { onDelete: 'delete' }) }),
  collection(
    'cars',
    { registration: key(), branch: reference('branches', { onDelete: 'delete' }) },
    collection(
      { name: 'photos', alsoTopLevel: true },
      { number: key(), taken: reference('branches', { onDelete: 'delete' }) },
    ),
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

/** @returns a folder with its tables */
export const cascadingTables = (whenOver: WhenOver): string =>
  folderOf({ 'en.json': layered(tableOf('en'), english), 'es.json': layered(tableOf('es'), spanish) }, whenOver);
