import { describe, expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';
import { essentials } from '../../support/app/errors.ts';

const { send, request } = useApp({ given: [['/api/cars', { identifier: 'a-1', brand: 'Seat', model: 'Ibiza' }]] });

const readings = ['/api/cars', '/api/cars/a-1', '/api/coches', '/api/coches/a-1/aceites', '/api/locales/es'] as const;

const acceptable = [
  ...[
    ...['*/*', 'application/*', 'application/json', 'Application/JSON', 'application/json,text/csv'],
    '  application/json  ',
  ],
  ...['application/json, text/plain, */*', 'application/json; charset=utf-8', 'application/json;version=2'],
  ...['application/json;q=0.001', 'text/html, application/xhtml+xml, */*;q=0.1', '*/*;q=0, application/json'],
  ...['text/html;q=1, application/*;q=0.2', 'application/*;q=0, application/json;q=0.5, */*;q=0'],
  'application/xml;q=0, */*',
] as const;

const unacceptable = [
  ...[
    ...['text/html', 'application/xml', 'image/png, text/plain;q=0.5', 'application/jsonp'],
    'application/json5, text/json',
  ],
  ...['application/json;q=0', 'application/json;q=0.000', 'application/json;q=0, text/html', 'application/*;q=0'],
  ...['application/*;q=0, text/html;q=1', '*/*;q=0'],
] as const;

describe('Accept', () => {
  test.each(acceptable)('%s can be met', async (accept) => {
    for (const path of readings) {
      const { status, headers } = await send('GET', path, undefined, { accept });
      expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
    }
    expect((await send('PUT', '/api/coches/a-1', {}, { accept })).status).toBe(200);
  });

  test.each(unacceptable)('%s cannot be met', async (accept) => {
    for (const path of readings) {
      const { status, json, headers } = await send('GET', path, undefined, { accept });
      expect([status, json.code]).toEqual([406, 'not-acceptable']);
      expect(essentials(json.errors)).toEqual([{ header: 'Accept', code: 'not-acceptable', detail: json.detail }]);
      expect(headers.get('content-type')).toBe('application/problem+json');
      expect((await send('HEAD', path, undefined, { accept })).status).toBe(406);
    }
    const body = { identificador: 'new', marca: 'Seat', modelo: 'Ibiza' };
    expect((await send('POST', '/api/coches', body, { accept })).status).toBe(406);
    expect((await send('PUT', '/api/cars/a-1', { fuel: 'x' }, { accept })).status).toBe(406);
    const { json } = await send('GET', '/api/cars');
    expect(json).toEqual([{ identifier: 'a-1', brand: 'Seat', model: 'Ibiza' }]);
  });

  test('what can be sent is named', async () => {
    const accept = 'text/html';
    const detailOf = async (path: string): Promise<string> =>
      (await send('GET', path, undefined, { accept })).json.detail;
    expect(await detailOf('/api/cars/a-1')).toBe('The response is only available as application/json.');
    expect(await detailOf('/api/coches/a-1')).toBe('La respuesta solo se puede enviar como application/json.');
  });
});

const jsonTypes = [
  ...['application/json', 'APPLICATION/JSON', 'application/json; charset=utf-8', 'application/json;charset=UTF-8'],
  ...['application/json; charset="utf-8"', 'application/json ; Charset=utf-8', 'application/json; profile="x"'],
  ...['application/merge-patch+json', 'application/ld+json', 'application/hal+json; charset=utf-8'],
  ...['application/vnd.example.car-v1+json', 'application/problem+json', 'application/vnd.a+b+json'],
] as const;

const otherTypes = [
  ...['text/plain', 'text/plain;charset=UTF-8', 'text/json', 'application/xml', 'application/x-www-form-urlencoded'],
  ...['multipart/form-data; boundary=x', 'application/json-patch+json', 'Application/JSON-Patch+JSON', 'application/*'],
  ...['application/jsonp', 'application/json5', 'application/+json', 'image/svg+json', 'json'],
] as const;

const withType = async (type: string | undefined, method: string, path: string, body: string) => {
  const headers = type === undefined ? {} : { 'content-type': type };
  const answer = await request(path, { method, body: new TextEncoder().encode(body), headers });
  const json = (await answer.json()) as Record<string, string>;
  return { status: answer.status, json, headers: answer.headers };
};

describe('Content-Type', () => {
  // Blank, it is as if absent.
  test.each([undefined, '', ' ', '\t', ...jsonTypes])('%j is JSON', async (type) => {
    expect((await withType(type, 'PUT', '/api/coches/a-1', '{"marca":"X"}')).status).toBe(200);
    expect((await withType(type, 'PATCH', '/api/coches/a-1', '{"marca":"X"}')).status).toBe(200);
    expect((await withType(type, 'POST', '/api/coches', '{"marca":"X","modelo":"Y"}')).status).toBe(201);
  });

  test.each(otherTypes)('%s is not, and JSON is asked for', async (type) => {
    const [named = ''] = type.split(';');
    const patched = await withType(type, 'PATCH', '/api/coches/a-1', '[]');
    expect([patched.status, patched.json.code]).toEqual([415, 'unsupported-media-type']);
    expect(patched.headers.get('accept-patch')).toBe('application/merge-patch+json, application/json');
    const spanish = await withType(type, 'PUT', '/api/coches/a-1', '{"marca":"X"}');
    expect([spanish.status, spanish.json.code]).toEqual([415, 'unsupported-media-type']);
    expect(spanish.headers.get('accept-patch')).toBeNull();
    expect(spanish.json.title).toBe('Tipo de contenido no admitido');
    expect(spanish.json).toMatchObject({ errors: [{ header: 'Content-Type' }] });
    expect(spanish.json.detail).toBe(
      `El cuerpo no puede ser de tipo «${named}»; indique «Content-Type: application/${/json-patch/i.test(named) ? 'merge-patch+' : ''}json».`,
    );
    const english = await withType(type, 'POST', '/api/cars', '{"brand":"X","model":"Y"}');
    const posted = english.headers.get('accept-post');
    expect(posted).toMatch(/^application\/json, text\/csv, /);
    expect(english.json.detail).toBe(`The body cannot be of type “${named}”; set “Content-Type” to one of: ${posted}.`);
  });

  test.each(['iso-8859-1', 'utf-16', 'latin1', 'us-asciix'])('JSON in %s is refused', async (charset) => {
    const { status, json } = await withType(`application/json; charset=${charset}`, 'PUT', '/api/coches/a-1', '{}');
    expect([status, json.code]).toEqual([415, 'unsupported-media-type']);
    expect(json.detail).toBe(`El cuerpo no puede estar en «${charset}»; envíe UTF-8.`);
  });

  test.each(['gzip', 'br', 'deflate', 'gzip, identity', 'x'])('a body encoded as %s is refused', async (coding) => {
    const { status, json, headers } = await send('PUT', '/api/coches/a-1', {}, { 'content-encoding': coding });
    expect([status, json.code]).toEqual([415, 'unsupported-media-type']);
    expect(json.detail).toBe(`El cuerpo no puede estar codificado como «${coding}»; envíelo sin comprimir.`);
    expect(headers.get('accept-encoding')).toBe('identity');
    expect(json.errors[0].header).toBe('Content-Encoding');
  });

  test('a body encoded as identity is taken', async () => {
    expect((await send('PUT', '/api/cars/a-1', {}, { 'content-encoding': 'identity' })).status).toBe(200);
  });
});
