import { expect, test } from 'vitest';
import { createQueryReader } from '../../../../src/gateway/read/query/query.ts';
import { cars, combineErrors, en, errorsOf, es, oils } from '../../../support/language/spoken.ts';

const english = createQueryReader(en.language, [es.language], cars);
const spanish = createQueryReader(es.language, [en.language], cars);
const spanishOils = createQueryReader(es.language, [en.language], oils);

test('the parameters that were sent are named in the order of links, whatever theirs was', () => {
  expect(english('page=2&brand=seat&order=desc&brand=audi').sentParameters).toEqual(['brand', 'order', 'page']);
  expect(spanish('pagina=2&marca=').sentParameters).toEqual(['brand', 'page']);
});

/** A query that `test/api/requests/query.test.ts` has not, and its errors: the parameter, what is said of it, and the word to use instead. */
const refused = [
  [spanish, 'marca[]=citroen', [['marca[]', 'parameter-suggested', 'marca']]],
  [spanish, 'marca%5B0%5D=citroen', [['marca[0]', 'parameter-suggested', 'marca']]],
  [english, 'marca[]=citroen', [['marca[]', 'parameter-suggested', 'brand']]],
  [english, '[]=citroen', [['[]', 'parameter-unknown']]],
  [spanish, 'anio=+1', [['anio', 'value-suggested', '1']]],
  // Of another language, wholly or in part, and misspelt.
  [english, 'Year_From=1', [['Year_From', 'parameter-suggested', 'year_from']]],
  [english, 'yearfrom=1', [['yearfrom', 'parameter-suggested', 'year_from']]],
  [english, 'year_from[]=1', [['year_from[]', 'parameter-suggested', 'year_from']]],
  [spanish, 'año_desde=1', [['año_desde', 'parameter-suggested', 'anio_desde']]],
  [spanish, 'marca_desde=a', [['marca_desde', 'filter-ranges']]],
  [spanishOils, 'anio_desde=1', [['anio_desde', 'parameter-unknown']]],
  [spanish, 'anio_desde=2010.0', [['anio_desde', 'value-suggested', '2010']]],
  [
    english,
    'year_from=2010&year_to=2005&doors_to=x&doors_from=9',
    [
      ['year_from', 'range-empty'],
      ['doors_to', 'parameter-integer'],
    ],
  ],
  // Next to another value, too, what is wrong with one is said.
  [spanish, 'cilindrada=190%20CV&cilindrada=12.990', [['cilindrada', 'number-ambiguous']]],
  [spanish, 'cilindrada=190%20CV&cilindrada=x', [['cilindrada', 'parameter-integer']]],
  [spanish, 'orden=ascendente&orden=', [['orden', 'parameter-repeated']]],
  [english, 'order=up', [['order', 'order-suggested', 'asc']]],
  [english, 'sort_by=,', [['sort_by', 'list-empty']]],
  [spanish, 'ordenar_por=marca,,anio', [['ordenar_por', 'list-empty']]],
  [spanish, 'ordenar_por=marca,%20anio', [['ordenar_por', 'sort-suggested', 'anio']]],
  [english, 'sort_by=year,brand,year,year', [['sort_by', 'list-repeated']]],
  [
    english,
    'sort_by=marca,year,colour,year&order=sideways,descendente',
    [
      ['sort_by', 'sort-suggested', 'brand'],
      ['sort_by', 'sort-unknown'],
      ['sort_by', 'list-repeated'],
      ['order', 'order-unknown'],
      ['order', 'order-suggested', 'desc'],
    ],
  ],
  [english, 'sort_by=brand,year&order=asc,asc,asc', [['order', 'order-excess']]],
  [spanish, 'orden=ascendente,&ordenar_por=marca', [['orden', 'list-empty']]],
  [
    english,
    'sort_by=marca&order=asc,desc',
    [
      ['sort_by', 'sort-suggested', 'brand'],
      ['order', 'order-excess'],
    ],
  ],
  [english, '%ff=x', [['%ff', 'parameter-encoding']]],
  [
    spanish,
    'page=1&anio=x&orden=&marca=Seat&%zz',
    [
      ['%zz', 'parameter-encoding'],
      ['page', 'parameter-suggested', 'pagina'],
      ['anio', 'parameter-integer'],
      ['orden', 'parameter-empty'],
    ],
  ],
] as const;

test.each(refused)('in vain: %# %s', (reader, search, expected) => {
  const problem = combineErrors(() => reader(search));
  expect(errorsOf(problem)).toEqual(expected);
  const [only] = problem.errors;
  expect(problem.code).toBe(expected.length > 1 ? 'invalid-query' : only?.code);
});
