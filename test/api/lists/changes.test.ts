import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { useApp, useFreshApp } from '../../support/app/app.ts';
import { linkedFrom } from '../../support/app/links.ts';
import { trees } from '../../support/app/trees.ts';
import { tryAll } from '../../support/app/tries.ts';
import { runsOf } from '../../support/database/database.ts';

const { send } = useFreshApp({
  given: [
    ['/api/cars', { identifier: 'a', brand: 'Seat', model: 'León', year: 2018 }],
    ['/api/cars', { identifier: 'b', brand: 'Audi', model: 'A3' }],
    ['/api/cars', { identifier: 'c', brand: 'Seat', model: 'Ibiza' }],
    ['/api/cars/a/oils', { type: '5W-30' }],
    ['/api/cars/a/oils', { type: '10W/40' }],
  ],
});
/** Others write into this one. */
const written = useApp();

/** @returns the position of a response */
const positionOf = ({ headers }: { readonly headers: Headers }): string => headers.get('x-change') ?? '';
const positionNow = async (): Promise<string> => positionOf(await send('GET', '/api/cars?changed_since=now'));

test('what changed comes in the order of the changes, each item once, and deletions as keys, in the words of the tree', async () => {
  const before = await positionNow();
  await send('PUT', '/api/cars/a', { doors: 3 });
  await send('DELETE', '/api/cars/b');
  await send('POST', '/api/coches', { identificador: 'd', marca: 'Citroën', modelo: 'C3' });
  await send('PUT', '/api/cars/a', { doors: 5 });
  const spanish = await send('GET', `/api/coches?cambiado_desde=${before}`);
  expect(spanish.json).toEqual([
    { identificador: 'b', eliminado: true },
    { identificador: 'd', marca: 'Citroën', modelo: 'C3' },
    { identificador: 'a', marca: 'Seat', modelo: 'León', anio: 2018, puertas: 5 },
  ]);
  const english = await send('GET', `/api/cars?changed_since=${before}&fields=model`);
  expect(english.json).toEqual([
    { identifier: 'b', deleted: true },
    { identifier: 'd', model: 'C3' },
    { identifier: 'a', model: 'León' },
  ]);
  expect(positionOf(spanish)).toBe(positionOf(english));
  expect(spanish.headers.get('cache-control')).toBe('no-store');
  expect([spanish.headers.get('etag'), spanish.headers.get('x-total-count')]).toEqual([null, null]);
  const rest = await send('GET', `/api/cars?changed_since=${positionOf(english)}`);
  expect([rest.json, positionOf(rest)]).toEqual([[], positionOf(english)]);
});

test.each([
  [
    '/api/cars?changed_since=BEFORE&format=csv',
    'identifier,brand,model,year,doors,enginePower,version,clima,ac,fuel,deleted\r\nb,,,,,,,,,,true\r\n',
  ],
  ['/api/coches?cambiado_desde=BEFORE&formato=ndjson', '{"identificador":"b","eliminado":true}\n'],
])('%s', async (path, text) => {
  const before = await positionNow();
  await send('DELETE', '/api/cars/b');
  const answer = await send('GET', path.replace('BEFORE', before));
  expect(answer.text.replace('\ufeff', '')).toBe(text);
});

test('0 is the whole list and no deletion, also where it is read in pages while others write', async () => {
  await send('DELETE', '/api/cars/b');
  const first = await send('GET', '/api/cars?changed_since=0&number_of_elements=1');
  expect(first.json.map(({ identifier }: { identifier: string }) => identifier)).toEqual(['a']);
  await send('DELETE', '/api/cars/a');
  const second = await send('GET', linkedFrom(first, 'next'));
  expect(second.json).toEqual([{ identifier: 'c', brand: 'Seat', model: 'Ibiza' }]);
  const third = await send('GET', linkedFrom(second, 'next'));
  expect([third.json, linkedFrom(third, 'next')]).toEqual([[{ identifier: 'a', deleted: true }], '']);
});

test('a filter tells what it leaves out as deleted, from the beginning only what matches; its position is bound to it', async () => {
  const seats = await send('GET', '/api/coches?cambiado_desde=0&marca=SEAT');
  expect(seats.json.map(({ identificador }: { identificador: string }) => identificador)).toEqual(['a', 'c']);
  await send('PUT', '/api/cars/c', { brand: 'Cupra' });
  await send('PUT', '/api/cars/b', { year: 2020 });
  const after = await send('GET', `/api/cars?brand=seat&changed_since=${positionOf(seats)}`);
  expect(after.json).toEqual([
    { identifier: 'c', deleted: true },
    { identifier: 'b', deleted: true },
  ]);
  expect((await send('GET', `/api/cars?brand=audi&changed_since=${positionOf(seats)}`)).status).toBe(400);
  expect((await send('GET', `/api/cars?changed_since=${positionOf(seats)}`)).status).toBe(400);
  const found = await send('GET', '/api/cars?search=leon');
  expect((await send('GET', `/api/coches?buscar=leon&cambiado_desde=${positionOf(found)}`)).json).toEqual([]);
});

test('every write, every import and every list says its position', async () => {
  const imported = await send('POST', '/api/cars', [{ identifier: 'f', brand: 'Seat', model: 'Ibiza' }]);
  const created = await send('POST', '/api/coches', { identificador: 'e', marca: 'Seat', modelo: 'Ateca' });
  const changed = await send('PATCH', '/api/cars/e', { year: 2021 });
  const removed = await send('DELETE', '/api/coches/e');
  const list = await send('GET', '/api/cars?number_of_elements=1');
  for (const [answer, left] of [
    [imported, [{ identifier: 'e', deleted: true }]],
    [created, [{ identifier: 'e', deleted: true }]],
    [changed, [{ identifier: 'e', deleted: true }]],
    [removed, []],
    [list, []],
  ] as const) {
    expect((await send('GET', `/api/cars?changed_since=${positionOf(answer)}`)).json).toEqual(left);
  }
});

test('nested items have changes of their own; with their car they begin anew', async () => {
  const before = await positionNow();
  await send('DELETE', '/api/cars/a/oils/5W-30');
  await send('PUT', '/api/cars/a/oils/10W%2F40', { otherInfo: 'x' });
  const oils = await send('GET', `/api/coches/a/aceites?cambiado_desde=${before}`);
  expect(oils.json).toEqual([
    { tipo: '5W-30', eliminado: true },
    { tipo: '10W/40', otros_datos: 'x' },
  ]);
  await send('DELETE', '/api/cars/a');
  expect((await send('GET', `/api/cars/a/oils?changed_since=${before}`)).status).toBe(404);
  await send('POST', '/api/cars', { identifier: 'a', brand: 'Seat', model: 'León' });
  expect((await send('GET', `/api/cars/a/oils?changed_since=${before}`)).status).toBe(410);
  expect((await send('GET', `/api/cars/a/oils?changed_since=0`)).json).toEqual([]);
});

test('where a car includes its oils, what changes in them tells the car again', async () => {
  const before = await positionNow();
  await send('PUT', '/api/cars/a/oils/10W%2F40', { otherInfo: 'x' });
  await send('DELETE', '/api/cars/b');
  const spanish = await send('GET', `/api/coches?cambiado_desde=${before}&incluir=aceites`);
  const oils = [{ tipo: '5W-30' }, { tipo: '10W/40', otros_datos: 'x' }];
  expect(spanish.json).toEqual([
    { identificador: 'a', marca: 'Seat', modelo: 'León', anio: 2018, aceites: oils },
    { identificador: 'b', eliminado: true },
  ]);
  await send('DELETE', '/api/cars/a/oils/5W-30');
  const english = await send('GET', `/api/cars?changed_since=${positionOf(spanish)}&include=oils&fields=year`);
  expect(english.json).toEqual([{ identifier: 'a', year: 2018, oils: [{ type: '10W/40', otherInfo: 'x' }] }]);
  expect((await send('GET', `/api/cars?changed_since=${before}&brand=audi&include=oils`)).json).toEqual([
    { identifier: 'b', deleted: true },
    { identifier: 'a', deleted: true },
  ]);
  expect((await send('GET', `/api/cars?changed_since=${before}`)).json).toEqual([{ identifier: 'b', deleted: true }]);
});

describe('a position', () => {
  tryAll(`
# One that is not of this database, and two as version 0.1.0 gave them for lists with filters.
GET /api/cars?changed_since=zzzzzzzzzz
410 gone What changed since the position in “changed_since” is not known: it is too old, it is not of this database, or the list began anew.
GET /api/cars?brand=seat&changed_since=5g23jdlhc.NhpjhCsg
410 gone What changed since …
GET /api/coches?marca=seat&cambiado_desde=5g23jdlhc-5g23jdqtc.NhpjhCsg
410 gone No se sabe qué ha cambiado desde …
GET /api/cars?brand=seat&changed_since=5g23jdlhc.07h0j2b0k4n83c
400 invalid-parameter “changed_since” must be “0”, “now”, or the “X-Change” of a response with the same filters; begin again with “0” for other filters.
GET /api/cars?changed_since=%2B
400 invalid-parameter “changed_since” must be “0”, …
GET /api/coches?cambiado_desde=1.x-1
400 invalid-parameter «cambiado_desde» debe ser «0», «now» o el «X-Change» de una respuesta con los mismos filtros; con otros filtros, empiece de nuevo por «0».
GET /api/cars?changed_since=0&page=2
400 invalid-parameter “changed_since” and “page” exclude each other.
GET /api/coches?cambiado_desde=0&ordenar_por=anio
400 invalid-parameter «cambiado_desde» y «ordenar_por» se excluyen entre sí.
GET /api/coches?cambiado_desde=0&agrupar_por=marca
400 invalid-parameter «cambiado_desde» y «agrupar_por» se excluyen entre sí.
GET /api/cars?cambiado_desde=0 → changed_since
GET /api/cars?updated_since=0 → changed_since
# A page has no more than it says.
GET /api/cars?changed_since=0&number_of_elements=2000
400 invalid-parameter “number_of_elements” must be a whole number from 1 to 250. → 250
GET /api/cars?changed_since=0&include=oils&number_of_elements=41
400 invalid-parameter “number_of_elements” must be a whole number from 1 to 40. → 40
GET /api/eventos/coches?numero_de_elementos=2000 Accept: text/event-stream
400 invalid-parameter «numero_de_elementos» debe ser un número entero entre 1 y 250. → 250
`);

  test.each(['/api/cars?changed_since=zzzzzzzzzz', '/api/coches?marca=seat&cambiado_desde=5g23jdlhc.NhpjhCsg'])(
    'that is gone leads to the beginning: %s',
    async (path) => {
      const { status, headers } = await send('GET', path);
      const link = expect.stringMatching(/^<\/api\/c\w+\?(changed_since|cambiado_desde)=0>; rel="start"$/);
      expect([status, headers.get('link')]).toEqual([410, link]);
    },
  );

  test('may be that of as large a page as it says', async () => {
    expect((await send('GET', '/api/cars?changed_since=0&number_of_elements=250')).status).toBe(200);
  });
});

type Item = Readonly<Record<string, unknown>>;
/** What somebody writes: `at` chooses the car. */
const writing = fc.record({
  kind: fc.constantFrom('create', 'change', 'change', 'delete', 'replace', 'oil', 'no oil' as const),
  at: fc.nat({ max: 8 }),
  brand: fc.constantFrom('Seat', 'SEAT', 'Audi'),
});
const mirrored = fc.record({
  filter: fc.constantFrom('', 'brand' as const, 'search' as const),
  size: fc.integer({ min: 1, max: 5 }),
  hasOils: fc.boolean(),
  turns: fc.array(fc.array(writing, { maxLength: 5 }), { maxLength: 12 }),
});

test('a mirror that follows the positions in either language equals the list, whatever is written meanwhile', () =>
  fc.assert(
    fc.asyncProperty(mirrored, async ({ filter, size, hasOils, turns }) => {
      await written.send('DELETE', '/api/cars/k0');
      const write = async ({ kind, at, brand }: (typeof turns)[number][number]): Promise<void> => {
        const identifier = `k${at}`;
        if (kind === 'create') await written.send('POST', '/api/cars', { identifier, brand, model: 'M' });
        if (kind === 'change') await written.send('PUT', `/api/coches/${identifier}`, { marca: brand });
        if (kind === 'delete') await written.send('DELETE', `/api/cars/${identifier}`);
        if (kind === 'oil') await written.send('POST', `/api/cars/${identifier}/oils`, { type: brand });
        if (kind === 'no oil') await written.send('DELETE', `/api/coches/${identifier}/aceites/${brand}`);
        if (kind !== 'replace') return;
        const all = [1, 2, 3].map((each) => ({ identifier: `k${(at + each) % 9}`, brand, model: 'M' }));
        await written.send('POST', '/api/cars', all, { prefer: 'resolution=replace-all; allow-deletions' });
      };
      const mirrors = trees.map((tree) => ({ tree, items: new Map<unknown, Item>(), position: '0' }));
      type Mirror = (typeof mirrors)[number];
      const queryOf = ({ tree }: Mirror): string =>
        (filter === '' ? '' : filter === 'brand' ? `&${tree.brand}=seat` : `&${tree.search}=sea`) +
        (hasOils ? `&${tree.include}=${tree.oils}` : '');
      /** @returns whether there is more */
      const follow = async (mirror: Mirror): Promise<boolean> => {
        const { tree, items, position } = mirror;
        const page = `${tree.changed_since}=${position}&${tree.number_of_elements}=${size}`;
        const answer = await written.send('GET', `${tree.cars}?${page}${queryOf(mirror)}`);
        expect([answer.status, answer.json.length <= size]).toEqual([200, true]);
        const keys = answer.json.map((item: Item) => item[tree.identifier]);
        expect(new Set(keys).size).toBe(keys.length);
        for (const item of answer.json as readonly Item[]) {
          if (item[tree.deleted] === true) items.delete(item[tree.identifier]);
          else items.set(item[tree.identifier], item);
        }
        mirror.position = positionOf(answer);
        return linkedFrom(answer, 'next') !== '';
      };
      for (const turn of turns) {
        for (const each of turn) await write(each);
        for (const mirror of mirrors) await follow(mirror);
      }
      for (const mirror of mirrors) {
        while (await follow(mirror));
        const { tree, items } = mirror;
        const { json } = await written.send('GET', `${tree.cars}?${queryOf(mirror).slice(1)}`);
        expect(new Set(items.values())).toEqual(new Set(json));
      }
    }),
    { numRuns: runsOf(30) },
  ));
