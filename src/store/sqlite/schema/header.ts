import { type Connection, pragma } from '../connection/connection.ts';

/** Values of `PRAGMA application_id`: "CDLC", and "cdlc", with which earlier versions marked a file whose log has more. */
const APPLICATION = 0x43444c43;
const FORMER_MARK = 0x63646c63;

/** Writes only what is not there, because a database is opened on a full disk, too. */
export function setHeader(connection: Connection, version: number): void {
  if (pragma(connection, 'application_id') !== APPLICATION) connection.exec(`PRAGMA application_id = ${APPLICATION}`);
  if (pragma(connection, 'user_version') !== version) connection.exec(`PRAGMA user_version = ${version}`);
}

/** @returns whose database it is, by its header */
export function ownerOf(connection: Connection): 'ours' | 'nobody' | 'another program' {
  const application = pragma(connection, 'application_id');
  if (application === 0) return 'nobody';
  return application === APPLICATION || application === FORMER_MARK ? 'ours' : 'another program';
}
