import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addressOf,
  countBy,
  create,
  filtered,
  inParallel,
  readCars,
  type Tree,
  textAt,
  textOf,
  trees,
  wrongCounts,
} from '../soak/real-cars.ts';
import { openServer } from '../support/app/server.ts';

const sample = fileURLToPath(new URL('../data', import.meta.url));
const cars = trees.flatMap(({ own }) => readCars(sample, own));

/** Requests on their way at one time. */
const WIDTH = 20;

type Server = Awaited<ReturnType<typeof openServer>>;

/** Each item as the text that it has in a list. */
const itemsAt = async (address: string): Promise<readonly string[]> =>
  JSON.parse(await textAt(address)).map((item: unknown) => JSON.stringify(item));

describe('the real cars of the sample', () => {
  let server: Server;
  beforeAll(async () => {
    server = await openServer();
    await Promise.all(
      trees.map(({ own }) => inParallel(readCars(sample, own), WIDTH, (car) => create(server.origin, own, car))),
    );
  });
  afterAll(() => server.close());

  test.each(trees)('of $path, all 300, are found in the other tree by their key', async ({ own, other }) => {
    const found = new Map<string, string>();
    const sent = readCars(sample, own);
    await inParallel(sent, WIDTH, async (car) => {
      found.set(addressOf(car, other), await textAt(server.origin + addressOf(car, other)));
    });
    expect(found.size).toBe(300);
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(sent.map((car) => [addressOf(car, other), textOf(car, other)])),
    );
  });

  test.each(trees)('of $path are found in the other tree by brand, model and year', async ({ own, other }) => {
    const groups = Map.groupBy(readCars(sample, own), ({ brand, model, year }) =>
      filtered(other, { brand, model, year }),
    );
    expect(groups.size).toBeGreaterThan(200);
    await inParallel([...groups], WIDTH, async ([address, group]) => {
      const wanted = group.map((car) => textOf(car, other)).sort();
      expect((await itemsAt(server.origin + address)).toSorted(), address).toEqual(wanted);
    });
  });

  test.each(trees)('are all in the whole list of $path, and nothing else', async ({ own }) => {
    const wanted = cars.map((car) => textOf(car, own)).sort();
    expect((await itemsAt(server.origin + own.path)).toSorted()).toEqual(wanted);
  });

  test.each(
    trees.flatMap(({ own, path }) => [
      { own, path, field: 'brand', least: 50 },
      { own, path, field: 'year', least: 30 },
    ]) as readonly { own: Tree; path: string; field: 'brand' | 'year'; least: number }[],
  )('are as many of each $field in $path as in the files', async ({ own, field, least }) => {
    expect(countBy(cars, field).size).toBeGreaterThan(least);
    expect(await wrongCounts(server.origin, own, cars, field)).toEqual([]);
  });

  const intact: readonly [file: string, row: string, address: string, json: string][] = [
    [
      'vehicles.en.csv',
      'epa-13309,Acura,2.2CL/3.0CL,1997,"2.2 L, 4 cyl, Automatic 4-spd, Front-Wheel Drive",Regular\n',
      '/api/coches/epa-13309',
      '{"identificador":"epa-13309","marca":"Acura","modelo":"2.2CL/3.0CL","anio":1997,"version":"2.2 L, 4 cyl, Automatic 4-spd, Front-Wheel Drive","fuel":"Regular"}',
    ],
    [
      'vehiculos.es.csv',
      'epa-31946;Acura;RDX 4WD;2012;2,3 L, 4 cyl, Automático (S5), tracción total;Gasolina súper\r\n',
      '/api/cars/epa-31946',
      '{"identifier":"epa-31946","brand":"Acura","model":"RDX 4WD","year":2012,"version":"2,3 L, 4 cyl, Automático (S5), tracción total","fuel":"Gasolina súper"}',
    ],
    [
      'vehiculos.es.csv',
      'epa-30121;Subaru;Impreza Wagon/Outback Sport AWD;2011;2,5 L, 4 cyl, Manual 5-spd, tracción total;Gasolina\r\n',
      '/api/cars/epa-30121',
      '{"identifier":"epa-30121","brand":"Subaru","model":"Impreza Wagon/Outback Sport AWD","year":2011,"version":"2,5 L, 4 cyl, Manual 5-spd, tracción total","fuel":"Gasolina"}',
    ],
  ];

  test.each(intact)('%s: %j is intact byte for byte', async (file, row, address, json) => {
    expect(readFileSync(`${sample}/${file}`).includes(Buffer.from(row))).toBe(true);
    const answer = await fetch(server.origin + address);
    expect(Buffer.from(await answer.arrayBuffer()).equals(Buffer.from(json))).toBe(true);
  });

  test.each([
    ['/api/coches?modelo=2.2CL/3.0CL', '/api/cars?model=2.2cl%2F3.0cl', 3],
    ['/api/coches?fuel=Gasolina%20súper', '/api/cars?fuel=gasolina+super', 125],
  ])('%s and %s find the same', async (spanish, english, count) => {
    const [some, same] = [await itemsAt(server.origin + spanish), await itemsAt(server.origin + english)];
    expect([some.length, same.length]).toEqual([count, count]);
    const keys = (items: readonly string[]) => items.map((item) => Object.values(JSON.parse(item))[0]);
    expect(keys(some)).toEqual(keys(same));
  });
});
