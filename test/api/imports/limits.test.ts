/** What is refused of a file before, or while, it is read. */
import { expect, onTestFinished, test } from 'vitest';
import { openApp, useApp } from '../../support/app/app.ts';

const app = useApp({ importLimit: 1_024, bodyLimit: 512 });
const { send, request } = app;
const CSV = { 'content-type': 'text/csv' };
const row = 'identifier,brand,model\na,Seat,Ibiza\n';

test('a file has a limit of its own', async () => {
  const [path, detail] = ['/api/coches', 'El cuerpo no puede ocupar más de 1 KiB.'];
  const lines = row + 'x'.repeat(1_024);
  for (const headers of [CSV, { ...CSV, 'content-length': '1025' }]) {
    const { status, json } = await send('POST', path, lines, headers);
    expect([status, json.code, json.detail]).toEqual([413, 'body-too-large', detail]);
  }
  expect((await send('GET', '/api/cars')).json).toEqual([]);
  const fits = await send('POST', path, row.padEnd(1_024, '\n'), { ...CSV, prefer: 'handling=check' });
  expect(fits.status).toBe(200);
});

test('an array has the limit of other bodies', async () => {
  const { status, json } = await send('POST', '/api/cars', `[${' '.repeat(511)}]`);
  expect([status, json.detail]).toEqual([413, 'The body must not be larger than 512 B.']);
});

test('a workbook that is none is the fault of who sends it, and nothing for the log', async () => {
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  const { status, json } = await send('POST', '/api/coches', 'ninguno', { 'content-type': type });
  expect([status, json.code]).toEqual([400, 'malformed-file']);
  expect(app.faults).toEqual([]);
});

test.each([
  [
    'what is accepted, before all',
    { ...CSV, accept: 'text/csv', 'content-encoding': 'gzip' },
    '?x=1',
    406,
    'not-acceptable',
  ],
  ['compression', { ...CSV, 'content-encoding': 'gzip', prefer: 'handling=x' }, '', 415, 'unsupported-media-type'],
  ['a preference', { ...CSV, prefer: 'handling=x', 'content-length': '9999' }, '', 400, 'invalid-header'],
  ['the idempotency key', { ...CSV, 'idempotency-key': '', 'content-length': '9999' }, '', 400, 'invalid-header'],
  ['the length', { ...CSV, 'content-length': '9999' }, '?x=1', 413, 'body-too-large'],
  ['the query', CSV, '?x=1', 400, 'unknown-parameter'],
])('%s is looked at in the order of the contract', async (_, headers, query, status, code) => {
  const { json, ...found } = await send('POST', `/api/cars/nobody/oils${query}`, 'x', headers);
  expect([found.status, json.code]).toEqual([status, code]);
});

test('the part of a list that may be deleted is told as it was set', async () => {
  const { send: sendTo, close } = await openApp({ deletionShare: 7 });
  onTestFinished(close);
  await sendTo('POST', '/api/cars', row, CSV);
  const { json } = await sendTo('POST', '/api/coches', '[]', { prefer: 'resolution=replace-all' });
  expect(json.detail).toContain('Al archivo le faltan 1 de 1 elementos, más del 7 %.');
  const { json: document } = await sendTo('GET', '/api/openapi.en.json');
  expect(document.components.parameters.Prefer.description).toContain(' more than 7 % of the list ');
});

test('what POST reads is told by OPTIONS and by 415', async () => {
  const told = (path: string) => request(path, { method: 'OPTIONS' });
  const types = (await told('/api/cars')).headers.get('accept-post');
  expect(types).toMatch(/^application\/json, text\/csv, /);
  expect((await told('/api/coches/x/aceites')).headers.get('accept-post')).toBe(types);
  const xml = await send('POST', '/api/cars', '<a/>', { 'content-type': 'application/xml' });
  expect(xml.headers.get('accept-post')).toBe(types);
  const gzip = await send('POST', '/api/cars', 'x', { ...CSV, 'content-encoding': 'gzip' });
  expect([gzip.headers.get('accept-post'), gzip.headers.get('accept-encoding')]).toEqual([types, 'identity']);
  for (const method of ['PUT', 'PATCH']) {
    expect((await send(method, '/api/cars/a', 'x', CSV)).headers.get('accept-post')).toBeNull();
  }
});

test('a page may send preferences, and read which were followed', async () => {
  const asked = {
    origin: 'https://shop.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type, prefer, idempotency-key',
  };
  const preflight = await request('/api/coches', { method: 'OPTIONS', headers: asked });
  expect(preflight.headers.get('access-control-allow-headers')).toBe('*, Authorization');
  const { headers } = await send('POST', '/api/cars', row, { ...CSV, prefer: 'handling=check' });
  expect(headers.get('preference-applied')).toBe('handling=check');
  expect(headers.get('access-control-expose-headers')).toBe('*');
});
