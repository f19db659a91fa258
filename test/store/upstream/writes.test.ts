/** Writes to APIs of others, in both languages. */
import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import type { MappingFile } from '../../../src/store/upstream/mapping/mapping.ts';
import { upstream } from '../../../src/store/upstream/upstream.ts';
import { catalogue } from '../../support/cars/catalogue.ts';
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
  own: Partial<MappingFile> = {},
) => {
  const { listener, mapping } = await peers[name](content);
  const gateway = gatewayBefore(await listening(wrap(listener)), { ...mapping, ...own });
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

/** Passes reads on, and does something else with writes, once they are done or instead of it. @param writes gets their methods */
const onWrite =
  (other: RequestListener, isDone: boolean, writes: string[] = []) =>
  (listener: RequestListener): RequestListener => {
    const inner = listening(listener);
    return async (incoming, outgoing) => {
      const { method = '', url, headers } = incoming;
      if (method === 'GET') return listener(incoming, outgoing);
      writes.push(method);
      if (isDone) {
        const body = await text(incoming);
        const kept = ['content-type', 'idempotency-key'].flatMap((name) =>
          headers[name] ? [[name, String(headers[name])]] : [],
        );
        const done = await fetch(`${await inner}${url}`, {
          method,
          headers: Object.fromEntries(kept),
          body: body === '' ? null : body,
        });
        await done.text();
      }
      other(incoming, outgoing);
    };
  };

const breaksOff: RequestListener = (incoming) => void incoming.socket.destroy();
const status =
  (code: number, headers: Readonly<Record<string, string>> = {}, body = ''): RequestListener =>
  (_, outgoing) =>
    void outgoing.writeHead(code, headers).end(body);
const asJson = { 'content-type': 'application/json' };

describe('a write whose answer is lost', () => {
  const lost: readonly (readonly [what: string, other: RequestListener])[] = [
    ['breaks off', breaksOff],
    [
      'breaks off in the middle of its answer',
      (_, outgoing) =>
        void outgoing.writeHead(200, { ...asJson, 'content-length': '100' }).write('{"id":', () => outgoing.destroy()),
    ],
    ['hangs', () => {}],
    ['answers HTML', status(200, { 'content-type': 'text/html' }, '<p>')],
    ['answers broken JSON', status(200, asJson, '{"id":')],
    ['redirects', status(303, { location: '/elsewhere' })],
    ['fails', status(500, asJson, '{}')],
    ['is behind a gateway that cannot reach it', status(502)],
    ['is behind a gateway that waits no longer', status(504)],
  ];
  const requests: readonly (readonly [method: string, path: string, body?: object])[] = [
    ['POST', '/api/coches', { identificador: 'b', marca: 'Seat', modelo: 'León' }],
    ['PUT', '/api/coches/a', { anio: 1999 }],
    ['PATCH', '/api/coches/a', { anio: 1999 }],
    ['DELETE', '/api/coches/a'],
  ];
  // Every write is broken off; what else may happen, happens to one of them.
  const table = lost.flatMap(([what, other], at) =>
    requests
      .filter((_, place) => at === 0 || place === at % requests.length)
      .flatMap((request) => [false, true].map((isDone) => [request[0], what, isDone, other, request] as const)),
  );

  test.each(table)('%s: an API that %s, done: %s, leaves it unknown', async (method, what, isDone, other, request) => {
    const writes: string[] = [];
    const wrap = onWrite(other, isDone, writes);
    const { send } = await placed('json-server 0.17', wrap, what === 'hangs' ? { timeout: 700 } : {});
    const answer = await send(...request);
    expect([answer.status, answer.json.code, answer.json.detail, answer.json.remedy]).toEqual([
      504,
      'outcome-unknown',
      'El sistema que guarda los elementos de este catálogo no ha respondido como debía: no se sabe si esto se ha hecho.',
      'Lea el elemento antes de volver a enviar esto, o envíelo con una «Idempotency-Key» si la documentación la tiene.',
    ]);
    expect(answer.headers.get('retry-after')).toBeNull();
    // It is never sent again, and reads show what became of it.
    expect(writes).toEqual([method === 'PUT' ? 'PATCH' : method]);
    const now = await send('GET', '/api/cars?fields=year');
    const [created, item] = [isDone && method === 'POST', { identifier: 'a', year: isDone ? 1999 : 2008 }];
    if (method === 'DELETE') expect(now.json).toHaveLength(isDone ? 0 : 1);
    else if (method === 'POST') expect(now.json).toHaveLength(created ? 2 : 1);
    else expect(now.json).toEqual([item]);
  });

  test.each([
    ['PUT', status(503, { 'retry-after': '7' }), 503, 'unavailable'],
    ['DELETE', status(429), 503, 'unavailable'],
    ['PATCH', status(501, asJson, '{}'), 502, 'bad-gateway'],
  ] as const)('%s that is refused was not done', async (method, other, code, name) => {
    const { send } = await placed('json-server 0.17', onWrite(other, false));
    const answer = await send(method, '/api/cars/a', method === 'DELETE' ? undefined : { year: 1999 });
    expect([answer.status, answer.json.code]).toEqual([code, name]);
  });

  test('is not lost where it was never sent', async () => {
    const store = upstream('http://127.0.0.1:1', { preset: 'this' }, catalogue);
    const create = {
      kind: 'create',
      collection: 'cars',
      parents: [],
      cells: ['b', 'Seat', 'León', ...Array(7).fill(null)],
    } as const;
    await expect(store.write(create)).rejects.toMatchObject({ code: 'unavailable', cause: { code: 'ECONNREFUSED' } });
  });

  test('is unknown, too, where it was done and what is there now cannot be read', async () => {
    let isDone = false;
    const { send } = await placed('json-server 0.17', (listener) => (incoming, outgoing) => {
      if (incoming.method === 'GET') return (isDone ? status(503) : listener)(incoming, outgoing);
      isDone = true;
      return status(204)(incoming, outgoing);
    });
    expect((await send('PATCH', '/api/cars/a', { year: 1999 })).json.code).toBe('outcome-unknown');
  });

  test('may be sent again with its Idempotency-Key where the API knows them: it is done once', async () => {
    const writes: string[] = [];
    const lose = onWrite(breaksOff, true, writes);
    const { send } = await placed(
      'this service, in Spanish',
      (listener) => (incoming, outgoing) => (writes.length === 0 ? lose(listener) : listener)(incoming, outgoing),
    );
    const headers = { 'idempotency-key': '"one"' };
    const body = { brand: 'Seat', model: 'León' };
    expect((await send('POST', '/api/cars', body, headers)).json.code).toBe('outcome-unknown');
    const again = await send('POST', '/api/coches', { marca: 'Seat', modelo: 'León' }, headers);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(again.headers.get('location')).toBe(`/api/coches/${again.json.identificador}`);
    expect((await send('GET', '/api/cars?model=león')).json).toHaveLength(1);
    const other = await send('POST', '/api/cars', { ...body, model: 'Toledo' }, headers);
    expect([other.status, other.json.code]).toEqual([422, 'idempotency-mismatch']);
  });

  test('may not be where it does not: nothing is written', async () => {
    const { send } = await placed('json-server 0.17');
    const sent = { marca: 'Seat', modelo: 'León' };
    expect((await send('POST', '/api/coches', sent, { 'idempotency-key': '"one"' })).json).toMatchObject({
      status: 501,
      errors: [{ header: 'Idempotency-Key' }],
    });
    expect((await send('GET', '/api/cars')).json).toHaveLength(1);
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
    [500, 'outcome-unknown'],
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
