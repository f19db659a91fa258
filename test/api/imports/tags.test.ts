/** A spreadsheet that is sent back undoes nothing: each row has the tag of what it was made from. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { useFreshApp } from '../../support/app/app.ts';
import { temporaryFolder } from '../../support/process/folder.ts';
import { convert, hasLibreOffice } from '../../support/process/libreoffice.ts';

const app = useFreshApp();
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const TAGS = { accept: 'text/csv; tags=present' };

beforeEach(async () => {
  for (const [identifier, model] of [
    ['a', 'Ibiza'],
    ['b', 'León'],
    ['c', 'Arosa'],
  ]) {
    const car = { identifier, brand: 'Seat', model, doors: 5, year: 2000 };
    expect((await app.send('POST', '/api/cars', car)).status).toBe(201);
  }
});

const [LIST, IMPORTS] = ['/api/coches', '/api/importaciones/coches'];
const GONE = 'Desde que se hizo el archivo, el coche «c» ha cambiado o se ha eliminado.';

const exported = async () => (await app.send('GET', `${LIST}?formato=csv`, undefined, TAGS)).text;
const upload = (file: string, prefer = 'resolution=merge-duplicates', type = 'text/csv') =>
  app.send('POST', IMPORTS, file, { 'content-type': type, prefer });
const countsOf = (report: Record<string, number>) =>
  ['creados', 'actualizados', 'sin_cambios', 'rechazados'].map((name) => report[name]);
const read = async (key: string) => (await app.send('GET', `${LIST}/${key}`)).json;
const patch = (key: string, body: object) => app.send('PATCH', `${LIST}/${key}`, body);

test('tags are the last column of CSV that asks for them, and of no other', async () => {
  const [header = '', ...rows] = (await exported()).trimEnd().split('\r\n');
  expect(header.split(';').at(-1)).toBe('etiqueta_fila');
  for (const row of rows) expect(row.split(';').at(-1)).toMatch(/^r[0-9a-z]+-[0-9a-z]+$/);
  for (const accept of ['text/csv', '*/*', 'text/csv; formulas=escaped']) {
    const plain = await app.send('GET', `${LIST}?formato=csv`, undefined, { accept });
    expect([plain.status, plain.text.includes('etiqueta_fila')]).toEqual([200, false]);
  }
  const refused = await app.send('GET', LIST, undefined, { accept: 'text/csv; tags=x' });
  expect(refused.status).toBe(406);
});

test('a file that nothing has overtaken is as one without tags, night after night', async () => {
  for (const doors of ['4', '3']) {
    const file = (await exported()).replace(/(\r\n[bc].*)/g, (line) =>
      line.replace(`;${doors === '4' ? 5 : 4};`, `;${doors};`),
    );
    const { status, json } = await upload(file, 'resolution=replace-all');
    expect([status, countsOf(json)]).toEqual([200, [0, 2, 1, 0]]);
  }
  expect((await read('b')).puertas).toBe(3);
  const again = await upload((await exported()).replaceAll(/r[0-9a-z]+-[0-9a-z]+/g, ''));
  expect([again.status, countsOf(again.json)]).toEqual([200, [0, 0, 3, 0]]);
});

test('a row whose item has changed is stale, with both values, and is not written', async () => {
  const file = (await exported()).replace('Ibiza', 'Córdoba').replace('León', 'Toledo');
  await patch('b', { puertas: 3 });
  await patch('c', { marca: 'Opel' });
  await patch('c', { marca: 'Seat' });
  const strict = await upload(file);
  expect([strict.status, strict.json.code]).toEqual([422, 'rejected-rows']);
  const { status, json } = await upload(file, 'resolution=merge-duplicates, handling=lenient');
  // A row whose item has changed and is again as the row says undoes nothing.
  expect([status, countsOf(json)]).toEqual([200, [0, 1, 1, 1]]);
  const [error] = json.errores;
  expect(error).toMatchObject({ fila: 3, codigo: 'stale', valor: 'b' });
  expect(error.antes).toEqual({ modelo: 'León', puertas: 3 });
  expect(error.despues).toEqual({ modelo: 'Toledo', puertas: 5 });
  expect(error.detalle).toBe('Desde que se hizo el archivo, el coche «b» ha cambiado. Difieren: modelo, puertas.');
  expect(json.motivos).toHaveLength(1);
  expect(json.motivos[0]).toMatchObject({ cantidad: 1, codigo: 'stale' });
  expect([(await read('a')).modelo, (await read('b')).modelo]).toEqual(['Córdoba', 'León']);
  const meant = await upload(file, 'resolution=merge-duplicates, stale=overwrite');
  expect([meant.status, countsOf(meant.json)]).toEqual([200, [0, 1, 2, 0]]);
  expect(meant.headers.get('preference-applied')).toContain('stale=overwrite');
  expect(await read('b')).toMatchObject({ modelo: 'Toledo', puertas: 5 });
});

test('an item that was deleted meanwhile does not come back, unless that is meant', async () => {
  const file = await exported();
  await app.send('DELETE', `${LIST}/c`);
  const refused = await upload(file, 'resolution=merge-duplicates, handling=lenient');
  expect(countsOf(refused.json)).toEqual([0, 0, 2, 1]);
  expect(refused.json.errores[0]).toMatchObject({ codigo: 'stale', detalle: GONE });
  expect((await app.send('GET', `${LIST}/c`)).status).toBe(404);
  expect(countsOf((await upload(file, 'resolution=merge-duplicates, stale=overwrite')).json)).toEqual([1, 0, 2, 0]);
});

test('a row that deletes what has changed meanwhile is stale, too', async () => {
  const [header = '', ...rows] = (await exported()).trimEnd().split('\r\n');
  await patch('c', { puertas: 2 });
  const lines = rows.map((row) => `${row};${row.startsWith('a') ? '' : 'true'}`);
  const file = [`${header};eliminado`, ...lines].join('\r\n');
  const { json } = await upload(file, 'resolution=merge-duplicates, handling=lenient');
  expect(json.errores).toMatchObject([{ fila: 4, codigo: 'stale', detalle: GONE }]);
  expect((await app.send('GET', LIST)).json).toHaveLength(2);
});

test('a tag that is not its row’s is that row’s error', async () => {
  const lines = (await exported()).trimEnd().split('\r\n');
  const cut = (line = '') => line.slice(0, line.lastIndexOf(';') + 1);
  const tagOf = (line = '') => line.slice(line.lastIndexOf(';') + 1);
  const swapped = [lines[0], cut(lines[1]) + tagOf(lines[2]), cut(lines[2]) + tagOf(lines[1]), lines[3]];
  const { json } = await upload(swapped.join('\r\n'), 'resolution=merge-duplicates, handling=lenient');
  expect(countsOf(json)).toEqual([0, 0, 1, 2]);
  for (const error of json.errores) {
    expect(error).toMatchObject({ columna: 'etiqueta_fila', codigo: 'invalid-value' });
    expect(error.detalle).toMatch(/^«etiqueta_fila» es «r.*», que no es la etiqueta de esta fila/);
  }
  for (const tag of ['x', '1', 'r-', 'r1-zzzz', '1E5', `${tagOf(lines[1])}1`]) {
    const one = await upload([lines[0], cut(lines[1]) + tag].join('\r\n'));
    expect([one.status, one.json.code], tag).toEqual([422, 'rejected-rows']);
  }
  // A new row has none.
  const added = await upload([...lines, cut(lines[1]).replace(/^a/, 'd')].join('\r\n'));
  expect([added.status, countsOf(added.json)]).toEqual([200, [1, 0, 3, 0]]);
});

test('workbooks have tags, unless a client wants none', async () => {
  const get = async (accept: string) => {
    const response = await app.request(`${LIST}?formato=xlsx`, { headers: { accept } });
    expect(response.status).toBe(200);
    return new Uint8Array(await response.arrayBuffer());
  };
  const send = (file: Uint8Array) =>
    app.send('POST', IMPORTS, file, {
      'content-type': XLSX,
      prefer: 'resolution=merge-duplicates, handling=lenient',
    });
  const [tagged, plain] = [await get('*/*'), await get(`${XLSX}; tags=absent`)];
  await patch('b', { puertas: 3 });
  expect(countsOf((await send(tagged)).json)).toEqual([0, 0, 2, 1]);
  expect(countsOf((await send(plain)).json)).toEqual([0, 1, 2, 0]);
});

test.skipIf(!hasLibreOffice)('tags survive LibreOffice, in workbooks and CSV', { timeout: 120_000 }, async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'cars.xlsx');
  writeFileSync(file, Buffer.from(await (await app.request('/api/cars?format=xlsx')).arrayBuffer()));
  const [csv = ''] = convert(join(folder, 'csv'), convert(join(folder, 'ods'), [file], 'ods'), 'csv');
  await app.send('PATCH', '/api/cars/b', { doors: 3 });
  const { json } = await app.send('POST', '/api/imports/cars', readFileSync(csv, 'utf8'), {
    'content-type': 'text/csv',
    prefer: 'resolution=merge-duplicates, handling=lenient',
  });
  expect([json.unchanged, json.rejected, json.errors?.[0]?.code]).toEqual([2, 1, 'stale']);
});
