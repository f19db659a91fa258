import { collection, defineCatalogue, findCollection } from '../../../src/gateway/model/catalogue.ts';
import { flag, integer, key, text } from '../../../src/gateway/model/fields.ts';

/** One field of each kind, with and without an index; and a nested collection. */
const shop = defineCatalogue(
  collection(
    'parts',
    {
      number: key(),
      maker: text({ max: 20, indexed: true }),
      weight: integer({ min: 0, max: 9, indexed: true }),
      spare: flag(),
    },
    collection('screws', { thread: key(), finish: text({ max: 20 }) }),
  ),
);
export const parts = findCollection(shop, 'parts');
export const screws = findCollection(shop, 'screws');
