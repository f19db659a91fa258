import { constants, getPriority, setPriority } from 'node:os';

/** Added to the system's `nice` value: the thread then gets a third of the share of one beside it. */
const STEPS = 5;

/** Lets the event loop go first. Only Linux has a priority for each thread; elsewhere it is the whole process's. */
export const lowerPriority = (): void => {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + STEPS));
  } catch {
    // A sandbox may forbid it; then both share the core alike.
  }
};
