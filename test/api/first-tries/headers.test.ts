import { type Try, tryAll } from '../../support/app/tries.ts';

/** Headers as clients and tools send them that strip quotation marks, or know other services. */
const tries: readonly Try[] = [
  [
    'PUT /api/cars/a-1 If-Match: 5fa7.en',
    '{"year":2009}',
    400,
    ['“If-Match” must be “*” or tags in double quotes, as “ETag” has them.', '"5fa7.en"'],
  ],
  [
    'DELETE /api/coches/a-1 If-Match: 5fa7.es',
    undefined,
    400,
    ['«If-Match» debe ser «*» o etiquetas entre comillas dobles, tal como aparecen en «ETag».', '"5fa7.es"'],
  ],
  [
    "PATCH /api/cars/a-1 If-None-Match: '5fa7.en'",
    '{"year":2009}',
    400,
    ['“If-None-Match” must be “*” or tags in double quotes, as “ETag” has them.'],
  ],
  [
    'PUT /api/coches/a-1/aceites/5W-30 If-Match: «5fa7»',
    '{"otros_datos":"x"}',
    400,
    ['«If-Match» debe ser «*» o etiquetas entre comillas dobles, tal como aparecen en «ETag».'],
  ],
  [
    'POST /api/cars If-None-Match: none',
    '{"identifier":"h-1","brand":"Seat","model":"Ibiza"}',
    400,
    ['“If-None-Match” must be “*” or tags in double quotes, as “ETag” has them.', '"none"'],
  ],
  [
    'POST /api/coches Content-Type: text/csv If-Match: none',
    'marca,modelo\nSeat,Ibiza\n',
    400,
    ['«If-Match» debe ser «*» o etiquetas entre comillas dobles, tal como aparecen en «ETag».', '"none"'],
  ],
  [
    'PUT /api/cars/a-1 If-Unmodified-Since: Tue, 15 Nov 1994 12:45:26 GMT',
    '{"year":2009}',
    400,
    [
      '“If-Unmodified-Since” cannot be checked, because resources have no dates here: send the “ETag” in “If-Match”.',
      'If-Match',
    ],
  ],
  [
    'DELETE /api/coches/a-1 If-Unmodified-Since: Tue, 15 Nov 1994 12:45:26 GMT',
    undefined,
    400,
    [
      '«If-Unmodified-Since» no se puede comprobar, porque los recursos no tienen fecha: envíe el «ETag» en «If-Match».',
      'If-Match',
    ],
  ],
  [
    'PUT /api/cars/a-1 If-Match: "5fa7.en"',
    '{"year":2009}',
    412,
    ['“If-Match” is not met: the resource has changed, or the tag is not one of its own.'],
  ],
  [
    'DELETE /api/coches/a-1 If-None-Match: *',
    undefined,
    412,
    ['No se cumple «If-None-Match»: excluye el estado en que está el recurso.'],
  ],
  [
    'GET /api/coches If-Match: "0"',
    undefined,
    412,
    ['No se cumple «If-Match»: el recurso ha cambiado o la etiqueta no es suya.'],
  ],
  [
    'PATCH /api/cars/a-1 Content-Type: application/json-patch+json',
    '[{"op":"replace","path":"/year","value":2009}]',
    415,
    [
      'The body cannot be of type “application/json-patch+json”; set “Content-Type: application/merge-patch+json”.',
      'application/merge-patch+json',
    ],
  ],
  [
    'PUT /api/coches/a-1 Content-Type: application/x-www-form-urlencoded',
    'anio=2009',
    415,
    [
      'El cuerpo no puede ser de tipo «application/x-www-form-urlencoded»; indique «Content-Type: application/json».',
      'application/json',
    ],
  ],
];

tryAll(tries);
