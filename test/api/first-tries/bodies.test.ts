import { expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';
import { type Try, tryAll } from '../../support/app/tries.ts';

/** Bodies as people write them by hand. */
const tries: readonly Try[] = [
  [
    'POST /api/cars',
    '{"id":"x","make":"Seat","power":90}',
    400,
    ['“id” is not a field of the car; did you mean “identifier”?', 'identifier'],
    ['“make” is not a field of the car; did you mean “brand”?', 'brand'],
    ['“power” is not a field of the car; did you mean “enginePower”?', 'enginePower'],
    ['“model” is required.'],
  ],
  [
    'POST /api/cars',
    '{"Brand":"Seat","Model":"Ibiza"}',
    400,
    ['“Brand” is not a field of the car; did you mean “brand”?', 'brand'],
    ['“Model” is not a field of the car; did you mean “model”?', 'model'],
  ],
  [
    'POST /api/cars',
    '{"brand":"Seat","model":"Ibiza","clima":"true","year":"2008","doors":"five"}',
    400,
    ['“clima” must be “true” or “false”, without quotation marks.', 'true'],
    ['“year” must be a whole number from 1886 to 2100.', '2008'],
    ['“doors” must be a whole number from 0 to 20.'],
  ],
  [
    'POST /api/coches',
    '{"marca":"Seat","modelo":"Ibiza","climatizador":"sí","combustible":"x","potencia":"100"}',
    400,
    ['«climatizador» debe ser «true» o «false», sin comillas.', 'true'],
    ['«combustible» no es un campo del coche; ¿quería decir «fuel»?', 'fuel'],
    ['«potencia» no es un campo del coche; ¿quería decir «cilindrada»?', 'cilindrada'],
  ],
  [
    'PUT /api/cars/a-1',
    '{"brand":"Seat","oils":[{"type":"5W-30"}]}',
    400,
    ['“oils” is not a field of the car, but a collection of its own: /api/cars/{identifier}/oils.'],
  ],
  [
    'PUT /api/coches/a-1',
    '{"aceites":[]}',
    400,
    ['«aceites» no es un campo del coche, sino una colección propia: /api/coches/{identificador}/aceites.'],
  ],
  [
    'POST /api/cars',
    "{'brand':'Seat'}",
    400,
    ['The body is not valid JSON: there is a fault at line 1, column 2. Names and texts are in double quotes.'],
  ],
  [
    'POST /api/cars',
    '{"brand":"Seat",}',
    400,
    ['The body is not valid JSON: there is a fault at line 1, column 17. Names and texts are in double quotes.'],
  ],
  ['POST /api/cars', undefined, 400, ['The body is empty.']],
  [
    'POST /api/cars',
    '{"identifier":5,"brand":"Seat","model":600}',
    400,
    ['“identifier” must be text, 1 to 128 characters long, with no control characters, and not “.” or “..”.', '"5"'],
    ['“model” must be text, 1 to 200 characters long.', '"600"'],
  ],
];

tryAll(tries);

const { send } = useApp({ given: [['/api/cars', { identifier: 'r-1', brand: 'Seat', model: 'Ibiza', year: 2008 }]] });

test.each(['/api/coches/r-1', '/api/coches/r-1?campos=marca,anio', '/api/cars/r-1?fields=model'])(
  'what %s answers may be sent back to where it came from',
  async (path) => {
    const { text } = await send('GET', path);
    const { status, json } = await send('PUT', path.replace(/\?.*/, ''), text);
    expect([status, Object.keys(json).length]).toEqual([200, 4]);
  },
);
