import { describe, expect, test } from 'vitest';
import { openApp, useFreshApp } from '../../support/app/app.ts';
import { sharedOut } from '../../support/database/database.ts';

const { send } = useFreshApp({
  given: [
    ['/api/cars', { identifier: 'a-1', brand: 'Seat', model: 'Ibiza', doors: 5 }],
    ['/api/cars', { identifier: 'b-2', brand: 'Opel', model: 'Corsa' }],
    ['/api/cars/a-1/oils', { type: '5W-30', otherInfo: 'a' }],
  ],
});

/** Each list with its twin in the other tree. */
const lists: readonly (readonly [path: string, twin: string])[] = [
  ['/api/cars', '/api/coches'],
  ['/api/coches/', '/api/cars'],
  ['/api/cars?brand=SEAT', '/api/coches?marca=seat'],
  ['/api/coches?pagina=1&numero_de_elementos=1', '/api/cars?page=1&number_of_elements=1'],
  ['/api/cars?sort_by=brand&order=desc', '/api/coches?ordenar_por=marca&orden=descendente'],
  ['/api/coches?marca=nadie', '/api/cars?brand=nadie'],
  ['/api/cars/a-1/oils', '/api/coches/a-1/aceites'],
  ['/api/coches/a-1/aceites?tipo=5w-30', '/api/cars/a-1/oils?type=5w-30'],
  ['/api/cars/b-2/oils', '/api/coches/b-2/aceites'],
];

const tagAt = async (path: string): Promise<string> => (await send('GET', path)).headers.get('etag') ?? 'none';

describe.each(sharedOut(lists, 0, 3))('the tag of %s', (path, twin) => {
  test('is weak, the same on GET and HEAD and as long as nothing changes, and another one in the other language', async () => {
    const tag = await tagAt(path);
    expect(tag).toMatch(/^W\/"[\x21\x23-\x7e]+"$/);
    const answers = [await send('GET', path), await send('HEAD', path), await send('GET', path)];
    expect(answers.map(({ headers }) => [headers.get('etag'), headers.get('cache-control')])).toEqual(
      Array(3).fill([tag, 'no-cache']),
    );
    expect(await tagAt(twin)).toMatch(/^W\/"/);
    expect(await tagAt(twin)).not.toBe(tag);
  });
});

/** Each change, and the lists whose answer it changes; the second column names the tree it goes through. */
const changes: readonly [method: string, path: string, body: unknown, changed: readonly string[]][] = [
  ['POST', '/api/cars', { brand: 'Seat', model: 'León' }, ['/api/cars', '/api/coches', '/api/coches?marca=Seat']],
  ['POST', '/api/coches', { marca: 'Kia', modelo: 'Rio' }, ['/api/cars', '/api/coches', '/api/cars?page=1']],
  ['PUT', '/api/cars/a-1', { doors: 3 }, ['/api/cars', '/api/coches', '/api/cars?doors=3', '/api/coches?puertas=5']],
  ['PUT', '/api/coches/b-2', { marca: 'seat' }, ['/api/cars', '/api/coches?marca=Seat', '/api/cars?brand=Opel']],
  ['DELETE', '/api/cars/b-2', undefined, ['/api/cars', '/api/coches', '/api/coches?numero_de_elementos=1']],
  ['DELETE', '/api/coches/a-1', undefined, ['/api/cars', '/api/coches', '/api/cars?sort_by=doors']],
  ['POST', '/api/cars/a-1/oils', { type: '0W-20' }, ['/api/cars/a-1/oils', '/api/coches/a-1/aceites']],
  ['POST', '/api/coches/b-2/aceites', { tipo: '0W-20' }, ['/api/cars/b-2/oils', '/api/coches/b-2/aceites?pagina=1']],
  ['PUT', '/api/cars/a-1/oils/5W-30', { otherInfo: 'b' }, ['/api/cars/a-1/oils', '/api/coches/a-1/aceites']],
  ['PUT', '/api/coches/a-1/aceites/5W-30', { otros_datos: null }, ['/api/cars/a-1/oils', '/api/coches/a-1/aceites']],
  ['DELETE', '/api/cars/a-1/oils/5W-30', undefined, ['/api/cars/a-1/oils', '/api/coches/a-1/aceites?tipo=5W-30']],
];

test.each(changes)('%s %s with %j changes the tags of %j', async (method, path, body, changed) => {
  const before = await Promise.all(changed.map((list) => send('GET', list)));
  expect((await send(method, path, body)).status).toBeLessThan(300);
  for (const [at, list] of changed.entries()) {
    const tag = before[at]?.headers.get('etag') ?? '';
    const { status, text, headers } = await send('GET', list, undefined, { 'if-none-match': tag });
    expect([list, status]).toEqual([list, 200]);
    const shown = [text, headers.get('x-total-count'), headers.get('link')].join();
    const old = [before[at]?.text, before[at]?.headers.get('x-total-count'), before[at]?.headers.get('link')].join();
    expect(shown).not.toBe(old);
    expect(headers.get('etag')).not.toBe(tag);
    expect((await send('HEAD', list, undefined, { 'if-none-match': tag })).headers.get('etag')).toBe(
      headers.get('etag'),
    );
  }
});

test('the list of a car that was deleted and made anew has none of its old tags', async () => {
  const old = [await tagAt('/api/cars/a-1/oils'), await tagAt('/api/coches/a-1/aceites')].join();
  await send('DELETE', '/api/coches/a-1');
  await send('POST', '/api/cars', { identifier: 'a-1', brand: 'Seat', model: 'Ibiza', doors: 5 });
  for (const path of ['/api/cars/a-1/oils', '/api/coches/a-1/aceites']) {
    expect(await send('GET', path, undefined, { 'if-none-match': old })).toMatchObject({ status: 200, text: '[]' });
  }
});

interface Tags {
  readonly own: string;
  readonly old: string;
  readonly twin: string;
}
const tagsOf = async (path: string, twin: string): Promise<Tags> => {
  const old = await tagAt(path);
  await send('PUT', '/api/coches/a-1', { fuel: 'diésel' });
  await send('PUT', '/api/cars/a-1/oils/5W-30', { otherInfo: 'b' });
  return { own: await tagAt(path), old, twin: await tagAt(twin) };
};
const strongOf = (tag: string): string => tag.slice('W/'.length);

type Values = readonly [what: string, headersOf: (tags: Tags) => Record<string, string>, status: number][];
/** A list has no strong tag, so nothing but a star satisfies If-Match. */
const conditions: Values = [
  ['If-None-Match with the tag', ({ own }) => ({ 'if-none-match': own }), 304],
  ['If-None-Match with the tag as a strong one', ({ own }) => ({ 'if-none-match': strongOf(own) }), 304],
  ['If-None-Match with the tag among others', ({ own, old }) => ({ 'if-none-match': `${old},"x" , ${own}` }), 304],
  ['If-None-Match with a star', () => ({ 'if-none-match': '*' }), 304],
  ['If-None-Match with the old tag', ({ old }) => ({ 'if-none-match': old }), 200],
  ['If-None-Match with the other language’s tag', ({ twin }) => ({ 'if-none-match': twin }), 200],
  ['If-None-Match with half a tag', ({ own }) => ({ 'if-none-match': own.slice(0, -1) }), 200],
  ['If-None-Match with no tag', () => ({ 'if-none-match': 'W/, "*", x' }), 200],
  ['If-None-Match with nothing', () => ({ 'if-none-match': '' }), 200],
  ['If-Match with a star', () => ({ 'if-match': '*' }), 200],
  ['If-Match with the tag', ({ own }) => ({ 'if-match': own }), 412],
  ['If-Match with the tag as a strong one', ({ own }) => ({ 'if-match': strongOf(own) }), 412],
  ['If-Match with the old tag', ({ old }) => ({ 'if-match': old }), 412],
  ['If-Match before If-None-Match', ({ own }) => ({ 'if-match': own, 'if-none-match': own }), 412],
  ['If-Match that holds before If-None-Match', ({ own }) => ({ 'if-match': '*', 'if-none-match': own }), 304],
  ['both with nothing to say', ({ old }) => ({ 'if-match': '*', 'if-none-match': old }), 200],
];

describe.each(lists)('a condition on %s:', (path, twin) => {
  const place = lists.findIndex(([each]) => each === path);
  test.each(conditions.filter((_, row) => row % lists.length === place))('%s', async (_, headersOf, status) => {
    const tags = await tagsOf(path, twin);
    const whole = await send('GET', path);
    for (const method of ['GET', 'HEAD']) {
      const answer = await send(method, path, undefined, headersOf(tags));
      expect([method, answer.status]).toEqual([method, status]);
      expect(answer.headers.get('etag')).toBe(status === 412 ? null : tags.own);
      expect(answer.headers.get('x-total-count')).toBe(status === 200 ? whole.headers.get('x-total-count') : null);
      if (method === 'HEAD' || status === 304) expect(answer.text).toBe('');
      else if (status === 200) expect(answer.text).toBe(whole.text);
      else expect(answer.json.code).toBe('precondition-failed');
    }
  });
});

test('rows, total and tag agree, however many write meanwhile', async () => {
  const write = (at: number) =>
    at % 3 === 2
      ? send('DELETE', `/api/cars/w${at - 2}`)
      : send('POST', '/api/coches', { identificador: `w${at}`, marca: 'Kia', modelo: 'Rio' });
  const read = async (path: string) => {
    const { headers, json } = await send('GET', path);
    const { headers: head } = await send('HEAD', path);
    expect(json).toHaveLength(Number(headers.get('x-total-count')));
    return [headers, head].map((each) => `${each.get('etag')} ${each.get('x-total-count')}`);
  };
  const readings: Promise<readonly string[]>[] = [];
  const writes: Promise<unknown>[] = [];
  for (let at = 0; at < 60; at++) {
    writes.push(write(at));
    readings.push(read('/api/cars'), read('/api/coches'));
    if (at % 2 === 0) await writes.at(-1);
    readings.push(read('/api/cars'), read('/api/coches'));
    // Lists wait for each other: without a pause all of them would be read at the end.
    if (at % 2 === 0) await readings.at(-1);
  }
  await Promise.all(writes);
  const pairs = [...new Set((await Promise.all(readings)).flat())];
  expect(pairs.length).toBeGreaterThan(20);
  expect(new Set(pairs.map((pair) => pair.split(' ')[0])).size).toBe(pairs.length);
});

test('an empty list of a fresh database is known by its own tag', async () => {
  const fresh = await openApp();
  const { status, headers, json } = await fresh.send('GET', '/api/coches');
  const tag = 'W/"0.es"';
  expect([status, headers.get('etag'), json]).toEqual([200, tag, []]);
  for (const method of ['GET', 'HEAD']) {
    const known = await fresh.send(method, '/api/coches', undefined, { 'if-none-match': tag });
    expect([known.status, known.headers.get('etag'), known.text]).toEqual([304, tag, '']);
  }
  await fresh.close();
});
