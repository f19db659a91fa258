/** `node:sqlite` cannot interrupt a statement. Instead the statement itself calls a function every so many rows, which throws. */
import { CREATED } from '../../sql/statement.ts';

/** The name of a function without arguments. */
export const INTERRUPT = 'interrupt';

/** The first condition of a `WHERE`. The number is a prime, because the numbers of creation may go up by even steps. */
export const INTERRUPTIBLE = `(${CREATED} % 997 <> 0 OR ${INTERRUPT}())`;

/** More than the reads at one time: an id that a later one replaces belongs to a read that is over. */
const REMEMBERED = 1_024;

export const cancelledBuffer = (): SharedArrayBuffer =>
  new SharedArrayBuffer(REMEMBERED * Int32Array.BYTES_PER_ELEMENT);

/** The ids of cancelled reads, shared between threads. */
export const cancelledIn = (buffer: SharedArrayBuffer) => {
  const ids = new Int32Array(buffer);
  return {
    add: (id: number): void => void Atomics.store(ids, id % REMEMBERED, id),
    has: (id: number): boolean => Atomics.load(ids, id % REMEMBERED) === id,
  };
};
