/** `include` of a field that refers to another item: the member contains that item instead of its key. */
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
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

  beforeEach(async () => {
    app = await open();
    for (const [path, bodies] of [
      ['/api/ports', [GIJON, AVILES]],
      ['/api/boats', [boat('a', { port: 'Gijón', home: 'Avilés' }), boat('b', { port: 'Gijón' }), boat('c')]],
    ] as const)
      for (const body of bodies) expect((await app.send('POST', path, body)).status).toBe(201);
    await app.send('POST', '/api/boats/a/trips', { number: '1', towards: 'Gijón' });
  });
  afterEach(() => app.close());

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

  /** All that pages of two tell, in names that both languages share, and what the last position is. */
  const walked = async (from: string, between: (page: number) => Promise<unknown> = async () => {}) => {
    const seen: string[] = [];
    for (let [position, page] = [from, 1]; ; page++) {
      const path = `/api/boats?include=port,home&fields=code&number_of_elements=2&changed_since=${position}`;
      const { json, change } = await app.send('GET', path);
      seen.push(
        ...json.map(
          ({ code, port, home }: Record<string, { depth?: number }>) => `${code} ${port?.depth} ${home?.depth}`,
        ),
      );
      if (json.length === 0) return { seen, position };
      position = change ?? '';
      await between(page);
    }
  };

  test('pages of what refers to one port end within it, and go on there', async () => {
    const { change } = await app.send('GET', '/api/boats');
    for (const code of ['d', 'e', 'f'])
      await app.send('POST', '/api/boats', boat(code, { port: 'Gijón', home: 'Gijón' }));
    const { position } = await walked(change ?? '');
    await put('/api/ports/Gij%C3%B3n', { depth: 1 });
    expect((await walked(position)).seen).toEqual(['a 1 undefined', 'b 1 undefined', 'd 1 1', 'e 1 1', 'f 1 1']);
    const meanwhile = await walked(position, async (page) => {
      if (page === 1) await put('/api/ports/Gij%C3%B3n', { depth: 2 });
      if (page === 2) await put('/api/boats/a', { name: 'A' });
    });
    const last = new Map(meanwhile.seen.map((each) => [each.slice(0, 1), each.slice(2)]));
    expect([...last]).toEqual([
      ['a', '2 undefined'],
      ['b', '2 undefined'],
      ['d', '2 2'],
      ['e', '2 2'],
      ['f', '2 2'],
    ]);
  });

  test('a reading from the beginning has what changes meanwhile', async () => {
    const { seen } = await walked('0', async (page) => {
      if (page === 1) await put('/api/ports/Gij%C3%B3n', { depth: 3 });
    });
    expect(seen.slice(0, 2)).toEqual(['a 9 undefined', 'b 9 undefined']);
    const last = new Map(seen.map((each) => [each.slice(0, 1), each.slice(2)]));
    expect(Object.fromEntries(last)).toEqual({ a: '3 undefined', b: '3 undefined', c: 'undefined undefined' });
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
