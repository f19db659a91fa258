/** Writes to APIs of others, in both languages. */
import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { catalogue } from '../../../src/catalogue.ts';
import { upstream } from '../../../src/store/upstream/upstream.ts';
import { cars } from '../../support/conformance/fixtures.ts';
import { type Content, gatewayBefore, listening, peers } from '../../support/peers/peers.ts';

const content: Content = {
  cars: [{ id: 'a', brand: 'Seat', model: 'Ibiza', year: 2008, doors: 5 }],
  oils: [{ id: '1', carId: 'a', type: '5W-30' }],
};

type Send = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<{
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any;
}>;

const placed = async (
  name: keyof typeof peers,
  wrap: (listener: RequestListener) => RequestListener = (same) => same,
) => {
  const { listener, mapping } = await peers[name](content);
  const gateway = gatewayBefore(await listening(wrap(listener)), mapping);
  const send: Send = async (method, path, body, headers = {}) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await gateway.app.request(path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...sent,
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, json: text === '' ? undefined : JSON.parse(text) };
  };
  return { ...gateway, send };
};

describe.each(['json-server 0.17', 'this service, in Spanish'] as const)('%s', (name) => {
  test('an item is created, changed and deleted, in either language', async () => {
    const { send } = await placed(name);
    const created = await send('POST', '/api/coches', {
      identificador: 'b ñ',
      marca: 'Citroën',
      modelo: 'C4',
      climatizador: false,
    });
    expect([created.status, created.headers.get('location')]).toEqual([201, '/api/coches/b%20%C3%B1']);
    expect(created.json).toEqual({ identificador: 'b ñ', marca: 'Citroën', modelo: 'C4', climatizador: false });
    const read = await send('GET', '/api/cars/b%20%C3%B1');
    expect(read.json).toEqual({ identifier: 'b ñ', brand: 'Citroën', model: 'C4', clima: false });
    expect(created.headers.get('etag')?.replace('.es', '.en')).toBe(read.headers.get('etag'));

    const changed = await send('PATCH', '/api/cars/b%20%C3%B1', { year: 2006, clima: null });
    expect([changed.status, changed.json]).toEqual([
      200,
      { identifier: 'b ñ', brand: 'Citroën', model: 'C4', year: 2006 },
    ]);
    expect(changed.headers.get('etag')).not.toBe(read.headers.get('etag'));
    const same = await send('PUT', '/api/coches/b%20%C3%B1', { anio: 2006 });
    expect([same.status, same.json.anio]).toEqual([200, 2006]);

    expect((await send('POST', '/api/cars', { identifier: 'b ñ', brand: 'x', model: 'y' })).json).toMatchObject({
      status: 409,
      code: 'already-exists',
    });
    expect((await send('DELETE', '/api/coches/b%20%C3%B1')).status).toBe(204);
    expect((await send('DELETE', '/api/cars/b%20%C3%B1')).status).toBe(404);
    expect((await send('PATCH', '/api/coches/b%20%C3%B1', { anio: 2001 })).status).toBe(404);
  });

  test('so is a nested one, which goes with its parent', async () => {
    const { send } = await placed(name);
    const oil = await send('POST', '/api/coches/a/aceites', { tipo: '10W/40', otros_datos: 'ACEA' });
    expect([oil.status, oil.headers.get('location')]).toEqual([201, '/api/coches/a/aceites/10W%2F40']);
    expect((await send('POST', '/api/cars/a/oils', { type: '5W-30' })).status).toBe(409);
    expect((await send('PUT', '/api/cars/a/oils/10W%2F40', { otherInfo: null })).json).toEqual({ type: '10W/40' });
    expect((await send('POST', '/api/cars/none/oils', { type: 'x' })).json.detail).toBe('Cannot find the car “none”.');
    expect((await send('DELETE', '/api/coches/a')).status).toBe(204);
    await send('POST', '/api/coches', { identificador: 'a', marca: 'Seat', modelo: 'León' });
    expect((await send('GET', '/api/cars/a/oils')).json).toEqual([]);
  });
});

test('an API that chooses keys by itself is told none', async () => {
  const { send } = await placed('json-server 1.0');
  const refused = await send('POST', '/api/coches', { identificador: 'mine', marca: 'Seat', modelo: 'León' });
  expect(refused.json).toMatchObject({
    status: 400,
    code: 'invalid-body',
    errors: [
      {
        pointer: '/identificador',
        name: 'identifier',
        detail: 'El sistema que guarda los elementos de este catálogo rechaza el valor de «identificador».',
      },
    ],
  });
  const created = await send('POST', '/api/coches', { marca: 'Seat', modelo: 'León' });
  expect(created.status).toBe(201);
  const { identificador } = created.json;
  expect(created.headers.get('location')).toBe(`/api/coches/${identificador}`);
  expect((await send('GET', `/api/cars/${identificador}`)).json).toEqual({
    identifier: identificador,
    brand: 'Seat',
    model: 'León',
  });
});

describe('conditions', () => {
  test('hold in one step where the API has them', async () => {
    const { send } = await placed('this service, in Spanish');
    const tag = (await send('GET', '/api/cars/a')).headers.get('etag') ?? '';
    const writes = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        send(
          'PUT',
          at % 2 === 0 ? '/api/cars/a' : '/api/coches/a',
          at % 2 === 0 ? { year: 1970 + at } : { anio: 1970 + at },
          { 'if-match': at % 2 === 0 ? tag : tag.replace('.en', '.es') },
        ),
      ),
    );
    expect(writes.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 412)]);
    expect((await send('DELETE', '/api/coches/a', undefined, { 'if-match': tag })).json.code).toBe(
      'precondition-failed',
    );
    const now = (await send('GET', '/api/coches/a')).headers.get('etag') ?? '';
    expect((await send('DELETE', '/api/coches/a', undefined, { 'if-match': now })).status).toBe(204);
  });

  test('are refused where it has none: nothing is written', async () => {
    const { send } = await placed('json-server 0.17');
    const tag = (await send('GET', '/api/coches/a')).headers.get('etag') ?? '';
    const refused = await send('PUT', '/api/coches/a', { anio: 1999 }, { 'if-match': tag });
    expect(refused.json).toMatchObject({ status: 501, code: 'not-supported', errors: [{ header: 'If-Match' }] });
    expect((await send('GET', '/api/cars/a')).json.year).toBe(2008);
  });
});

/** Passes reads on, and does something else with writes. */
const onWrite =
  (other: RequestListener, isDone: boolean) =>
  (listener: RequestListener): RequestListener =>
  (incoming, outgoing) => {
    if (incoming.method === 'GET') return listener(incoming, outgoing);
    if (!isDone) return other(incoming, outgoing);
    // It is done, and then the answer is lost.
    outgoing.end = (() => {
      incoming.socket.destroy();
      return outgoing;
    }) as typeof outgoing.end;
    return listener(incoming, outgoing);
  };

describe('a write whose answer is lost', () => {
  test.each([
    ['was done', onWrite(() => {}, true), 1999],
    ['was not done', onWrite((incoming) => void incoming.socket.destroy(), false), 2008],
    [
      'has an answer that cannot be read',
      onWrite((_, outgoing) => void outgoing.writeHead(200, { 'content-type': 'text/html' }).end('<p>'), false),
      2008,
    ],
    ['ran into a gateway’s limit', onWrite((_, outgoing) => void outgoing.writeHead(504).end(), false), 2008],
  ])('is unknown: it %s', async (_, wrap, year) => {
    const { send } = await placed('json-server 0.17', wrap);
    const lost = await send('PUT', '/api/coches/a', { anio: 1999 });
    expect([lost.status, lost.json.code, lost.json.detail]).toEqual([
      503,
      'unavailable',
      'El sistema que guarda los elementos de este catálogo no ha respondido a tiempo: no se sabe si esto se ha hecho. Lea el elemento antes de volver a enviarlo.',
    ]);
    expect((await send('GET', '/api/cars/a')).json.year).toBe(year);
  });

  test('is not sent again', async () => {
    let writes = 0;
    const { send } = await placed(
      'json-server 0.17',
      onWrite((incoming) => {
        writes++;
        incoming.socket.destroy();
      }, false),
    );
    await send('POST', '/api/cars', { brand: 'Seat', model: 'León' });
    expect(writes).toBe(1);
  });
});

const answering =
  (status: number, body: unknown): RequestListener =>
  (incoming, outgoing) => {
    const item = { id: 'a', brand: 'Seat', model: 'Ibiza' };
    const isRead = incoming.method === 'GET';
    outgoing.writeHead(isRead ? 200 : status, { 'content-type': 'application/json' });
    outgoing.end(JSON.stringify(isRead ? item : body));
  };

describe('what an API refuses', () => {
  test.each([
    [422, { message: 'year too old', errors: [{ field: 'year' }] }, ['/anio'], 'year too old'],
    [400, { detail: 'no', errors: [{ pointer: '/doors' }, { pointer: '/year' }] }, ['/anio', '/puertas'], 'no'],
    [422, { error: 'bad', errors: { brand: ['is taken'] } }, ['/marca'], 'bad'],
    [409, { message: 'conflict' }, undefined, 'conflict'],
    [400, 'x'.repeat(10), undefined, undefined],
  ])('%s %j is told in the words of the client', async (status, body, pointers, upstream) => {
    const url = await listening(answering(status, body));
    const { app } = gatewayBefore(url, {
      preset: 'json-server',
      collections: { cars: { fields: { identifier: 'id' } }, oils: { parent: 'c' } },
    });
    const response = await app.request('/api/coches/a', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: '{"anio": 1900}',
    });
    const problem = JSON.parse(await response.text());
    expect([response.status, problem.code, problem.upstream]).toEqual([400, 'invalid-body', upstream]);
    expect(problem.errors?.map(({ pointer }: { pointer: string }) => pointer)).toEqual(pointers);
  });

  test.each([
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [405, 'bad-gateway'],
    [500, 'bad-gateway'],
  ])('%s is %s', async (status, code) => {
    const url = await listening(answering(status, {}));
    const { app } = gatewayBefore(url, {
      preset: 'json-server',
      collections: { cars: { fields: { identifier: 'id' } }, oils: { parent: 'c' } },
    });
    const headers = { 'content-type': 'application/json' };
    const response = await app.request('/api/cars/a', { method: 'PUT', headers, body: '{"year": 2001}' });
    expect(JSON.parse(await response.text()).code).toBe(code);
  });
});

test('PostgREST is asked to write by conditions', async () => {
  const asked: string[] = [];
  const url = await listening((incoming, outgoing) => {
    let body = '';
    incoming.on('data', (chunk) => {
      body += chunk;
    });
    incoming.on('end', () => {
      asked.push(`${incoming.method} ${decodeURIComponent(incoming.url ?? '')} ${body}`);
      const isOil = incoming.url?.startsWith('/oils');
      outgoing.writeHead(200, { 'content-type': 'application/json', 'content-range': '0-0/1' });
      outgoing.end(
        JSON.stringify([isOil ? { car: 'a', type: 'x' } : { identifier: 'a', brand: 'Seat', model: 'Ibiza' }]),
      );
    });
  });
  const { app } = gatewayBefore(url, { preset: 'postgrest', collections: { oils: { path: '/oils', parent: 'car' } } });
  const headers = { 'content-type': 'application/json' };
  expect((await app.request('/api/coches/a', { method: 'PATCH', headers, body: '{"anio": 2001}' })).status).toBe(200);
  expect((await app.request('/api/cars/a/oils/x', { method: 'DELETE' })).status).toBe(204);
  expect((await app.request('/api/coches/a/aceites', { method: 'POST', headers, body: '{"tipo": "x"}' })).status).toBe(
    201,
  );
  expect(asked.filter((each) => !each.startsWith('GET'))).toEqual([
    'PATCH /cars?identifier=eq.a {"year":2001}',
    'DELETE /oils?car=eq.a&type=eq.x ',
    'POST /oils {"type":"x","car":"a"}',
  ]);
});

test('an API that is read only is not written to', async () => {
  const { listener, mapping } = await peers['json-server 0.17'](content);
  const { app } = gatewayBefore(await listening(listener), { ...mapping, readOnly: true });
  const response = await app.request('/api/coches/a', { method: 'DELETE' });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
});

test('an intent that does not fit its collection is refused, and sends nothing', async () => {
  const { listener, mapping } = await peers['json-server 0.17'](content);
  const store = upstream(await listening(listener), mapping, catalogue);
  const create = { kind: 'create', collection: 'cars', parents: [], cells: ['b', 'Seat'] } as const;
  await expect(store.write(create)).rejects.toThrow('cars has 10 fields, not 2');
  await expect(store.write({ kind: 'update', collection: 'cars', keys: ['a'], changes: [] })).rejects.toThrow(
    'cars has 10 fields, not 0',
  );
  await expect(async () => store.write({ kind: 'remove', collection: 'wheels', keys: ['a'] })).rejects.toThrow(
    'no collection "wheels"',
  );
  expect(await store.countRows(cars)).toBe(1);
});
