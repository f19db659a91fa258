import { describe, expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';
import { tryAll } from '../../support/app/tries.ts';

const given = [
  ['/api/cars', { identifier: 'a/1', brand: 'Seat', model: 'Ibiza', year: 2008, enginePower: 105, clima: true }],
  ['/api/cars', { identifier: 'b', brand: 'Citroën', model: 'C4', version: '' }],
  ['/api/cars', { identifier: 'B', brand: 'Ávila', model: 'x', year: 1999 }],
  ['/api/cars/a%2F1/oils', { type: 'Z "9"\\', otherInfo: 'ñ 汽 \u2028' }],
  ['/api/cars/a%2F1/oils', { type: '10W/40' }],
  ['/api/cars/B/oils', { type: '5W-30', otherInfo: '' }],
] as const;
const { send } = useApp({ given });

/** What is asked for, and the whole answer. */
type Row = readonly [path: string, answer: string];

const zNine = String.raw`"Z \"9\"\\"`;
const info = '"ñ 汽 \u2028"';

const answers: readonly Row[] = [
  [
    '/api/cars?fields=brand',
    '[{"identifier":"a/1","brand":"Seat"},{"identifier":"b","brand":"Citroën"},{"identifier":"B","brand":"Ávila"}]',
  ],
  ['/api/coches?campos=marca&anio=2008', '[{"identificador":"a/1","marca":"Seat"}]'],
  // In the catalogue's order, whatever is asked for first, and without what has no value.
  ['/api/cars?fields=year,model,identifier&brand=seat', '[{"identifier":"a/1","model":"Ibiza","year":2008}]'],
  ['/api/coches?campos=anio,modelo&modelo=c4', '[{"identificador":"b","modelo":"C4"}]'],
  ['/api/cars?fields=identifier', '[{"identifier":"a/1"},{"identifier":"b"},{"identifier":"B"}]'],
  // Filters and sorts see whole items.
  ['/api/cars?fields=clima&sort_by=year&order=desc&number_of_elements=1', '[{"identifier":"a/1","clima":true}]'],
  ['/api/cars/a%2F1?fields=enginePower', '{"identifier":"a/1","enginePower":105}'],
  ['/api/coches/a%2F1?campos=cilindrada', '{"identificador":"a/1","cilindrada":105}'],
  ['/api/coches/b?campos=climatizador', '{"identificador":"b"}'],
  ['/api/cars/a%2F1/oils?fields=type', `[{"type":${zNine}},{"type":"10W/40"}]`],
  ['/api/coches/a%2F1/aceites/10W%2F40?campos=otros_datos', '{"tipo":"10W/40"}'],
  // Nested, in the order of creation; an empty one too.
  [
    '/api/cars?include=oils&fields=year',
    `[{"identifier":"a/1","year":2008,"oils":[{"type":${zNine},"otherInfo":${info}},{"type":"10W/40"}]},{"identifier":"b","oils":[]},{"identifier":"B","year":1999,"oils":[{"type":"5W-30","otherInfo":""}]}]`,
  ],
  [
    '/api/coches?incluir=aceites&anio_hasta=2000',
    '[{"identificador":"B","marca":"Ávila","modelo":"x","anio":1999,"aceites":[{"tipo":"5W-30","otros_datos":""}]}]',
  ],
  ['/api/coches/b?incluir=aceites', '{"identificador":"b","marca":"Citroën","modelo":"C4","version":"","aceites":[]}'],
  [
    '/api/cars/B?include=oils&fields=brand',
    '{"identifier":"B","brand":"Ávila","oils":[{"type":"5W-30","otherInfo":""}]}',
  ],
  [
    '/api/cars?include=oils&fields=identifier&sort_by=year,brand&number_of_elements=1&page=3',
    '[{"identifier":"b","oils":[]}]',
  ],
  ['/api/cars?include=oils&fields=identifier&page=9', '[]'],
  // Of what a search finds, best first or sorted.
  [
    '/api/cars?search=avil&include=oils&fields=year',
    '[{"identifier":"B","year":1999,"oils":[{"type":"5W-30","otherInfo":""}]}]',
  ],
  [
    '/api/coches?buscar=c4&incluir=aceites&campos=modelo&ordenar_por=marca,anio&numero_de_elementos=1',
    '[{"identificador":"b","modelo":"C4","aceites":[]}]',
  ],
];

test.each(answers)('%s', async (path, answer) => {
  const { status, text } = await send('GET', path);
  expect([status, text]).toEqual([200, answer]);
  const { status: head, text: none } = await send('HEAD', path);
  expect([head, none]).toEqual([200, '']);
});

describe('in vain', () => {
  tryAll(
    `
GET /api/cars?fields=marca
400 invalid-parameter “fields” cannot be “marca”, which is not a field of the car; did you mean “brand”?
GET /api/cars/b?fields=colour
400 invalid-parameter “fields” cannot be “colour”, which is not a field of the car; the fields are: identifier, brand, model, year, doors, enginePower, version, clima, ac, fuel.
GET /api/cars?fields=oils
400 invalid-parameter “fields” cannot be “oils”, which is not a field of the car; the fields are: identifier, brand, model, year, doors, enginePower, version, clima, ac, fuel.
GET /api/coches?fields=marca → campos
GET /api/cars/b?campos=brand → fields
GET /api/cars/b?incluir=oils → include
GET /api/cars?include=aceites
400 invalid-parameter “include” cannot be “aceites”, which is neither a collection nor a reference of the car; did you mean “oils”?
GET /api/coches/b?incluir=ruedas
400 invalid-parameter «incluir» no puede ser «ruedas», que no es una colección ni una referencia del coche; las disponibles son: aceites.
GET /api/cars?include=oils,oils
400 invalid-parameter “include” contains “oils” more than once.
GET /api/cars/B/oils?include=oils
400 unknown-parameter “include” is not a parameter here; the parameters are: ….
GET /api/cars?fields=year&group_by=brand
400 invalid-parameter “fields” cannot be combined with “group_by”: a group has only a value and a total.
GET /api/coches?agrupar_por=marca&incluir=aceites
400 invalid-parameter «incluir» no se puede combinar con «agrupar_por»: un grupo solo tiene un valor y un total.
GET /api/cars?include=oils&format=csv
400 invalid-parameter “include” cannot be used with text/csv, which has no place for items within items.
`,
    { given },
  );

  test('a missing item is missing with its parts too, after the faults of the query', async () => {
    expect((await send('GET', '/api/cars/none?fields=year&include=oils')).json.code).toBe('not-found');
    expect((await send('GET', '/api/cars/none?fields=colour')).status).toBe(400);
    expect((await send('GET', '/api/cars/none/oils/x?fields=type')).status).toBe(404);
  });

  test.each(['PUT', 'PATCH', 'DELETE'])('%s has no parts', async (method) => {
    const { status, json } = await send(method, '/api/cars/b?fields=year', method === 'DELETE' ? undefined : {});
    expect([status, json.code]).toEqual([400, 'unknown-parameter']);
  });
});

test('files and lines have the chosen columns', async () => {
  const { text } = await send('GET', '/api/coches?campos=anio,marca&formato=csv&anio_desde=2000');
  // Without the byte-order mark, which reading a text removes.
  expect(text).toBe('identificador;marca;anio\r\na/1;Seat;2008\r\n');
  const lines = await send('GET', '/api/cars?fields=model&include=oils&format=ndjson&year_to=2000');
  expect(lines.text).toBe('{"identifier":"B","model":"x","oils":[{"type":"5W-30","otherInfo":""}]}\n');
  const tab = await send('GET', '/api/cars?fields=year&brand=seat', undefined, { accept: 'text/csv; delimiter=tab' });
  expect(tab.text).toBe('identifier\tyear\r\na/1\t2008\r\n');
});
