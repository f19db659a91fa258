import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addressOf,
  type Car,
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
const PAGE = 50;

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

  /** Keys in the order of pages, to the first empty one. */
  const walk = async ({ path, words, query }: Tree): Promise<readonly (readonly string[])[]> => {
    const pages: string[][] = [];
    for (let page = 1; pages.at(-1)?.length !== 0; page += 1) {
      const address = `${path}?${query.sort}=${words.model}&${query.size}=${PAGE}&${query.page}=${page}`;
      const list: readonly Record<string, string>[] = JSON.parse(await textAt(server.origin + address));
      pages.push(list.map((car) => car[words.identifier] ?? ''));
    }
    return pages;
  };

  const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

  test('come once each, sorted by model, in pages of 50 that are the same in each tree', async () => {
    // Cars that came at one time have no order of their own but that of the whole list.
    const created = (await itemsAt(`${server.origin}/api/cars`)).map((item): Car => JSON.parse(item));
    const model = ({ model }: Car): string => String(model).toLowerCase();
    const sorted = created.toSorted((a, b) => compare(model(a), model(b)));
    const pages = await walk(trees[0].own);
    expect(pages.map(({ length }) => length)).toEqual([...Array(12).fill(PAGE), 0]);
    expect(pages.flat()).toEqual(sorted.map(({ identifier }) => identifier));
    expect(await walk(trees[1].own)).toEqual(pages);
  });
});

const extras: readonly [what: string, car: Car][] = [
  [
    'semicolons and slashes',
    {
      identifier: 'c5;2,0/sw',
      brand: 'Citroën; Francia',
      model: 'C5; Tourer/Break',
      year: 2009,
      version: '2,0 HDi; 140 CV; "a;b"',
      fuel: 'Gasóleo; A/B',
    },
  ],
  [
    'quotes and backslashes',
    {
      identifier: `"d'origine" \\`,
      brand: 'Škoda "Octavia"',
      model: `l'«Été» \\n`,
      year: 1886,
      version: `"it's", ""twice"" \\" \\u00e9`,
      fuel: "'",
    },
  ],
  [
    'line breaks and tabs',
    {
      identifier: 'línea-1',
      brand: 'Seat',
      model: 'Ibiza\nSC',
      year: 2100,
      version: 'línea 1\nlínea 2\r\n\tlínea 3\r\n',
      fuel: '\n',
    },
  ],
];

describe.each(trees)('a car that came in through $path', ({ own, other }) => {
  test.each(extras)('with %s is found in the other tree as it was', async (_, car) => {
    const server = await openServer();
    try {
      await create(server.origin, own, { ...car, identifier: 'another', version: 'línea 1', model: 'C5' });
      await create(server.origin, own, car);
      expect(await textAt(server.origin + addressOf(car, other))).toBe(textOf(car, other));
      const { brand, model, year, version } = car;
      for (const filters of [{ brand, model, year }, { version }])
        expect(await textAt(server.origin + filtered(other, filters))).toBe(`[${textOf(car, other)}]`);
    } finally {
      await server.close();
    }
  });
});
