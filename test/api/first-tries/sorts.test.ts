import { type Try, tryAll } from '../../support/app/tries.ts';

/** Sorts as other services have them. */
const tries: readonly Try[] = [
  [
    'GET /api/cars?sort_by=-year',
    undefined,
    400,
    [
      '“sort_by” cannot be “-year”, which is not a field of the car; did you mean “sort_by=year&order=desc”?',
      'sort_by=year&order=desc',
    ],
  ],
  [
    'GET /api/coches?ordenar_por=-anio',
    undefined,
    400,
    [
      '«ordenar_por» no puede ser «-anio», que no es un campo del coche; ¿quería decir «ordenar_por=anio&orden=descendente»?',
      'ordenar_por=anio&orden=descendente',
    ],
  ],
  [
    'GET /api/cars?sort=-year',
    undefined,
    400,
    ['“sort” is not a parameter here; did you mean “sort_by=year&order=desc”?', 'sort_by=year&order=desc'],
  ],
  [
    'GET /api/cars?sort=year:desc',
    undefined,
    400,
    ['“sort” is not a parameter here; did you mean “sort_by=year&order=desc”?', 'sort_by=year&order=desc'],
  ],
  [
    'GET /api/cars?sort=year,desc',
    undefined,
    400,
    ['“sort” is not a parameter here; did you mean “sort_by=year&order=desc”?', 'sort_by=year&order=desc'],
  ],
  [
    'GET /api/cars?order_by=year%20desc',
    undefined,
    400,
    ['“order_by” is not a parameter here; did you mean “sort_by=year&order=desc”?', 'sort_by=year&order=desc'],
  ],
  [
    'GET /api/cars?orderBy=year',
    undefined,
    400,
    ['“orderBy” is not a parameter here; did you mean “sort_by”?', 'sort_by'],
  ],
  ['GET /api/cars?sort=year', undefined, 400, ['“sort” is not a parameter here; did you mean “sort_by”?', 'sort_by']],
  [
    'GET /api/cars?sort=-year,brand',
    undefined,
    400,
    [
      '“sort” is not a parameter here; did you mean “sort_by=year,brand&order=desc,asc”?',
      'sort_by=year,brand&order=desc,asc',
    ],
  ],
  [
    'GET /api/cars?sort=-year&order=asc',
    undefined,
    400,
    ['“sort” is not a parameter here; did you mean “sort_by”?', 'sort_by'],
  ],
  [
    'GET /api/cars?order=year',
    undefined,
    400,
    ['“order” must be “asc” or “desc”, not “year”; did you mean “sort_by=year”?', 'sort_by=year'],
  ],
  [
    'GET /api/cars?order=-year',
    undefined,
    400,
    [
      '“order” must be “asc” or “desc”, not “-year”; did you mean “sort_by=year&order=desc”?',
      'sort_by=year&order=desc',
    ],
  ],
  [
    'GET /api/coches?ordenar=anio',
    undefined,
    400,
    ['«ordenar» no es un parámetro de esta URL; ¿quería decir «ordenar_por»?', 'ordenar_por'],
  ],
  [
    'GET /api/coches?sort=-year',
    undefined,
    400,
    [
      '«sort» no es un parámetro de esta URL; ¿quería decir «ordenar_por=anio&orden=descendente»?',
      'ordenar_por=anio&orden=descendente',
    ],
  ],
  [
    'GET /api/coches?ordenar=precio',
    undefined,
    400,
    ['«ordenar» no es un parámetro de esta URL; ¿quería decir «ordenar_por»?', 'ordenar_por'],
  ],
  [
    'GET /api/cars?_sort=year&_order=desc&_limit=5&_page=1',
    undefined,
    400,
    ['“_sort” is not a parameter here; did you mean “sort_by”?', 'sort_by'],
    ['“_order” is not a parameter here; did you mean “order”?', 'order'],
    ['“_limit” is not a parameter here; did you mean “number_of_elements”?', 'number_of_elements'],
    ['“_page” is not a parameter here; did you mean “page”?', 'page'],
  ],
  [
    'GET /api/cars?$top=5&$skip=0&$orderby=year%20desc',
    undefined,
    400,
    ['“$top” is not a parameter here; did you mean “number_of_elements”?', 'number_of_elements'],
    ['“$skip” is not a parameter here; did you mean “page=1&number_of_elements=5”?', 'page=1&number_of_elements=5'],
    ['“$orderby” is not a parameter here; did you mean “sort_by=year&order=desc”?', 'sort_by=year&order=desc'],
  ],
  [
    'GET /api/coches?sort=anio:desc',
    undefined,
    400,
    [
      '«sort» no es un parámetro de esta URL; ¿quería decir «ordenar_por=anio&orden=descendente»?',
      'ordenar_por=anio&orden=descendente',
    ],
  ],
  [
    'GET /api/coches?ordenar_por=anio%20desc',
    undefined,
    400,
    [
      '«ordenar_por» no puede ser «anio desc», que no es un campo del coche; ¿quería decir «ordenar_por=anio&orden=descendente»?',
      'ordenar_por=anio&orden=descendente',
    ],
  ],
  [
    'GET /api/coches?orden=anio',
    undefined,
    400,
    ['«orden» debe ser «ascendente» o «descendente», no «anio»; ¿quería decir «ordenar_por=anio»?', 'ordenar_por=anio'],
  ],
  [
    'GET /api/coches?ordenar_por=year',
    undefined,
    400,
    ['«ordenar_por» no puede ser «year», que no es un campo del coche; ¿quería decir «anio»?', 'anio'],
  ],
  [
    'GET /api/coches?order_by=year',
    undefined,
    400,
    ['«order_by» no es un parámetro de esta URL; ¿quería decir «ordenar_por=anio»?', 'ordenar_por=anio'],
  ],
];

tryAll(tries);
