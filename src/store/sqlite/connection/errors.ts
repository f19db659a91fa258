/** What the errors of SQLite mean. */
import { accessSync, constants } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Reason, unavailable } from '../../../gateway/port/unavailable.ts';

/** https://sqlite.org/rescode.html: the low byte of an error code. */
const BUSY = 5;
/** It is none of SQLite's. */
const FOREIGN = 26;
/** Its pages contradict each other, or lack. */
const DAMAGED: readonly number[] = [11, FOREIGN];
const OUT_OF_SERVICE: ReadonlySet<number> = new Set([BUSY, 6, 8, 10, 13, 14, 15, ...DAMAGED]);

const UNWRITABLE: ReadonlyMap<number, Reason> = new Map([
  [13, 'full'],
  [8, 'read-only'],
]);

const primaryCode = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;

const isClosed = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_STATE';

/** @returns whether the database cannot do its work: locked, full, read-only, damaged, gone, closed */
export const isUnavailable = (error: unknown): boolean =>
  isClosed(error) || OUT_OF_SERVICE.has(primaryCode(error) ?? -1);

/** @returns whether the fault is the file's own, and not that of its disk or of rights */
export const isDamaged = (error: unknown): boolean => DAMAGED.includes(primaryCode(error) ?? -1);

/** @returns whether the file, its log or its folder cannot be opened, or not written to */
const isRefused = (error: unknown): boolean => [8, 14].includes(primaryCode(error) ?? -1);

/** @returns whether another connection holds the lock */
export const isBusy = (error: unknown): boolean => primaryCode(error) === BUSY;

/** @returns `Unavailable` for an error that says that the database cannot do its work; every other error as it is */
export const toUnavailable = (error: unknown): unknown =>
  isUnavailable(error) ? unavailable(error, UNWRITABLE.get(primaryCode(error) ?? 0)) : error;

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
