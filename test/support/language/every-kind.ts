/** A catalogue that is not about cars, with a field of every kind. */

import { layered } from '../../../src/gateway/locale/layers.ts';
import { type Catalogue, collection, defineCatalogue } from '../../../src/gateway/model/catalogue.ts';
import {
  choice,
  date,
  decimal,
  flag,
  integer,
  key,
  list,
  reference,
  text,
  timestamp,
  url,
  vocabulary,
} from '../../../src/gateway/model/fields.ts';
import type { WhenOver } from '../process/folder.ts';
import { folderOf, tableOf } from './locale-folder.ts';

export const everyKind: Catalogue = defineCatalogue(
  collection(
    'boats',
    {
      code: key({ assigned: true, examples: ['b-1', 'b-2'] }),
      name: text({ required: true, max: 60, indexed: true, searchable: true, examples: ['Aurora', 'Bruma'] }),
      berths: integer({ min: 0, max: 99, examples: [6, 4] }),
      hasEngine: flag({ examples: [true, false] }),
      price: decimal({ scale: 2, min: 0, max: 1_000_000, unit: 'EUR', indexed: true, examples: [12_990.5, 8_000] }),
      launched: date({ min: '1850-01-01', max: '2100-12-31', examples: ['2008-11-30', '1999-02-28'] }),
      surveyed: timestamp({ examples: ['2024-05-06T07:08:09Z', '2024-12-31T23:59:59.5Z'] }),
      rig: choice(['sloop', 'ketch', 'motor', 'cat-boat'], { indexed: true, examples: ['ketch', 'motor'] }),
      hull: vocabulary(['wood', 'steel'], { max: 40, indexed: true, examples: ['wood', 'Kevlar'] }),
      website: url({ examples: ['https://example.com/aurora', 'http://example.com/?a=1&b=2'] }),
      sailNumber: text({ max: 20, unique: true, examples: ['ESP 7', 'GBR 4'] }),
      port: reference('ports', { examples: ['Gijón', 'Avilés'] }),
      home: reference('ports', { onDelete: 'clear' }),
      extras: list({ max: 30, most: 3, searchable: true, examples: [['radar', 'liferaft'], ['teak deck']] }),
      state: choice(['for-sale', 'sold'], { default: 'for-sale' }),
    },
    collection('trips', {
      number: key({ examples: ['1', '2'] }),
      fare: decimal({ scale: 1, min: -100, max: 100 }),
      towards: reference('ports', { onDelete: 'delete' }),
    }),
  ),
  collection('ports', { place: key({ examples: ['Gijón', 'Avilés'] }), depth: integer({ min: 0, max: 99 }) }),
);

/** Their tables, without what every catalogue has. */
export const english = {
  paths: { boats: 'boats', trips: 'trips', ports: 'ports' },
  fields: {
    boats: {
      ...{ code: 'code', name: 'name', berths: 'berths', hasEngine: 'hasEngine', price: 'price' },
      ...{ launched: 'launched', surveyed: 'surveyed', rig: 'rig', hull: 'hull', website: 'page_url' },
      ...{ sailNumber: 'sailNumber', port: 'port', home: 'home', extras: 'extras', state: 'state' },
    },
    trips: { number: 'number', fare: 'fare', towards: 'towards' },
    ports: { place: 'place', depth: 'depth' },
  },
  choices: {
    boats: {
      rig: { sloop: 'sloop', ketch: 'ketch', motor: 'motor', 'cat-boat': 'catboat' },
      hull: { wood: 'wood', steel: 'steel' },
      state: { 'for-sale': 'for sale', sold: 'sold' },
    },
  },
  nouns: {
    boats: { the: 'the boat', of: 'of the boat', within: 'for this boat' },
    trips: { the: 'the trip', of: 'of the trip' },
    ports: { the: 'the port', of: 'of the port' },
  },
  subject: { title: 'Boats', summary: 'Boats and trips.' },
  pages: {
    totals: {
      boats: { one: '{count} boat', other: '{count} boats' },
      ports: { one: '{count} port', other: '{count} ports' },
    },
  },
  descriptions: {
    collections: {
      boats: { name: 'Boats', schema: 'Boat' },
      trips: { name: 'Trips', schema: 'Trip' },
      ports: { name: 'Ports', schema: 'Port' },
    },
  },
};

export const spanish = {
  ...english,
  paths: { boats: 'barcos', trips: 'viajes', ports: 'puertos' },
  fields: {
    boats: {
      ...{ code: 'codigo', name: 'nombre', berths: 'literas', hasEngine: 'con_motor', price: 'precio' },
      ...{ launched: 'botadura', surveyed: 'revisado', rig: 'aparejo', hull: 'casco', website: 'pagina_web' },
      ...{ sailNumber: 'numero_de_vela', port: 'puerto', home: 'base', extras: 'equipamiento', state: 'estado' },
    },
    trips: { number: 'numero', fare: 'tarifa', towards: 'destino' },
    ports: { place: 'lugar', depth: 'calado' },
  },
  choices: {
    boats: {
      rig: { sloop: 'balandra', ketch: 'queche', motor: 'a motor', 'cat-boat': 'ketch' },
      hull: { wood: 'madera', steel: 'acero' },
      state: { 'for-sale': 'en venta', sold: 'vendido' },
    },
  },
  nouns: {
    boats: { the: 'el barco', of: 'del barco', within: 'en este barco' },
    trips: { the: 'el viaje', of: 'del viaje' },
    ports: { the: 'el puerto', of: 'del puerto' },
  },
  pages: {
    ...english.pages,
    totals: {
      boats: { one: '{count} barco', many: '{count} barcos', other: '{count} barcos' },
      ports: { one: '{count} puerto', many: '{count} puertos', other: '{count} puertos' },
    },
  },
};

/** @returns a folder with the tables of that catalogue */
export const everyKindTables = (whenOver?: WhenOver): string =>
  folderOf({ 'en.json': layered(tableOf('en'), english), 'es.json': layered(tableOf('es'), spanish) }, whenOver);
