import { fieldList } from './field-list.ts';
import { equals, ranges } from './filters.ts';
import { format } from './format.ts';
import { groupBy } from './group-by.ts';
import { include } from './include.ts';
import { order } from './order.ts';
import { after, positiveInteger } from './paging.ts';
import type { ParameterFactory } from './parameter.ts';
import { search } from './search.ts';

const ofItems: readonly ParameterFactory[] = [fieldList('fields', 'fields'), include];

/** @returns the parameters of a collection's items, which its lists also have */
export const itemParameters: ParameterFactory = (language, collection) =>
  ofItems.flatMap((factory) => factory(language, collection));

/** Every parameter of lists, in the order of documents and links: add a new one here. */
export const parameterTable: readonly ParameterFactory[] = [
  equals,
  fieldList('sort_by', 'sort'),
  order,
  positiveInteger('number_of_elements', 'size'),
  positiveInteger('page', 'page'),
  after,
  format,
  ...ofItems,
  search,
  groupBy,
  // Last, because they are many: an error lists as many parameters as a sentence has room for.
  ranges,
];

/** @returns the parameters of a collection's lists */
export const listParameters: ParameterFactory = (language, collection) =>
  parameterTable.flatMap((factory) => factory(language, collection));
