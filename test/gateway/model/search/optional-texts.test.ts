/** A search where no text ranks before the others, because none is required. */
import { expect, test } from 'vitest';
import { collection, defineCatalogue } from '../../../../src/gateway/model/catalogue.ts';
import { useApp } from '../../../support/app/app.ts';
import { cars, oils } from '../../../support/conformance/fixtures.ts';

const optional = (fields: typeof cars.fields) =>
  Object.fromEntries(fields.map(({ name, ...spec }) => [name, { ...spec, required: spec.isKey && !spec.assigned }]));
const app = useApp({
  catalogue: defineCatalogue(collection('cars', optional(cars.fields), collection('oils', optional(oils.fields)))),
  given: [
    ['/api/cars', { identifier: 'a', version: 'Tdiesel' }],
    ['/api/cars', { identifier: 'b', version: '1.9 TDI' }],
    ['/api/cars', { identifier: 'c' }],
  ],
});
const found = async (target: string) => {
  const { json, headers } = await app.send('GET', target);
  const next = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
  return [json.map((each: Record<string, string>) => each.identifier), next] as const;
};

test('whole words come first, also from page to page', async () => {
  expect((await found('/api/cars?search=tdi'))[0]).toEqual(['b', 'a']);
  const [first, next = ''] = await found('/api/cars?search=tdi&number_of_elements=1');
  expect([first, (await found(next))[0]]).toEqual([['b'], ['a']]);
});
