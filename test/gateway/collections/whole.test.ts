import { expect, test } from 'vitest';
import type { Store } from '../../../src/store/store.ts';
import { openApp } from '../../support/app/app.ts';
import { trees } from '../../support/app/trees.ts';
import { inPortions } from '../../support/conformance/fixtures.ts';
import { spoilLists } from '../../support/database/reads.ts';

const car = (at: number) => ({ identifier: `k${at}`, brand: 'Seat', model: `M${at}` });
const json = { 'content-type': 'application/json' };

test.each([0, 1, 499, 500, 501, 600, 1_500])('lists all of %s cars where no page is asked for', async (count) => {
  const { send, close } = await openApp();
  await Promise.all(Array.from({ length: count }, (_, at) => send('POST', '/api/cars', car(at))));
  for (const tree of trees) {
    const { status, json: cars, headers } = await send('GET', tree.cars);
    expect([status, cars.length, headers.get('x-total-count')]).toEqual([200, count, String(count)]);
    expect(cars.map((each: Record<string, string>) => each[tree.identifier])).toEqual(
      Array.from({ length: count }, (_, at) => `k${at}`),
    );
    expect(headers.get('content-type')).toBe('application/json');
    expect(headers.get('content-language')).toBe(tree.tag);
  }
  await close();
});

/** A long list whose database fails after its first chunk. */
const failing = (store: Store): Partial<Store> =>
  spoilLists(store, async (read) => {
    const found = await read();
    if (!found?.rest) throw new TypeError('no list');
    const next = async () => {
      throw new Error('the disk is gone');
    };
    return { ...found, rest: { ...found.rest, next } };
  });

test('never ends a list that failed midway as valid JSON', async () => {
  const { request, close } = await openApp({ spoil: failing });
  const create = (at: number) => request('/api/cars', { method: 'POST', body: JSON.stringify(car(at)), headers: json });
  await inPortions(600, create);
  const { status, body } = await request('/api/cars');
  expect(status).toBe(200);
  let received = '';
  const read = async () => {
    for await (const chunk of body ?? []) received += Buffer.from(chunk).toString();
  };
  await expect(read()).rejects.toThrow('the disk is gone');
  expect(received.startsWith('[{"identifier":"k0"')).toBe(true);
  expect(() => JSON.parse(received)).toThrow(SyntaxError);
  await close();
});
