/**
 * The schema: the only list of collections and fields, in the order in which bodies hold them.
 * Columns, routes, validation and the keys that a locale table must have all derive from here.
 */
import { collection, defineCatalogue } from './model/catalogue.ts';
import { flag, integer, key, text } from './model/field.ts';

export const catalogue = defineCatalogue(
  collection(
    'cars',
    {
      identifier: key({ assigned: true }),
      brand: text({ required: true, max: 200, indexed: true }),
      model: text({ required: true, max: 200, indexed: true }),
      year: integer({ min: 1886, max: 2100, indexed: true }),
      doors: integer({ min: 0, max: 20 }),
      // Unit: CV (metric horsepower).
      enginePower: integer({ min: 0, max: 10_000 }),
      version: text({ max: 200 }),
      clima: flag(),
      ac: flag(),
      fuel: text({ max: 200 }),
    },
    collection('oils', {
      type: key(),
      otherInfo: text({ max: 10_000 }),
    }),
  ),
);
