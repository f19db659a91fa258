/** The real cars of the sample, which came as files in one tree, are what they were in the other. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { useApp } from '../support/app/app.ts';
import { addressOf, countBy, filtered, readCars, textOf, trees } from '../support/app/real-cars.ts';

const sample = fileURLToPath(new URL('../data', import.meta.url));
const cars = trees.flatMap(({ own }) => readCars(sample, own));
const { send } = useApp();
beforeAll(async () => {
  for (const { own } of trees) {
    const file = readFileSync(`${sample}/${own.file}`, 'utf8');
    expect((await send('POST', own.path, file, { 'content-type': 'text/csv' })).status).toBe(200);
  }
});
const itemsAt = async (address: string): Promise<readonly string[]> =>
  (await send('GET', address)).json.map((item: unknown) => JSON.stringify(item));

test.each(trees)('those of $path are found in the other tree by key, brand, model and year', async ({ own, other }) => {
  const sent = readCars(sample, own);
  expect(sent).toHaveLength(300);
  for (const car of sent) expect((await send('GET', addressOf(car, other))).text).toBe(textOf(car, other));
  const groups = Map.groupBy(sent, ({ brand, model, year }) => filtered(other, { brand, model, year }));
  expect(groups.size).toBeGreaterThan(200);
  for (const [address, group] of groups)
    expect((await itemsAt(address)).toSorted(), address).toEqual(group.map((car) => textOf(car, other)).sort());
});

test.each(trees)('all are in the whole list of $path, and nothing else; groups count them', async ({ own }) => {
  expect((await itemsAt(own.path)).toSorted()).toEqual(cars.map((car) => textOf(car, own)).sort());
  const total = async (field: 'brand' | 'year', value: string | number) =>
    (await send('HEAD', `${filtered(own, { [field]: value })}`)).headers.get('x-total-count');
  for (const field of ['brand', 'year'] as const) {
    for (const [value, count] of countBy(cars, field))
      expect([value, await total(field, value)]).toEqual([value, `${count}`]);
  }
});

test.each([
  [
    '/api/coches/epa-13309',
    '{"identificador":"epa-13309","marca":"Acura","modelo":"2.2CL/3.0CL","anio":1997,"version":"2.2 L, 4 cyl, Automatic 4-spd, Front-Wheel Drive","fuel":"Regular"}',
  ],
  [
    '/api/cars/epa-31946',
    '{"identifier":"epa-31946","brand":"Acura","model":"RDX 4WD","year":2012,"version":"2,3 L, 4 cyl, Automático (S5), tracción total","fuel":"Gasolina súper"}',
  ],
])('%s is intact', async (address, json) => {
  expect((await send('GET', address)).text).toBe(json);
});

test.each([
  ['/api/coches?modelo=2.2CL/3.0CL', '/api/cars?model=2.2cl%2F3.0cl', 3],
  ['/api/coches?fuel=Gasolina%20súper', '/api/cars?fuel=gasolina+super', 125],
])('%s and %s find the same', async (spanish, english, count) => {
  const [some, same] = [await itemsAt(spanish), await itemsAt(english)];
  expect([some.length, same.length]).toEqual([count, count]);
  const keys = (items: readonly string[]) => items.map((item) => Object.values(JSON.parse(item))[0]);
  expect(keys(some)).toEqual(keys(same));
});
