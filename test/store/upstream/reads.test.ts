/** The gateway before APIs of others, in both languages. */
import { text } from 'node:stream/consumers';
import type { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Env } from '../../../src/gateway/http/context.ts';
import type { MappingFile } from '../../../src/store/upstream/mapping/mapping.ts';
import { type Content, gatewayBefore, listening, peers } from '../../support/peers/peers.ts';

const content: Content = {
  cars: [
    { id: 'ibiza-1', brand: 'Seat', model: 'Ibiza', year: 2008, doors: 5, clima: true },
    { id: 'c4', brand: 'Citroën', model: 'C4', year: 2006, clima: false },
    { id: 'leon', brand: 'SEAT', model: 'León', year: null },
    { id: 'a/b ñ', brand: 'Audi', model: 'A3', year: 2015, version: '1.9 TDI' },
    { id: '7', brand: 'Lotus', model: '5', year: 1999, doors: 2 },
  ],
  oils: [
    { id: '1', carId: 'ibiza-1', type: '5W-30', otherInfo: 'VW 504' },
    { id: '2', carId: 'ibiza-1', type: '10W/40' },
    { id: '3', carId: '7', type: '5W-30' },
  ],
};

const es = {
  ibiza: { identificador: 'ibiza-1', marca: 'Seat', modelo: 'Ibiza', anio: 2008, puertas: 5, climatizador: true },
  leon: { identificador: 'leon', marca: 'SEAT', modelo: 'León' },
  a3: { identificador: 'a/b ñ', marca: 'Audi', modelo: 'A3', anio: 2015, version: '1.9 TDI' },
  lotus: { identificador: '7', marca: 'Lotus', modelo: '5', anio: 1999, puertas: 2 },
};

/** Keys of the items of lists. */
const lists: readonly (readonly [path: string, total: number, keys: readonly string[]])[] = [
  ['/api/coches', 5, ['ibiza-1', 'c4', 'leon', 'a/b ñ', '7']],
  ['/api/cars?brand=seat', 2, ['ibiza-1', 'leon']],
  ['/api/coches?marca=citroen&marca=audi', 2, ['c4', 'a/b ñ']],
  ['/api/cars?model=5', 1, ['7']],
  ['/api/coches?identificador=7', 1, ['7']],
  ['/api/cars?year=2008', 1, ['ibiza-1']],
  ['/api/coches?anio=2008&anio=1999', 2, ['ibiza-1', '7']],
  ['/api/cars?clima=false', 1, ['c4']],
  ['/api/coches?climatizador=true&climatizador=false', 2, ['ibiza-1', 'c4']],
  // No item has one.
  ['/api/cars?enginePower=5', 0, []],
  ['/api/coches?ac=true', 0, []],
  ['/api/cars?year_from=2006', 3, ['ibiza-1', 'c4', 'a/b ñ']],
  ['/api/coches?anio_hasta=2006', 2, ['c4', '7']],
  ['/api/cars?year_from=2000&year_to=2010&doors=5', 1, ['ibiza-1']],
  ['/api/coches?ordenar_por=anio', 5, ['7', 'c4', 'ibiza-1', 'a/b ñ', 'leon']],
  ['/api/cars?sort_by=year&order=desc', 5, ['a/b ñ', 'ibiza-1', 'c4', '7', 'leon']],
  ['/api/coches?ordenar_por=marca,anio&orden=ascendente,descendente', 5, ['a/b ñ', 'c4', '7', 'ibiza-1', 'leon']],
  ['/api/cars?order=desc', 5, ['7', 'a/b ñ', 'leon', 'c4', 'ibiza-1']],
  ['/api/coches?buscar=leo', 1, ['leon']],
  ['/api/cars?search=1.9+tdi&year=2015', 1, ['a/b ñ']],
  ['/api/coches?numero_de_elementos=2&pagina=2', 5, ['leon', 'a/b ñ']],
  ['/api/cars?number_of_elements=2&page=3', 5, ['7']],
  ['/api/coches?numero_de_elementos=2&pagina=4', 5, []],
  ['/api/cars?brand=seat&number_of_elements=1&page=2', 2, ['leon']],
  ['/api/coches/ibiza-1/aceites', 2, ['5W-30', '10W/40']],
  ['/api/cars/7/oils', 1, ['5W-30']],
  ['/api/cars/leon/oils', 0, []],
  ['/api/coches/ibiza-1/aceites?tipo=10w/40', 1, ['10W/40']],
];

const answers: readonly (readonly [path: string, status: number, body: unknown])[] = [
  ['/api/coches/ibiza-1', 200, es.ibiza],
  ['/api/coches/leon', 200, es.leon],
  ['/api/coches/a%2Fb%20%C3%B1', 200, es.a3],
  ['/api/coches/7', 200, es.lotus],
  ['/api/cars/7', 200, { identifier: '7', brand: 'Lotus', model: '5', year: 1999, doors: 2 }],
  ['/api/cars/IBIZA-1', 404, { code: 'not-found', detail: 'Cannot find the car “IBIZA-1”.' }],
  ['/api/coches/nada', 404, { code: 'not-found', detail: 'No existe el coche «nada».' }],
  ['/api/coches/nada/aceites', 404, { code: 'not-found', detail: 'No existe el coche «nada».' }],
  ['/api/cars/ibiza-1/oils/10W%2F40', 200, { type: '10W/40' }],
  ['/api/coches/ibiza-1/aceites/5W-30', 200, { tipo: '5W-30', otros_datos: 'VW 504' }],
  ['/api/coches/7/aceites/10W%2F40', 404, { code: 'not-found' }],
  [
    '/api/coches?agrupar_por=marca',
    200,
    [
      { marca: 'SEAT', total: 2 },
      { marca: 'Audi', total: 1 },
      { marca: 'Citroën', total: 1 },
      { marca: 'Lotus', total: 1 },
    ],
  ],
  [
    '/api/cars?group_by=year&year_from=2007',
    200,
    [
      { year: 2008, total: 1 },
      { year: 2015, total: 1 },
    ],
  ],
  ['/api/coches?campos=anio&numero_de_elementos=1', 200, [{ identificador: 'ibiza-1', anio: 2008 }]],
  ['/api/coches?brand=Seat', 400, { code: 'unknown-parameter', errors: [{ suggestion: 'marca' }] }],
  ['/api/coches?cambiado_desde=0', 501, { code: 'not-supported', errors: [{ parameter: 'cambiado_desde' }] }],
  [
    '/api/coches/ibiza-1?incluir=aceites&campos=anio',
    200,
    { identificador: 'ibiza-1', anio: 2008, aceites: [{ tipo: '5W-30', otros_datos: 'VW 504' }, { tipo: '10W/40' }] },
  ],
  ['/api/cars/leon?include=oils&fields=year', 200, { identifier: 'leon', oils: [] }],
  ['/api/cars/none?include=oils', 404, { code: 'not-found' }],
  [
    '/api/cars?include=oils&fields=year&year_to=2006',
    200,
    [
      { identifier: 'c4', year: 2006, oils: [] },
      { identifier: '7', year: 1999, oils: [{ type: '5W-30' }] },
    ],
  ],
  [
    '/api/coches?incluir=aceites&campos=anio&marca=seat&numero_de_elementos=1',
    200,
    [{ identificador: 'ibiza-1', anio: 2008, aceites: [{ tipo: '5W-30', otros_datos: 'VW 504' }, { tipo: '10W/40' }] }],
  ],
  ['/api/cars?include=aceites', 400, { code: 'invalid-parameter', errors: [{ suggestion: 'oils' }] }],
];

describe.each(Object.entries(peers))('%s', (_, open) => {
  let app: Hono<Env>;
  const ends: (() => void)[] = [];
  beforeAll(async () => {
    const { listener, mapping } = await open(content);
    const url = await listening(listener, (end) => void ends.push(end));
    app = gatewayBefore(url, mapping).app;
  });
  afterAll(() => {
    for (const end of ends) end();
  });

  test.each(lists)('%s', async (path, total, keys) => {
    const response = await app.request(path);
    const items: readonly Record<string, unknown>[] = JSON.parse(await response.text());
    expect([response.status, response.headers.get('x-total-count')]).toEqual([200, String(total)]);
    expect(items.map((item) => Object.values(item)[0])).toEqual(keys);
  });

  test.each(answers)('%s: %s', async (path, status, body) => {
    const response = await app.request(path);
    const answered = JSON.parse(await response.text());
    expect(response.status).toBe(status);
    if (status === 200) expect(answered).toEqual(body);
    else expect(answered).toMatchObject(Object(body));
  });

  test('an item has a tag, in each language its own, which says that the client has it already', async () => {
    const [en = '', es = ''] = await Promise.all(
      ['/api/cars/7', '/api/coches/7'].map(async (path) => (await app.request(path)).headers.get('etag') ?? ''),
    );
    expect([en.endsWith('.en"'), es.endsWith('.es"')]).toEqual([true, true]);
    expect((await app.request('/api/cars/7', { headers: { 'if-none-match': en } })).status).toBe(304);
    expect((await app.request('/api/cars/7', { headers: { 'if-none-match': es } })).status).toBe(200);
  });

  test('the tag of an item with others in it is of those, too', async () => {
    const path = '/api/coches/7?incluir=aceites';
    const tag = (await app.request(path)).headers.get('etag') ?? '';
    expect((await app.request(path, { headers: { 'if-none-match': tag } })).status).toBe(304);
    const { headers } = await app.request('/api/coches/leon?incluir=aceites');
    expect(headers.get('etag')?.split('.').at(-1)).not.toBe(tag.split('.').at(-1));
  });

  test('a page links to the others, in the words of its language', async () => {
    const { headers } = await app.request('/api/coches?marca=seat&numero_de_elementos=1');
    expect(headers.get('link')).toBe(
      [
        '</api/coches?marca=seat&numero_de_elementos=1&pagina=1>; rel="first"',
        '</api/coches?marca=seat&numero_de_elementos=1&pagina=2>; rel="next"',
        '</api/coches?marca=seat&numero_de_elementos=1&pagina=2>; rel="last"',
        '</api/cars?brand=seat&number_of_elements=1>; rel="alternate"; hreflang="en"',
      ].join(', '),
    );
  });

  test('a list may be a file, and HEAD has what GET has but the content', async () => {
    const file = await app.request('/api/coches?formato=csv&anio=2008');
    expect((await file.text()).split(/\r?\n/)[1]).toContain('ibiza-1;Seat;Ibiza;2008');
    const head = await app.request('/api/coches?marca=seat', { method: 'HEAD' });
    expect([head.status, head.headers.get('x-total-count'), await head.text()]).toEqual([200, '2', '']);
  });
});

test('a long list comes in pages, which follow each other', async () => {
  const cars = Array.from({ length: 1_234 }, (_, at) => ({
    id: `car-${at}`,
    brand: 'Seat',
    model: 'Ibiza',
    year: 2000,
  }));
  for (const open of Object.values(peers).slice(0, 2)) {
    const { listener, mapping } = await open({ cars, oils: [] });
    const asked: string[] = [];
    const url = await listening((incoming, outgoing) => {
      asked.push(incoming.url ?? '');
      listener(incoming, outgoing);
    });
    const { app } = gatewayBefore(url, mapping);
    const response = await app.request('/api/coches');
    const items: readonly { identificador: string }[] = JSON.parse(await response.text());
    expect(items.map(({ identificador }) => identificador)).toEqual(cars.map(({ id }) => id));
    expect(asked).toHaveLength(3);
  }
});

describe('what is nested', () => {
  test('comes with every item of a long list, in the order of its own list', async () => {
    const cars = Array.from({ length: 620 }, (_, at) => ({ id: `car.${at}`, brand: 'Seat', model: 'Ibiza' }));
    const oils = cars.flatMap(({ id: carId }, at) => [
      { id: `${at}-a`, carId, type: `Z${at}` },
      ...(at % 7 === 0 ? [{ id: `${at}-b`, carId, type: 'A' }] : []),
    ]);
    for (const open of Object.values(peers)) {
      const { listener, mapping } = await open({ cars, oils });
      const { app } = gatewayBefore(await listening(listener), mapping);
      const response = await app.request('/api/coches?incluir=aceites&campos=anio');
      const items: readonly object[] = JSON.parse(await response.text());
      expect(items).toEqual(
        cars.map(({ id: identificador }, at) => ({
          identificador,
          aceites: [{ tipo: `Z${at}` }, ...(at % 7 === 0 ? [{ tipo: 'A' }] : [])],
        })),
      );
    }
  });

  test('is found by the longest keys, too', async () => {
    const cars = Array.from({ length: 50 }, (_, at) => ({
      id: `${at}${'-ñ🚗'.repeat(42)}`,
      brand: 'Seat',
      model: 'Ibiza',
    }));
    const oils = cars.map(({ id: carId }, at) => ({ id: String(at), carId, type: String(at) }));
    for (const open of [peers['json-server 0.17'], peers['json-server 1.0']]) {
      const { listener, mapping } = await open({ cars, oils });
      const { app } = gatewayBefore(await listening(listener), mapping);
      const items = JSON.parse(await (await app.request('/api/coches?incluir=aceites&campos=anio')).text());
      expect(items.map(({ aceites }: { aceites: unknown }) => aceites)).toEqual(
        oils.map(({ type }) => [{ tipo: type }]),
      );
    }
  });

  test('is that of the very same key, whatever its case', async () => {
    const { listener, mapping } = await peers['json-server 0.17']({
      cars: ['a.c', 'A.C', 'abc'].map((id) => ({ id, brand: 'Seat', model: 'Ibiza' })),
      oils: ['a.c', 'A.C', 'abc'].map((carId, id) => ({ id, carId, type: `of ${carId}` })),
    });
    const { app } = gatewayBefore(await listening(listener), mapping);
    const items = JSON.parse(await (await app.request('/api/cars?include=oils&fields=year')).text());
    expect(items.map(({ oils }: { oils: unknown }) => oils)).toEqual([
      [{ type: 'of a.c' }],
      [{ type: 'of A.C' }],
      [{ type: 'of abc' }],
    ]);
  });

  test.each([
    ['json-server 0.17', { id: '1', carId: 'a', type: 5 }, 502, '"type" is 5'],
    ['a stand-in for PostgREST', { id: '1', carId: 'a', type: 'x', otherInfo: 7 }, 502, '"otherInfo" is 7'],
  ] as const)('is checked as items of %s are', async (peer, oil, status, fault) => {
    const { listener, mapping } = await peers[peer]({ cars: [{ id: 'a', brand: 'Seat', model: 'x' }], oils: [oil] });
    const { app, faults } = gatewayBefore(await listening(listener), mapping);
    expect((await app.request('/api/coches?incluir=aceites')).status).toBe(status);
    expect(faults).toEqual([`upstream: ${fault}`]);
  });

  test('is refused where it is below each item, and does not come within it', async () => {
    const { listener } = await peers['json-server 0.17'](content);
    const { app } = gatewayBefore(await listening(listener), {
      preset: 'json-server',
      collections: { cars: { fields: { identifier: 'id' } } },
    });
    const response = await app.request('/api/coches?incluir=aceites');
    expect([response.status, JSON.parse(await response.text()).errors]).toMatchObject([
      501,
      [{ parameter: 'incluir' }],
    ]);
  });

  test('in a list that does not exist is no empty one', async () => {
    const { listener, mapping } = await peers['json-server 0.17'](content);
    const collections = { ...mapping.collections, oils: { path: '/lubricants', parent: 'carId', id: 'id' } };
    const { app, faults } = gatewayBefore(await listening(listener), { ...mapping, collections });
    expect((await app.request('/api/coches?incluir=aceites')).status).toBe(502);
    expect((await app.request('/api/cars/7/oils')).status).toBe(502);
    expect(faults).toEqual(Array(2).fill('upstream: /lubricants does not exist'));
  });

  test('that does not come is no usable answer', async () => {
    const url = await listening((_, outgoing) => {
      const headers = { 'content-type': 'application/json', 'x-total-count': '1' };
      outgoing.writeHead(200, headers).end('[{"identifier": "a", "brand": "Seat", "model": "Ibiza"}]');
    });
    const { app, faults } = gatewayBefore(url, { preset: 'this' });
    expect((await app.request('/api/cars?include=oils')).status).toBe(502);
    expect(faults).toEqual(['upstream: an item has no list "oils"']);
  });
});

test('what an API cannot do is done here of so many items at most, and otherwise refused', async () => {
  const { listener, mapping } = await peers['json-server 0.17'](content);
  const url = await listening(listener);
  const few = gatewayBefore(url, { ...mapping, here: 4 }).app;
  const refused = await few.request('/api/coches?marca=seat');
  expect([refused.status, JSON.parse(await refused.text()).detail]).toEqual([
    501,
    'El sistema que guarda los elementos de este catálogo no puede hacer esto por sí mismo, y la lista tiene más de 4 elementos, demasiados para hacerlo aquí. Pida menos, o sin ello.',
  ]);
  // What it can do itself leaves fewer.
  expect((await few.request('/api/coches?marca=seat&anio_desde=2000')).status).toBe(200);
  const none = gatewayBefore(url, { ...mapping, here: 0 }).app;
  expect(JSON.parse(await (await none.request('/api/cars?brand=seat')).text())).toMatchObject({
    code: 'not-supported',
    errors: [{ parameter: 'brand' }],
  });
  expect((await none.request('/api/cars?year_from=2000')).status).toBe(200);
});

describe('answers in envelopes', () => {
  const ENVELOPE = { items: 'result.rows', total: 'result.meta.total', item: 'data' };
  /** Puts what json-server answers into envelopes. */
  const placed = async (envelope: MappingFile['envelope']) => {
    const { listener, mapping } = await peers['json-server 0.17'](content);
    const inner = await listening(listener);
    const url = await listening(async (incoming, outgoing) => {
      const { method = '', url = '' } = incoming;
      const sent =
        method === 'GET' ? {} : { body: await text(incoming), headers: { 'content-type': 'application/json' } };
      const answer = await fetch(inner + url, { method, ...sent });
      const found = await answer.json();
      const total = Number(answer.headers.get('x-total-count'));
      const wrapped = Array.isArray(found) ? { result: { rows: found, meta: { total } } } : { data: found };
      outgoing.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(wrapped));
    });
    return gatewayBefore(url, { ...mapping, ...(envelope ? { envelope } : {}) });
  };

  test('are opened: lists, items, and what a write answers', async () => {
    const { app } = await placed(ENVELOPE);
    const list = await app.request('/api/coches?anio_desde=2000&numero_de_elementos=1&pagina=2');
    expect([list.headers.get('x-total-count'), JSON.parse(await list.text())]).toEqual([
      '3',
      [{ identificador: 'c4', marca: 'Citroën', modelo: 'C4', anio: 2006, climatizador: false }],
    ]);
    expect(await (await app.request('/api/coches/leon')).json()).toEqual(es.leon);
    expect(await (await app.request('/api/cars/7/oils')).json()).toEqual([{ type: '5W-30' }]);
    const headers = { 'content-type': 'application/json' };
    const put = await app.request('/api/coches/leon', { method: 'PUT', headers, body: '{"anio": 2001}' });
    expect([put.status, await put.json()]).toEqual([200, { ...es.leon, anio: 2001 }]);
  });

  test('that are elsewhere are no usable answers', async () => {
    const { app, faults } = await placed({ ...ENVELOPE, total: 'meta.total' });
    expect((await app.request('/api/coches')).status).toBe(502);
    expect(faults).toEqual(['upstream: /cars has no total']);
    expect((await (await placed(undefined)).app.request('/api/cars/7')).status).toBe(502);
  });
});

test.each([
  ['no-store', 'no-store'],
  ['private, max-age=60', 'private, no-cache'],
  ['public, max-age=60', 'no-cache'],
  [undefined, 'no-cache'],
])(
  'an item that comes with Cache-Control: %s may be kept as far as that allows, and is asked for again: %s',
  async (theirs, ours) => {
    const url = await listening((_, outgoing) => {
      const headers = { 'content-type': 'application/json', ...(theirs ? { 'cache-control': theirs } : {}) };
      outgoing.writeHead(200, headers).end(JSON.stringify({ identifier: 'a', brand: 'Seat', model: 'Ibiza' }));
    });
    const { app } = gatewayBefore(url, { preset: 'this' });
    expect((await app.request('/api/coches/a')).headers.get('cache-control')).toBe(ours);
  },
);
