import { describe, expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';
import { essentials } from '../../support/app/errors.ts';
import { carWords } from '../../support/language/car-words.ts';

const { send } = useApp({
  given: [
    ['/api/cars', { identifier: 'a-1', brand: 'Seat', model: 'Ibiza' }],
    ['/api/cars/a-1/oils', { type: '5W-30' }],
  ],
});

const EN = '/api/cars';
const ES = '/api/coches';
const EN_OILS = '/api/cars/a-1/oils';
const ES_OILS = '/api/coches/a-1/aceites';

const invalid = 'invalid-parameter';

/** An address, its query, and the one error that it has. */
type Row = readonly [path: string, query: string, parameter: string, code: string, detail: string, suggestion?: string];

const rows: readonly Row[] = [
  // Filters that do not parse.
  ...['x', '2008.5', '2e3', '0x7d8', '--1', '-', 'true', '２００８'].map(
    (value): Row => [ES, `anio=${value}`, 'anio', invalid, '«anio» debe ser un número entero.'],
  ),
  ...['2008.0', '+2008', ' 2008', '2008 '].map(
    (value): Row => [
      ES,
      `anio=${encodeURIComponent(value)}`,
      'anio',
      invalid,
      `«anio» no puede ser «${value}»; ¿quería decir «2008»?`,
      '2008',
    ],
  ),
  [EN, 'doors=5&doors=x', 'doors', invalid, '“doors” must be a whole number.'],
  [EN, 'enginePower=x', 'enginePower', invalid, '“enginePower” must be a whole number.'],
  ...['TRUE', '1', 'yes', ' true', 'sí', 'verdadero'].map(
    (value): Row => [
      ES,
      `climatizador=${value}`,
      'climatizador',
      invalid,
      `«climatizador» no puede ser «${value}»; ¿quería decir «true»?`,
      'true',
    ],
  ),
  [EN, 'ac=0', 'ac', invalid, '“ac” cannot be “0”; did you mean “false”?', 'false'],
  [EN, 'ac=sí', 'ac', invalid, '“ac” cannot be “sí”; did you mean “true”?', 'true'],
  [EN, 'ac=maybe', 'ac', invalid, '“ac” must be “true” or “false”.'],
  // Ranges.
  [EN, 'year_from=x', 'year_from', invalid, '“year_from” must be a whole number.'],
  [ES, 'anio_desde=', 'anio_desde', invalid, '«anio_desde» no puede estar vacío.'],
  [ES, 'anio_desde=1&anio_desde=2', 'anio_desde', invalid, '«anio_desde» solo puede aparecer una vez.'],
  [EN, 'year_from=2010&year_to=2005', 'year_from', invalid, '“year_from” must not be greater than “year_to”.'],
  [ES, 'anio_hasta=5&anio_desde=6', 'anio_desde', invalid, '«anio_desde» no puede ser mayor que «anio_hasta».'],
  // Pages and sizes.
  ...['0', '-1', '1.5', '1e1', '00', '+1', '%2B1', 'x', '-0', ' 1', '１'].flatMap((value): readonly Row[] => [
    [EN, `page=${value}`, 'page', invalid, '“page” must be a whole number of 1 or more.'],
    [ES, `pagina=${value}`, 'pagina', invalid, '«pagina» debe ser un número entero mayor o igual que 1.'],
    [
      EN,
      `number_of_elements=${value}`,
      'number_of_elements',
      invalid,
      '“number_of_elements” must be a whole number of 1 or more.',
    ],
    [
      ES_OILS,
      `numero_de_elementos=${value}`,
      'numero_de_elementos',
      invalid,
      '«numero_de_elementos» debe ser un número entero mayor o igual que 1.',
    ],
  ]),
  // Empty or repeated, where one value counts.
  ...['page', 'number_of_elements', 'sort_by', 'order'].flatMap((word): readonly Row[] => [
    [EN, `${word}=`, word, invalid, `“${word}” must not be empty.`],
    [EN_OILS, word, word, invalid, `“${word}” must not be empty.`],
    [EN, `${word}=1&${word}=1`, word, invalid, `“${word}” may appear only once.`],
    [EN, `${word}=&${word}=1`, word, invalid, `“${word}” may appear only once.`],
  ]),
  ...['pagina', 'numero_de_elementos', 'ordenar_por', 'orden'].flatMap((word): readonly Row[] => [
    [ES, `${word}=`, word, invalid, `«${word}» no puede estar vacío.`],
    [ES_OILS, `${word}=1&${word}=2`, word, invalid, `«${word}» solo puede aparecer una vez.`],
  ]),
  // Several fields to sort by.
  [EN, 'sort_by=year,', 'sort_by', invalid, '“sort_by” has an empty element: separate its values by single commas.'],
  [EN, 'sort_by=year,year', 'sort_by', invalid, '“sort_by” contains “year” more than once.'],
  [EN, 'order=asc,desc', 'order', invalid, '“order” has more values than “sort_by” has fields.'],
  [
    ES,
    'ordenar_por=,anio',
    'ordenar_por',
    invalid,
    '«ordenar_por» tiene un elemento vacío: separe los valores con una sola coma.',
  ],
  [ES, 'ordenar_por=anio,anio', 'ordenar_por', invalid, '«ordenar_por» contiene «anio» más de una vez.'],
  [
    ES,
    'ordenar_por=anio&orden=ascendente,descendente',
    'orden',
    invalid,
    '«orden» tiene más valores que campos hay en «ordenar_por».',
  ],
  // Values of sort and order.
  [
    EN,
    'sort_by=colour',
    'sort_by',
    invalid,
    `“sort_by” cannot be “colour”, which is not a field of the car; the fields are: ${carWords.en.join(', ')}.`,
  ],
  [
    EN,
    'sort_by=marca',
    'sort_by',
    invalid,
    '“sort_by” cannot be “marca”, which is not a field of the car; did you mean “brand”?',
    'brand',
  ],
  [
    EN,
    'sort_by=page',
    'sort_by',
    invalid,
    `“sort_by” cannot be “page”, which is not a field of the car; the fields are: ${carWords.en.join(', ')}.`,
  ],
  [
    EN_OILS,
    'sort_by=typ',
    'sort_by',
    invalid,
    '“sort_by” cannot be “typ”, which is not a field of the oil; did you mean “type”?',
    'type',
  ],
  [
    ES,
    'ordenar_por=brand',
    'ordenar_por',
    invalid,
    '«ordenar_por» no puede ser «brand», que no es un campo del coche; ¿quería decir «marca»?',
    'marca',
  ],
  [
    ES,
    'ordenar_por=Marca',
    'ordenar_por',
    invalid,
    '«ordenar_por» no puede ser «Marca», que no es un campo del coche; ¿quería decir «marca»?',
    'marca',
  ],
  [
    ES_OILS,
    'ordenar_por=marca',
    'ordenar_por',
    invalid,
    '«ordenar_por» no puede ser «marca», que no es un campo del aceite; los campos son: tipo, otros_datos.',
  ],
  [
    EN,
    'order=ascendente',
    'order',
    invalid,
    '“order” must be “asc” or “desc”, not “ascendente”; did you mean “asc”?',
    'asc',
  ],
  [EN, 'order=DESC', 'order', invalid, '“order” must be “asc” or “desc”, not “DESC”; did you mean “desc”?', 'desc'],
  [EN, 'order=sideways', 'order', invalid, '“order” must be “asc” or “desc”, not “sideways”.'],
  [
    ES,
    'orden=asc',
    'orden',
    invalid,
    '«orden» debe ser «ascendente» o «descendente», no «asc»; ¿quería decir «ascendente»?',
    'ascendente',
  ],
  [
    ES_OILS,
    'orden=desc',
    'orden',
    invalid,
    '«orden» debe ser «ascendente» o «descendente», no «desc»; ¿quería decir «descendente»?',
    'descendente',
  ],
  [ES, 'orden=arriba', 'orden', invalid, '«orden» debe ser «ascendente» o «descendente», no «arriba».'],
  // Broken percent-encoding.
  ...['%', '%z', '%zz', '%C0%AF', '%ED%A0%80', '%ff', 'a%00b'].flatMap((value): readonly Row[] => [
    [
      EN,
      `brand=${value}`,
      'brand',
      invalid,
      '“brand” is not valid: check the percent-encoding; it must be UTF-8 without U+0000.',
    ],
    [
      ES,
      `marca=${value}`,
      'marca',
      invalid,
      '«marca» no es válido: revise las secuencias «%XX»; deben formar texto UTF-8 sin U+0000.',
    ],
  ]),
];

describe('a parameter with a value that it cannot have', () => {
  test.each(rows)('%s?%s', async (path, query, parameter, code, detail, suggestion) => {
    const { status, json } = await send('GET', `${path}?${query}`);
    expect([status, json.code, json.detail]).toEqual([400, code, detail]);
    expect(essentials(json.errors)).toEqual([
      { parameter, code, detail, ...(suggestion === undefined ? {} : { suggestion }) },
    ]);
    expect((await send('HEAD', `${path}?${query}`)).status).toBe(400);
  });
});
