/**
 * The turn of the event loop in which requests arrive. What is read from the database or the clock for the first of them is recent
 * enough for the others: Node learns of all their connections at once, before it reads from the first one.
 */

/** Turns are numbered from 1. */
let current = 1;
let hasArrivals = false;
/** The turn in which the system clock was read, and what it said. */
let readIn = 0;
let time = 0;

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

/** @returns milliseconds since 1970, read from the clock once for all requests of a turn */
export const timeOfTurn = (): number => {
  if (!hasArrivals) return Date.now();
  if (readIn !== current) {
    readIn = current;
    time = Date.now();
  }
  return time;
};
