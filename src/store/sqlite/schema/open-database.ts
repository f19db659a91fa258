import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Catalogue } from '../../../gateway/model/catalogue.ts';
import { DatabaseError } from '../../database-error.ts';
import { type Connection, connect } from '../connection/connection.ts';
import { namingRights } from '../connection/errors.ts';
import type { SqliteOptions } from '../connection/options.ts';
import { copyBeforeUpgrade } from './copy-before-upgrade.ts';
import { checkFile, prepareDatabase } from './schema.ts';

export const MEMORY = ':memory:';

/**
 * Opens a database, creating what is missing.
 *
 * @param location a path, its folder created where missing; or `:memory:`
 * @throws DatabaseError with the location and the reason, where the database cannot be used; what is there is left untouched
 */
export const openDatabase = (
  location: string,
  catalogue: Catalogue,
  { report = () => {}, others }: Pick<SqliteOptions, 'report' | 'others'>,
): Connection => {
  const tell = (line: string): void => report(`${location}: ${line}`);
  try {
    if (location !== MEMORY && !existsSync(location)) mkdirSync(dirname(resolve(location)), { recursive: true });
    else if (location !== MEMORY) checkFile(location);
    const connection = connect(location);
    const copy = (): void => {
      if (location !== MEMORY) copyBeforeUpgrade(connection, location, tell);
    };
    try {
      prepareDatabase(connection, catalogue, tell, others, copy);
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
