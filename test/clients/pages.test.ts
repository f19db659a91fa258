/** Which pages are read, and which are not: the service is what the tests say. */
import { describe, expect, test } from 'vitest';
import { answering, list, ORIGIN, refused } from '../support/clients/answering.ts';

const car = { brand: 'Seat', model: 'Ibiza' };

describe('a link to the next page', () => {
  const readAll = async ({ cars }: ReturnType<typeof answering>): Promise<void> => {
    for await (const _ of cars.iterate());
  };

  test('to another origin is not followed: nobody else gets the key', async () => {
    const service = answering([list([car], { link: '<//elsewhere.test/api/cars>; rel="next"' })]);
    await expect(readAll(service)).rejects.toThrow('http://elsewhere.test/api/cars is not at http://catalogue.test');
    expect(service.sent.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer secret']);
  });

  test('to a page that was read is an error', async () => {
    const service = answering([list([car], { link: '</api/cars?after=1>; rel="next"' })]);
    await expect(readAll(service)).rejects.toThrow('/api/cars?after=1 leads to itself');
    expect(service.sent).toHaveLength(2);
  });
});

test('a beginning that is gone, too, is an error', async () => {
  const { cars, sent } = answering([refused(410, 'gone'), refused(410, 'gone'), list([])]);
  await expect(cars.follow('old').next()).rejects.toMatchObject({ code: 'gone' });
  expect(sent).toHaveLength(2);
});

test('a position that is gone: everything is told from the beginning, and only that is said to begin anew', async () => {
  const next = { link: '</api/changes/cars?changed_since=q>; rel="next"' };
  const { cars, sent } = answering([refused(410, 'gone'), list([{ identifier: 'a' }], next), list([])]);
  const told: unknown[] = [];
  for await (const { items, position, startsAnew } of cars.follow('old', { brand: ['x', 'y'] }))
    told.push([items.length, position, startsAnew]);
  expect(told).toEqual([
    [1, 'p', true],
    [0, 'p', false],
  ]);
  expect(sent.map(({ url }) => url.slice(ORIGIN.length))).toEqual([
    '/api/changes/cars?brand=x&brand=y&changed_since=old',
    '/api/changes/cars?brand=x&brand=y&changed_since=0',
    '/api/changes/cars?changed_since=q',
  ]);
});
