/** A parameter that only this test has, which orders lists by no field: what it declares decides what goes with it. */
import { expect, test } from 'vitest';
import { parameterTable } from '../../../../src/gateway/read/query/query.ts';
import { added } from '../../../support/app/added.ts';
import { useApp } from '../../../support/app/app.ts';
import { catalogue } from '../../../support/cars/catalogue.ts';

added(parameterTable, () => [
  {
    name: '_shuffled',
    word: '_shuffled',
    kind: 'token',
    decides: 'order',
    isPure: false,
    parse: () => ({}),
    format: () => ['true'],
    schema: { type: 'string' },
    text: 'parameter-order',
  },
]);

const { send } = useApp({
  // A catalogue of its own, and so documents of its own.
  catalogue: [...catalogue],
  given: ['a', 'b', 'c'].map((identifier) => ['/api/cars', { identifier, brand: 'Seat', model: 'Ibiza' }] as const),
});

test('its pages have numbers, because no position says where one ends', async () => {
  const { headers } = await send('GET', '/api/cars?_shuffled=true&number_of_elements=2');
  expect(headers.get('link')).toMatch(/[?&]page=2[&>].*; rel="next"/);
  expect(headers.get('etag')).toBeNull();
});

test.each([
  ['/api/cars?changed_since=0&_shuffled=true', {}],
  ['/api/coches?cambiado_desde=0&_shuffled=true', {}],
  ['/api/cars?group_by=brand&_shuffled=true', {}],
  ['/api/events/cars?_shuffled=true', { accept: 'text/event-stream' }],
])('%s is refused', async (path, headers) => {
  const { status, json } = await send('GET', path, undefined, headers);
  expect([status, json.code]).toEqual([400, 'invalid-parameter']);
});
