import { expect, test } from 'vitest';
import { openApp, useApp } from '../../support/app/app.ts';

const app = useApp();

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

test.each(['', ' ', '\t'])('a Content-Type of %j is as if it were absent', async (type) => {
  const key = `blank-es-${type.charCodeAt(0)}`;
  const car = { identificador: key, marca: 'Seat', modelo: 'Ibiza' };
  const headers = { 'content-type': type };
  expect((await app.send('POST', '/api/coches', car, headers)).status).toBe(201);
  expect((await app.send('PUT', `/api/coches/${key}`, {}, headers)).status).toBe(200);
});

test('a URL of 8 KB gets little back', async () => {
  const filter = `marca=${'x'.repeat(8_000)}&pagina=2&orden=ascendente`;
  const found = await app.send('GET', `/api/coches?${filter}`);
  expect(found.status).toBe(200);
  const refused = [
    await app.send('GET', `/api/coches?${'x'.repeat(8_000)}=1`),
    await app.send('GET', `/api/coches?ordenar_por=${'x'.repeat(8_000)}`),
    await app.send('GET', `/api/coches/${'x'.repeat(8_000)}`),
    await app.send('GET', `/api/coches/${'%C3%B1'.repeat(1_300)}/other`),
    await app.send('GET', `/api/car/${'x'.repeat(8_000)}`),
  ];
  for (const { status, text } of refused) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(text.length).toBeLessThan(2_000);
  }
  for (const { headers } of [found, ...refused]) {
    expect([...headers].map((field) => field.join(': ')).join('\r\n').length).toBeLessThan(2_500);
  }
});
