/** `include` of a field that refers to another item: the member contains that item instead of its key. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tryAll } from '../../support/app/tries.ts';
import { everyKind, everyKindTables } from '../../support/language/every-kind.ts';
import { everyKindApps, type Opened } from '../../support/language/every-kind-apps.ts';

const GIJON = { place: 'Gijón', depth: 9 };
const AVILES = { place: 'Avilés' };
const boat = (code: string, more: object = {}) => ({ code, name: code, ...more });

describe.each(everyKindApps(afterAll))('in a %s', (_, open) => {
  let app: Opened;
  const get = async (path: string) => (await app.send('GET', path)).json;
  const put = async (path: string, body: object) => expect((await app.send('PUT', path, body)).status).toBe(200);

  beforeAll(async () => {
    app = await open();
  });
  beforeEach(async () => {
    await app.empty();
    for (const [path, bodies] of [
      ['/api/ports', [GIJON, AVILES]],
      ['/api/boats', [boat('a', { port: 'Gijón', home: 'Avilés' }), boat('b', { port: 'Gijón' }), boat('c')]],
    ] as const)
      for (const body of bodies) expect((await app.send('POST', path, body)).status).toBe(201);
    await app.send('POST', '/api/boats/a/trips', { number: '1', towards: 'Gijón' });
  });
  afterAll(() => app.close());

  const [GIJON_ES, TRIPS] = [{ lugar: 'Gijón', calado: 9 }, [{ numero: '1', destino: 'Gijón' }]];
  test.each<readonly [path: string, json: unknown]>([
    ['/api/boats/a?include=port', { ...boat('a'), port: GIJON, home: 'Avilés', state: 'for sale' }],
    ['/api/boats/a?include=home,port', { ...boat('a'), port: GIJON, home: AVILES, state: 'for sale' }],
    ['/api/boats/c?include=port,home', { ...boat('c'), state: 'for sale' }],
    ['/api/barcos/a?campos=nombre&incluir=puerto', { codigo: 'a', nombre: 'a', puerto: GIJON_ES }],
    ['/api/barcos/a?campos=nombre,puerto', { codigo: 'a', nombre: 'a', puerto: 'Gijón' }],
    [
      '/api/barcos?incluir=viajes,puerto&campos=codigo',
      [
        { codigo: 'a', puerto: GIJON_ES, viajes: TRIPS },
        { codigo: 'b', puerto: GIJON_ES, viajes: [] },
        { codigo: 'c', viajes: [] },
      ],
    ],
    ['/api/boats?include=home&fields=port&home=aviles', [{ code: 'a', port: 'Gijón', home: AVILES }]],
    ['/api/boats?search=b&include=port&fields=code', [{ code: 'b', port: GIJON }]],
    ['/api/boats?sort_by=port&order=desc&include=port&fields=code&number_of_elements=1', [{ code: 'b', port: GIJON }]],
    ['/api/boats/a/trips?include=towards', [{ number: '1', towards: GIJON }]],
    ['/api/barcos/a/viajes/1?incluir=destino', { numero: '1', destino: GIJON_ES }],
  ])('%s', async (path, json) => expect(await get(path)).toEqual(json));

  test('what changes in a port tells again, once, the boats of a list that include it', async () => {
    const { change } = await app.send('GET', '/api/boats');
    const told = (query: string) => get(`/api/boats?fields=code&changed_since=${change}${query}`);
    await put('/api/puertos/Gij%C3%B3n', { calado: 12 });
    const port = { place: 'Gijón', depth: 12 };
    expect(await told('')).toEqual([]);
    expect(await told('&include=home')).toEqual([]);
    expect(await told('&include=home,port')).toEqual([
      { code: 'a', port, home: AVILES },
      { code: 'b', port },
    ]);
    expect(await told('&include=port&name=b')).toEqual([{ code: 'b', port }]);
    expect(await told('&include=port&name=c')).toEqual([]);
    expect(await get(`/api/barcos/a/viajes?cambiado_desde=${change}&incluir=destino`)).toEqual([
      { numero: '1', destino: { lugar: 'Gijón', calado: 12 } },
    ]);
    await app.send('DELETE', '/api/ports/Avil%C3%A9s');
    expect(await told('&include=home')).toEqual([{ code: 'a' }]);
  });
});

tryAll(
  `
GET /api/boats?include=puerto
400 invalid-parameter “include” cannot be “puerto”, which is neither a collection nor a reference of the boat; did you mean “port”?
GET /api/barcos/a?incluir=puertos
400 invalid-parameter «incluir» no puede ser «puertos», que no es una colección ni una referencia del barco; ¿quería decir «puerto»?
GET /api/barcos?incluir=nombre
400 invalid-parameter «incluir» no puede ser «nombre», que no es una colección ni una referencia del barco; las disponibles son: viajes, puerto, base.
GET /api/boats?include=port,port
400 invalid-parameter “include” contains “port” more than once.
GET /api/boats?include=port&format=csv
400 invalid-parameter “include” cannot be used with text/csv, which has no place for items within items.
PUT /api/boats/c
> {"port":{"place":"Gijón","depth":9}}
400 invalid-value “port” must be the key (“place”) of an item of “ports”, not the whole item. → Gijón
PUT /api/barcos/c
> {"puerto":{"calado":9}}
400 invalid-value «puerto» debe ser la clave («lugar») de un elemento de «puertos», no el elemento entero.
`,
  { catalogue: everyKind, locales: everyKindTables(afterAll), given: [['/api/boats', boat('c')]] },
);
