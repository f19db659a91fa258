/** Values that are made of schemas are such as these allow. */
import { expect, test } from 'vitest';
import { Reader } from '../../packages/parity/src/trees/document.ts';
import { makeValue } from '../../packages/parity/src/trees/values.ts';

const schemas = {
  Brand: { type: 'string', enum: ['Seat', 'Audi'] },
  Price: { type: 'number', exclusiveMinimum: 10 },
  Car: {
    type: 'object',
    properties: { id: { type: 'integer', readOnly: true }, brand: { type: 'string', maxLength: 3 } },
  },
};
const reader = new Reader({ openapi: '3.1.0', paths: {}, components: { schemas } });
const refer = (name: keyof typeof schemas) => ({ $ref: `#/components/schemas/${name}` });

test.each([
  ['what another schema describes, with a description', { allOf: [refer('Brand')], description: 'Its brand' }, 'Seat'],
  [
    'a member of several schemas',
    { allOf: [refer('Car'), { properties: { isNew: { type: 'boolean' } } }] },
    { brand: 'Ñ «', isNew: true },
  ],
  ['the first alternative', { anyOf: [refer('Price'), { type: 'null' }] }, 12.5],
  ['a list', { type: 'array', items: { type: ['integer', 'null'], maximum: 1 } }, [1]],
  ['a constant', { const: 7 }, 7],
  ['a date', { type: 'string', format: 'date' }, '2008-11-30'],
])('%s', (_, schema, value) => {
  expect(makeValue(reader, schema)).toEqual(value);
});
