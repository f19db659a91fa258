import { expect, test } from 'vitest';
import { placeFinder } from '../../../src/http/server/places.ts';

const find = placeFinder(
  ['/api', '/api/cars', '/api/cars/:cars', '/api/cars/:cars/oils', '/api/autom%C3%B3viles', '/api/problems/:code'],
  (pattern) => (pattern.includes('cars') ? 'en' : undefined),
);

test.each([
  ['/api', '/api', undefined],
  ['/api/', '/api', undefined],
  ['/api/cars', '/api/cars', 'en'],
  ['/api/cars?brand=Seat', '/api/cars', 'en'],
  ['http://example.org/api/cars', '/api/cars', 'en'],
  ['/api/cars/c4', '/api/cars/:cars', 'en'],
  ['/api/cars/a%2Fb', '/api/cars/:cars', 'en'],
  ['/api/cars/c4/oils/', '/api/cars/:cars/oils', 'en'],
  ['/api/autom%c3%b3viles', '/api/autom%C3%B3viles', undefined],
  ['/api/problems/not-found', '/api/problems/:code', undefined],
])('%s leads to %s', (target, route, language) => {
  expect(find(target)).toEqual({ route, language });
});

test.each(['/', '*', '', '/ap', '/api/coches', '/api/cars/c4/oils/1', '/api/problems', '/api/%ff'])(
  '%j leads nowhere',
  (target) => {
    expect(find(target)).toBeUndefined();
  },
);
