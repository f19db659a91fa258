/** A catalogue of cars by their plates, which people write in several ways, and of deals that refer to them. */
import { layered } from '../../../src/gateway/locale/layers.ts';
import { type Catalogue, collection, defineCatalogue } from '../../../src/gateway/model/catalogue.ts';
import { key, reference, text, url } from '../../../src/gateway/model/fields.ts';
import type { WhenOver } from '../process/folder.ts';
import { folderOf, tableOf } from './locale-folder.ts';

/** @param compact whether plates, and numbers of chassis, are compared without blanks, hyphens and dots */
export const platesCatalogue = (compact: boolean): Catalogue =>
  defineCatalogue(
    collection(
      'cars',
      {
        plate: key({ compact, indexed: true, examples: ['4821 KBC', '0937 LDM'] }),
        make: text({ max: 60, indexed: true, searchable: true, examples: ['Seat', 'Citroën'] }),
        chassis: text({ max: 30, unique: true, compact, examples: ['VSSZZZ5FZJR012345', 'VF7NX5FS9HY512345'] }),
      },
      collection({ name: 'photos', alsoTopLevel: true }, { number: key(), link: url() }),
    ),
    collection('deals', {
      code: key({ examples: ['d-1', 'd-2'] }),
      car: reference('cars', { examples: ['4821 KBC', '0937 LDM'] }),
      spare: reference('cars', { onDelete: 'delete' }),
    }),
  );

const english = {
  paths: { cars: 'cars', photos: 'photos', deals: 'deals' },
  fields: {
    cars: { plate: 'plate', make: 'make', chassis: 'chassis' },
    photos: { number: 'number', link: 'url', cars: 'car' },
    deals: { code: 'code', car: 'car', spare: 'spare' },
  },
  nouns: {
    cars: { the: 'the car', of: 'of the car', within: 'for this car' },
    photos: { the: 'the photo', of: 'of the photo' },
    deals: { the: 'the deal', of: 'of the deal' },
  },
  subject: { title: 'Plates', summary: 'Cars by their plates.' },
  pages: {
    totals: {
      cars: { one: '{count} car', other: '{count} cars' },
      deals: { one: '{count} deal', other: '{count} deals' },
    },
  },
  descriptions: {
    collections: {
      cars: { name: 'Cars', schema: 'Car' },
      photos: { name: 'Photos', schema: 'Photo' },
      allPhotos: { name: 'Photos', schema: 'PhotoOfAll' },
      deals: { name: 'Deals', schema: 'Deal' },
    },
  },
};

const spanish = {
  ...english,
  paths: { cars: 'coches', photos: 'fotos', deals: 'ventas' },
  fields: {
    cars: { plate: 'matricula', make: 'marca', chassis: 'bastidor' },
    photos: { number: 'numero', link: 'enlace', cars: 'coche' },
    deals: { code: 'codigo', car: 'coche', spare: 'repuesto' },
  },
  nouns: {
    cars: { the: 'el coche', of: 'del coche', within: 'en este coche' },
    photos: { the: 'la foto', of: 'de la foto' },
    deals: { the: 'la venta', of: 'de la venta' },
  },
  pages: {
    totals: {
      cars: { one: '{count} coche', many: '{count} coches', other: '{count} coches' },
      deals: { one: '{count} venta', many: '{count} ventas', other: '{count} ventas' },
    },
  },
};

export const platesTables = (whenOver?: WhenOver): string =>
  folderOf({ 'en.json': layered(tableOf('en'), english), 'es.json': layered(tableOf('es'), spanish) }, whenOver);
