/** An API that does not do what it should: what the client of each language is told, and what the log. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { MappingFile } from '../../../src/store/upstream/mapping/mapping.ts';
import { gatewayBefore, listening } from '../../support/peers/peers.ts';

const LIMITS: MappingFile = {
  preset: 'json-server',
  timeout: 100,
  answerLimit: 4_096,
  collections: { cars: { fields: { identifier: 'id' } }, oils: { path: '/oils', parent: 'carId', id: 'id' } },
};

const json =
  (body: unknown, headers: Readonly<Record<string, string>> = {}, status = 200): RequestListener =>
  (_, outgoing) => {
    outgoing.writeHead(status, { 'content-type': 'application/json', ...headers });
    outgoing.end(JSON.stringify(body));
  };
const seat = { id: 'a', brand: 'Seat', model: 'Ibiza', year: 2008 };
const two = [seat, { ...seat, id: 'b' }];
const counted = (total: unknown) => ({ 'x-total-count': String(total) });

/** What it does with each request; what a list, or an item, of it is answered with; and what the log says. */
const faults: readonly (readonly [
  what: string,
  listener: RequestListener,
  path: string,
  status: number,
  cause: RegExp,
])[] = [
  ['hangs', () => {}, '/api/coches/a', 503, /no answer within 100 ms/],
  [
    'hangs in the middle',
    (_, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'application/json' });
      outgoing.write('[{"id":');
    },
    '/api/cars',
    503,
    /no answer within 100 ms/,
  ],
  [
    'breaks off',
    (_, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      outgoing.write('[{"id":', () => outgoing.destroy());
    },
    '/api/coches',
    503,
    /other side closed|ECONNRESET/,
  ],
  ['closes at once', (incoming) => void incoming.socket.destroy(), '/api/cars', 503, /other side closed|ECONNRESET/],
  [
    'is no HTTP',
    (incoming) => void incoming.socket.end('hello\r\n\r\n'),
    '/api/coches',
    503,
    /does not match the HTTP/,
  ],
  [
    'answers HTML',
    (_, outgoing) => void outgoing.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hi'),
    '/api/cars',
    502,
    /status 200 with "text\/html", which is no JSON/,
  ],
  [
    'answers broken JSON',
    (_, outgoing) => void outgoing.writeHead(200, { 'content-type': 'application/json' }).end('[{"id":'),
    '/api/coches',
    502,
    /broken JSON/,
  ],
  [
    'answers too much',
    json([{ ...seat, brand: 'x'.repeat(5_000) }], counted(1)),
    '/api/cars',
    502,
    /more than 4096 bytes/,
  ],
  ['answers no list', json({ error: 'no' }, counted(0)), '/api/coches', 502, /\/cars is no list/],
  ['answers a list of numbers', json([1], counted(1)), '/api/cars', 502, /an item of cars is no object/],
  [
    'answers nothing',
    (_, outgoing) => void outgoing.writeHead(200).end(),
    '/api/cars/a',
    502,
    /an item of cars is no object/,
  ],
  ['answers null for an item', json(null), '/api/coches/a', 502, /an item of cars is no object/],
  ['leaves the total out', json(two), '/api/cars', 502, /\/cars has no total/],
  ['tells a total that is none', json(two, counted('many')), '/api/coches', 502, /\/cars has no total/],
  ['tells a total that is too small', json(two, counted(1)), '/api/cars', 502, /\/cars has 2 items from 0, of 1/],
  [
    'ignores the size of a page',
    json(two, counted(9)),
    '/api/coches?numero_de_elementos=1',
    502,
    /has 2 items from 0, of 9, where 1 were asked for/,
  ],
  ['has other fields', json([{ key: 'a', make: 'Seat' }], counted(1)), '/api/cars', 502, /an item of cars has no "id"/],
  [
    'has a value of another type',
    json([{ ...seat, year: '2008' }], counted(1)),
    '/api/coches',
    502,
    /"year" is "2008"/,
  ],
  ['has a number that is not whole', json([{ ...seat, doors: 2.5 }], counted(1)), '/api/cars', 502, /"doors" is 2\.5/],
  [
    'has a number that is not exact',
    json([{ ...seat, year: 2 ** 60 }], counted(1)),
    '/api/coches',
    502,
    /"year" is 1152921504606847000/,
  ],
  [
    'redirects',
    json('', { location: 'https://elsewhere.example/cars' }, 302),
    '/api/cars',
    502,
    /status 302, to https:\/\/elsewhere\.example\/cars/,
  ],
  ['has no such list', json({}, {}, 404), '/api/coches', 502, /\/cars does not exist/],
  ['fails', json({}, {}, 500), '/api/cars', 502, /status 500 to GET/],
  ['refuses the query', json({}, {}, 400), '/api/coches', 502, /status 400 to GET/],
  ['is busy', json({}, { 'retry-after': '7' }, 503), '/api/cars', 503, /status 503/],
  ['limits requests', json({}, { 'retry-after': '60' }, 429), '/api/coches/a', 503, /status 429/],
  ['asks for a key', json({}, { 'www-authenticate': 'Bearer realm="theirs"' }, 401), '/api/cars', 401, /status 401/],
  ['forbids it', json({}, {}, 403), '/api/coches', 403, /status 403/],
];

const codes: Readonly<Record<number, string>> = {
  401: 'unauthorized',
  403: 'forbidden',
  502: 'bad-gateway',
  503: 'unavailable',
};

describe('an API that', () => {
  test.each(faults)('%s', async (_, listener, path, status, cause) => {
    const { app, faults: logged } = gatewayBefore(await listening(listener), LIMITS);
    const response = await app.request(path);
    const problem = JSON.parse(await response.text());
    expect([response.status, problem.code]).toEqual([status, codes[status]]);
    expect(response.headers.get('content-language')).toBe(path.includes('coches') ? 'es' : 'en');
    expect(logged.join('\n')).toMatch(cause);
    if (status === 503) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('is not there', async () => {
    const { app, faults: logged } = gatewayBefore('http://127.0.0.1:1', LIMITS);
    expect((await app.request('/api/coches')).status).toBe(503);
    expect(logged.join('\n')).toContain('ECONNREFUSED');
  });

  test('says when to try again, or asks for a key, is quoted', async () => {
    const busy = gatewayBefore(await listening(json({}, { 'retry-after': '7' }, 503)), LIMITS).app;
    expect((await busy.request('/api/cars')).headers.get('retry-after')).toBe('7');
    const between = gatewayBefore(await listening(json({}, { 'retry-after': '8' }, 502)), LIMITS).app;
    expect((await between.request('/api/coches')).headers.get('retry-after')).toBe('8');
    const shut = gatewayBefore(
      await listening(json({}, { 'www-authenticate': 'Bearer realm="theirs"' }, 401)),
      LIMITS,
    ).app;
    expect((await shut.request('/api/cars')).headers.get('www-authenticate')).toBe('Bearer realm="theirs"');
  });

  test('sends a header twice means both', async () => {
    const { app } = gatewayBefore(
      await listening((_, outgoing) => {
        outgoing.setHeaders(new Map([['content-type', 'application/json']]));
        outgoing.setHeader('etag', ['"a"', '"b"']).setHeader('cache-control', ['max-age=5, private', 'no-cache']);
        outgoing.end(JSON.stringify(seat));
      }),
      LIMITS,
    );
    const response = await app.request('/api/coches/a');
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'private, no-cache']);
  });

  test('breaks off in the middle of a long list breaks that list off: it never ends as valid JSON', async () => {
    const many = Array.from({ length: 20 }, (_, at) => ({ ...seat, id: `car-${at}` }));
    const { app, faults: logged } = gatewayBefore(
      await listening((incoming, outgoing) => {
        if (!incoming.url?.includes('_start=0&')) return void incoming.socket.destroy();
        json(many, counted(1_000))(incoming, outgoing);
      }),
      LIMITS,
    );
    const response = await app.request('/api/coches');
    expect([response.status, response.headers.get('x-total-count')]).toEqual([200, '1000']);
    await expect(response.text()).rejects.toThrow();
    expect(logged).toHaveLength(1);
  });

  test('has fewer items than it said breaks the list off, too', async () => {
    const { app, faults: logged } = gatewayBefore(
      await listening((incoming, outgoing) => {
        json(incoming.url?.includes('_start=0&') ? two : [], counted(5))(incoming, outgoing);
      }),
      LIMITS,
    );
    await expect((await app.request('/api/cars')).text()).rejects.toThrow();
    for (const path of ['/api/coches?marca=seat', '/api/cars?group_by=brand']) {
      expect((await app.request(path)).status).toBe(502);
    }
    expect(logged).toEqual(Array(3).fill('upstream: the list ends at 2, of 5'));
  });
});

test('nothing is deleted where what is nested in it, or itself, has no address', async () => {
  const asked: (string | undefined)[] = [];
  const url = await listening((incoming, outgoing) => {
    asked.push(incoming.method);
    const isOils = incoming.url?.startsWith('/oils');
    json(isOils ? [{ carId: 'a', type: '5W-30' }] : seat, counted(1))(incoming, outgoing);
  });
  const { app, faults: logged } = gatewayBefore(url, LIMITS);
  for (const path of ['/api/coches/a', '/api/cars/a/oils/5W-30']) {
    expect((await app.request(path, { method: 'DELETE' })).status).toBe(502);
  }
  expect(logged).toEqual(Array(2).fill('upstream: an item of /oils has no "id"'));
  expect(asked).not.toContain('DELETE');
  expect((await app.request('/api/coches/a/aceites/5W-30')).status).toBe(200);
});

/** An API with a car of one oil, of as many as it says, which it does not delete. */
const keeping = (total: number, onDelete: RequestListener) => {
  const deleted: (string | undefined)[] = [];
  const listener: RequestListener = (incoming, outgoing) => {
    const isOils = incoming.url?.startsWith('/oils');
    if (incoming.method === 'DELETE') deleted.push(incoming.url);
    if (incoming.method === 'DELETE' && isOils) return onDelete(incoming, outgoing);
    return json(isOils ? [{ carId: 'a', id: 1, type: '5W-30' }] : seat, counted(total))(incoming, outgoing);
  };
  return { deleted, listener };
};

test('nothing is deleted where more is nested in it than the API lists', async () => {
  const { deleted, listener } = keeping(2, json({}));
  const { app } = gatewayBefore(await listening(listener), LIMITS);
  const response = await app.request('/api/coches/a', { method: 'DELETE' });
  expect([response.status, deleted]).toEqual([501, []]);
});

test.each([
  ['fails', json({}, {}, 500)],
  ['is not allowed', json({}, {}, 403)],
  ['is not done now', json({}, {}, 503)],
  ['is not answered', ((incoming) => void incoming.socket.destroy()) satisfies RequestListener],
  ['was done already', json({}, {}, 404)],
])('what is nested in a deleted car is not left in silence: its deletion %s', async (what, onDelete) => {
  const { deleted, listener } = keeping(1, onDelete);
  const { app } = gatewayBefore(await listening(listener), LIMITS);
  const response = await app.request('/api/cars/a', { method: 'DELETE' });
  expect(deleted).toEqual(['/cars/a', '/oils/1']);
  expect(response.status).toBe(what === 'was done already' ? 204 : 504);
});

/** An API that fails as often as it is told to, then answers. */
const failing = (times: number, how: RequestListener) => {
  const asked: IncomingMessage[] = [];
  const listener = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    asked.push(incoming);
    if (asked.length <= times) how(incoming, outgoing);
    else json(seat)(incoming, outgoing);
  };
  return { asked, listener };
};

test('a read is tried once more', async () => {
  const { asked, listener } = failing(1, (incoming) => void incoming.socket.destroy());
  const { app } = gatewayBefore(await listening(listener), LIMITS);
  expect((await app.request('/api/coches/a')).status).toBe(200);
  expect(asked).toHaveLength(2);
});

test('an API that has failed several times is left alone for some seconds', async () => {
  const { asked, listener } = failing(100, json({}, {}, 503));
  const { app } = gatewayBefore(await listening(listener), LIMITS);
  for (let at = 0; at < 5; at++) await app.request('/api/cars/a');
  expect(asked).toHaveLength(5);
  const spared = await app.request('/api/coches/a');
  expect([spared.status, Number(spared.headers.get('retry-after'))]).toEqual([503, 5]);
  expect(asked).toHaveLength(5);
});

describe('headers', () => {
  const sentWith = async (mapping: Partial<MappingFile>, headers: Readonly<Record<string, string>>) => {
    const { asked, listener } = failing(0, () => {});
    const { app } = gatewayBefore(await listening(listener), { ...LIMITS, ...mapping });
    const response = await app.request('/api/coches/a', { headers });
    return { sent: asked[0]?.headers ?? {}, response };
  };

  test('of the client are passed on where that is asked for', async () => {
    const client = { authorization: 'Bearer mine', cookie: 'a=b', 'x-tenant': '7', traceparent: '00-1-2-01' };
    expect((await sentWith({}, client)).sent).not.toMatchObject({ authorization: 'Bearer mine' });
    const { sent } = await sentWith({ pass: ['Authorization', 'X-Tenant'] }, client);
    expect(sent).toMatchObject({ authorization: 'Bearer mine', 'x-tenant': '7', traceparent: '00-1-2-01' });
    expect(sent.cookie).toBeUndefined();
  });

  test('are set', async () => {
    const set = { Authorization: 'Bearer ours', 'X-Tenant': '7' };
    const { sent } = await sentWith({ set }, { authorization: 'Bearer theirs' });
    expect(sent).toMatchObject({ authorization: 'Bearer ours', 'x-tenant': '7' });
  });

  test('have the identifier of the request, the client’s own or the one of the response', async () => {
    expect((await sentWith({}, { 'x-request-id': 'mine' })).sent['x-request-id']).toBe('mine');
    const { sent, response } = await sentWith({}, {});
    expect(sent['x-request-id']).toBe(response.headers.get('x-request-id'));
  });

  test('show a request that comes back, which is refused', async () => {
    const looped: { url: string } = { url: '' };
    let asked = 0;
    // The API is the gateway itself.
    const url = await listening(async (incoming, outgoing) => {
      asked++;
      const headers = Object.fromEntries(
        Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
      );
      const response = await gateway.app.request('/api/coches/a', { headers });
      outgoing.writeHead(response.status, { 'content-type': 'application/json' }).end(await response.text());
    });
    looped.url = url;
    const gateway = gatewayBefore(url, LIMITS);
    expect((await gateway.app.request('/api/coches/a')).status).toBe(503);
    expect(asked).toBeLessThanOrEqual(2);
    expect(gateway.faults.join('\n')).toContain('came back to this service');
  });
});
