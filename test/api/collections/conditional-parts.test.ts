/** Entity tags of parts of an item, and of an item with others in it: none is another's, and none comes twice. */
import { beforeEach, expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';

const { send } = useApp();

beforeEach(async () => {
  await send('DELETE', '/api/cars/a');
  await send('POST', '/api/cars', { identifier: 'a', brand: 'Seat', model: 'Ibiza', year: 2008 });
});

const tagOf = async (path: string): Promise<string> => (await send('GET', path)).headers.get('etag') ?? '';
const statusWith = async (method: string, path: string, header: string, tag: string, body?: object): Promise<number> =>
  (await send(method, path, body, { [header]: tag })).status;

const item = '/api/coches/a';
const parts = ['', '?campos=anio', '?campos=anio,marca', '?incluir=aceites', '?campos=anio&incluir=aceites'];

test('each part has a tag of its own, to which only it is not modified', async () => {
  const tags = await Promise.all(parts.map((part) => tagOf(item + part)));
  expect(new Set(tags).size).toBe(parts.length);
  for (const tag of tags) expect(tag).toMatch(/^"[^"]+"$/);
  for (const [at, part] of parts.entries()) {
    for (const [other, tag] of tags.entries()) {
      expect(await statusWith('GET', item + part, 'if-none-match', tag)).toBe(at === other ? 304 : 200);
      expect(await statusWith('GET', item + part, 'if-match', tag)).toBe(at === other ? 200 : 412);
    }
  }
});

test.each(parts)('the tag of %j is good for one change', async (part) => {
  const tag = await tagOf(item + part);
  expect(await statusWith('PUT', item, 'if-match', tag, { puertas: 3 })).toBe(200);
  expect(await statusWith('PUT', item, 'if-match', tag, { puertas: 5 })).toBe(412);
  expect(await statusWith('PATCH', item, 'if-match', tag, { puertas: 5 })).toBe(412);
  expect(await statusWith('DELETE', item, 'if-match', tag)).toBe(412);
  expect(await statusWith('PUT', item, 'if-none-match', tag, { puertas: 4 })).toBe(200);
  expect((await send('GET', item)).json.puertas).toBe(4);
  const now = await tagOf(item + part);
  expect(await statusWith('PUT', item, 'if-none-match', now, { puertas: 3 })).toBe(412);
  // Oils that were added since would be deleted, too.
  const isWithOils = part.includes('incluir');
  expect(await statusWith('DELETE', item, 'if-match', now)).toBe(isWithOils ? 412 : 204);
});

test('a change of an oil changes the tags of what includes it, never to one that was there', async () => {
  const withOils = `${item}?incluir=aceites`;
  const oils = `${item}/aceites`;
  const plain = await tagOf(item);
  const seen = [await tagOf(withOils)];
  const changes = [
    () => send('POST', oils, { tipo: 'x' }),
    () => send('PUT', `${oils}/x`, { otros_datos: 'y' }),
    () => send('PUT', `${oils}/x`, { otros_datos: null }),
    () => send('DELETE', `${oils}/x`),
    () => send('POST', oils, { tipo: 'x' }),
    () => send('DELETE', `${oils}/x`),
  ];
  for (const change of changes) {
    expect((await change()).status).toBeLessThan(300);
    const last = seen.at(-1) ?? '';
    expect(await statusWith('GET', withOils, 'if-none-match', last)).toBe(200);
    seen.push(await tagOf(withOils));
  }
  expect(new Set(seen).size).toBe(seen.length);
  expect(await tagOf(item)).toBe(plain);
  expect(await statusWith('GET', withOils, 'if-none-match', seen.at(-1) ?? '')).toBe(304);
});

test('the tag of a part is none of the other language', async () => {
  const tag = await tagOf('/api/cars/a?fields=year');
  expect(await statusWith('PUT', '/api/coches/a', 'if-match', tag, { puertas: 3 })).toBe(412);
});
