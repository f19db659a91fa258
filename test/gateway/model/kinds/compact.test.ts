/** Keys that people write: blanks, hyphens, dots and case make no difference, whatever names the item. */

import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createValueChecker } from '../../../../src/gateway/model/kinds/kinds.ts';
import { compact } from '../../../../src/gateway/model/query.ts';
import { openStore } from '../../../../src/host/service/open-store.ts';
import { useApp } from '../../../support/app/app.ts';
import { emptyDatabase, onServer } from '../../../support/database/database.ts';
import { platesCatalogue, platesTables } from '../../../support/language/plates.ts';
import { temporaryFolder } from '../../../support/process/folder.ts';

const STORED = '1824-BBB';
const SPELLINGS = [STORED, '1824bbb', ' 18.24–bBb ', '1824\u2011\u00a0BBB'];
const catalogue = platesCatalogue(true);
const locales = platesTables(afterAll);
const app = useApp({ catalogue, locales, cacheBytes: 1_000_000 });

beforeEach(async () => {
  const all = { prefer: 'resolution=replace-all; allow-deletions' };
  for (const list of ['deals', 'cars']) await app.send('POST', `/api/imports/${list}`, [], all);
  const made = [
    ['/api/cars', { plate: STORED, make: 'Seat', chassis: 'VSS-ZZZ 5FZ' }],
    ['/api/cars', { plate: '0937 LDM', make: 'Citroën', chassis: 'VF7' }],
    ['/api/cars/1824bbb/photos', { number: '1', url: 'https://example.com/1.jpg' }],
  ] as const;
  for (const [path, body] of made) expect((await app.send('POST', path, body)).status).toBe(201);
});

const inPath = (text: string): string => encodeURIComponent(text);

const SAID = 'Los espacios, guiones, puntos y mayúsculas no cuentan; se muestra como se escribió por primera vez.';
const list = '/api/coches';
const plates = async (query: string) =>
  (await app.send('GET', `${list}?${query}`)).json.map((each: Record<string, string>) => each.matricula);

test('in any spelling it is one car in paths, links and preconditions', async () => {
  for (const spelling of SPELLINGS) {
    const path = `${list}/${inPath(spelling)}`;
    const got = await app.send('GET', path);
    expect([got.status, got.json.matricula]).toEqual([200, STORED]);
    expect(got.headers.get('link')).toContain(`/${STORED}>; rel="alternate"`);
    const tag = got.headers.get('etag') ?? '';
    expect((await app.send('GET', path, undefined, { 'if-none-match': tag })).status).toBe(304);
    const changed = await app.send('PUT', path, { matricula: spelling, marca: spelling }, { 'if-match': tag });
    expect([changed.status, changed.json.matricula, changed.json.marca]).toEqual([200, STORED, spelling]);
    expect(changed.headers.get('link')).toContain(`/${STORED}>`);
    // No later read has the row of before, whichever way it is written.
    for (const other of SPELLINGS) {
      expect((await app.send('GET', `${list}/${inPath(other)}`)).json.marca).toBe(spelling);
    }
    expect((await app.send('PATCH', path, { marca: 'x' }, { 'if-match': tag })).status).toBe(412);
    const removed = await app.send('DELETE', path);
    expect(removed.status).toBe(204);
    expect((await app.send('GET', `${list}/${STORED}`)).status).toBe(404);
    expect((await app.send('POST', list, { matricula: STORED })).status).toBe(201);
  }
});

test('another key in a body is still another one', async () => {
  const { status, json } = await app.send('PUT', `${list}/1824bbb`, { matricula: '1824 BBC' });
  expect([status, json.code]).toEqual([409, 'key-mismatch']);
});

test('in any spelling it cannot be created again', async () => {
  for (const spelling of SPELLINGS) {
    const { status, json } = await app.send('POST', list, { matricula: spelling });
    expect([status, json.code]).toEqual([409, 'already-exists']);
  }
});

test('nothing but blanks, hyphens and dots is no key', async () => {
  for (const wrong of ['-', ' . ', '– —', '...']) {
    expect((await app.send('POST', list, { matricula: wrong })).status, wrong).toBe(400);
  }
  expect((await app.send('GET', `${list}/---`)).status).toBe(404);
});

test('filters and references find any spelling', async () => {
  for (const spelling of SPELLINGS) {
    expect(await plates(`matricula=${inPath(spelling)}`)).toEqual([STORED]);
    const made = await app.send('POST', `/api/ventas`, { codigo: 'a', coche: spelling });
    expect([made.status, made.json.coche]).toEqual([201, STORED]);
    for (const other of SPELLINGS) {
      const { json } = await app.send('GET', `/api/ventas?coche=${inPath(other)}`);
      expect(json.map((each: Record<string, string>) => each.coche)).toEqual([STORED]);
    }
    const same = await app.send('PATCH', `/api/ventas/a`, { coche: '1824.bbb' });
    expect([same.json.coche, same.headers.get('x-change')]).toEqual([STORED, made.headers.get('x-change')]);
    expect((await app.send('DELETE', `${list}/${inPath(spelling)}`)).json.code).toBe('in-use');
    const nested = await app.send('GET', `/api/fotos?coche=${inPath(spelling)}`);
    expect(nested.json).toHaveLength(1);
    expect(nested.json[0].coche).toBe(STORED);
    await app.send('DELETE', `/api/ventas/a`);
  }
});

test('what is deleted with a car is', async () => {
  await app.send('POST', `/api/ventas`, { codigo: 'a', repuesto: '1824bbb' });
  expect((await app.send('DELETE', `${list}/1824%20bbb`)).status).toBe(204);
  expect((await app.send('GET', `/api/ventas`)).json).toEqual([]);
  expect((await app.send('GET', `/api/fotos`)).json).toEqual([]);
});

test('what is nested is that of the car in any spelling', async () => {
  for (const spelling of SPELLINGS) {
    const path = `${list}/${inPath(spelling)}/fotos`;
    expect((await app.send('GET', path)).json).toHaveLength(1);
    const made = await app.send('POST', path, { numero: '2' });
    expect([made.status, made.headers.get('location')]).toEqual([201, `${list}/${STORED}/fotos/2`]);
    const got = await app.send('GET', `${path}/2`);
    expect([got.status, got.headers.get('link')?.includes(`/${STORED}/`)]).toEqual([200, true]);
    expect((await app.send('DELETE', `${path}/2`)).status).toBe(204);
    expect((await app.send('GET', path)).json).toHaveLength(1);
  }
});

test('a search finds them in any way', async () => {
  for (const [word, found] of [
    ...SPELLINGS.map((each) => [each, STORED] as const),
    ['1824', STORED],
    ['bbb', STORED],
    ['vsszzz5fz', STORED],
    ['VSS ZZZ', STORED],
    ['0937ldm', '0937 LDM'],
    ['0937-LD', '0937 LDM'],
  ] as const) {
    expect(await plates(`buscar=${inPath(word)}`), word).toEqual([found]);
  }
});

test('lists are sorted, paged and counted by what is compared', async () => {
  for (const key of ['0937LDN', '1824 BBC', '1824-bba']) await app.send('POST', list, { matricula: key });
  const sorted = ['0937 LDM', '0937LDN', '1824-bba', STORED, '1824 BBC'];
  expect(await plates(`ordenar_por=matricula`)).toEqual(sorted);
  expect(await plates(`ordenar_por=matricula&orden=descendente`)).toEqual(sorted.toReversed());
  const seen: string[] = [];
  for (let path = `${list}?ordenar_por=matricula&numero_de_elementos=2`; path !== ''; ) {
    const page = await app.send('GET', path);
    seen.push(...page.json.map((each: Record<string, string>) => each.matricula));
    path = /<([^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
  }
  expect(seen).toEqual(sorted);
  for (const at of [1, 2]) await app.send('POST', `/api/ventas`, { codigo: `${at}`, coche: '1824bbb' });
  const { json } = await app.send('GET', `/api/ventas?agrupar_por=coche`);
  expect(json).toEqual([{ coche: STORED, total: 2 }]);
});

test('the document says it of keys, unique texts and references', async () => {
  const { components } = (await app.send('GET', `/api/openapi.es.json`)).json;
  const properties = Object.values<{ properties?: Record<string, { description?: string }> }>(components.schemas);
  const said = (word: string) => properties.map((each) => each.properties?.[word]?.description).filter((text) => text);
  for (const word of ['matricula', 'bastidor', 'coche']) expect(said(word), word).toContain(SAID);
  expect(said('marca')).not.toContain(SAID);
});

test('unique texts that are compact differ', async () => {
  const { status, json } = await app.send('POST', list, { matricula: 'X1', bastidor: 'vsszzz.5fz' });
  expect([status, json.code]).toEqual([409, 'already-exists']);
  expect(await plates(`bastidor=${inPath('vss zzz-5fz')}`)).toEqual([STORED]);
});

test('a request that is sent again is the same one', async () => {
  const headers = { 'idempotency-key': 'k', authorization: 'Basic eA==' };
  const first = await app.send('POST', list, { matricula: 'B 1' }, headers);
  const again = await app.send('POST', list, { matricula: 'b-1' }, headers);
  expect([first.status, again.status, again.json.matricula]).toEqual([201, 201, 'B 1']);
  expect((await app.send('POST', list, { matricula: 'b-2' }, headers)).status).toBe(422);
});

test('a file names them in any way, two nights in a row', async () => {
  const upload = (rows: string, prefer: string) =>
    app.send('POST', `/api/importaciones/coches`, `matricula;marca\r\n${rows}`, {
      'content-type': 'text/csv',
      prefer,
    });
  const nightly = 'resolution=replace-all; allow-deletions';
  const counts = ({ status, json }: { status: number; json: Record<string, number> }) => [
    status,
    ...Object.values(json).filter((each) => typeof each === 'number'),
  ];
  // created, updated, unchanged, skipped, deleted, rejected, cleared
  expect(counts(await upload('1824 bbb;Seat\r\n0937ldm;Opel\r\nb 1;Fiat\r\nB-1;Kia\r\n', nightly))).toEqual([
    200, 1, 1, 1, 1, 0, 0, 0,
  ]);
  expect(await plates('')).toEqual([STORED, '0937 LDM', 'b 1']);
  expect(counts(await upload('1824BBB;Seat\r\n09 37-LDM;Opel\r\nB1;Kia\r\n', nightly))).toEqual([
    200, 0, 0, 3, 0, 0, 0, 0,
  ]);
  expect(counts(await upload('1824bbb;Seat\r\n', nightly))).toEqual([200, 0, 0, 1, 0, 2, 0, 0]);
  const refused = await upload('1824BBB;Seat\r\n', '');
  expect([refused.status, refused.json.code]).toEqual([422, 'rejected-rows']);
});

test('a file of what is nested in them names them in any way, too', async () => {
  const upload = (path: string, file: string) =>
    app.send('POST', path, file, { 'content-type': 'text/csv', prefer: 'resolution=replace-all; allow-deletions' });
  for (const [path, file] of [
    [`/api/importaciones/fotos`, `coche;numero\r\n1824 bbb;1\r\n0937ldm;2\r\n`],
    [`/api/coches/1824bbb/fotos`, `numero\r\n1\r\n`],
  ] as const) {
    const { status, json } = await upload(path, file);
    expect([status, json.created ?? json.creados], path).toEqual([200, path.includes('importaciones') ? 1 : 0]);
  }
  const { json } = await app.send('GET', `/api/fotos`);
  expect(json.map((each: Record<string, string>) => each.coche)).toEqual([STORED, '0937 LDM']);
});

test('changes tell them as they were first written', async () => {
  const start = (await app.send('GET', list)).headers.get('x-change');
  const feed = `${list}?cambiado_desde=${start}`;
  await app.send('PATCH', `${list}/1824bbb`, { marca: 'x' });
  expect((await app.send('GET', feed)).json.map((each: Record<string, string>) => each.matricula)).toEqual([STORED]);
  await app.send('DELETE', `${list}/1824bbb`);
  const { json } = await app.send('GET', feed);
  expect(json).toEqual([{ matricula: STORED, eliminado: true }]);
  // It is another spelling of what was deleted.
  await app.send('POST', list, { matricula: '1824bbb' });
  const again = (await app.send('GET', feed)).json.map((each: Record<string, string>) => each.matricula);
  expect(again).toEqual([STORED, '1824bbb']);
});

test('what is left out is left out, and nothing else', () => {
  const check = createValueChecker(catalogue[0]?.key ?? ({} as never));
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...'AbÑ9_/ .-–\u00a0\u2011')), (letters) => {
      const text = letters.join('');
      expect(compact(compact(text))).toBe(compact(text));
      expect(compact(` ${text}-`)).toBe(compact(text.toUpperCase()));
      expect(check(text).fault === undefined).toBe(compact(text) !== '');
    }),
  );
  expect(compact('A_b/ñ')).toBe('a_b/n');
});

describe('a database of before', () => {
  const location = async () =>
    onServer ? emptyDatabase() : `sqlite:${join(temporaryFolder(onTestFinished), 'plates.db')}`;
  const write = async (url: string, isCompact: boolean, ...plates: readonly string[]) => {
    const store = await openStore(url, platesCatalogue(isCompact));
    const outcomes = [];
    for (const plate of plates) {
      const cells = [plate, null, null];
      outcomes.push((await store.write({ kind: 'create', collection: 'cars', parents: [], cells })).kind);
    }
    await store.close();
    return outcomes;
  };

  test('is upgraded, and goes back', async () => {
    const url = await location();
    expect(await write(url, false, '1824-BBB', 'X')).toEqual(['written', 'written']);
    expect(await write(url, true, '1824 bbb', 'x', 'y')).toEqual(['already-exists', 'already-exists', 'written']);
    expect(await write(url, false, '1824 bbb')).toEqual(['written']);
  });

  test('is left as it is if keys collide, which are named', async () => {
    const url = await location();
    await write(url, false, '1824-BBB', '1824 bbb', 'X', 'Y.1', 'y1', '1824BBB');
    for (const _ of [1, 2]) {
      await expect(openStore(url, platesCatalogue(true))).rejects.toThrow(
        'the catalogue says that "plate" of cars is compared without blanks, hyphens, dots and case, but values of it repeat: ' +
          '"1824 bbb" = "1824-BBB" = "1824BBB" (rows: 3), "Y.1" = "y1" (rows: 2); change or delete these rows first',
      );
    }
    expect(await write(url, false, '1824BBB', 'z')).toEqual(['already-exists', 'written']);
  });
});
