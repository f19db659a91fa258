/** Milliseconds. */
const MINUTE = 60_000;

/**
 * @param most crashes within a minute
 * @param now milliseconds
 * @returns a function that counts a crash and returns whether that was one too many
 */
export const crashLimit = (most: number, now: () => number = () => performance.now()): (() => boolean) => {
  let times: readonly number[] = [];
  return () => {
    const time = now();
    times = [...times.filter((each) => each > time - MINUTE), time];
    return times.length >= most;
  };
};
