import { type Try, tryAll } from '../../support/app/tries.ts';

/** Paths that people type from memory, from other services, or with one segment too many or too few. */
const tries: readonly Try[] = [
  ['GET /cars', undefined, 404, ['There is nothing at “/cars”; did you mean “/api/cars”?', '/api/cars']],
  [
    'GET /cars Accept-Language: es',
    undefined,
    404,
    ['No hay nada en «/cars»; ¿quería decir «/api/cars»?', '/api/cars'],
  ],
  [
    'GET /coches Accept-Language: es-MX,es;q=0.9',
    undefined,
    404,
    ['No hay nada en «/coches»; ¿quería decir «/api/coches»?', '/api/coches'],
  ],
  ['GET /coches', undefined, 404, ['No hay nada en «/coches»; ¿quería decir «/api/coches»?', '/api/coches']],
  [
    'POST /coches Accept-Language: es',
    '{"marca":"Seat","modelo":"Ibiza"}',
    404,
    ['No hay nada en «/coches»; ¿quería decir «/api/coches»?', '/api/coches'],
  ],
  [
    'GET /coches/a-1/aceites?orden=descendente',
    undefined,
    404,
    ['No hay nada en «/coches/a-1/aceites»; ¿quería decir «/api/coches/a-1/aceites»?', '/api/coches/a-1/aceites'],
  ],
  ['GET /api/v1/cars', undefined, 404, ['There is nothing at “/api/v1/cars”; did you mean “/api/cars”?', '/api/cars']],
  [
    'GET /api/v1/cars/a-1/',
    undefined,
    404,
    ['There is nothing at “/api/v1/cars/a-1/”; did you mean “/api/cars/a-1”?', '/api/cars/a-1'],
  ],
  [
    'GET /v1/coches Accept-Language: es',
    undefined,
    404,
    ['No hay nada en «/v1/coches»; ¿quería decir «/api/coches»?', '/api/coches'],
  ],
  [
    'GET /rest/vehicles',
    undefined,
    404,
    ['There is nothing at “/rest/vehicles”; did you mean “/api/cars”?', '/api/cars'],
  ],
  [
    'GET /api/vehiculos Accept-Language: es',
    undefined,
    404,
    ['No hay nada en «/api/vehiculos»; ¿quería decir «/api/coches»?', '/api/coches'],
  ],
  [
    'GET /api/oils',
    undefined,
    404,
    ['There is nothing at “/api/oils”; did you mean “/api/cars/{identifier}/oils”?', '/api/cars/{identifier}/oils'],
  ],
  [
    'GET /api/oils/5W-30 Accept-Language: es',
    undefined,
    404,
    ['No hay nada en «/api/oils/5W-30»; ¿quería decir «/api/cars/{identifier}/oils»?', '/api/cars/{identifier}/oils'],
  ],
  [
    'GET /api/aceites Accept-Language: es',
    undefined,
    404,
    [
      'No hay nada en «/api/aceites»; ¿quería decir «/api/coches/{identificador}/aceites»?',
      '/api/coches/{identificador}/aceites',
    ],
  ],
  [
    'GET /api/aceites',
    undefined,
    404,
    [
      'No hay nada en «/api/aceites»; ¿quería decir «/api/coches/{identificador}/aceites»?',
      '/api/coches/{identificador}/aceites',
    ],
  ],
  ['GET /api/docs', undefined, 404, ['There is nothing at “/api/docs”; did you mean “/docs/”?', '/docs/']],
  ['GET /swagger', undefined, 404, ['There is nothing at “/swagger”; did you mean “/docs/”?', '/docs/']],
  [
    'GET /swagger-ui/index.html Accept-Language: es',
    undefined,
    404,
    ['No hay nada en «/swagger-ui/index.html»; ¿quería decir «/docs/»?', '/docs/'],
  ],
  [
    'GET /openapi.json',
    undefined,
    404,
    ['There is nothing at “/openapi.json”; did you mean “/api/openapi.json”?', '/api/openapi.json'],
  ],
  [
    'GET /v3/api-docs/swagger.json',
    undefined,
    404,
    ['There is nothing at “/v3/api-docs/swagger.json”; did you mean “/api/openapi.json”?', '/api/openapi.json'],
  ],
  ['GET /health', undefined, 404, ['There is nothing at “/health”; did you mean “/readyz”?', '/readyz']],
  [
    'GET /actuator/health',
    undefined,
    404,
    ['There is nothing at “/actuator/health”; did you mean “/readyz”?', '/readyz'],
  ],
  ['GET /api/ping', undefined, 404, ['There is nothing at “/api/ping”; did you mean “/livez”?', '/livez']],
  ['GET /salud Accept-Language: es', undefined, 404, ['No hay nada en «/salud»; ¿quería decir «/readyz»?', '/readyz']],
  [
    'GET /documentación Accept-Language: es',
    undefined,
    404,
    ['No hay nada en «/documentación»; ¿quería decir «/docs/»?', '/docs/'],
  ],
  ['GET /api/voitures', undefined, 404, ['There is nothing at “/api/voitures”; the index is “/api”.', '/api']],
  [
    'GET /graphql Accept-Language: es',
    undefined,
    404,
    ['No hay nada en «/graphql»; el índice está en «/api».', '/api'],
  ],
  ['GET /favicon.ico', undefined, 404, ['There is nothing at “/favicon.ico”; the index is “/api”.', '/api']],
  [
    'GET /cars Accept-Language: en;q=0, *',
    undefined,
    404,
    ['No hay nada en «/cars»; ¿quería decir «/api/cars»?', '/api/cars'],
  ],
  [
    'GET /coches Accept-Language: es;q=0, *;q=0.1',
    undefined,
    404,
    ['There is nothing at “/coches”; did you mean “/api/coches”?', '/api/coches'],
  ],
];

tryAll(tries);
