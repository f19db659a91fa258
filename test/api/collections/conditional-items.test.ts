import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';
import { sharedOut } from '../../support/database/database.ts';

const { send } = useApp();
beforeAll(async () => {
  for (const identifier of ['b-2', 'c-3']) await send('POST', '/api/cars', { identifier, brand: 'Kia', model: 'Rio' });
  await send('POST', '/api/cars/b-2/oils', { type: '0W-20' });
});

/** Each item with its `twin`, which is the same one in the other tree, and with `other`, which is another one. */
const items = [
  {
    what: 'a car in Spanish',
    list: '/api/coches',
    path: '/api/coches/a%2F2/',
    twin: '/api/cars/a%2f2',
    other: '/api/coches/b-2',
    whole: { identificador: 'a/2', marca: 'Citroën', modelo: 'C3', fuel: '' },
    changes: [{ marca: 'citroen' }, { fuel: null }, { anio: 2020 }, { cilindrada: 0 }, { version: 'x' }],
    twinChanges: [{ doors: 0 }, { clima: false }, { ac: true }, { version: '' }],
    same: [{}, { fuel: '' }, { marca: 'Citroën' }, { identificador: 'a/2' }, { puertas: null }],
    twinSame: [{}, { brand: 'Citroën', model: 'C3' }, { clima: null }],
  },
  {
    what: 'an oil in English',
    list: '/api/cars/c-3/oils',
    path: '/api/cars/c-3/oils/5W-30',
    twin: '/api/coches/c-3/aceites/5W-30',
    other: '/api/cars/b-2/oils/0W-20',
    whole: { type: '5W-30', otherInfo: 'a' },
    changes: [{ otherInfo: 'A' }, { otherInfo: '' }, { otherInfo: null }],
    twinChanges: [{ otros_datos: 'b' }, { otros_datos: null }],
    same: [{}, { otherInfo: 'a' }, { type: '5W-30' }],
    twinSame: [{}, { tipo: '5W-30', otros_datos: 'a' }],
  },
] as const;
type Item = (typeof items)[number];

const tagAt = async (path: string): Promise<string> => (await send('GET', path)).headers.get('etag') ?? 'none';
const recreate = async ({ list, path, whole }: Item) => {
  await send('DELETE', path);
  return send('POST', list, whole);
};

describe.each(sharedOut(items, 0, items.length))('the tag of $what', (item) => {
  const { path, twin, other, list, whole, changes, twinChanges, same, twinSame } = item;
  const both = () => Promise.all([tagAt(path), tagAt(twin)]);

  test('is strong, the same on 201, GET and HEAD, and another one in the other language', async () => {
    const answers = [await recreate(item), await send('GET', path), await send('HEAD', path)];
    const tag = answers[0]?.headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[\x21\x23-\x7e]+"$/);
    expect(answers.map(({ status, headers }) => [status, headers.get('etag'), headers.get('cache-control')])).toEqual(
      [201, 200, 200].map((status) => [status, tag, 'no-cache']),
    );
    expect(await tagAt(twin)).toMatch(/^"[\x21\x23-\x7e]+"$/);
    expect(await tagAt(twin)).not.toBe(tag);
  });

  test('is the new one on PATCH, and the same where that changes nothing', async () => {
    const created = await recreate(item);
    let tag = created.headers.get('etag') ?? '';
    for (const [at, body] of [changes[0], {}, changes[1], changes[2]].entries()) {
      const { status, headers } = await send('PATCH', path, body, { 'if-match': tag });
      const next = headers.get('etag') ?? '';
      expect([status, next === tag]).toEqual([200, at === 1]);
      expect(await tagAt(path)).toBe(next);
      tag = next;
    }
  });

  test('is on no answer to PUT and DELETE, and on no problem', async () => {
    const old = { 'if-match': (await recreate(item)).headers.get('etag') ?? '' };
    const answers = [
      await send('PUT', path, {}, old),
      await send('PUT', path, changes[0]),
      await send('PUT', path, changes[1], old),
      await send('GET', path, undefined, old),
      await send('POST', list, whole),
      await send('DELETE', path),
      await send('GET', path),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 412, 412, 409, 204, 404]);
    expect(answers.map(({ headers }) => headers.get('etag'))).toEqual(Array(7).fill(null));
  });

  test('is kept by PUT that changes nothing, and by changes of other items', async () => {
    await recreate(item);
    const before = await both();
    for (const body of same) expect((await send('PUT', path, body)).status).toBe(200);
    for (const body of twinSame) expect((await send('PUT', twin, body)).status).toBe(200);
    expect(await both()).toEqual(before);
    const around = await tagAt('/api/cars/c-3');
    expect((await send('POST', '/api/coches/c-3/aceites', { tipo: 'nuevo' })).status).toBe(201);
    expect((await send('DELETE', '/api/cars/c-3/oils/nuevo')).status).toBe(204);
    expect(await tagAt('/api/cars/c-3')).toBe(around);
    expect((await send('POST', '/api/coches', { identificador: 'd', marca: 'Opel', modelo: 'Corsa' })).status).toBe(
      201,
    );
    expect((await send('PUT', '/api/cars/d', { doors: 1 })).status).toBe(200);
    expect((await send('DELETE', '/api/cars/d')).status).toBe(204);
    expect(await both()).toEqual(before);
    expect(before).not.toContain(await tagAt(other));
  });

  test('is changed in both languages by each change through either tree', async () => {
    await recreate(item);
    const own = changes.map((body) => ({ at: path, body }));
    for (const { at, body } of [...own, ...twinChanges.map((each) => ({ at: twin, body: each }))]) {
      const before = await both();
      expect((await send('PUT', at, body)).status).toBe(200);
      const after = await both();
      expect([after[0] === before[0], after[1] === before[1]]).toEqual([false, false]);
    }
  });

  test('is never used again, neither by a change back nor after delete and create', async () => {
    const seen: string[] = [];
    for (let round = 0; round < 5; round++) {
      await recreate(item);
      seen.push(...(await both()));
      for (const body of [changes[0], whole, changes[1]]) {
        await send('PUT', path, body);
        seen.push(...(await both()));
      }
    }
    expect(new Set(seen).size).toBe(seen.length);
  });
});

interface Tags {
  readonly own: string;
  /** Its own, until a change through the other tree. */
  readonly old: string;
  readonly twin: string;
  readonly other: string;
}
const tagsOf = async (item: Item): Promise<Tags> => {
  const old = (await recreate(item)).headers.get('etag') ?? '';
  await send('PUT', item.twin, item.twinChanges[0]);
  return { own: await tagAt(item.path), old, twin: await tagAt(item.twin), other: await tagAt(item.other) };
};

/**
 * What either header may hold, and whether that is the item's tag in strong and in weak comparison; what is no list of tags
 * is in neither, and refused for a write.
 */
const values: readonly [what: string, of: (tags: Tags) => string, strong: boolean, weak: boolean, garbage?: true][] = [
  ['the tag', ({ own }) => own, true, true],
  ['the tag as a weak one', ({ own }) => `W/${own}`, false, true],
  ['the tag among others', ({ own, old, twin }) => `"x", ${old},W/${twin} ,\t${own}`, true, true],
  ['the tag as a weak one among others', ({ own, old }) => `${old}, W/${own}, W/"x"`, false, true],
  ['the tag and empty members', ({ own }) => `, ,${own},,`, true, true],
  ['the tag and one with a comma', ({ own }) => `"a,b", ${own}`, true, true],
  ['a star', () => ' * ', true, true],
  ['the tag of the other language', ({ twin }) => twin, false, false],
  ['the tag of another item', ({ other }) => other, false, false],
  ['the tag from before a change through the other tree', ({ old }) => old, false, false],
  ['old tags and a weak one', ({ old, twin }) => `${old}, W/${old}, W/${twin}`, false, false],
  ['the tag without its quotes', ({ own }) => own.slice(1, -1), false, false, true],
  ['the tag without its last quote', ({ own }) => own.slice(0, -1), false, false, true],
  ['the tag with a blank inside', ({ own }) => own.replace('"', '" '), false, false, true],
  ['the tag with a zero before it', ({ own }) => own.replace('"', '"0'), false, false],
  ['the number of the tag', ({ own }) => `"${/\d+/.exec(own)}"`, false, false],
  ['a star in quotes', () => '"*"', false, false],
  ['two stars', () => '**', false, false, true],
  ['nothing', () => '', false, false, true],
  ['an empty tag', () => '""', false, false],
  ['letters beyond ASCII', () => '"ñ", \xff, "', false, false, true],
  ['a thousand tags', () => '"x",W/"1-",'.repeat(500), false, false],
];

const methods = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'] as const;
const done = [200, 200, 200, 200, 204];
const refused = [412, 412, 412, 412, 412];
const unread = [400, 400, 400];
const known = [304, 304, 412, 412, 412];

const pairs: readonly [what: string, of: (tags: Tags) => [string, string], answers: readonly number[]][] = [
  ['the tag, the tag', ({ own }) => [own, own], known],
  ['the tag, a star', ({ own }) => [own, '*'], known],
  ['a star, the tag as a weak one', ({ own }) => ['*', `W/${own}`], known],
  ['a star, a star', () => ['*', '*'], known],
  ['the tag, an old one', ({ own, old }) => [own, old], done],
  ['a star, an old one', ({ old }) => ['*', old], done],
  ['an old tag, the tag', ({ own, old }) => [old, own], refused],
  ['the tag as a weak one, a star', ({ own, old }) => [`${old}, W/${own}`, '*'], refused],
  ['the tag of the other language, that of another item', ({ twin, other }) => [twin, other], refused],
];

/** The answers to all methods, each on the item as `tagsOf` left it; what was refused has changed nothing. */
const answersTo = async (item: Item, headersOf: (tags: Tags) => Record<string, string>): Promise<readonly number[]> => {
  const statuses: number[] = [];
  let tags: Tags | undefined;
  for (const method of methods) {
    tags ??= await tagsOf(item);
    const headers = headersOf(tags);
    const before = await send('GET', item.path);
    const { status } = await send(method, item.path, /^P/.test(method) ? item.changes[1] : undefined, headers);
    statuses.push(status);
    const after = await send('GET', item.path);
    const isSame = after.text === before.text && after.headers.get('etag') === before.headers.get('etag');
    expect([method, isSame]).toEqual([method, status >= 400 || method === 'GET' || method === 'HEAD']);
    if (!isSame) tags = undefined;
  }
  return statuses;
};

describe.each(items)('for $what', (item) => {
  const place = items.indexOf(item);
  /** Each row is tried on one of the items, by turns. */
  const shared = <T>(rows: readonly T[]) => rows.filter((_, row) => row % items.length === place);
  test.each(shared(values))('If-Match with %s compares strongly', async (_, of, strong, __, garbage) => {
    const answers = garbage ? [412, 412, ...unread] : strong ? done : refused;
    expect(await answersTo(item, (tags) => ({ 'if-match': of(tags) }))).toEqual(answers);
  });

  test.each(shared(values))('If-None-Match with %s compares weakly', async (_, of, __, weak, garbage) => {
    const answers = garbage ? [200, 200, ...unread] : weak ? known : done;
    expect(await answersTo(item, (tags) => ({ 'if-none-match': of(tags) }))).toEqual(answers);
  });

  test.each(shared(pairs))('If-Match is evaluated before If-None-Match: %s', async (_, of, answers) => {
    const headersOf = (tags: Tags) => ({ 'if-match': of(tags)[0], 'if-none-match': of(tags)[1] });
    expect(await answersTo(item, headersOf)).toEqual(answers);
  });
});
