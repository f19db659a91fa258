/** Milliseconds between two lines. */
const EVERY = 1_000;

export type Tell = (line: string) => void;

const written = (number: number): string => Math.round(number).toLocaleString('en');

/**
 * Tells how far a work has come: after the first rows, then once a second, and at its end.
 *
 * @param tell a line each time, whether or not a terminal shows it
 * @param done what was done at an earlier time already
 * @returns told how many more rows were done
 */
export const progressOf = (tell: Tell, work: string, total: number, done = 0): ((count: number) => void) => {
  const begun = performance.now();
  let told = -Infinity;
  let more = 0;
  return (count) => {
    more += count;
    const now = performance.now();
    const isOver = done + more >= total;
    if (!isOver && now - told < EVERY) return;
    told = now;
    const percent = Math.floor((100 * (done + more)) / total);
    const rate = more / Math.max((now - begun) / 1_000, 0.001);
    tell(`${work} ${written(done + more)} of ${written(total)} rows (${percent} %), ${written(rate)} rows/s`);
  };
};
