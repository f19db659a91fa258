/** Requests that are sent again with the same `Idempotency-Key`. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { openApp, useFreshApp } from '../../support/app/app.ts';
import { essentials } from '../../support/app/errors.ts';

const app = useFreshApp();
const { send } = app;

let last = 0;
/** A key that no other test has used. */
const newKey = () => ({ 'idempotency-key': `"key ${last++}"` });

const tagOf = (headers: Headers): string => (headers.get('etag') ?? '').slice(1).split('.')[0] ?? '';

describe('a POST that is sent again', () => {
  test('has the response of the first, in the words of the tree that is asked', async () => {
    const key = newKey();
    const first = await send('POST', '/api/cars', { brand: 'Seat', model: 'Ibiza', year: 2008, ac: false }, key);
    const { identifier } = first.json;
    expect([first.status, first.headers.get('location')]).toEqual([201, `/api/cars/${identifier}`]);
    expect(first.headers.get('idempotency-replayed')).toBe(null);

    const same = await send('POST', '/api/cars/', '{"ac":false,"year":2008.0,"model":"Ibiza","brand":"Seat"}', key);
    expect([same.status, same.text]).toEqual([201, first.text]);
    expect(same.headers.get('idempotency-replayed')).toBe('true');
    for (const name of ['location', 'content-location', 'etag', 'link', 'content-language', 'vary']) {
      expect([name, same.headers.get(name)]).toEqual([name, first.headers.get(name)]);
    }
    const body = { modelo: 'Ibiza', anio: 2008, puertas: null, marca: 'Seat', ac: false };
    const spanish = await send('POST', '/api/coches', body, key);
    expect([spanish.status, spanish.json]).toEqual([
      201,
      { identificador: identifier, marca: 'Seat', modelo: 'Ibiza', anio: 2008, ac: false },
    ]);
    expect(spanish.headers.get('location')).toBe(`/api/coches/${identifier}`);
    expect(spanish.headers.get('content-location')).toBe(`/api/coches/${identifier}`);
    expect(spanish.headers.get('content-language')).toBe('es');
    expect(spanish.headers.get('link')).toBe(`</api/cars/${identifier}>; rel="alternate"; hreflang="en"`);
    expect(spanish.headers.get('etag')).toBe(`"${tagOf(first.headers)}.es"`);
    const read = await send('GET', `/api/coches/${identifier}`);
    expect(read.headers.get('etag')).toBe(spanish.headers.get('etag'));
    expect((await send('GET', '/api/cars')).json).toHaveLength(1);
  });

  test('has the response of the first where the car has changed or is gone', async () => {
    const key = newKey();
    const car = { identifier: 'a/1', brand: 'Seat', model: 'Ibiza' };
    const first = await send('POST', '/api/cars', car, key);
    await send('PUT', '/api/coches/a%2F1', { puertas: 3 });
    for (const gone of [false, true]) {
      if (gone) await send('DELETE', '/api/cars/a%2F1');
      const again = await send('POST', '/api/cars', car, key);
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([
        201,
        first.text,
        first.headers.get('etag'),
      ]);
      expect(again.headers.get('location')).toBe('/api/cars/a%2F1');
      expect((await send('GET', '/api/cars/a%2F1')).status).toBe(gone ? 404 : 200);
    }
  });

  test('works for oils, even where their car is gone, and not for those of another car', async () => {
    for (const identifier of ['a', 'b']) await send('POST', '/api/cars', { identifier, brand: 'Seat', model: 'Ibiza' });
    const key = newKey();
    const first = await send('POST', '/api/cars/a/oils', { type: '10W/40', otherInfo: 'Elf' }, key);
    const elsewhere = await send('POST', '/api/coches/b/aceites', { tipo: '10W/40', otros_datos: 'Elf' }, key);
    expect([elsewhere.status, elsewhere.json.code]).toEqual([422, 'idempotency-mismatch']);
    await send('DELETE', '/api/cars/a');
    const again = await send('POST', '/api/coches/a/aceites', { otros_datos: 'Elf', tipo: '10W/40' }, key);
    expect([again.status, again.json]).toEqual([201, { tipo: '10W/40', otros_datos: 'Elf' }]);
    expect(again.headers.get('location')).toBe('/api/coches/a/aceites/10W%2F40');
    expect(again.headers.get('etag')).toBe(`"${tagOf(first.headers)}.es"`);
    expect((await send('GET', '/api/cars/a/oils')).status).toBe(404);
  });

  test('is a new one where the key has expired', async () => {
    const { send, close } = await openApp({ idempotencyTtl: 0 });
    onTestFinished(close);
    const key = newKey();
    await send('POST', '/api/cars', { brand: 'Seat', model: 'Ibiza' }, key);
    expect((await send('POST', '/api/cars', { brand: 'Seat', model: 'León' }, key)).status).toBe(201);
    expect((await send('GET', '/api/cars')).json).toHaveLength(2);
  });
});

test('the key of another request is 422', async () => {
  const key = newKey();
  await send('POST', '/api/cars', { brand: 'Seat', model: 'Ibiza' }, key);
  const refused = await send('POST', '/api/coches', { marca: 'Seat', modelo: 'Ibiza', puertas: 0 }, key);
  expect([refused.status, refused.headers.get('content-type')]).toEqual([422, 'application/problem+json']);
  const code = 'idempotency-mismatch';
  const detail =
    'La clave de «Idempotency-Key» ya se envió con otra petición. Repita una clave solo con el mismo contenido y para la misma lista.';
  const title = 'Clave ya usada en otra petición';
  expect(refused.json).toMatchObject({ type: `/api/problems/${code}`, code, title, detail });
  expect(essentials(refused.json.errors)).toEqual([{ header: 'Idempotency-Key', code, detail }]);
  expect((await send('GET', '/api/cars')).json).toHaveLength(1);
});

test('a request that was refused may be corrected and sent with the same key', async () => {
  const key = newKey();
  await send('POST', '/api/cars', { identifier: 'a', brand: 'Seat', model: 'Ibiza' });
  expect((await send('POST', '/api/cars', { brand: 'Seat' }, key)).status).toBe(400);
  expect((await send('POST', '/api/coches', { identificador: 'a', marca: 'Seat', modelo: 'C3' }, key)).status).toBe(
    409,
  );
  expect((await send('POST', '/api/coches/b/aceites', { tipo: '5W-30' }, key)).status).toBe(404);
  expect((await send('POST', '/api/coches', { identificador: 'b', marca: 'Seat', modelo: 'C3' }, key)).status).toBe(
    201,
  );
  expect((await send('GET', '/api/cars')).json).toHaveLength(2);
});

test('other methods ignore the header', async () => {
  const car = { identifier: 'a', brand: 'Seat', model: 'Ibiza' };
  const key = newKey();
  await send('POST', '/api/cars', car, key);
  for (const headers of [key, { 'idempotency-key': '' }]) {
    expect((await send('GET', '/api/cars/a', undefined, headers)).status).toBe(200);
    expect((await send('PUT', '/api/cars/a', { doors: 3 }, headers)).json).toEqual({ ...car, doors: 3 });
    expect((await send('PATCH', '/api/coches/a', { puertas: null }, headers)).status).toBe(200);
    expect((await send('OPTIONS', '/api/cars', undefined, headers)).status).toBe(204);
  }
  expect((await send('DELETE', '/api/cars/a', undefined, key)).status).toBe(204);
  expect((await send('DELETE', '/api/cars/a', undefined, key)).status).toBe(404);
  expect(app.faults).toEqual([]);
});
