import { type Catalogue, collection, defineCatalogue } from '../../../src/gateway/model/catalogue.ts';
import { key, text } from '../../../src/gateway/model/fields.ts';
import type { WhenOver } from '../process/folder.ts';
import { editedLocales } from './locale-folder.ts';

/** Cars with a key and an optional brand. */
export const smallCatalogue: Catalogue = defineCatalogue(
  collection('cars', {
    identifier: key({ assigned: true, examples: ["d'Artagnan"] }),
    brand: text({ max: 9, indexed: true, examples: ['Seat'] }),
  }),
);

/** @returns a folder with the project's tables, without words that a catalogue of cars with these two fields does not have */
export const smallTables = (whenOver?: WhenOver): string =>
  editedLocales((table) => {
    const { paths, fields, nouns, descriptions } = table;
    for (const part of [paths, fields, nouns, descriptions.collections, descriptions.fields]) delete part.oils;
    for (const part of [fields, descriptions.fields])
      part.cars = { identifier: part.cars.identifier, brand: part.cars.brand };
    delete nouns.cars.within;
    delete table.synonyms;
    delete table.equivalents;
  }, whenOver);
