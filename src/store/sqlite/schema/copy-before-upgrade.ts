import { rmSync } from 'node:fs';
import { moveInto } from '../../../util/move-into.ts';
import { DatabaseError } from '../../database-error.ts';
import { migrations } from '../../sql/system-tables.ts';
import { type Connection, pragma } from '../connection/connection.ts';

/** Ends of the names of files that SQLite makes beside a database. */
const BESIDE = ['', '-journal', '-wal', '-shm'];

/**
 * Copies a database that an earlier version of the schema wrote, because the upgrade drops what nothing uses any more. The copy
 * has its name once it is whole, so that a start which was interrupted is repeated from its beginning.
 *
 * @param report called with a line that names the copy
 * @throws DatabaseError if there is no room for it, or for another reason; nothing is changed then
 */
export function copyBeforeUpgrade(connection: Connection, location: string, report: (line: string) => void): void {
  const version = pragma(connection, 'user_version');
  if (version === 0 || version >= migrations.length) return;
  const copy = `${location}.version-${version}`;
  const part = `${copy}.part`;
  const removePart = (): void => {
    for (const end of BESIDE) rmSync(part + end, { force: true });
  };
  removePart();
  try {
    connection.run('VACUUM INTO ?', [part]);
    moveInto(part, copy);
  } catch (error) {
    removePart();
    const reason = (error as Error).message;
    throw new DatabaseError(`cannot be copied to ${copy} before its upgrade: ${reason}`, { cause: error });
  }
  // Where earlier versions counted the requests of clients.
  for (const end of BESIDE) rmSync(`${location}-limits${end}`, { force: true });
  report(`was copied to ${copy} before its upgrade from version ${version} of the schema to ${migrations.length}`);
}
