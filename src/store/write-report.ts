/** Milliseconds for which writes succeed before that is told: at the edge of a full disk one fails and the next does not. */
const HELD = 1_000;

/**
 * Tells an operator, once each, that writes fail, and that they succeed again.
 *
 * @param report logs a line
 */
export const writeReport = (report: (line: string) => void) => {
  let told: string | undefined;
  let over: NodeJS.Timeout | undefined;
  return {
    failed: (reason: string): void => {
      clearTimeout(over);
      over = undefined;
      if (reason !== told) report(`takes no writes: ${reason}`);
      told = reason;
    },
    succeeded: (): void => {
      if (told === undefined || over) return;
      over = setTimeout(() => {
        told = undefined;
        over = undefined;
        report('takes writes again');
      }, HELD).unref();
    },
  };
};
