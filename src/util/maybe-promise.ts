/** A value that SQLite returns at once and PostgreSQL later. */
export type MaybePromise<T> = T | Promise<T>;

/** @returns `next(value)`, as a promise only if `value` was one: what is there costs no turn of the event loop */
export const andThen = <A, B>(value: MaybePromise<A>, next: (value: A) => MaybePromise<B>): MaybePromise<B> =>
  value instanceof Promise ? value.then(next) : next(value);
