import type { Json } from './context.ts';

/** @returns the schema of an object with these members and no other, all of them required but those named */
export const object = (properties: Readonly<Record<string, Json>>, optional: readonly string[] = []): Json => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});
