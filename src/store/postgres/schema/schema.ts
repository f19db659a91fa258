import type { Catalogue } from '../../../gateway/model/catalogue.ts';
import type { OtherCollections } from '../../sql/schema.ts';
import { migrations } from '../../sql/system-tables.ts';
import { inOwnTransaction, type Reader } from '../connection/connection.ts';
import type { Pool } from '../connection/pool.ts';
import { checkCollections, checkOwner, checkServer, readExistingSchema } from './inspect.ts';
import { isNothing, missingIn } from './missing.ts';
import { dropUnused, register, upgrade } from './upgrade.ts';

/**
 * Prepares a database for a catalogue. Of several instances that start at once, one does the work.
 *
 * @param pool of at least two connections; its statements must have no time limit
 * @param report called with a line about what it waits for
 * @throws DatabaseError where the tables belong to another program, another catalogue or a newer version
 */
export const prepareDatabase = (
  pool: Pool,
  catalogue: Catalogue,
  report: (line: string) => void = () => {},
  others: OtherCollections = 'refuse',
): Promise<void> =>
  pool.use(async (connection) => {
    // Alone, because a pooler that allows no transactions says so and closes: of what is sent after it, only the failure would be told.
    await connection.begin();
    await connection.exec('COMMIT');
    const reader = inOwnTransaction(connection);
    await checkServer(reader);
    const compare = async (reader: Reader) => {
      const found = await readExistingSchema(reader);
      checkOwner(found, catalogue);
      return { found, missing: missingIn(found, catalogue) };
    };
    const { found, missing } = await compare(reader);
    await checkCollections(reader, found, catalogue, others);
    if (found.version !== migrations.length || !isNothing(missing)) {
      if (found.version === undefined) await register(connection);
      await upgrade(pool, connection, compare, report);
    }
    await dropUnused(connection, found.unused);
  });
