import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Catalogue } from '../../gateway/model/catalogue.ts';
import { messageOf } from '../../gateway/port/unavailable.ts';
import { isServer, locationOf } from '../../host/settings/database-url.ts';
import { DatabaseError } from '../../store/database-error.ts';
import { publicAddress } from '../../store/postgres/connection/addresses.ts';
import { type Statement, statement } from '../../store/sql/statement.ts';
import type { OtherCollections } from '../../store/sql/system/other-collections.ts';
import type { Driver } from './driver.ts';

/**
 * A database as its tables are stored, for commands that read or fill whole tables without the rules of the store. Its errors are
 * `DatabaseError`s with its name and the reason.
 */
export type RawDatabase = Awaited<ReturnType<typeof openRawDatabase>>;

const nameOf = (url: string): string => {
  if (isServer(url)) return publicAddress(url);
  const file = locationOf(url);
  return `sqlite:${existsSync(file) ? realpathSync(file) : resolve(file)}`;
};

// Loaded here, because a command may need only the one driver.
const openDriver = async (
  url: string,
  catalogue: Catalogue,
  isSource: boolean,
  others: OtherCollections,
): Promise<Driver> =>
  isServer(url)
    ? (await import('./postgres.ts')).openPostgres(url, catalogue, others)
    : (await import('./sqlite.ts')).openSqlite(locationOf(url), catalogue, isSource, others);

/** @returns the same error for a fault in our own code; for every other one what an operator reads */
const toDatabaseError = (name: string, error: unknown): unknown => {
  const isOurs = !(error instanceof Error) || error instanceof TypeError || error instanceof RangeError;
  return isOurs ? error : new DatabaseError(`${name}: ${messageOf(error)}`, { cause: error });
};

/**
 * @param url `sqlite:<path>` or `postgres://…`
 * @param isSource whether the database must exist, and is not changed
 */
export const openRawDatabase = async (
  url: string,
  catalogue: Catalogue,
  isSource: boolean,
  others: OtherCollections = 'refuse',
) => {
  const name = nameOf(url);
  const named =
    <A extends readonly unknown[], T>(work: (...args: A) => Promise<T>): ((...args: A) => Promise<T>) =>
    (...args) =>
      work(...args).catch((error: unknown) => {
        throw toDatabaseError(name, error);
      });
  const driver = await named(openDriver)(url, catalogue, isSource, others);
  const [exec, rows] = [named(driver.exec), named(driver.rows) as Driver['rows']];
  const within =
    (begin: string) =>
    async <T>(work: () => Promise<T>): Promise<T> => {
      await exec(begin);
      try {
        const result = await work();
        await exec('COMMIT');
        return result;
      } catch (error) {
        await driver.exec('ROLLBACK').catch(() => {});
        throw error;
      }
    };
  return {
    ...driver,
    /** Its URL without user and password. */
    name,
    /** Whether it is PostgreSQL's, not a file of SQLite's. */
    isServer: isServer(url),
    check: named(driver.check),
    prepare: named(driver.prepare),
    exec,
    rows,
    stream: async function* (wanted: Statement) {
      try {
        yield* driver.stream(wanted);
      } catch (error) {
        throw toDatabaseError(name, error);
      }
    },
    insert: named(driver.insert),
    /** @returns the names of its tables */
    tables: async (): Promise<ReadonlySet<string>> =>
      new Set((await rows<[string]>(statement(driver.sql.tables))).flat()),
    /** All reads within the work see one state of the database. */
    snapshot: within(driver.sql.beginSnapshot),
    transaction: within(driver.sql.beginTransaction),
  };
};
