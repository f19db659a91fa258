import { setImmediate as turn } from 'node:timers/promises';
import { type Catalogue, type Collection, perCollection } from '../../../gateway/model/catalogue.ts';
import type { Cell } from '../../../gateway/model/field.ts';
import type { Keys, Row } from '../../../gateway/port/port.ts';
import { ConcurrencyLimiter, type ConcurrencyLimits } from '../../../util/concurrency-limiter.ts';
import type { Pool } from '../connection/pool.ts';
import { finderOf, joinKeys } from './find.ts';

/** The most items of one statement. */
const BATCH = 256;

/** Items that one statement will read. */
interface Batch {
  readonly wanted: Keys[];
  readonly found: Promise<ReadonlyMap<string, Row>>;
}

type ReadItem = (keys: Keys) => Promise<Row | undefined>;

/** Reads that arrive in one turn of the event loop, or while a batch waits for a place, become one. */
const readerOf = (pool: Pool, collection: Collection, limiter: ConcurrencyLimiter): ReadItem => {
  const { find, read } = finderOf(collection);
  let open: Batch | undefined;

  const readTogether = (wanted: readonly Keys[]): Promise<ReadonlyMap<string, Row>> => {
    const close = (): void => {
      if (open?.wanted === wanted) open = undefined;
    };
    const readAll = async (): Promise<ReadonlyMap<string, Row>> => {
      // With a place, all that arrives in the same turn of the event loop comes, too.
      await turn();
      close();
      const rows = await pool.read((reader) => reader.rows<Cell[]>(find(wanted)));
      return new Map(rows.map(read).map(({ keys, row }) => [joinKeys(keys), row]));
    };
    return limiter.run(readAll).finally(close);
  };
  return async (keys) => {
    if (!open || open.wanted.length === BATCH) {
      const wanted: Keys[] = [];
      open = { wanted, found: readTogether(wanted) };
    }
    open.wanted.push(keys);
    return (await open.found).get(joinKeys(keys));
  };
};

/**
 * Reads single items, many in one round trip. Each read sees every write that was acknowledged before, because its statement
 * is sent later.
 *
 * @param limits of the statements of one collection
 */
export const itemReader = (
  pool: Pool,
  catalogue: Catalogue,
  limits: ConcurrencyLimits,
): ((collection: Collection, keys: Keys) => Promise<Row | undefined>) => {
  const reader = perCollection(catalogue, (collection) => readerOf(pool, collection, new ConcurrencyLimiter(limits)));
  return (collection, keys) => reader(collection)(keys);
};
