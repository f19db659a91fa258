/**
 * The catalogue of the tests about the machine: cars and oils as they were when those were written, whatever the service's own
 * catalogue has become. `CATALOGUE=test/support/cars` serves it.
 */
import { type Catalogue, collection, defineCatalogue } from '../../../src/gateway/model/catalogue.ts';
import { flag, integer, key, text } from '../../../src/gateway/model/fields.ts';

export const catalogue = defineCatalogue(
  collection(
    'cars',
    {
      identifier: key({ assigned: true, indexed: true, examples: ['seat-ibiza-1', 'citroen-c4-1'] }),
      brand: text({ required: true, max: 200, indexed: true, searchable: true, examples: ['Seat', 'Citroën'] }),
      model: text({ required: true, max: 200, indexed: true, searchable: true, examples: ['Ibiza', 'C4'] }),
      year: integer({ min: 1886, max: 2100, isYear: true, indexed: true, examples: [2008, 2006] }),
      doors: integer({ min: 0, max: 20, examples: [5, 5] }),
      enginePower: integer({ min: 0, max: 10_000, unit: 'CV', usualMax: 700, examples: [105, 109] }),
      version: text({ max: 200, searchable: true, examples: ['1.9 TDI Sport', '1.6 HDi Collection'] }),
      clima: flag({ examples: [true, false] }),
      ac: flag({ examples: [false, true] }),
      fuel: text({ max: 200, searchable: true, examples: ['Diésel', 'Diésel'] }),
    },
    collection('oils', {
      type: key({ searchable: true, examples: ['5W-30', '10W-40'] }),
      otherInfo: text({ max: 10_000, searchable: true, examples: ['VW 504 00 / 507 00', 'ACEA A3/B4'] }),
    }),
  ),
);

type Specs = Parameters<typeof collection>[1];

/** @returns what declares the fields of a collection, for another one with the same */
export const specsOf = (all: Catalogue, of: string): Specs =>
  Object.fromEntries((all.find(({ name }) => name === of)?.fields ?? []).map(({ name, ...spec }) => [name, spec]));

/** @returns the catalogue with cars that have more fields, or others of the same names */
export const carsWith = (fields: Specs, ...others: readonly ReturnType<typeof collection>[]): Catalogue =>
  defineCatalogue(
    collection('cars', { ...specsOf(catalogue, 'cars'), ...fields }, collection('oils', specsOf(catalogue, 'oils'))),
    ...others,
  );
