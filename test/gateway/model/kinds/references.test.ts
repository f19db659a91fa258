/** What refers to another item refers to one that is there, whatever writes, and whatever is deleted. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { collection, defineCatalogue } from '../../../../src/gateway/model/catalogue.ts';
import { key, reference } from '../../../../src/gateway/model/fields.ts';
import { loadLocales } from '../../../../src/host/tables/load.ts';
import { openApp } from '../../../support/app/app.ts';
import { everyKind, everyKindTables } from '../../../support/language/every-kind.ts';
import { everyKindApps, type Opened } from '../../../support/language/every-kind-apps.ts';

describe.each(everyKindApps(afterAll))('in a %s', (_, open) => {
  let app: Opened;
  const send = (...sent: Parameters<Opened['send']>) => app.send(...sent);
  const post = (code: string, more: object = {}) => send('POST', '/api/boats', { code, name: code, ...more });
  const boats = async (path = '/api/boats'): Promise<readonly object[]> =>
    (await send('GET', path)).json.map(({ name: _, state: __, ...boat }: Record<string, string>) => boat);
  const upload = (rows: string, prefer = '', path = '/api/importaciones/barcos', head = 'codigo;nombre;puerto') =>
    send('POST', path, `${head}\r\n${rows}`, { prefer });

  beforeAll(async () => {
    app = await open();
  });
  beforeEach(async () => {
    await app.empty();
    await send('POST', '/api/ports', [{ place: 'Gijón' }, { place: 'gijon' }, { place: 'Avilés' }]);
    expect((await post('a', { port: 'Gijón', home: 'Avilés' })).status).toBe(201);
    expect((await post('b')).status).toBe(201);
    expect((await send('POST', '/api/boats/b/trips', { number: '1', towards: 'gijon' })).status).toBe(201);
  });
  afterAll(() => app.close());

  test.each([
    ['POST', '/api/barcos', { codigo: 'c', nombre: 'c', puerto: 'GIJÓN' }],
    ['PUT', '/api/barcos/b', { puerto: 'GIJÓN' }],
    ['PATCH', '/api/barcos/a', { puerto: 'GIJÓN' }],
  ])('%s %s is refused for a key of no item', async (method, path, body) => {
    const { status, json } = await send(method, path, body);
    const detail = '«puerto» no puede ser «GIJÓN»: no existe en «puertos».';
    expect([status, json.code, json.detail]).toEqual([400, 'invalid-value', detail]);
    expect(json.errors).toMatchObject([{ pointer: '/puerto', code: 'invalid-value', name: 'port', value: '"GIJÓN"' }]);
  });

  test('what others refer to is not deleted, but for what its fields say', async () => {
    const refused = await send('DELETE', '/api/puertos/Gij%C3%B3n');
    const detail = 'No se puede eliminar el puerto «Gijón»: está en uso en 1 elemento de «barcos».';
    expect([refused.status, refused.json.code, refused.json.detail]).toEqual([409, 'in-use', detail]);
    expect((await send('DELETE', '/api/ports/Avil%C3%A9s')).status).toBe(204);
    expect(await boats()).toEqual([{ code: 'a', port: 'Gijón' }, { code: 'b' }]);
    expect((await send('DELETE', '/api/ports/gijon')).status).toBe(204);
    expect((await send('GET', '/api/boats/b/trips')).json).toEqual([]);
    expect((await send('PUT', '/api/boats/a', { port: null })).status).toBe(200);
    expect((await send('DELETE', '/api/ports/Gij%C3%B3n')).status).toBe(204);
    expect((await send('GET', '/api/ports')).json).toEqual([]);
  });

  test('of many items that refer to one it is said that they are more than are counted', async () => {
    const rows = Array.from({ length: 2_455 }, (_, at) => `m-${at};m;Gijón`);
    expect((await upload(rows.join('\r\n'))).status).toBe(200);
    const refused = await send('DELETE', '/api/puertos/Gij%C3%B3n');
    const detail = 'No se puede eliminar el puerto «Gijón»: está en uso en más de 1000 elementos de «barcos».';
    expect([refused.status, refused.json.detail]).toEqual([409, detail]);
  });

  test('a deletion that changes others is in their changes', async () => {
    const { change } = await send('GET', '/api/boats');
    await send('DELETE', '/api/ports/Avil%C3%A9s');
    expect((await send('GET', `/api/boats?changed_since=${change}`)).json).toMatchObject([
      { code: 'a', port: 'Gijón' },
    ]);
  });

  test('of deletions and creations at the same time none leaves a reference to nothing', async () => {
    for (const at of Array.from({ length: 12 }).keys()) {
      await send('POST', '/api/ports', { place: `new-${at}` });
      const [first, second] = [
        () => post(`boat-${at}`, { port: `new-${at}` }),
        () => send('DELETE', `/api/ports/new-${at}`),
      ];
      const both = at % 2 === 0 ? [first(), second()] : [second(), first()].toReversed();
      const [created, deleted] = await Promise.all(both);
      expect([
        [201, 409],
        [400, 204],
      ]).toContainEqual([created?.status, deleted?.status]);
    }
  });

  test('a file is told row by row', async () => {
    const rows = 'c;c;Nowhere\r\nd;d;Gijón\r\n';
    const { status, json } = await upload(rows);
    expect([status, json.code]).toEqual([422, 'rejected-rows']);
    expect(json.report.errores).toMatchObject([
      {
        fila: 2,
        columna: 'puerto',
        codigo: 'invalid-value',
        valor: 'Nowhere',
        detalle: '«puerto» no puede ser «Nowhere»: no existe en «puertos».',
      },
    ]);
    expect((await upload(rows, 'handling=check')).json).toMatchObject({ creados: 1, rechazados: 1 });
    expect((await upload(rows, 'handling=lenient')).json).toMatchObject({ creados: 1, rechazados: 1 });
    const merged = await upload('a;a;Nowhere\r\n', 'resolution=merge-duplicates, handling=lenient');
    expect(merged.json).toMatchObject({ actualizados: 0, rechazados: 1 });
    expect(await boats()).toContainEqual({ code: 'a', port: 'Gijón', home: 'Avilés' });
  });

  test.each(['', ', handling=check'])(
    'a file that replaces all deletes nothing that others refer to%s',
    async (check) => {
      const prefer = `resolution=replace-all; allow-deletions${check}`;
      const { status, json } = await upload('gijon\r\n', prefer, '/api/importaciones/puertos', 'lugar');
      const detail = 'No se puede eliminar el puerto «Gijón»: está en uso en 1 elemento de «barcos».';
      expect([status, json.code, json.detail]).toEqual([409, 'in-use', detail]);
      expect((await send('GET', '/api/ports')).json).toHaveLength(3);
    },
  );

  test('a file that replaces all changes what refers to what it deletes', async () => {
    const prefer = 'resolution=replace-all; allow-deletions';
    const { json } = await upload('Gijón\r\n', prefer, '/api/importaciones/puertos', 'lugar');
    expect(json).toMatchObject({ eliminados: 2 });
    expect(await boats()).toEqual([{ code: 'a', port: 'Gijón' }, { code: 'b' }]);
    expect((await send('GET', '/api/boats/b/trips')).json).toEqual([]);
  });
});

test.each([
  [
    'cannot be asked',
    () => {
      throw new Error('locked');
    },
  ],
  ['is a replica, which has it still', () => ({ total: 1, change: 1, rows: [[1, 'Vigo', null] as const] })],
])('a key of no item has no suggestion where the store %s', async (_, read) => {
  const locales = everyKindTables(onTestFinished);
  const { send, faults, close } = await openApp({ catalogue: everyKind, locales, spoil: () => ({ read }) });
  const { status, json } = await send('POST', '/api/barcos', { codigo: 'a', nombre: 'a', puerto: 'Vigo' });
  expect([status, json.detail]).toEqual([400, '«puerto» no puede ser «Vigo»: no existe en «puertos».']);
  expect([json.errors[0].suggestion, faults]).toEqual([undefined, []]);
  await close();
});

test.each([
  ['itself', 'a'],
  ['nothing', 'c'],
])('refers to %s', (_, to) => {
  const made = () => defineCatalogue(collection('a', { id: key(), to: reference(to) }));
  expect(made).toThrow(`"to" of a refers to "${to}", which is no other collection at the top`);
});

test('has the name of nothing that is nested beside it: include could not tell them apart', () => {
  const made = () =>
    defineCatalogue(
      collection('a', { id: key(), to: reference('b') }, collection('to', { id: key() })),
      collection('b', { id: key() }),
    );
  expect(made).toThrow('"to" is a reference of a, and the name of what is nested in it');
});

test('has the word of nothing that is nested beside it', () => {
  const folder = everyKindTables(onTestFinished);
  const file = join(folder, 'es.json');
  const { fields, ...table } = JSON.parse(readFileSync(file, 'utf8'));
  fields.boats.port = 'viajes';
  writeFileSync(file, JSON.stringify({ ...table, fields }));
  expect(() => loadLocales(everyKind, folder, 'en')).toThrow(
    'es.json: paths.trips: "viajes" is already the word of fields.boats.port',
  );
});
