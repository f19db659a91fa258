import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';

let tags: readonly string[];
const tagAt = async (path: string): Promise<string> => (await send('GET', path)).headers.get('etag') ?? 'none';
const { send } = useApp();
beforeAll(async () => {
  await send('POST', '/api/cars', { identifier: 'a-1', brand: 'Seat', model: 'Ibiza', doors: 5 });
  await send('POST', '/api/cars/a-1/oils', { type: '5W-30' });
  tags = [await tagAt('/api/cars/a-1'), await tagAt('/api/coches/a-1')];
});

const items = ['/api/cars/a-1', '/api/coches/a-1/aceites/5W-30'] as const;
const resources = [...items, '/api/coches?marca=seat&pagina=1', '/api/cars/a-1/oils'] as const;

describe.each(resources)('304 for %s', (path) => {
  test.each(['GET', 'HEAD'])(
    'answers %s with the tag and what else the standard asks for, and no more',
    async (method) => {
      const { headers: whole } = await send(method, path);
      const tag = whole.get('etag') ?? '';
      const { status, text, headers } = await send(method, path, undefined, {
        'if-none-match': tag,
        'x-request-id': 'mine',
      });
      expect([status, text]).toEqual([304, '']);
      expect(Object.fromEntries(headers)).toEqual({
        etag: tag,
        'cache-control': 'no-cache',
        vary: 'Accept',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'access-control-allow-origin': '*',
        'access-control-expose-headers': whole.get('access-control-expose-headers'),
        'x-request-id': 'mine',
      });
      expect([whole.get('cache-control'), whole.get('vary')]).toEqual(['no-cache', 'Accept']);
      // Where the whole answer had one, this one would need it.
      expect(whole.get('content-location')).toBeNull();
    },
  );
});

test('412 is explained', async () => {
  const changed = 'No se cumple «If-Match»: el recurso ha cambiado o la etiqueta no es suya.';
  const excluded = 'No se cumple «If-None-Match»: excluye el estado en que está el recurso.';
  const refused = [
    ['GET', { 'if-match': '"old"' }, 'If-Match'],
    ['PUT', { 'if-match': '"old"' }, 'If-Match'],
    ['PUT', { 'if-none-match': '*' }, 'If-None-Match'],
    ['PATCH', { 'if-match': 'W/"1"' }, 'If-Match'],
    ['PATCH', { 'if-none-match': '*' }, 'If-None-Match'],
    ['DELETE', { 'if-match': 'W/"1"' }, 'If-Match'],
    ['DELETE', { 'if-none-match': '"x", W/"y"', 'if-match': '"z"' }, 'If-Match'],
  ] as const;
  for (const path of ['/api/coches/a-1', '/api/coches/a-1/aceites/5W-30']) {
    for (const [method, headers, header] of refused) {
      const answer = await send(method, path, /^P/.test(method) ? {} : undefined, {
        ...headers,
        'x-request-id': 'mine',
        'accept-language': 'de',
      });
      const detail = header === 'If-Match' ? changed : excluded;
      expect(answer.json).toMatchObject({
        type: '/api/problems/precondition-failed',
        title: 'No se cumple la condición previa',
        status: 412,
        code: 'precondition-failed',
        detail,
        requestId: 'mine',
        errors: [{ header, name: header, code: 'precondition-failed', detail }],
      });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([412, 'application/problem+json']);
      expect([answer.headers.get('content-language'), answer.headers.get('etag')]).toEqual(['es', null]);
    }
  }
});

/** There is no date of a last change to compare with (RFC 9110 §13.1.3, §13.1.4), and there are no ranges. */
const ignored = [
  { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
  { 'if-range': '"x"', range: 'bytes=0-1' },
  { 'if-range': 'Thu, 01 Jan 1970 00:00:00 GMT' },
] as const;

test.each(ignored)('%j is no condition here', async (headers) => {
  for (const path of resources) {
    const whole = await send('GET', path);
    const answer = await send('GET', path, undefined, headers);
    expect([answer.status, answer.text, answer.headers.get('etag')]).toEqual([
      200,
      whole.text,
      whole.headers.get('etag'),
    ]);
    expect(answer.headers.get('last-modified')).toBeNull();
  }
  for (const path of items) expect((await send('PUT', path, {}, headers)).status).toBe(200);
});

test('none of these requests changed anything', async () => {
  expect((await send('GET', '/api/cars')).text).toBe('[{"identifier":"a-1","brand":"Seat","model":"Ibiza","doors":5}]');
  expect((await send('GET', '/api/cars/a-1/oils')).text).toBe('[{"type":"5W-30"}]');
  expect([await tagAt('/api/cars/a-1'), await tagAt('/api/coches/a-1')]).toEqual(tags);
});
