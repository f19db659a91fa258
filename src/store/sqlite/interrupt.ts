/** `node:sqlite` cannot interrupt a statement: a function that the statement itself calls every so many rows does, by throwing. */
import { CREATED } from '../sql/columns.ts';

/** Of a function without arguments. */
export const INTERRUPT = 'interrupt';

/** For a `WHERE`, as its first condition. A prime number of rows, because creation numbers may go up by even steps. */
export const INTERRUPTIBLE = `(${CREATED} % 997 <> 0 OR ${INTERRUPT}())`;

/** The numbers of reads that nobody waits for any more, told to another thread. */
export interface Cancelled {
  readonly add: (id: number) => void;
  readonly has: (id: number) => boolean;
}

/** More than there are reads at one time: a number that is forgotten because of a later one is of a read that is over. */
const REMEMBERED = 1_024;

export const cancelledBuffer = (): SharedArrayBuffer =>
  new SharedArrayBuffer(REMEMBERED * Int32Array.BYTES_PER_ELEMENT);

export const cancelledIn = (buffer: SharedArrayBuffer): Cancelled => {
  const ids = new Int32Array(buffer);
  return {
    add: (id) => void Atomics.store(ids, id % REMEMBERED, id),
    has: (id) => Atomics.load(ids, id % REMEMBERED) === id,
  };
};
