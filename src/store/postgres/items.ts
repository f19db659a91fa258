import { type Catalogue, type Collection, perCollection } from '../../model/catalogue.ts';
import type { Cell } from '../../model/field.ts';
import type { Keys, Row } from '../port.ts';
import { unavailable } from '../unavailable.ts';
import { finderOf, joinKeys } from './find.ts';
import type { Pool } from './pool.ts';

/** Items that one statement reads at the most, statements of a collection that are on their way at one time, and reads that wait. */
const BATCH = 256;
const LANES = 4;
const WAITING = 10_000;

interface Waiting {
  readonly keys: Keys;
  readonly since: number;
  readonly resolve: (row: Row | undefined) => void;
  readonly reject: (error: unknown) => void;
}

type ReadItem = (keys: Keys) => Promise<Row | undefined>;

/** What is asked for in one turn of the event loop, or while others are on their way, is one statement. */
const readerOf = (pool: Pool, collection: Collection, patience: number): ReadItem => {
  const { find, read } = finderOf(collection);
  let waiting: Waiting[] = [];
  let onTheirWay = 0;
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
  /** Those that have waited in vain for so long that their clients should know: what follows may take as long again. */
  const giveUp = (): void => {
    const deadline = performance.now() - patience;
    const patient = waiting.findIndex(({ since }) => since > deadline);
    const expired = waiting.splice(0, patient === -1 ? waiting.length : patient);
    for (const { reject } of expired) reject(unavailable(new Error('too many reads wait for the database')));
  };
  const flush = async (): Promise<void> => {
    isScheduled = false;
    const batch = waiting.slice(0, BATCH);
    waiting = waiting.slice(BATCH);
    onTheirWay++;
    schedule();
    await readTogether(batch);
    onTheirWay--;
    giveUp();
    schedule();
  };
  const schedule = (): void => {
    if (isScheduled || waiting.length === 0 || onTheirWay >= LANES) return;
    isScheduled = true;
    setImmediate(flush);
  };
  return (keys) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= WAITING) {
        reject(unavailable(new Error('too many reads wait for the database')));
        return;
      }
      waiting.push({ keys, since: performance.now(), resolve, reject });
      schedule();
    });
};

/**
 * Reads of single items, many in one round trip. Each sees all that was acknowledged before it was asked for, since its
 * statement is sent after.
 *
 * @param patience milliseconds after which a read does not wait for others any longer
 * @returns a reader of each collection's items
 */
export const itemReader = (
  pool: Pool,
  catalogue: Catalogue,
  patience: number,
): ((collection: Collection, keys: Keys) => Promise<Row | undefined>) => {
  const reader = perCollection(catalogue, (collection) => readerOf(pool, collection, patience));
  return (collection, keys) => reader(collection)(keys);
};
