import { expect, test } from 'vitest';
import { routeFinder } from '../../../src/http/server/route-finder.ts';

const find = routeFinder(
  ['/', '/api', '/api/cars', '/api/cars/:cars', '/api/cars/:cars/oils', '/api/autom%C3%B3viles', '/api/problems/:code'],
  (pattern) => (pattern.includes('cars') ? 'en' : undefined),
);

test.each([
  ['/', '/', undefined],
  ['http://example.org', '/', undefined],
  ['/api', '/api', undefined],
  ['/api/', '/api', undefined],
  ['/api/cars', '/api/cars', 'en'],
  ['/api/cars?brand=Seat', '/api/cars', 'en'],
  ['http://example.org/api/cars', '/api/cars', 'en'],
  ['/api/cars/c4', '/api/cars/:cars', 'en'],
  ['/api/cars/c4?include=oils/%20', '/api/cars/:cars', 'en'],
  ['/api/cars/?page=2', '/api/cars', 'en'],
  ['/api/cars/a%2Fb', '/api/cars/:cars', 'en'],
  ['/api/cars/c4/oils/', '/api/cars/:cars/oils', 'en'],
  ['/api/cars?next=/api/cars/c4', '/api/cars', 'en'],
  ['/api/cars/c:4@b', '/api/cars/:cars', 'en'],
  ['/api/%63ars', '/api/cars', 'en'],
  ['/api/autom%c3%b3viles', '/api/autom%C3%B3viles', undefined],
  ['/api/problems/not-found', '/api/problems/:code', undefined],
])('%s leads to %s', (target, route, language) => {
  expect(find(target)).toEqual({ route, language });
});

test.each([
  ['example.org:443', undefined],
  ['*', undefined],
  ['', undefined],
  ['/ap', undefined],
  ['/api/coches', undefined],
  ['/api/problems', undefined],
  ['/api/%ff', undefined],
  ['/api/cars/c4/oils/1', 'en'],
  ['/api/cars/c4/doors?a=/api', 'en'],
  ['/api/cars/%ff', 'en'],
  ['/api/cars/%00/oils', 'en'],
  [`/api/cars/${'a'.repeat(9_000)}`, 'en'],
])('%j leads nowhere', (target, language) => {
  expect(find(target)).toEqual({ route: undefined, language });
});
