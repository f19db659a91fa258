import type { Commit } from './commit-queue.ts';

/** Told how many writes a commit had, and how many milliseconds it took. */
export type OnCommit = (writes: number, milliseconds: number) => void;

/** @returns the same commit, of which somebody may be told; not of a try for a lock that another process holds */
export const observedCommit = (commit: Commit, onCommit: OnCommit | undefined): Commit => {
  if (!onCommit) return commit;
  return async (intents) => {
    const start = performance.now();
    const settled = await commit(intents);
    if (settled) onCommit(intents.length, performance.now() - start);
    return settled;
  };
};
