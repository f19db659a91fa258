import { describe, expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';
import { trees } from '../../support/app/trees.ts';

/** Ties in every field, and in every optional one two cars without it. */
const cars = [
  { identifier: 'b', brand: 'Seat', model: 'León', year: 2010, doors: 5, enginePower: 90, clima: true, ac: true },
  { identifier: 'É', brand: 'audi', model: 'leon', version: 'b', fuel: 'gas' },
  { identifier: 'a', brand: 'Ávila', model: 'Leon', year: 2008, doors: 10, enginePower: 1000, version: 'Á' },
  { identifier: 'e', brand: 'AUDI', model: 'A3', year: 2010, version: 'a', clima: false, ac: false, fuel: 'Gas' },
  { identifier: 'd', brand: 'Seat', model: 'a3', doors: 5, enginePower: 90, version: 'B', clima: true, fuel: 'Diésel' },
  { identifier: 'c', brand: 'audi', model: 'Zeta', year: 1999, doors: 0, enginePower: 0, version: '', ac: true },
] as const;

const { send } = useApp({
  given: [
    ...cars.map((car) => ['/api/cars', car] as const),
    ['/api/cars/a/oils', { type: 'B', otherInfo: 'x' }],
    ['/api/cars/a/oils', { type: 'á' }],
    ['/api/cars/a/oils', { type: 'a', otherInfo: 'X' }],
  ],
});

/** Keys in ascending and in descending order: texts that differ in case and accents only are in order of creation. */
const orders = [
  { field: 'identifier', up: 'a b c d É e', down: 'e É d c b a' },
  { field: 'brand', up: 'É e c a b d', down: 'd b a c e É' },
  { field: 'model', up: 'e d b É a c', down: 'c a É b d e' },
  { field: 'year', up: 'c a b e É d', down: 'e b a c É d' },
  { field: 'doors', up: 'c b d a É e', down: 'a d b c É e' },
  { field: 'enginePower', up: 'c b d a É e', down: 'a d b c É e' },
  { field: 'version', up: 'c a e É d b', down: 'd É e a c b' },
  { field: 'clima', up: 'e b d É a c', down: 'd b e É a c' },
  { field: 'ac', up: 'e b c É a d', down: 'c b e É a d' },
  { field: 'fuel', up: 'd É e b a c', down: 'e É d b a c' },
] as const;

describe.each(trees)('$cars', (tree) => {
  const keys = async (query: string): Promise<string> => {
    const { json } = await send('GET', `${tree.cars}${query}`);
    return json.map((car: Record<string, string>) => car[tree.identifier]).join(' ');
  };
  const pages = async (query: string): Promise<string> => {
    const found = [1, 2, 3, 4, 5, 6].map((page) => keys(`${query}&${tree.number_of_elements}=1&${tree.page}=${page}`));
    return (await Promise.all(found)).join(' ');
  };

  test.each(orders)('sorts by $field, missing values last both ways', async ({ field, up, down }) => {
    const sort = `?${tree.sort_by}=${tree[field]}`;
    expect(await keys(sort)).toBe(up);
    expect(await keys(`${sort}&${tree.order}=${tree.asc}`)).toBe(up);
    expect(await keys(`?${tree.order}=${tree.desc}&${sort.slice(1)}`)).toBe(down);
  });

  test.each([
    ['brand,year', '', 'c e É a b d'],
    ['brand,year', 'asc,desc', 'e c É a b d'],
    ['brand,year', 'desc', 'b d a c e É'],
    ['doors,clima', 'asc,desc', 'c d b a e É'],
    ['doors,clima,ac', 'desc,desc,desc', 'a b d c e É'],
    ['year,identifier', 'desc,asc', 'b e a c d É'],
    ['fuel,version', 'asc,desc', 'd É e a c b'],
  ] as const)('sorts by %s %s', async (fields, directions, expected) => {
    const word = (name: string): string => tree[name as keyof typeof tree];
    const sort = fields.split(',').map(word).join();
    const order = directions === '' ? '' : `&${tree.order}=${directions.split(',').map(word).join()}`;
    expect(await keys(`?${tree.sort_by}=${sort}${order}`)).toBe(expected);
    expect(await pages(`?${tree.sort_by}=${encodeURIComponent(sort)}${order}`)).toBe(expected);
  });

  test('lists in order of creation, and order alone turns that round', async () => {
    expect(await keys('')).toBe('b É a e d c');
    expect(await keys(`?${tree.order}=${tree.asc}`)).toBe('b É a e d c');
    expect(await keys(`?${tree.order}=${tree.desc}`)).toBe('c d e a É b');
  });

  test('sorts what a filter finds', async () => {
    const query = `?${tree.brand}=audi&${tree.sort_by}=${tree.year}`;
    expect(await keys(query)).toBe('c e É');
    expect(await keys(`${query}&${tree.order}=${tree.desc}`)).toBe('e c É');
  });

  test('sorts oils too', async () => {
    const types = async (query: string) => {
      const { json } = await send('GET', `${tree.cars}/a/${tree.oils}?${query}`);
      return json.map((oil: Record<string, string>) => oil[tree.type]).join(' ');
    };
    expect(await types('')).toBe('B á a');
    expect(await types(`${tree.sort_by}=${tree.type}`)).toBe('á a B');
    expect(await types(`${tree.sort_by}=${tree.type}&${tree.order}=${tree.desc}`)).toBe('B a á');
    expect(await types(`${tree.sort_by}=${tree.otherInfo}`)).toBe('B a á');
    expect(await types(`${tree.sort_by}=${tree.otherInfo}&${tree.order}=${tree.desc}`)).toBe('a B á');
  });
});

test('an update keeps the place in the order of creation', async () => {
  await send('PUT', '/api/coches/b', { puertas: 3 });
  await send('PUT', '/api/coches/b', { puertas: 5 });
  const { json } = await send('GET', '/api/coches');
  expect(json[0].identificador).toBe('b');
});
