import type { Commit } from './commit-queue.ts';

/** Called with the number of writes of a commit, and its milliseconds. */
export type OnCommit = (writes: number, milliseconds: number) => void;

/** @returns the same commit, which reports itself; not an attempt that found the lock taken */
export const observedCommit = (commit: Commit, onCommit: OnCommit | undefined): Commit => {
  if (!onCommit) return commit;
  return async (intents, patience) => {
    const start = performance.now();
    const settled = await commit(intents, patience);
    if (settled) onCommit(intents.length, performance.now() - start);
    return settled;
  };
};
