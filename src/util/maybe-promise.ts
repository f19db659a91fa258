/** A value that SQLite returns at once and PostgreSQL later. */
export type MaybePromise<T> = T | Promise<T>;

/**
 * Maps over both, so that a handler is written once, and a value that is available already costs no turn of the event loop.
 * @returns `next(value)`, as a promise only if `value` was one
 */
export const andThen = <A, B>(value: MaybePromise<A>, next: (value: A) => MaybePromise<B>): MaybePromise<B> =>
  value instanceof Promise ? value.then(next) : next(value);
