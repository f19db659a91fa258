import { describe, expect, test } from 'vitest';
import { openApp, useApp } from '../../support/app/app.ts';
import { trees } from '../../support/app/trees.ts';

const app = useApp();

describe.each(trees)('in $tag,', (tree) => {
  test('an empty list of a fresh database is known by its own tag', async () => {
    const fresh = await openApp();
    const { status, headers, json } = await fresh.send('GET', tree.cars);
    const tag = `W/"0-${tree.tag}"`;
    expect([status, headers.get('etag'), json]).toEqual([200, tag, []]);
    for (const method of ['GET', 'HEAD']) {
      const known = await fresh.send(method, tree.cars, undefined, { 'if-none-match': tag });
      expect([known.status, known.headers.get('etag'), known.text]).toEqual([304, tag, '']);
    }
    await fresh.close();
  });

  test.each(['', ' ', '\t'])('a Content-Type of %j is as if it were absent', async (type) => {
    const key = `blank-${tree.tag}-${type.charCodeAt(0)}`;
    const car = { [tree.identifier]: key, [tree.brand]: 'Seat', [tree.model]: 'Ibiza' };
    const headers = { 'content-type': type };
    expect((await app.send('POST', tree.cars, car, headers)).status).toBe(201);
    expect((await app.send('PUT', `${tree.cars}/${key}`, {}, headers)).status).toBe(200);
  });

  const garbage = [
    'x"?"',
    '"?"x',
    '?',
    '"?',
    '?"',
    "'?'",
    'W"?"',
    'w/"?"',
    '"?" "?"',
    '*"?"',
    '*, "?"',
    'x, "?"',
    '"?";',
  ];
  test.each(garbage)('an If-Match of %s matches nothing, where ? is the own tag', async (shape) => {
    const key = `tag-${tree.tag}-${garbage.indexOf(shape)}`;
    const car = { [tree.identifier]: key, [tree.brand]: 'Seat', [tree.model]: 'Ibiza' };
    const { headers } = await app.send('POST', tree.cars, car);
    const tag = headers.get('etag') ?? '';
    const put = (match: string) => app.send('PUT', `${tree.cars}/${key}`, {}, { 'if-match': match });
    const refused = await put(shape.replaceAll('?', tag.slice(1, -1)));
    expect([refused.status, refused.json.code]).toEqual([412, 'precondition-failed']);
    expect((await put(tag)).status).toBe(200);
  });
});
