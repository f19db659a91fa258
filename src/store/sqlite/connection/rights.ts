import { accessSync, constants } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isRefused } from './connection.ts';

const { R_OK, W_OK, X_OK } = constants;

/**
 * SQLite names the file, or nothing, whatever it may not write to: often that is the folder, which has the log.
 *
 * @returns an error that names what this process may not write to; the same where that is not the reason
 */
export const namingRights = (location: string, error: unknown): unknown => {
  if (!isRefused(error)) return error;
  const file = resolve(location);
  const needed = [
    [dirname(file), W_OK | X_OK],
    [file, R_OK | W_OK],
  ] as const;
  for (const [path, rights] of needed) {
    try {
      accessSync(path, rights);
    } catch (lacking) {
      const { code } = lacking as NodeJS.ErrnoException;
      if (code !== 'ENOENT') return new Error(`this user may not write to ${path} (${code})`, { cause: error });
    }
  }
  return error;
};
