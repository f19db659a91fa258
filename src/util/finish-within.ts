import type { MaybePromise } from './maybe-promise.ts';

/** Work that is not done within so many milliseconds goes on. */
export function finishWithin(work: MaybePromise<unknown>, limit: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(resolve, limit, false);
    Promise.resolve(work)
      .then(() => resolve(true), reject)
      .finally(() => clearTimeout(late));
  });
}
