import { quote } from '../../sql/statement.ts';
import { CHANGE } from '../../sql/system-tables.ts';
import { type Connection, pragma } from '../connection/connection.ts';

/** Identifies a state of a database. */
export interface Stamp {
  /** The same for a database and all copies of it. */
  readonly lineage: number;
  /** The last change number. */
  readonly change: number;
  /**
   * How often the schema has changed (`PRAGMA schema_version`). `VACUUM INTO` increases it in its copy, whose pages differ from
   * the original's; an online backup begins to count again.
   */
  readonly schema: number;
}

/** The rowid, which nothing else uses, of a database without a name. */
const NAMELESS = 1;

/** Names the lineage of a database that has no name, by a random number. `VACUUM` removes the name. */
export const nameLineage = `UPDATE ${quote(CHANGE)} SET rowid = 2 + abs(random() % 1000000000000) WHERE rowid = ${NAMELESS}`;

/** @throws where there is none */
export const readStamp = (connection: Connection): Stamp => {
  const [lineage, change] = connection.row<[number, number]>(`SELECT rowid, "number" FROM ${quote(CHANGE)}`, []) ?? [];
  if (lineage === undefined || change === undefined) throw new TypeError('the database has no change number');
  return { lineage, change, schema: pragma(connection, 'schema_version') };
};
