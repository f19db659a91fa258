import { readFileSync } from 'node:fs';
import type { Log } from '../log/log.ts';
import type { Config } from '../settings/config.ts';

/** Files that a process opens beside its connections: databases, threads, rows of imports; half of its files if it may open few. */
const OWN = 150;

function readMostFiles(): number {
  try {
    return Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]) || Infinity;
  } catch {
    return Infinity;
  }
}

/**
 * Leaves files for the rest of the process. Without any, the code that Node.js loads with the first import or document could
 * not be read, and that request would fail until the next start.
 */
export function mostConnections(
  { MAX_CONNECTIONS }: Pick<Config, 'MAX_CONNECTIONS'>,
  log: Pick<Log, 'warn'>,
  files = readMostFiles(),
): number {
  const most = files - Math.min(OWN, Math.floor(files / 2));
  if (MAX_CONNECTIONS <= most) return MAX_CONNECTIONS;
  log.warn(
    `MAX_CONNECTIONS=${MAX_CONNECTIONS}: the process may open ${files} files, which is enough for ${most} connections; ulimit -Hn, or LimitNOFILE of systemd, allows more`,
  );
  return most;
}
