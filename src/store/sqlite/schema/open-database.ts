import type { Catalogue } from '../../../gateway/model/catalogue.ts';
import { DatabaseError } from '../../database-error.ts';
import { type Connection, connect } from '../connection/connection.ts';
import { namingRights } from '../connection/errors.ts';
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
  { report = () => {}, others }: Pick<SqliteOptions, 'report' | 'others'>,
  check = (): void => {},
): Connection => {
  try {
    check();
    const connection = connect(location);
    try {
      prepareDatabase(connection, catalogue, (line) => report(`${location}: ${line}`), others);
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  } catch (error) {
    const { message } = namingRights(location, error) as Error;
    throw new DatabaseError(`${location}: ${message}`, { cause: error });
  }
};
