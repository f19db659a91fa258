import type { Json } from './context.ts';

/** @returns the schema of an object with these members and no other, all of them required but those named */
export const object = (properties: Readonly<Record<string, Json>>, optional: readonly string[] = []): Json => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});

const text: Json = { type: 'string' };
const address: Json = { type: 'string', pattern: '^/' };
const listOf = (items: Json): Json => ({ type: 'array', items });

/** By canonical name. */
const map = (values: Json): Json => ({ type: 'object', additionalProperties: values });

export const index = object({
  title: text,
  description: text,
  totals: map({ type: 'integer', minimum: 0 }),
  openapi: address,
  documentation: address,
  dictionaries: address,
  languages: listOf(
    object({
      tag: text,
      name: text,
      collections: map(address),
      openapi: address,
      dictionary: address,
      documentation: address,
    }),
  ),
});

export const dictionaries = listOf(object({ tag: text, name: text, translatedName: text, url: address }));

const field = object({
  word: text,
  kind: { type: 'string', enum: ['key', 'text', 'integer', 'flag'] },
  required: { type: 'boolean' },
  schema: { type: 'object' },
});
const collection = object({ parent: text, paths: object({ list: address, item: address }), fields: map(field) }, [
  'parent',
]);
const parameter = object({ word: text, kind: { type: 'string', enum: ['field', 'value', 'integer'] } });

export const dictionary = object({
  tag: text,
  name: text,
  direction: { type: 'string', enum: ['ltr', 'rtl'] },
  collections: map(collection),
  parameters: map(parameter),
  values: map(text),
  problems: map(text),
});
