import type { Log } from '../log/log.ts';
import { mostOpenFiles } from '../metrics/open-files.ts';
import type { Config } from '../settings/config.ts';

/** Files that a process opens beside its connections: databases, threads, rows of imports that wait; half of them where there are few. */
const OWN = 150;

/**
 * Leaves files for the rest of the process. Without any, the code that Node.js loads with the first import or document could not
 * be read, and that request would fail until the next start.
 *
 * @param files that the process may open
 * @returns how many connections may be open
 */
export const mostConnections = (
  { MAX_CONNECTIONS }: Pick<Config, 'MAX_CONNECTIONS'>,
  log: Pick<Log, 'warn'>,
  files = mostOpenFiles(),
): number => {
  if (files === undefined) return MAX_CONNECTIONS;
  const most = files - Math.min(OWN, Math.floor(files / 2));
  if (MAX_CONNECTIONS <= most) return MAX_CONNECTIONS;
  log.warn(
    `MAX_CONNECTIONS=${MAX_CONNECTIONS}: the process may open ${files} files, which is enough for ${most} connections; ulimit -Hn, or LimitNOFILE of systemd, allows more`,
  );
  return most;
};
