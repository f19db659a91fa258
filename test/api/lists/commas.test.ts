/** A comma that means “or” in other services is a part of the value here: the list is empty, and says what to send. */
import { expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';

const { send } = useApp({
  given: [
    ['/api/cars', { identifier: 'a-1', brand: 'Seat', model: 'Ibiza', fuel: 'Diésel' }],
    ['/api/cars', { identifier: 'b-1', brand: 'Citroën', model: 'C4' }],
    ['/api/cars', { identifier: 'c-1', brand: 'Rolls, Royce & Co', model: 'R' }],
    ['/api/cars/a-1/oils', { type: '5W-30' }],
    ['/api/cars/a-1/oils', { type: '10W-40' }],
  ],
});

test.each([
  ['/api/cars?brand=seat,citroen', 'brand=seat&brand=citroen'],
  ['/api/coches?marca=seat,citro%C3%ABn', 'marca=seat&marca=citro%C3%ABn'],
  ['/api/coches?marca=SEAT,+Citroen&numero_de_elementos=5', 'marca=SEAT&marca=Citroen'],
  ['/api/cars?brand=seat,citroen&format=csv', 'brand=seat&brand=citroen'],
  ['/api/cars/a-1/oils?type=5w-30,10w-40', 'type=5w-30&type=10w-40'],
  ['/api/coches/a-1/aceites?tipo=5w-30,10w-40', 'tipo=5w-30&tipo=10w-40'],
])('%s says what to send: %s', async (path, hint) => {
  for (const method of ['GET', 'HEAD']) {
    const { status, headers } = await send(method, path);
    expect([status, headers.get('x-total-count'), headers.get('x-hint')]).toEqual([200, '0', hint]);
  }
  const [list] = path.split('?');
  expect((await send('GET', `${list}?${hint}`)).json).toHaveLength(2);
});

test.each([
  // Found as it is.
  '/api/cars?brand=rolls,+royce+%26+co',
  // One of its parts finds nothing.
  '/api/cars?brand=seat,audi',
  '/api/cars?brand=seat,',
  '/api/coches?marca=,',
  '/api/coches?marca=audi',
  // Several values are sent already.
  '/api/cars?brand=seat,citroen&brand=audi',
  // Each finds something, but not with the other filter.
  '/api/cars?brand=seat,citroen&fuel=diesel',
  '/api/cars?brand=seat,seat,seat,seat,seat,seat',
])('%s says nothing', async (path) => {
  expect((await send('GET', path)).headers.get('x-hint')).toBeNull();
});
