import { expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';

const fuels = [...Array(12).fill('Gasolina'), 'Diesel', 'GASOLEO', 'Electric', 'Eléctrico', 'LPG'];

const { send } = useApp({
  given: fuels.map(
    (fuel, at) => ['/api/cars', { identifier: `${at}`, brand: at < 13 ? 'Seat' : 'Audi', model: 'A', fuel }] as const,
  ),
});

test.each([
  ['fuel=petrol', 'fuel=Gasolina'],
  ['fuel=PETROL', 'fuel=Gasolina'],
  ['fuel=glp', 'fuel=LPG'],
  ['fuel=petrol&marca=seat', 'fuel=Gasolina'],
  ['fuel=diesel&marca=audi', 'fuel=GASOLEO'],
  ['fuel=gas%C3%B3leo&marca=seat', 'fuel=Diesel'],
  ['fuel=petrol&fuel=cng', 'fuel=Gasolina'],
])('?%s finds nothing, and is told %s', async (query, hint) => {
  for (const method of ['GET', 'HEAD']) {
    const { status, headers } = await send(method, `/api/coches?${query}`);
    expect([status, headers.get('x-total-count'), headers.get('x-hint')]).toEqual([200, '0', hint]);
  }
  const [, ...others] = query.split('&').filter((pair) => !pair.startsWith('fuel=') || pair === query);
  const again = await send('GET', `/api/coches?${[hint, ...others].join('&')}`);
  expect(again.json.length).toBeGreaterThan(0);
});

test.each([
  // Found as it is.
  'fuel=gasolina',
  'fuel=electric',
  // What other languages call it is not there, or not with the other filter.
  'fuel=hybrid',
  'fuel=petrol&marca=audi',
  // Of no table.
  'fuel=benzin',
  'marca=petrol',
])('?%s is told nothing', async (query) => {
  expect((await send('GET', `/api/coches?${query}`)).headers.get('x-hint')).toBeNull();
});

test('the hint changes with the tag', async () => {
  const empty = await send('GET', '/api/coches?fuel=hydrogen');
  expect(empty.headers.get('x-hint')).toBeNull();
  const identifier = 'new-marca';
  await send('POST', '/api/cars', { identifier, brand: 'Toyota', model: 'Mirai', fuel: 'Hidrógeno' });
  const headers = { 'if-none-match': empty.headers.get('etag') ?? '' };
  const { status, headers: told } = await send('GET', '/api/coches?fuel=hydrogen', undefined, headers);
  expect([status, told.get('x-hint')]).toEqual([200, 'fuel=Hidr%C3%B3geno']);
  await send('DELETE', `/api/cars/${identifier}`);
});

test('an unusual number is stored, and its unit asked for', async () => {
  const item = '/api/coches/hint';
  const said = '«cilindrada» es 1598 CV, y pocos elementos tienen más de 700 CV: compruebe la unidad.';
  const car = { identificador: 'hint', marca: 'Seat', modelo: 'A', cilindrada: 1598 };
  for (const { status, json, headers } of [
    await send('POST', '/api/coches', car),
    await send('PUT', item, { cilindrada: 1598 }),
    await send('PATCH', item, { cilindrada: 1598 }),
  ]) {
    expect([status < 300, json.cilindrada]).toEqual([true, 1598]);
    expect(headers.get('x-hint')).toMatch(/^[ -~]+$/);
    expect(decodeURIComponent(headers.get('x-hint') ?? '')).toBe(said);
  }
  const inKilowatts = await send('PATCH', item, { cilindrada: 1175.3 }, { prefer: 'units="cilindrada=kW"' });
  expect(decodeURIComponent(inKilowatts.headers.get('x-hint') ?? '')).toContain('1175.3 kW');
  expect((await send('PATCH', item, { cilindrada: 700 })).headers.get('x-hint')).toBeNull();
  await send('DELETE', item);
});

test('documents list what values are called in other languages', async () => {
  const { json } = await send('GET', '/api/openapi.es.json');
  const { description } = json.components.parameters.cars_fuel;
  expect(description).toMatch(/Gasolina = Petrol; Diésel = Gasóleo/);
});
