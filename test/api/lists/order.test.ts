import { expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';

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
  { field: 'identificador', up: 'a b c d É e', down: 'e É d c b a' },
  { field: 'marca', up: 'É e c a b d', down: 'd b a c e É' },
  { field: 'modelo', up: 'e d b É a c', down: 'c a É b d e' },
  { field: 'anio', up: 'c a b e É d', down: 'e b a c É d' },
  { field: 'puertas', up: 'c b d a É e', down: 'a d b c É e' },
  { field: 'cilindrada', up: 'c b d a É e', down: 'a d b c É e' },
  { field: 'version', up: 'c a e É d b', down: 'd É e a c b' },
  { field: 'climatizador', up: 'e b d É a c', down: 'd b e É a c' },
  { field: 'ac', up: 'e b c É a d', down: 'c b e É a d' },
  { field: 'fuel', up: 'd É e b a c', down: 'e É d b a c' },
] as const;

const keys = async (query: string): Promise<string> => {
  const { json } = await send('GET', `/api/coches${query}`);
  return json.map((car: Record<string, string>) => car.identificador).join(' ');
};
const pages = async (query: string): Promise<string> => {
  const found = [1, 2, 3, 4, 5, 6].map((page) => keys(`${query}&numero_de_elementos=1&pagina=${page}`));
  return (await Promise.all(found)).join(' ');
};

test.each(orders)('sorts by $field, missing values last both ways', async ({ field, up, down }) => {
  const sort = `?ordenar_por=${field}`;
  expect(await keys(sort)).toBe(up);
  expect(await keys(`${sort}&orden=ascendente`)).toBe(up);
  expect(await keys(`?orden=descendente&${sort.slice(1)}`)).toBe(down);
});

test.each([
  ['marca,anio', '', 'c e É a b d'],
  ['marca,anio', 'ascendente,descendente', 'e c É a b d'],
  ['marca,anio', 'descendente', 'b d a c e É'],
  ['puertas,climatizador', 'ascendente,descendente', 'c d b a e É'],
  ['puertas,climatizador,ac', 'descendente,descendente,descendente', 'a b d c e É'],
  ['anio,identificador', 'descendente,ascendente', 'b e a c d É'],
  ['fuel,version', 'ascendente,descendente', 'd É e a c b'],
] as const)('sorts by %s %s', async (fields, directions, expected) => {
  const order = directions === '' ? '' : `&orden=${directions}`;
  expect(await keys(`?ordenar_por=${fields}${order}`)).toBe(expected);
  expect(await pages(`?ordenar_por=${encodeURIComponent(fields)}${order}`)).toBe(expected);
});

test('lists in order of creation, and order alone turns that round', async () => {
  expect(await keys('')).toBe('b É a e d c');
  expect(await keys('?orden=ascendente')).toBe('b É a e d c');
  expect(await keys('?orden=descendente')).toBe('c d e a É b');
});

test('sorts what a filter finds', async () => {
  const query = '?marca=audi&ordenar_por=anio';
  expect(await keys(query)).toBe('c e É');
  expect(await keys(`${query}&orden=descendente`)).toBe('e c É');
});

test('sorts oils too', async () => {
  const types = async (query: string) => {
    const { json } = await send('GET', `/api/coches/a/aceites?${query}`);
    return json.map((oil: Record<string, string>) => oil.tipo).join(' ');
  };
  expect(await types('')).toBe('B á a');
  expect(await types('ordenar_por=tipo')).toBe('á a B');
  expect(await types('ordenar_por=tipo&orden=descendente')).toBe('B a á');
  expect(await types('ordenar_por=otros_datos')).toBe('B a á');
  expect(await types('ordenar_por=otros_datos&orden=descendente')).toBe('a B á');
});

test('an update keeps the place in the order of creation', async () => {
  await send('PUT', '/api/coches/b', { puertas: 3 });
  await send('PUT', '/api/coches/b', { puertas: 5 });
  const { json } = await send('GET', '/api/coches');
  expect(json[0].identificador).toBe('b');
});
