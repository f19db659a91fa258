import { quote } from '../../sql/statement.ts';
import { CHANGE } from '../../sql/system-tables.ts';
import { type Connection, pragma } from '../connection/connection.ts';

/** Tells one state of one database from another. */
export interface Stamp {
  /** The same for a database and all copies of it. */
  readonly lineage: number;
  /** The last change number. */
  readonly change: number;
  /**
   * How often the schema has changed (`PRAGMA schema_version`). `VACUUM INTO` writes one more into its copy, whose pages are not
   * the original's, and an online backup begins to count anew.
   */
  readonly schema: number;
}

/** What the row has as its identifier, which nothing else uses, until there is a name. */
const NAMELESS = 1;

/** Gives a database without one the name of its lineage: some random number. `VACUUM` takes it away. */
export const nameLineage = `UPDATE ${quote(CHANGE)} SET rowid = 2 + abs(random() % 1000000000000) WHERE rowid = ${NAMELESS}`;

/** @throws where there is none */
export const readStamp = (connection: Connection): Stamp => {
  const [lineage, change] = connection.row<[number, number]>(`SELECT rowid, "number" FROM ${quote(CHANGE)}`, []) ?? [];
  if (lineage === undefined || change === undefined) throw new TypeError('the database has no change number');
  return { lineage, change, schema: pragma(connection, 'schema_version') };
};
