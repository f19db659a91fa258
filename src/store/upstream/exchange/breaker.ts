import { Unavailable } from '../../../gateway/port/unavailable.ts';

/** Exchanges that fail one after the other, until no more are tried. */
const MOST = 5;
/** Milliseconds until one is tried again. */
const PAUSE = 5_000;

/** Spares an API that does not respond, and clients the wait for it. @param now milliseconds of a clock */
export const breakerOf = (now: () => number = () => performance.now()) => {
  let failures = 0;
  let closedUntil = 0;
  return {
    /** @throws Unavailable while nothing is tried */
    check: (): void => {
      if (failures < MOST) return;
      const wait = closedUntil - now();
      if (wait > 0) {
        const cause = new Error('upstream: it has not responded to the last requests');
        throw new Unavailable('database', { cause, retryAfter: Math.ceil(wait / 1_000) });
      }
      // This one is the trial; the others wait for what becomes of it.
      closedUntil = now() + PAUSE;
    },
    succeeded: (): void => {
      failures = 0;
    },
    failed: (): void => {
      failures++;
      closedUntil = now() + PAUSE;
    },
  };
};
