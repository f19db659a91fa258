import { type Catalogue, type Collection, perCollection } from '../../../gateway/model/catalogue.ts';
import type { Cell } from '../../../gateway/model/field.ts';
import type { Keys, Row } from '../../../gateway/port/port.ts';
import { unavailable } from '../../../gateway/port/unavailable.ts';
import { OverloadError } from '../connection/errors.ts';
import type { Pool } from '../connection/pool.ts';
import { finderOf, joinKeys } from './find.ts';

/** The most items of one statement, concurrent statements of one collection, and waiting reads. */
const BATCH = 256;
const AT_ONCE = 4;
const WAITING = 10_000;

interface Waiting {
  readonly keys: Keys;
  readonly since: number;
  readonly resolve: (row: Row | undefined) => void;
  readonly reject: (error: unknown) => void;
}

type ReadItem = (keys: Keys) => Promise<Row | undefined>;

/** Reads that arrive in one turn of the event loop, or while as many statements run as may, become one. */
const readerOf = (pool: Pool, collection: Collection, giveUpMs: number): ReadItem => {
  const { find, read } = finderOf(collection);
  let waiting: Waiting[] = [];
  let inFlight = 0;
  let isScheduled = false;

  const readTogether = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const statement = find(batch.map(({ keys }) => keys));
      const rows = await pool.read((reader) => reader.rows<Cell[]>(statement));
      const found = new Map(rows.map(read).map(({ keys, row }) => [joinKeys(keys), row]));
      for (const { keys, resolve } of batch) resolve(found.get(joinKeys(keys)));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };
  /** Rejects reads that have waited too long already: their statement might take as long again. */
  const rejectExpired = (): void => {
    const deadline = performance.now() - giveUpMs;
    const firstInTime = waiting.findIndex(({ since }) => since > deadline);
    const expired = waiting.splice(0, firstInTime === -1 ? waiting.length : firstInTime);
    for (const { reject } of expired) reject(unavailable(new OverloadError('too many reads wait for the database')));
  };
  const flush = async (): Promise<void> => {
    isScheduled = false;
    const batch = waiting.slice(0, BATCH);
    waiting = waiting.slice(BATCH);
    inFlight++;
    schedule();
    await readTogether(batch);
    inFlight--;
    rejectExpired();
    schedule();
  };
  const schedule = (): void => {
    if (isScheduled || waiting.length === 0 || inFlight >= AT_ONCE) return;
    isScheduled = true;
    setImmediate(flush);
  };
  return (keys) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= WAITING) {
        reject(unavailable(new OverloadError('too many reads wait for the database')));
        return;
      }
      waiting.push({ keys, since: performance.now(), resolve, reject });
      schedule();
    });
};

/**
 * Reads single items, many in one round trip. Each read sees every write that was acknowledged before, because its statement
 * is sent later.
 *
 * @param giveUpMs milliseconds after which a read that still waits is rejected
 */
export const itemReader = (
  pool: Pool,
  catalogue: Catalogue,
  giveUpMs: number,
): ((collection: Collection, keys: Keys) => Promise<Row | undefined>) => {
  const reader = perCollection(catalogue, (collection) => readerOf(pool, collection, giveUpMs));
  return (collection, keys) => reader(collection)(keys);
};
