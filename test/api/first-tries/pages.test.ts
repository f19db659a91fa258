import { type Try, tryAll } from '../../support/app/tries.ts';

/** Pages as other services have them. */
const tries: readonly Try[] = [
  [
    'GET /api/cars?limit=5',
    undefined,
    400,
    ['“limit” is not a parameter here; did you mean “number_of_elements”?', 'number_of_elements'],
  ],
  [
    'GET /api/coches?limit=5',
    undefined,
    400,
    ['«limit» no es un parámetro de esta URL; ¿quería decir «numero_de_elementos»?', 'numero_de_elementos'],
  ],
  [
    'GET /api/coches?limite=5',
    undefined,
    400,
    ['«limite» no es un parámetro de esta URL; ¿quería decir «numero_de_elementos»?', 'numero_de_elementos'],
  ],
  [
    'GET /api/cars?per_page=5',
    undefined,
    400,
    ['“per_page” is not a parameter here; did you mean “number_of_elements”?', 'number_of_elements'],
  ],
  [
    'GET /api/cars?pageSize=5',
    undefined,
    400,
    ['“pageSize” is not a parameter here; did you mean “number_of_elements”?', 'number_of_elements'],
  ],
  [
    'GET /api/cars?page[size]=5&page[number]=2',
    undefined,
    400,
    ['“page[size]” is not a parameter here; did you mean “number_of_elements”?', 'number_of_elements'],
    ['“page[number]” is not a parameter here; did you mean “page”?', 'page'],
  ],
  [
    'GET /api/cars?limit=5&offset=10',
    undefined,
    400,
    ['“limit” is not a parameter here; did you mean “number_of_elements”?', 'number_of_elements'],
    ['“offset” is not a parameter here; did you mean “page=3&number_of_elements=5”?', 'page=3&number_of_elements=5'],
  ],
  [
    'GET /api/cars?offset=10',
    undefined,
    400,
    [
      '“offset” is not a parameter here: lists have pages, numbered from 1 by “page”, of as many elements as “number_of_elements” says.',
    ],
  ],
  [
    'GET /api/coches?number_of_elements=5&skip=10',
    undefined,
    400,
    [
      '«number_of_elements» no es un parámetro de esta URL; ¿quería decir «numero_de_elementos»?',
      'numero_de_elementos',
    ],
    [
      '«skip» no es un parámetro de esta URL; ¿quería decir «pagina=3&numero_de_elementos=5»?',
      'pagina=3&numero_de_elementos=5',
    ],
  ],
  [
    'GET /api/coches?por_pagina=5',
    undefined,
    400,
    ['«por_pagina» no es un parámetro de esta URL; ¿quería decir «numero_de_elementos»?', 'numero_de_elementos'],
  ],
  [
    'GET /api/coches?limit=5&offset=7',
    undefined,
    400,
    ['«limit» no es un parámetro de esta URL; ¿quería decir «numero_de_elementos»?', 'numero_de_elementos'],
    [
      '«offset» no es un parámetro de esta URL: las listas tienen páginas, numeradas desde 1 con «pagina», de tantos elementos como indica «numero_de_elementos».',
    ],
  ],
];

tryAll(tries);
