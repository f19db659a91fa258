/** Milliseconds by which the clocks may differ through rounding; a greater difference means that the system clock was set. */
const ROUNDING = 2;
/** Milliseconds after which the system clock is read again. */
const CHECK = 50;

/** @returns a function that converts times of `performance.now` to milliseconds since 1970, without reading a clock each time */
export const wallClock = (): ((at: number) => number) => {
  let origin = 0;
  let checkedAt = -Infinity;
  const check = (at: number): void => {
    checkedAt = at;
    const now = Date.now() - performance.now();
    if (Math.abs(now - origin) > ROUNDING) origin = now;
  };
  return (at) => {
    if (at - checkedAt > CHECK) check(at);
    return Math.floor(origin + at);
  };
};
