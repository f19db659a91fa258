/** The fields: each has a word in every file of locales/. */
import { decimal, key, text } from 'car-dealer-catalogue/fields';
import { collection, defineCatalogue } from 'car-dealer-catalogue/schema';

export const catalogue = defineCatalogue(
  collection('books', {
    identifier: key({ assigned: true, examples: ['a-1'] }),
    name: text({ required: true, max: 200, indexed: true, searchable: true, examples: ['The first'] }),
    price: decimal({ scale: 2, min: 0, max: 1_000_000_000, examples: [12.5] }),
  }),
);
