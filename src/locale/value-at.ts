/** @returns what stands at one place of JSON that may be anything; `undefined` where it has no such place */
export const valueAt = (content: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (at, name) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? Reflect.get(at, name) : undefined,
    content,
  );
