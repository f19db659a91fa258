import { beforeAll, expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';
import { tryAll } from '../../support/app/tries.ts';
import { carWords } from '../../support/language/car-words.ts';

const CSV = { 'content-type': 'text/csv' };
const { send } = useApp();

const [IMPORTS, EXPORTS] = ['/api/importaciones/coches', '/api/exportaciones/coches'];
const [GROUPS, SELECTIONS] = ['/api/grupos/coches', '/api/selecciones/coches'];

beforeAll(async () => {
  const file = 'identificador;marca;modelo\na/b;Seat;León\nc;Seat;Ibiza\n';
  const { status, headers, json } = await send('POST', `${IMPORTS}/`, file, CSV);
  expect([status, headers.get('content-language'), json.creados]).toEqual([200, 'es', 2]);
});

test('a file of nested items is imported, and an array', async () => {
  const oils = await send('POST', '/api/importaciones/coches/a%2Fb/aceites', 'tipo\n5W-30\n', CSV);
  expect(oils.json.creados).toBe(1);
  expect((await send('POST', IMPORTS, '{"marca": "Seat", "modelo": "Ibiza"}')).json).toMatchObject({
    code: 'malformed-file',
    detail: 'El contenido debe ser un array JSON de objetos con campos del coche.',
  });
  expect((await send('POST', IMPORTS, '[]')).status).toBe(200);
});

test.each([
  [GROUPS, 'agrupar_por=marca', [{ marca: 'Seat', total: 2 }]],
  [SELECTIONS, 'campos=marca&modelo=leon', [{ identificador: 'a/b', marca: 'Seat' }]],
])('%s?%s is the same as the list’s, in its canonical links too', async (path, query, found) => {
  const { status, headers, json } = await send('GET', `${path}?${query}`);
  expect([status, headers.get('content-language'), json]).toEqual([200, 'es', found]);
  const list = await send('GET', `/api/coches?${query}`);
  expect([json, headers.get('link'), headers.get('etag')]).toEqual([
    list.json,
    list.headers.get('link'),
    list.headers.get('etag'),
  ]);
});

test('a list is exported', async () => {
  const { text, headers } = await send('GET', `${EXPORTS}?formato=csv&modelo=leon`);
  expect(headers.get('content-type')).toMatch(/^text\/csv/);
  expect(text.replace('\uFEFF', '').split('\r\n')[0]).toBe(carWords.es.join(';'));
});

tryAll(`
# A read asks for its parameter, and refuses what its answers are not.
GET ${EXPORTS}
400 invalid-parameter «formato» es obligatorio.
GET ${GROUPS}
400 invalid-parameter «agrupar_por» es obligatorio.
GET ${SELECTIONS}
400 invalid-parameter «campos» es obligatorio.
GET ${EXPORTS}?formato=json
400 invalid-parameter «formato» debe ser uno de estos valores: …, no «json».
GET ${GROUPS}?group_by=brand
400 unknown-parameter «group_by» no es un parámetro de esta URL; ¿quería decir «agrupar_por»?
# Paths that are not there.
GET /api/imports/coches → /api/importaciones/coches
GET /api/import/cars → /api/imports/cars
GET /imports/cars → /api/imports/cars
GET /api/uploads/cars → /api/imports/cars
GET /api/group/cars/x/oils → /api/groups/cars/x/oils
GET /api/importacion/coches → /api/importaciones/coches
GET /api/grupo/coches/x/aceites → /api/grupos/coches/x/aceites
GET /api/importaciones/coches/x/oils → /api/importaciones/coches/x/aceites
`);

test.each(['/api/imports/cars/x', '/api/grupos/coches/x'])('%s is no path, and none is near', async (path) => {
  const { status, json } = await send('GET', path);
  expect([status, json.code, json.suggestion]).toEqual([404, 'no-such-path', undefined]);
});

test.each([
  [IMPORTS, 'POST, OPTIONS'],
  [EXPORTS, 'GET, HEAD, OPTIONS'],
  [GROUPS, 'GET, HEAD, OPTIONS'],
  [SELECTIONS, 'GET, HEAD, OPTIONS'],
])('%s takes %s', async (path, allow) => {
  const [options, refused] = [await send('OPTIONS', path), await send('PUT', path, '{}')];
  expect([options.status, options.headers.get('allow')]).toEqual([204, allow]);
  const { status, headers, json } = refused;
  expect([status, headers.get('allow'), json.code]).toEqual([405, allow, 'method-not-allowed']);
  expect(headers.get('content-language')).toBe('es');
});

test('a key is as it was sent, and a word however its accents are composed', async () => {
  await send('POST', '/api/cars', { identifier: 'leo\u0301n', brand: 'Seat', model: 'León' });
  const { json } = await send('POST', '/api/imports/cars/leo%CC%81n/oils', 'type\n0W-20\n', CSV);
  expect(json.created).toBe(1);
  expect((await send('POST', '/api/imports/cars/le%C3%B3n/oils', 'type\n0W-20\n', CSV)).status).toBe(404);
});
