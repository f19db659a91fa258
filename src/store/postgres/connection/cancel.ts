import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Milliseconds in which most statements end by themselves, and between two requests: one that arrives between two
 * statements ends neither.
 */
const WAIT_MS = 50;

/** Has the server end work that nobody waits for. */
export const endEarly = async (work: Promise<unknown>, cancel: () => Promise<void>): Promise<void> => {
  const over = work.then(
    () => true,
    () => true,
  );
  while (!(await Promise.race([over, sleep(WAIT_MS, false, { ref: false })]))) await cancel();
};
