import type { Catalogue } from '../../../model/catalogue.ts';
import { DatabaseError } from '../../database-error.ts';
import { type Connection, connect } from '../connection/connection.ts';
import type { SqliteOptions } from '../connection/options.ts';
import { prepareDatabase } from './schema.ts';

/**
 * @param location a path, or `:memory:`
 * @param check called before the database is opened
 * @throws DatabaseError with the location and the reason, where the database cannot be used
 */
export const openDatabase = (
  location: string,
  catalogue: Catalogue,
  { report = () => {} }: Pick<SqliteOptions, 'report'>,
  check = (): void => {},
): Connection => {
  try {
    check();
    const connection = connect(location);
    try {
      prepareDatabase(connection, catalogue, (line) => report(`${location}: ${line}`));
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  } catch (error) {
    throw new DatabaseError(`${location}: ${(error as Error).message}`, { cause: error });
  }
};
