import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApp, type Send } from '../support/app.ts';
import { temporaryFolder } from '../support/folder.ts';

let send: Send;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ send, close } = await openApp());
  for (const identifier of ['b-2', 'c-3']) await send('POST', '/api/cars', { identifier, brand: 'Kia', model: 'Rio' });
  await send('POST', '/api/cars/b-2/oils', { type: '0W-20' });
});
afterAll(() => close());

const base = { list: '/api/cars', wrong: { doors: '3' }, mismatch: { identifier: 'z' }, missing: ['/api/cars/none'] };
/** Each item with its `twin`, which is the same one in the other tree, and with `other`, which is another one. */
const items = [
  {
    ...base,
    ...{ what: 'a car in English', path: '/api/cars/a-1', twin: '/api/coches/a-1', other: '/api/cars/b-2' },
    whole: { identifier: 'a-1', brand: 'Seat', model: 'Ibiza', doors: 5 },
    changes: [{ brand: 'SEAT' }, { model: 'León' }, { doors: 3 }, { doors: null }, { year: 1999 }, { ac: false }],
    twinChanges: [{ puertas: 2 }, { marca: 'seat' }, { cilindrada: 90 }, { climatizador: true }, { fuel: 'ñ' }],
    same: [{}, { doors: 5 }, '{"doors":5.0}', { identifier: 'a-1', model: 'Ibiza' }, { year: null }],
    twinSame: [{}, { puertas: 5, marca: 'Seat' }, { identificador: 'a-1' }],
  },
  {
    ...{ what: 'a car in Spanish', path: '/api/coches/a%2F2/', twin: '/api/cars/a%2f2', other: '/api/coches/b-2' },
    list: '/api/coches',
    whole: { identificador: 'a/2', marca: 'Citroën', modelo: 'C3', fuel: '' },
    changes: [{ marca: 'citroen' }, { fuel: null }, { anio: 2020 }, { cilindrada: 0 }, { version: 'x' }],
    twinChanges: [{ doors: 0 }, { clima: false }, { ac: true }, { version: '' }],
    same: [{}, { fuel: '' }, { marca: 'Citroën' }, { identificador: 'a/2' }, { puertas: null }],
    twinSame: [{}, { brand: 'Citroën', model: 'C3' }, { clima: null }],
    ...{ wrong: { doors: 3 }, mismatch: { identificador: 'A/2' }, missing: ['/api/coches/none'] },
  },
  {
    ...{ what: 'an oil in English', path: '/api/cars/c-3/oils/5W-30', twin: '/api/coches/c-3/aceites/5W-30' },
    ...{ list: '/api/cars/c-3/oils', other: '/api/cars/b-2/oils/0W-20', whole: { type: '5W-30', otherInfo: 'a' } },
    changes: [{ otherInfo: 'A' }, { otherInfo: '' }, { otherInfo: null }],
    twinChanges: [{ otros_datos: 'b' }, { otros_datos: null }],
    same: [{}, { otherInfo: 'a' }, { type: '5W-30' }],
    twinSame: [{}, { tipo: '5W-30', otros_datos: 'a' }],
    ...{ wrong: { otros_datos: 'a' }, mismatch: { type: '5w-30' } },
    missing: ['/api/cars/c-3/oils/none', '/api/cars/none/oils/5W-30'],
  },
  {
    ...{ what: 'an oil in Spanish', path: '/api/coches/c-3/aceites/10W', twin: '/api/cars/c-3/oils/10W/' },
    ...{ list: '/api/coches/c-3/aceites', other: '/api/coches/b-2/aceites/0W-20', whole: { tipo: '10W' } },
    changes: [{ otros_datos: '' }, { otros_datos: 'ñ' }, { otros_datos: null }],
    twinChanges: [{ otherInfo: 'n' }],
    same: [{}, { otros_datos: null }],
    twinSame: [{ otherInfo: null }],
    ...{ wrong: { otros_datos: 5 }, mismatch: { tipo: '10w' } },
    missing: ['/api/coches/c-3/aceites/none', '/api/coches/none/aceites/10W'],
  },
] as const;
type Item = (typeof items)[number];

const tagAt = async (path: string): Promise<string> => (await send('GET', path)).headers.get('etag') ?? 'none';
const recreate = async ({ list, path, whole }: Item) => {
  await send('DELETE', path);
  return send('POST', list, whole);
};

describe.each(items)('the tag of $what', (item) => {
  const { path, twin, other, list, whole, changes, twinChanges, same, twinSame } = item;
  const both = () => Promise.all([tagAt(path), tagAt(twin)]);

  test('is strong, the same on 201, GET and HEAD, and another one in the other language', async () => {
    const answers = [await recreate(item), await send('GET', path), await send('HEAD', path)];
    const tag = answers[0]?.headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[\x21\x23-\x7e]+"$/);
    expect(answers.map(({ status, headers }) => [status, headers.get('etag'), headers.get('cache-control')])).toEqual(
      [201, 200, 200].map((status) => [status, tag, 'no-cache']),
    );
    expect(await tagAt(twin)).toMatch(/^"[\x21\x23-\x7e]+"$/);
    expect(await tagAt(twin)).not.toBe(tag);
  });

  test('is on no answer to PUT and DELETE, and on no problem', async () => {
    const old = { 'if-match': (await recreate(item)).headers.get('etag') ?? '' };
    const answers = [
      await send('PUT', path, {}, old),
      await send('PUT', path, changes[0]),
      await send('PUT', path, changes[1], old),
      await send('GET', path, undefined, old),
      await send('POST', list, whole),
      await send('DELETE', path),
      await send('GET', path),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 412, 412, 409, 204, 404]);
    expect(answers.map(({ headers }) => headers.get('etag'))).toEqual(Array(7).fill(null));
  });

  test('is kept by PUT that changes nothing, and by changes of other items', async () => {
    await recreate(item);
    const before = await both();
    for (const body of same) expect((await send('PUT', path, body)).status).toBe(200);
    for (const body of twinSame) expect((await send('PUT', twin, body)).status).toBe(200);
    expect(await both()).toEqual(before);
    const around = await tagAt('/api/cars/c-3');
    expect((await send('POST', '/api/coches/c-3/aceites', { tipo: 'nuevo' })).status).toBe(201);
    expect((await send('DELETE', '/api/cars/c-3/oils/nuevo')).status).toBe(204);
    expect(await tagAt('/api/cars/c-3')).toBe(around);
    expect((await send('POST', '/api/coches', { identificador: 'd', marca: 'Opel', modelo: 'Corsa' })).status).toBe(
      201,
    );
    expect((await send('PUT', '/api/cars/d', { doors: 1 })).status).toBe(200);
    expect((await send('DELETE', '/api/cars/d')).status).toBe(204);
    expect(await both()).toEqual(before);
    expect(before).not.toContain(await tagAt(other));
  });

  test('is changed in both languages by each change through either tree', async () => {
    await recreate(item);
    const own = changes.map((body) => ({ at: path, body }));
    for (const { at, body } of [...own, ...twinChanges.map((each) => ({ at: twin, body: each }))]) {
      const before = await both();
      expect((await send('PUT', at, body)).status).toBe(200);
      const after = await both();
      expect([after[0] === before[0], after[1] === before[1]]).toEqual([false, false]);
    }
  });

  test('is never used again, neither by a change back nor after delete and create', async () => {
    const seen: string[] = [];
    for (let round = 0; round < 5; round++) {
      await recreate(item);
      seen.push(...(await both()));
      for (const body of [changes[0], { ...whole, ...same.at(-1) }, changes[1]]) {
        await send('PUT', path, body);
        seen.push(...(await both()));
      }
    }
    expect(new Set(seen).size).toBe(seen.length);
  });
});
