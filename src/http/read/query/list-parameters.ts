import { fieldList } from './field-list.ts';
import { equals, ranges } from './filters.ts';
import { format } from './format.ts';
import { groupBy } from './group-by.ts';
import { include } from './include.ts';
import { order } from './order.ts';
import { counting } from './paging.ts';
import type { Entry } from './parameter.ts';
import { search } from './search.ts';

const ofItems: readonly Entry[] = [fieldList('fields', 'fields'), include];

/** @returns the parameters of a collection's items, which its lists also have */
export const itemParameters: Entry = (language, collection) => ofItems.flatMap((entry) => entry(language, collection));

/** Every parameter, in the order of documents and links: add a new one here. */
const entries: readonly Entry[] = [
  equals,
  fieldList('sort_by', 'sort'),
  order,
  counting('number_of_elements', 'size'),
  counting('page', 'page'),
  format,
  ...ofItems,
  ranges,
  search,
  groupBy,
];

/** @returns the parameters of a collection's lists */
export const listParameters: Entry = (language, collection) => entries.flatMap((entry) => entry(language, collection));
