import { describe, expect, test } from 'vitest';
import { useFreshApp } from '../../support/app/app.ts';
import { itemIn, type Tree } from '../../support/app/reports.ts';
import { en, es } from '../../support/app/trees.ts';

const { send } = useFreshApp();

const WHOLE = {
  ...{ identifier: 'seat-ibiza-1', brand: 'Seat', model: 'Ibiza', year: 2008, doors: 5, enginePower: 105 },
  ...{ version: '1.9 TDI Sport', clima: true, ac: false, fuel: 'Diésel' },
};

const orders: readonly (readonly [Tree, Tree])[] = [
  [en, es],
  [es, en],
];

describe.each(orders)('$cars', (tree, other) => {
  const car = itemIn(tree, WHOLE);
  const change = { [tree.enginePower]: 130 };
  const oil = itemIn(tree, { type: '5W-30', otherInfo: 'Sintético' });
  const address = `${tree.cars}/seat-ibiza-1`;
  const otherAddress = `${other.cars}/seat-ibiza-1`;
  const oils = `${address}/${tree.oils}`;
  const alternate = `<${otherAddress}>; rel="alternate"; hreflang="${other.tag}"`;

  test('creates a car with its identifier, seen in both trees', async () => {
    const { status, text, headers } = await send('POST', `${tree.cars}/`, car);
    expect([status, text]).toEqual([201, JSON.stringify(car)]);
    const names = ['location', 'content-location', 'content-language', 'link'];
    expect(names.map((name) => headers.get(name))).toEqual([address, address, tree.tag, alternate]);
    expect((await send('GET', address)).text).toBe(JSON.stringify(car));
    expect((await send('GET', otherAddress)).text).toBe(JSON.stringify(itemIn(other, WHOLE)));
  });

  test('changes one attribute alone and leaves the rest', async () => {
    await send('POST', tree.cars, car);
    const changed = await send('PUT', address, change);
    expect([changed.status, changed.json]).toEqual([200, { ...car, ...change }]);
  });

  test('patches one attribute alone, and gives its new tag', async () => {
    await send('POST', tree.cars, car);
    for (const type of ['application/merge-patch+json', 'application/json']) {
      const { status, json, headers } = await send('PATCH', address, change, { 'content-type': type });
      expect([status, json, headers.get('link')]).toEqual([200, { ...car, ...change }, alternate]);
      expect(headers.get('etag')).toBe((await send('GET', address)).headers.get('etag'));
    }
  });

  test('deletes a car, once, and its oils', async () => {
    await send('POST', tree.cars, car);
    await send('POST', oils, oil);
    const deleted = await send('DELETE', address);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect((await send('DELETE', address)).status).toBe(404);
    for (const path of [otherAddress, `${otherAddress}/${other.oils}/5W-30`])
      expect((await send('GET', path)).status).toBe(404);
    await send('POST', tree.cars, car);
    expect((await send('GET', oils)).json).toEqual([]);
  });

  test('creates, reads, changes and deletes an oil, with and without a slash at the end', async () => {
    await send('POST', tree.cars, car);
    const { status, text, headers } = await send('POST', `${oils}/`, oil);
    expect([status, text, headers.get('location')]).toEqual([201, JSON.stringify(oil), `${oils}/5W-30`]);
    const otherOil = itemIn(other, { type: '5W-30', otherInfo: 'Sintético' });
    for (const slash of ['', '/']) {
      expect((await send('GET', `${oils}/5W-30${slash}`)).text).toBe(JSON.stringify(oil));
      expect((await send('GET', `${otherAddress}/${other.oils}/5W-30${slash}`)).json).toEqual(otherOil);
      expect((await send('PUT', `${oils}/5W-30${slash}`, oil)).text).toBe(JSON.stringify(oil));
    }
    expect((await send('DELETE', `${oils}/5W-30`)).status).toBe(204);
    expect((await send('GET', oils)).json).toEqual([]);
  });
});
