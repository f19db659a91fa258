/** No two items have the same value of a unique field, whatever writes them. */
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { collection, defineCatalogue } from '../../../../src/gateway/model/catalogue.ts';
import { key, text } from '../../../../src/gateway/model/fields.ts';
import { openStore } from '../../../../src/host/service/open-store.ts';
import { emptyDatabase, onServer } from '../../../support/database/database.ts';
import { everyKindApps, type Opened } from '../../../support/language/every-kind-apps.ts';
import { temporaryFolder } from '../../../support/process/folder.ts';

describe.each(everyKindApps(afterAll))('in a %s', (name, open) => {
  let app: Opened;
  const send = (...sent: Parameters<Opened['send']>) => app.send(...sent);
  const put = (code: string, sailNumber: string | null) => send('PUT', `/api/boats/${code}`, { sailNumber });
  const post = (code: string, sailNumber?: string) => send('POST', '/api/boats', { code, name: code, sailNumber });
  const upload = (
    rows: string,
    prefer = '',
    path = '/api/importaciones/barcos',
    head = 'codigo;nombre;numero_de_vela',
  ) => send('POST', path, `${head}\r\n${rows}`, { prefer });
  const numbers = async (): Promise<readonly (readonly [code: string, sailNumber: string | undefined])[]> =>
    (await send('GET', '/api/boats')).json.map((boat: Record<string, string>) => [boat.code, boat.sailNumber]);

  beforeAll(async () => {
    app = await open();
  });
  beforeEach(async () => {
    await app.empty();
    for (const [code, number] of [['a', 'ESP 7'], ['b', 'Ñ 1'], ['c']] as const)
      expect((await post(code, number)).status).toBe(201);
  });
  afterAll(() => app.close());

  test.each([
    ['POST', '/api/barcos', { codigo: 'd', nombre: 'd', numero_de_vela: 'esp 7' }],
    ['PUT', '/api/barcos/b', { numero_de_vela: 'esp 7' }],
    ['PATCH', '/api/barcos/c', { numero_de_vela: 'esp 7' }],
  ])('%s %s is refused, in the words of the request', async (method, path, body) => {
    const { status, json } = await send(method, path, body);
    const detail = '«numero_de_vela» no puede ser «esp 7»: ya lo tiene el barco «a».';
    expect([status, json.code, json.detail]).toEqual([409, 'already-exists', detail]);
    expect(json.errors).toMatchObject([
      { pointer: '/numero_de_vela', code: 'already-exists', name: 'sailNumber', value: '"esp 7"', detail },
    ]);
    expect(await numbers()).toEqual([
      ['a', 'ESP 7'],
      ['b', 'Ñ 1'],
      ['c', undefined],
    ]);
  });

  test('a search finds it, and the key', async () => {
    for (const [word, code] of [
      ['esp 7', 'a'],
      ['b', 'b'],
    ] as const) {
      const { json } = await send('GET', `/api/barcos?buscar=${encodeURIComponent(word)}`);
      expect(json.map(({ codigo }: { codigo: string }) => codigo)).toEqual([code]);
    }
  });

  test('an item may keep its value, in other letters, too, and leave it to another', async () => {
    expect((await put('a', 'Esp 7')).status).toBe(200);
    expect((await put('a', null)).status).toBe(200);
    expect((await put('b', 'esp 7')).status).toBe(200);
    expect((await send('DELETE', '/api/boats/b')).status).toBe(204);
    expect((await post('d', 'ESP 7')).status).toBe(201);
  });

  test('of many at the same time, one gets it', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, (_, at) => post(`new-${at}`, 'NEW')));
    expect(all.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
  });

  test('writes that come together give values on', async () => {
    const all = await Promise.all([put('a', 'X'), post('d', 'ESP 7'), put('b', 'Y'), put('c', 'Ñ 1'), put('a', 'Y')]);
    expect(all.map(({ status }) => status)).toEqual([200, 201, 200, 200, 409]);
    expect(await numbers()).toEqual([
      ['a', 'X'],
      ['b', 'Y'],
      ['c', 'Ñ 1'],
      ['d', 'ESP 7'],
    ]);
  });

  test('a file is told row by row, also of two of its own', async () => {
    const rows = 'd;d;NEW\r\ne;e;new\r\nf;f;ñ 1\r\ng;g;G\r\n';
    const { status, json } = await upload(rows);
    expect([status, json.code]).toEqual([422, 'rejected-rows']);
    expect(json.report.errores).toMatchObject([
      {
        fila: 3,
        columna: 'numero_de_vela',
        codigo: 'already-exists',
        valor: 'new',
        detalle: '«numero_de_vela» es «new», que ya está en la fila 2 del archivo.',
      },
      {
        fila: 4,
        columna: 'numero_de_vela',
        valor: 'ñ 1',
        detalle: '«numero_de_vela» no puede ser «ñ 1»: ya lo tiene el barco «b».',
      },
    ]);
    const checked = await upload(rows, 'handling=check');
    expect(checked.json).toMatchObject({ creados: 2, rechazados: 2, motivos: [{ cantidad: 2 }] });
    const lenient = await upload(rows, 'handling=lenient');
    expect(lenient.json).toMatchObject({ creados: 2, rechazados: 2 });
    expect((await numbers()).slice(3)).toEqual([
      ['d', 'NEW'],
      ['g', 'G'],
    ]);
  });

  test('a file may hand values on, but two items that exchange theirs are errors, and keep them', async () => {
    const merge = 'resolution=merge-duplicates';
    const swap = await upload('b;b;ESP 7\r\na;a;Ñ 1\r\nd;d;D\r\n', `${merge}, handling=lenient`);
    expect(swap.json).toMatchObject({ actualizados: 0, creados: 1, rechazados: 2 });
    // As `a` cannot have D, it keeps its number, which `c` cannot have then.
    const before = await numbers();
    const own = Object.fromEntries(before).a;
    const kept = await upload(`a;a;D\r\nc;c;${own}\r\ne;e;E\r\n`, `${merge}, handling=lenient`);
    expect(kept.json).toMatchObject({ actualizados: 0, creados: 1, rechazados: 2 });
    expect(await numbers()).toEqual([...before, ['e', 'E']]);
  });

  // A `Map` has no index: each row looks at all others.
  test.skipIf(name === 'map')(
    'a file may hand values on from item to item, however many items that are, in any order',
    async () => {
      const merge = 'resolution=merge-duplicates';
      const COUNT = 1_200;
      const rows = (step: number) => Array.from({ length: COUNT }, (_, at) => `k${at};k${at};Q ${at + step}\r\n`);
      expect((await upload(rows(0).join(''), merge)).json).toMatchObject({ creados: COUNT });
      expect((await upload(rows(1).join(''), merge)).json).toMatchObject({ actualizados: COUNT, rechazados: 0 });
      expect((await upload(rows(2).reverse().join(''), merge)).json).toMatchObject({ actualizados: COUNT });
      expect((await send('GET', '/api/boats/k7')).json).toMatchObject({ sailNumber: 'Q 9' });
      // One that cannot have its value keeps what the one before it wants, and so on to the first.
      const broken = rows(3)
        .with(-1, `k${COUNT - 1};k${COUNT - 1};ESP 7`)
        .join('');
      const kept = await upload(broken, `${merge}, handling=lenient`);
      expect(kept.json).toMatchObject({ actualizados: 0, rechazados: COUNT });
      expect((await send('GET', '/api/boats/k7')).json).toMatchObject({ sailNumber: 'Q 9' });
    },
  );

  test('a file that replaces all may give values of what it deletes to others', async () => {
    const { status, json } = await upload('new;a;ESP 7\r\nb;b;Ñ 1\r\n', 'resolution=replace-all; allow-deletions');
    expect([status, json]).toMatchObject([200, { creados: 1, eliminados: 2, rechazados: 0 }]);
    expect(await numbers()).toEqual([
      ['b', 'Ñ 1'],
      ['new', 'ESP 7'],
    ]);
  });
});

test('a start names values that repeat in a field that has become unique', async () => {
  const plates = (unique: boolean) =>
    defineCatalogue(collection('plates', { code: key(), number: text({ max: 20, unique }) }));
  const url = onServer ? await emptyDatabase() : `sqlite:${join(temporaryFolder(onTestFinished), 'plates.db')}`;
  const write = async (unique: boolean, code: string, number: string) => {
    const store = await openStore(url, plates(unique));
    const outcome = await store.write({ kind: 'create', collection: 'plates', parents: [], cells: [code, number] });
    await store.close();
    return outcome.kind;
  };
  expect([await write(true, 'a', 'X 1'), await write(true, 'b', 'x 1')]).toEqual(['written', 'conflict']);
  // Not unique any more, and again.
  expect(await write(false, 'b', 'x 1')).toBe('written');
  await expect(openStore(url, plates(true))).rejects.toThrow(
    'the catalogue says that "number" of plates is unique, but values of it repeat: "X 1" (rows: 2)',
  );
});
