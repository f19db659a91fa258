import type { MaybePromise } from './maybe-promise.ts';

/** @returns whether the work is done within so many milliseconds; if it is not, it goes on */
export function finishWithin(work: MaybePromise<unknown>, limit: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(resolve, limit, false);
    Promise.resolve(work)
      .then(() => resolve(true), reject)
      .finally(() => clearTimeout(late));
  });
}
