/** Where a request target leads, as the log and the metrics have it. */
import { afterAll, expect, test } from 'vitest';
import { openApp } from '../../support/app/app.ts';

const app = await openApp();
afterAll(app.close);
const find = (target: string) => app.routeOf(target);

test.each([
  ['/', '/', undefined],
  ['http://example.org', '/', undefined],
  ['/api', '/api', undefined],
  ['/api/', '/api', undefined],
  ['/api/cars', '/api/cars', 'en'],
  ['/api/cars?brand=Seat', '/api/cars', 'en'],
  ['http://example.org/api/cars', '/api/cars', 'en'],
  ['/api/coches/c4', '/api/coches/:cars', 'es'],
  ['/api/cars/c4?include=oils/%20', '/api/cars/:cars', 'en'],
  ['/api/cars/?page=2', '/api/cars', 'en'],
  ['/api/cars/a%2Fb', '/api/cars/:cars', 'en'],
  ['/api/cars/c4/oils/', '/api/cars/:cars/oils', 'en'],
  ['/api/cars?next=/api/cars/c4', '/api/cars', 'en'],
  ['/api/cars/c:4@b', '/api/cars/:cars', 'en'],
  ['/api/%63ars', '/api/cars', 'en'],
  ['/api/problems/not-found', '/api/problems/:code', undefined],
])('%s leads to %s', (target, route, language) => {
  expect(find(target)).toEqual({ route, language });
});

test.each([
  ['example.org:443', undefined],
  ['*', undefined],
  ['', undefined],
  ['/ap', undefined],
  ['/api/autos', undefined],
  ['/api/%ff', undefined],
  ['/api/cars/c4/oils/1/2', 'en'],
  ['/api/cars/c4/doors?a=/api', 'en'],
  ['/api/coches/%ff', 'es'],
  ['/api/cars/%00/oils', 'en'],
  [`/api/cars/${'a'.repeat(9_000)}`, 'en'],
])('%j leads nowhere', (target, language) => {
  expect(find(target)).toEqual({ route: undefined, language });
});
