import { expect, test } from 'vitest';
import { openApp, useFreshApp } from '../../support/app/app.ts';

const { send, request } = useFreshApp({
  given: [
    ['/api/cars', { identifier: 'a', brand: 'Seat', model: 'León', doors: 5 }],
    ['/api/cars', { identifier: 'b', brand: 'Audi', model: 'A3' }],
  ],
});
const csv = { 'content-type': 'text/csv' };
const NOTHING = { created: 0, updated: 0, unchanged: 0, skipped: 0, deleted: 0, rejected: 0, cleared: 0 };

const importCsv = async (path: string, body: string, prefer = 'resolution=merge-duplicates') => {
  const response = await request(path, { method: 'POST', headers: { ...csv, prefer }, body });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  return { status: response.status, json: (await response.json()) as any };
};
const keys = async (): Promise<readonly string[]> =>
  (await send('GET', '/api/cars')).json.map(({ identifier }: { identifier: string }) => identifier);

test.each([
  [
    '/api/cars',
    'identifier,brand,model,deleted\nb,,,true\nc,Seat,Ibiza,\nnone,,,true\n',
    { deleted: 1, created: 1 },
    ['a', 'c'],
  ],
  ['/api/cars', 'identifier,brand,model,deleted\nb,Seat,X,true\n', { deleted: 1 }, ['a']],
  ['/api/cars', 'identifier,deleted\na,false\n', { unchanged: 1 }, ['a', 'b']],
  // What is said last of an item is done.
  ['/api/cars', 'identifier,brand,model,deleted\nb,,,true\nb,Seat,X,\n', { updated: 1 }, ['a', 'b']],
  ['/api/cars', 'identifier,brand,model,deleted\nc,Seat,X,\nc,,,true\n', { created: 1, deleted: 1 }, ['a', 'b']],
])('%s of %j', async (path, body, counts, left) => {
  expect(await importCsv(path, body)).toEqual({ status: 200, json: { ...NOTHING, ...counts } });
  expect(await keys()).toEqual(left);
});

test('the Spanish column says it in Spanish, and a check deletes nothing', async () => {
  const body = 'identificador;eliminado\nb;sí\n';
  const checked = await importCsv('/api/coches', body, 'resolution=merge-duplicates, handling=check');
  expect(checked.json).toMatchObject({ eliminados: 1 });
  expect(await keys()).toEqual(['a', 'b']);
  expect((await importCsv('/api/coches', body)).json).toMatchObject({ eliminados: 1 });
  expect(await keys()).toEqual(['a']);
});

test('a row that deletes must say which item', async () => {
  const { status, json } = await importCsv('/api/cars', 'identifier,model,deleted\n,X,true\n');
  expect([status, json.report.errors[0].code, json.report.errors[0].detail]).toEqual([
    422,
    'missing-field',
    '“identifier” is required.',
  ]);
});

test('two installations are the same after a delta was imported, whatever was written', async () => {
  const other = await openApp();
  const replicate = async (position: string): Promise<string> => {
    const delta = await send('GET', `/api/coches?cambiado_desde=${position}&formato=csv`);
    const headers = { ...csv, prefer: 'resolution=merge-duplicates, absent-cells=clear' };
    const { status } = await other.request('/api/coches', { method: 'POST', headers, body: delta.text });
    expect(status).toBe(200);
    return delta.headers.get('x-change') ?? '';
  };
  const position = await replicate('0');
  await send('DELETE', '/api/coches/b');
  await send('PUT', '/api/cars/a', { doors: null, year: 2020 });
  await send('POST', '/api/cars', { identifier: 'c', brand: 'Citroën', model: 'C3; "1.4"' });
  await replicate(position);
  expect((await other.send('GET', '/api/cars')).json).toEqual((await send('GET', '/api/cars')).json);
  await other.close();
});
