/**
 * The turn of the event loop in which requests arrive. What is read from the database for the first of them is recent enough
 * for the others: Node learns of all their connections at once, before it reads from the first one.
 */

/** Turns are numbered from 1. */
let current = 1;
let hasArrivals = false;

const end = (): void => {
  hasArrivals = false;
  current += 1;
};

/** @returns the number of the turn; to be called when a request arrives */
export const arrivalTurn = (): number => {
  if (!hasArrivals) {
    hasArrivals = true;
    // Immediates run after all connections of the turn were read, and before Node asks the system again.
    setImmediate(end);
  }
  return current;
};

/** @returns whether it is still the turn in which a request arrived */
export const isCurrentTurn = (turn: number): boolean => hasArrivals && turn === current;
