/** Checks that a file is a database of this service, which can be copied or restored. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { messageOf } from '../../gateway/port/unavailable.ts';
import type { CommandText } from '../../gateway/texts/shown-text.ts';
import type { Config } from '../../host/settings/config.ts';
import { isInMemory, isServer, locationOf } from '../../host/settings/database-url.ts';
import { statement } from '../../store/sql/statement.ts';
import { CHANGE, migrations } from '../../store/sql/system-tables.ts';
import {
  type Connection,
  connect,
  hasSchemaObject,
  pragma,
  readUnlocked,
} from '../../store/sqlite/connection/connection.ts';
import { isDamaged, isUnavailable } from '../../store/sqlite/connection/errors.ts';
import { walSize } from '../../store/sqlite/schema/wal.ts';
import { needsWal, ownerOf } from '../../store/sqlite/schema/wal-mark.ts';
import { commandError } from '../commands/command-error.ts';

/** @returns the path of the database. @throws CommandError where it is not a file */
export const databaseFile = (
  { DATABASE_URL: url }: Config,
  serverText: Extract<CommandText, 'server-backup' | 'server-restore'>,
): string => {
  if (isServer(url)) throw commandError(serverText, {});
  if (isInMemory(url)) throw commandError('in-memory', {});
  const location = locationOf(url);
  return existsSync(location) ? realpathSync(location) : location;
};

/** @returns whether two names lead to one file */
export const isSameFile = (one: string, other: string): boolean => {
  const [a, b] = [one, other].map((file) => statSync(file, { throwIfNoEntry: false, bigint: true }));
  return a !== undefined && a.ino === b?.ino && a.dev === b.dev;
};

/**
 * Runs work on a SQLite file.
 *
 * @param path where it is opened, which may be a copy of it on a full disk
 * @throws CommandError where SQLite fails
 */
const onFile = <T>(file: string, work: () => T, path = file): T => {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error && 'errcode' in error)) throw error;
    const reason = messageOf(error);
    if (isUnavailable(error) && !isDamaged(error)) throw commandError('file-unusable', { file: path, reason }, error);
    throw commandError('file-damaged', { file, reason }, error);
  }
};

/** Checks the header of a file that may be in use. @throws CommandError where it is not a complete database of this service */
export const checkHeader = (file: string): void => {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw commandError('file-missing', { file });
  onFile(file, () =>
    readUnlocked(file, (connection) => {
      const owner = ownerOf(connection);
      const isNew = pragma(connection, 'schema_version') === 0;
      if (owner === 'another program' || (owner === 'nobody' && !isNew)) throw commandError('file-foreign', { file });
      if (needsWal(connection) && walSize(file) === 0) throw commandError('file-without-log', { file });
    }),
  );
};

/** Reads all of an open database. @param file its name for people @throws CommandError where anything is wrong */
const checkContent = (connection: Connection, file: string): void => {
  if (!hasSchemaObject(connection, CHANGE)) throw commandError('file-empty', { file });
  if (pragma(connection, 'user_version') > migrations.length) throw commandError('file-newer', { file });
  const [[found = 'ok'] = []] = connection.rows<[string]>(statement('PRAGMA integrity_check(1)'));
  if (found !== 'ok') throw commandError('file-damaged', { file, reason: found });
  const [orphan] = connection.rows<[string, number, string]>(statement('PRAGMA foreign_key_check'));
  if (orphan) throw commandError('file-damaged', { file, reason: `foreign key: ${orphan.join(' ')}` });
};

/**
 * Opens a database that nobody else uses, reads all of it, works on it, and leaves it without a log.
 *
 * @param file its name for people
 */
export const withCheckedFile = (path: string, file: string, work: (connection: Connection) => void): void => {
  const checked = (): void => {
    const connection = connect(path);
    try {
      checkContent(connection, file);
      work(connection);
    } finally {
      connection.close();
    }
  };
  onFile(file, checked, path);
};
