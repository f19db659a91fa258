import { expect, onTestFinished } from 'vitest';
import { acknowledged, type PersistentLedger, writePersistently } from './persistent-writers.ts';
import { randomFrom } from './random.ts';
import { readMarks } from './writers.ts';

const CLIENTS = 6;
const SEED = 1;
/** Writes that are acknowledged before a fault, and after it; milliseconds in which they must be. */
const SOME = 20;
const LONGEST = 60_000;

interface Load {
  /** Waits until some more writes were acknowledged. */
  readonly more: () => Promise<void>;
  /** @throws where a client was answered as it must not be */
  readonly stop: () => Promise<void>;
}

/** Clients that write all the time, until they are stopped. */
export const underLoad = (origin: string, ledger: PersistentLedger): Load => {
  let isOver = false;
  const clients = Promise.all(
    Array.from({ length: CLIENTS }, (_, at) =>
      writePersistently(
        () => origin,
        randomFrom(SEED + at),
        at,
        ledger,
        () => isOver,
      ),
    ),
  );
  // Told where it is waited for.
  clients.catch(() => {});
  // A test that fails leaves no clients to its second try, which would write the same cars.
  onTestFinished(async () => {
    isOver = true;
    await clients.catch(() => {});
  });
  return {
    more: async () => {
      const enough = acknowledged(ledger) + SOME;
      const grown = expect.poll(() => acknowledged(ledger), { timeout: LONGEST, interval: 20 }).toBeGreaterThan(enough);
      await Promise.race([clients, grown]);
    },
    stop: async () => {
      isOver = true;
      await clients;
    },
  };
};

/** All that was acknowledged is there, and nothing else, in either tree. */
export const expectAll = async (origin: string, { known }: PersistentLedger): Promise<void> => {
  const expected = new Map([...known].filter(([, mark]) => mark !== undefined));
  for (const seed of [1, 2, 3, 4]) expect(await readMarks(origin, randomFrom(seed))).toEqual(expected);
};
