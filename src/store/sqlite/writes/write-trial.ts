import { messageOf } from '../../../gateway/port/unavailable.ts';
import { writeReport } from '../../write-report.ts';
import type { Writer } from './writer-thread.ts';

/** Bytes of free disk from which on a write can be expected to succeed. */
const ENOUGH = 1_048_576;

/**
 * Whether the database accepts writes, by the result of the last one.
 *
 * @param free bytes of the disk
 * @param report called when writes begin to fail, and when they succeed again
 */
export const writeTrial = (tryWriting: Writer['tryWriting'], free: () => number, report: (message: string) => void) => {
  const log = writeReport(report);
  let isFailing = false;
  /** Called after every write, with the error where it failed. */
  const onWrite = (error: unknown): void => {
    isFailing = error !== undefined;
    if (isFailing) log.failed(messageOf(error));
    else log.succeeded();
  };
  return {
    isFailing: (): boolean => isFailing,
    onWrite,
    /** Tries a write where the last one failed, or where the disk has hardly any room. */
    check: async (): Promise<void> => {
      const isEnough = free() >= ENOUGH;
      if (isEnough && !isFailing) return;
      try {
        // A trial is smaller than most writes, so that after a failure it proves nothing without room.
        if ((await tryWriting()) && isEnough) onWrite(undefined);
      } catch (error) {
        onWrite(error);
      }
    },
  };
};
