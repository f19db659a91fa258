/** The file of a SQLite database, as the commands that copy, restore and verify one open it. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { messageOf } from '../../gateway/port/unavailable.ts';
import type { CommandText } from '../../gateway/texts/shown-text.ts';
import type { Config } from '../../host/settings/config.ts';
import { isInMemory, isServer, locationOf } from '../../host/settings/database-url.ts';
import { CHANGE, migrations } from '../../store/sql/system-tables.ts';
import {
  type Connection,
  connect,
  hasSchemaObject,
  pragma,
  readUnlocked,
} from '../../store/sqlite/connection/connection.ts';
import { isDamaged, isUnavailable, namingRights } from '../../store/sqlite/connection/errors.ts';
import { ownerOf } from '../../store/sqlite/schema/header.ts';
import { commandError } from '../commands/command-error.ts';

/** @returns the path of the database. @throws CommandError where it is not a file */
export function databaseFile(
  { DATABASE_URL: url }: Config,
  serverText: Extract<CommandText, `server-${string}`>,
): string {
  if (isServer(url)) throw commandError(serverText, {});
  if (isInMemory(url)) throw commandError('in-memory', {});
  const location = locationOf(url);
  return existsSync(location) ? realpathSync(location) : location;
}

/** @returns whether two names lead to one file */
export function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((file) => statSync(file, { throwIfNoEntry: false, bigint: true }));
  return a !== undefined && a.ino === b?.ino && a.dev === b.dev;
}

/** @returns whether a file can be opened as a database: of another file SQLite would fold a log into it all the same */
export function isDatabase(file: string): boolean {
  let owner: ReturnType<typeof ownerOf>;
  try {
    owner = readUnlocked(file, ownerOf);
  } catch {
    return false;
  }
  if (owner === 'another program') throw commandError('file-foreign', { file });
  return true;
}

/**
 * Runs work on a SQLite file.
 *
 * @param path where it is opened, which may be a copy of it on a full disk
 * @throws CommandError where SQLite fails
 */
function runOnFile<T>(file: string, path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error && 'errcode' in error)) throw error;
    const reason = messageOf(namingRights(path, error));
    if (isUnavailable(error) && !isDamaged(error)) throw commandError('file-unusable', { file: path, reason }, error);
    throw commandError('file-damaged', { file, reason }, error);
  }
}

/** Checks the header of a file that may be in use. @throws CommandError where it is not a complete database of this service */
export function checkHeader(file: string): void {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw commandError('file-missing', { file });
  runOnFile(file, file, () =>
    readUnlocked(file, (connection) => {
      const owner = ownerOf(connection);
      const isNew = pragma(connection, 'schema_version') === 0;
      if (owner === 'another program' || (owner === 'nobody' && !isNew)) throw commandError('file-foreign', { file });
    }),
  );
}

/**
 * Opens a database, works on it, and closes it; the last one to close it folds its log into it.
 *
 * @param file its name for people
 * @throws CommandError where it has no catalogue, or one of a newer version
 */
export function withDatabase<T>(path: string, file: string, work: (connection: Connection) => T): T {
  return runOnFile(file, path, () => {
    const connection = connect(path);
    try {
      if (!hasSchemaObject(connection, CHANGE)) throw commandError('file-empty', { file });
      if (pragma(connection, 'user_version') > migrations.length) throw commandError('file-newer', { file });
      return work(connection);
    } finally {
      connection.close();
    }
  });
}
