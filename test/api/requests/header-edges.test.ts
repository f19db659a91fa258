import { describe, expect, test } from 'vitest';
import { openApp, useApp } from '../../support/app/app.ts';
import { trees } from '../../support/app/trees.ts';

const app = useApp();

describe.each(trees)('in $tag,', (tree) => {
  test('an empty list of a fresh database is known by its own tag', async () => {
    const fresh = await openApp();
    const { status, headers, json } = await fresh.send('GET', tree.cars);
    const tag = `W/"0.${tree.tag}"`;
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

  test('a URL of 8 KB gets little back', async () => {
    const filter = `${tree.brand}=${'x'.repeat(8_000)}&${tree.page}=2&${tree.order}=${tree.asc}`;
    const found = await app.send('GET', `${tree.cars}?${filter}`);
    expect(found.status).toBe(200);
    const refused = [
      await app.send('GET', `${tree.cars}?${'x'.repeat(8_000)}=1`),
      await app.send('GET', `${tree.cars}?${tree.sort_by}=${'x'.repeat(8_000)}`),
      await app.send('GET', `${tree.cars}/${'x'.repeat(8_000)}`),
      await app.send('GET', `${tree.cars}/${'%C3%B1'.repeat(1_300)}/other`),
      await app.send('GET', `/api/${tree.tag === 'en' ? 'coche' : 'car'}/${'x'.repeat(8_000)}`),
    ];
    for (const { status, text } of refused) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(text.length).toBeLessThan(2_000);
    }
    for (const { headers } of [found, ...refused]) {
      expect([...headers].map((field) => field.join(': ')).join('\r\n').length).toBeLessThan(2_500);
    }
  });
});
