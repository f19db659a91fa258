/**
 * Instances that write beside each other have the lock of all writers one after the other: the message that commits takes it, and
 * waits for it. A batch that has been sent cannot grow, so it is sent when the others will soon have done.
 */

/** SQL of the milliseconds from when the server got a statement, beside a row that it has just locked. */
export const WAITED = 'extract(epoch FROM clock_timestamp() - statement_timestamp()) * 1000 AS "waited"';

/** Milliseconds: after a shorter wait nobody else had the lock. */
const LEAST = 2;
/** What is left of the others' time after a commit of ours that had not to wait: they come late, or write no more. */
const KEPT = 0.75;
/** The most milliseconds that a batch grows. */
const MOST = 20;

export type LockTimes = ReturnType<typeof lockTimes>;

/** @param now milliseconds */
export const lockTimes = (now = () => performance.now()) => {
  let ended = 0;
  /** Milliseconds that the others had the lock between two commits of ours. */
  let others = 0;
  return {
    /** @param asked when a statement was sent that took the lock @param waited milliseconds until it did */
    hadLock: (asked: number, waited: number): void => {
      others = waited < LEAST ? others * KEPT : asked + waited - ended;
    },
    end: (): void => {
      ended = now();
    },
    /** Milliseconds for which the next batch may still grow. */
    left: (): number => Math.min(others, MOST) - (now() - ended),
  };
};
