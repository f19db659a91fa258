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
 * @returns how many connections may be open at one of the processes that share the port
 */
export const mostConnections = (
  { MAX_CONNECTIONS, WORKERS }: Pick<Config, 'MAX_CONNECTIONS' | 'WORKERS'>,
  log: Pick<Log, 'warn'>,
  files = mostOpenFiles(),
): number => {
  const wanted = Math.ceil(MAX_CONNECTIONS / WORKERS);
  if (files === undefined) return wanted;
  const most = files - Math.min(OWN, Math.floor(files / 2));
  if (wanted <= most) return wanted;
  log.warn(
    `MAX_CONNECTIONS=${MAX_CONNECTIONS}: the process may open ${files} files, which is enough for ${most} connections; ulimit -Hn, or LimitNOFILE of systemd, allows more`,
  );
  return most;
};
