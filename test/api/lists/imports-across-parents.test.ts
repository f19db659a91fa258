/** Imports into the list of a nested collection across parents: each row names its parent. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openApp, type Request, type Send } from '../../support/app/app.ts';
import { listedOils, listedOilsTables } from '../../support/language/listed.ts';

let send: Send;
let request: Request;
const IMPORTS = '/api/importaciones/aceites';

const file = (text: string, prefer = '', path = IMPORTS) =>
  send('POST', path, text, { 'content-type': 'text/csv', ...(prefer === '' ? {} : { prefer }) });
const oils = async () => {
  const { text } = await send('GET', '/api/aceites?formato=csv&ordenar_por=coche,tipo');
  return text
    .replace(/^\ufeff/, '')
    .trimEnd()
    .split('\r\n')
    .slice(1);
};

beforeAll(async () => {
  const app = await openApp({ catalogue: listedOils, locales: listedOilsTables(afterAll) });
  afterAll(app.close);
  ({ send, request } = app);
});
beforeEach(async () => {
  for (const car of ['a', 'b', 'c']) {
    await send('DELETE', `/api/cars/${car}`);
    await send('POST', '/api/cars', { identifier: car, brand: 'Seat', model: car });
  }
  const { status, json } = await file('coche;tipo;otros_datos\r\na;5W-30;uno\r\na;10W-40;\r\nb;5W-30;dos\r\n');
  expect([status, json.creados]).toEqual([200, 3]);
});

const given = ['10W-40;;a', '5W-30;uno;a', '5W-30;dos;b'];

test('what is exported is imported again as it was, in each format', async () => {
  expect(await oils()).toEqual(given);
  for (const [format, type] of [
    ['csv', 'text/csv'],
    ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ['json', 'application/json'],
  ] as const) {
    const body = await (await request(`/api/oils?format=${format}`)).arrayBuffer();
    for (const car of ['a', 'b']) {
      await send('DELETE', `/api/cars/${car}`);
      await send('POST', '/api/cars', { identifier: car, brand: 'Seat', model: car });
    }
    expect(await oils()).toEqual([]);
    const sent = await request('/api/imports/oils', { method: 'POST', body, headers: { 'content-type': type } });
    expect([format, sent.status, await sent.json()]).toEqual([format, 200, expect.objectContaining({ created: 3 })]);
    expect(await oils()).toEqual(given);
  }
});

test.each([
  ['tipo;coche\r\n5W-30;a\r\n', '', 422, { rechazados: 1 }],
  [
    'tipo;coche;otros_datos\r\n5W-30;a;otro\r\n5W-30;c;nuevo\r\n5W-30;b;dos\r\n',
    'resolution=merge-duplicates',
    200,
    { creados: 1, actualizados: 1, sin_cambios: 1 },
    ['10W-40;;a', '5W-30;otro;a', '5W-30;dos;b', '5W-30;nuevo;c'],
  ],
  [
    'tipo;coche\r\n5W-30;a\r\n0W-20;c\r\n',
    'resolution=ignore-duplicates',
    200,
    { creados: 1, omitidos: 1 },
    ['10W-40;;a', '5W-30;uno;a', '5W-30;dos;b', '0W-20;;c'],
  ],
  ['tipo;coche\r\n5W-30;a\r\n', 'resolution=replace-all', 422, { eliminados: 2 }],
  [
    'tipo;coche\r\n5W-30;a\r\n5W-30;c\r\n',
    'resolution=replace-all; allow-deletions',
    200,
    { creados: 1, sin_cambios: 1, eliminados: 2 },
    ['5W-30;uno;a', '5W-30;;c'],
  ],
  [
    'tipo;coche;otros_datos\r\n0W-20;c;1\r\n0W-20;b;2\r\n0W-20;c;3\r\n',
    'resolution=merge-duplicates',
    200,
    { creados: 2, omitidos: 1, repetidos: [{ fila: 2, clave: '0W-20', fila_usada: 4 }] },
    [...given.slice(0, 2), '0W-20;2;b', given[2], '0W-20;3;c'],
  ],
  [
    'tipo;coche;eliminado\r\n5W-30;a;sí\r\n',
    'resolution=merge-duplicates',
    200,
    { eliminados: 1 },
    ['10W-40;;a', '5W-30;dos;b'],
  ],
  ['tipo;coche\r\n0W-20;c\r\n', 'handling=check', 200, { simulacro: true, creados: 1 }],
] as const)('%j, %s: %i', async (text, prefer, status, report, rows: readonly (string | undefined)[] = given) => {
  const answer = await file(text, prefer);
  const { json } = answer;
  expect([answer.status, json.report ?? json]).toEqual([status, expect.objectContaining(report)]);
  expect((await oils()).toSorted()).toEqual([...rows].toSorted());
});

test.each([
  [
    'tipo;coche\r\n5W-30;x\r\n0W-20;c\r\n',
    { fila: 2, columna: 'coche', valor: 'x', codigo: 'not-found', detalle: 'No existe el coche «x».' },
  ],
  [
    'tipo;coche\r\n5W-30;\r\n',
    { fila: 2, columna: 'coche', codigo: 'missing-field', detalle: '«coche» es obligatorio.' },
  ],
  ['tipo\r\n5W-30\r\n', { fila: 2, columna: 'coche', codigo: 'missing-field', detalle: '«coche» es obligatorio.' }],
  [
    'tipo;coche\r\n5W-30;a\r\n',
    { fila: 2, columna: 'tipo', valor: '5W-30', codigo: 'already-exists', detalle: 'Ya existe el aceite «5W-30».' },
  ],
])('%j is refused', async (text, error) => {
  const { status, json } = await file(text);
  expect([status, json.report.errores[0]]).toEqual([422, error]);
  expect(await oils()).toEqual(given);
});

test('a valid row is stored where another one has no parent, as preferred', async () => {
  const { status, json } = await file('tipo;coche\r\n5W-30;x\r\n0W-20;c\r\n', 'handling=lenient');
  expect([status, json.creados, json.rechazados]).toEqual([200, 1, 1]);
  expect(await oils()).toEqual([...given, '0W-20;;c']);
});

test('what it changed is listed with the parent', async () => {
  const { json } = await file(
    'tipo;coche;otros_datos\r\n5W-30;a;otro\r\n5W-30;c;\r\n',
    'resolution=merge-duplicates, return=representation',
  );
  expect(json.cambios).toMatchObject([
    { fila: 2, clave: '5W-30', antes: { otros_datos: 'uno' }, despues: { otros_datos: 'otro' } },
    { fila: 3, clave: '5W-30', despues: { tipo: '5W-30', coche: 'c' } },
  ]);
});

test('the list of one car takes no column for it', async () => {
  const { status, json } = await file('tipo;coche\r\n5W-30;a\r\n', '', '/api/importaciones/coches/a/aceites');
  expect([status, json.errors[0].code]).toEqual([400, 'unknown-field']);
});
