/** Reads JSON of any shape, such as tables that are not checked yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @returns the object, or an empty one for any other value */
export const objectOr = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** @returns the value at a path; `undefined` if there is none */
export const valueAt = (content: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((at, name) => (isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined), content);
