import type { MaybePromise } from './maybe-promise.ts';

/**
 * Waits for work that may never end. @returns whether the work is done; if it is not, it goes on, and nobody waits for it
 * any more
 */
export function finishWithin(work: MaybePromise<unknown>, limit: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(resolve, limit, false);
    Promise.resolve(work)
      .then(() => resolve(true), reject)
      .finally(() => clearTimeout(late));
  });
}
