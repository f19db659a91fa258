/** Entity tags of parts of an item, and of an item with others in it: none is another's, and none comes twice. */
import { beforeEach, describe, expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';
import { trees } from '../../support/app/trees.ts';

const { send } = useApp();

beforeEach(async () => {
  await send('DELETE', '/api/cars/a');
  await send('POST', '/api/cars', { identifier: 'a', brand: 'Seat', model: 'Ibiza', year: 2008 });
});

const tagOf = async (path: string): Promise<string> => (await send('GET', path)).headers.get('etag') ?? '';
const statusWith = async (method: string, path: string, header: string, tag: string, body?: object): Promise<number> =>
  (await send(method, path, body, { [header]: tag })).status;

describe.each(trees)('$cars', (tree) => {
  const item = `${tree.cars}/a`;
  const parts = [
    '',
    `?${tree.fields}=${tree.year}`,
    `?${tree.fields}=${tree.year},${tree.brand}`,
    `?${tree.include}=${tree.oils}`,
    `?${tree.fields}=${tree.year}&${tree.include}=${tree.oils}`,
  ];

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
    expect(await statusWith('PUT', item, 'if-match', tag, { [tree.doors]: 3 })).toBe(200);
    expect(await statusWith('PUT', item, 'if-match', tag, { [tree.doors]: 5 })).toBe(412);
    expect(await statusWith('PATCH', item, 'if-match', tag, { [tree.doors]: 5 })).toBe(412);
    expect(await statusWith('DELETE', item, 'if-match', tag)).toBe(412);
    expect(await statusWith('PUT', item, 'if-none-match', tag, { [tree.doors]: 4 })).toBe(200);
    expect((await send('GET', item)).json[tree.doors]).toBe(4);
    const now = await tagOf(item + part);
    expect(await statusWith('PUT', item, 'if-none-match', now, { [tree.doors]: 3 })).toBe(412);
    // Oils that were added since would be deleted, too.
    const isWithOils = part.includes(tree.include);
    expect(await statusWith('DELETE', item, 'if-match', now)).toBe(isWithOils ? 412 : 204);
  });

  test('a change of an oil changes the tags of what includes it, never to one that was there', async () => {
    const withOils = `${item}?${tree.include}=${tree.oils}`;
    const oils = `${item}/${tree.oils}`;
    const plain = await tagOf(item);
    const seen = [await tagOf(withOils)];
    const changes = [
      () => send('POST', oils, { [tree.type]: 'x' }),
      () => send('PUT', `${oils}/x`, { [tree.otherInfo]: 'y' }),
      () => send('PUT', `${oils}/x`, { [tree.otherInfo]: null }),
      () => send('DELETE', `${oils}/x`),
      () => send('POST', oils, { [tree.type]: 'x' }),
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
});

test('the tag of a part is none of the other language', async () => {
  const tag = await tagOf('/api/cars/a?fields=year');
  expect(await statusWith('PUT', '/api/coches/a', 'if-match', tag, { puertas: 3 })).toBe(412);
});
