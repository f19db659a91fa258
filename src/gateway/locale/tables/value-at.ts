/** @returns the value at a path in JSON of any shape; `undefined` if there is none */
export const valueAt = (content: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (at, name) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? Reflect.get(at, name) : undefined,
    content,
  );
