/** Files that commands make, which appear complete or not at all. */
import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { commandError } from './command-error.ts';

/**
 * A file appears by being renamed, which would put it in the place of a device, or of a link such as `/dev/stdout`.
 *
 * @throws CommandError if something other than a file has the name
 */
export function checkReplaceable(file: string): void {
  let isFile = true;
  try {
    isFile = lstatSync(file).isFile();
  } catch {
    // There is no such file; what else is wrong with its name shows when it is used.
  }
  if (!isFile) throw commandError('file-unusable', { file, reason: 'not a regular file' });
}

/** Ends of the names of the files of a database. */
const ENDS = ['', '-journal', '-wal', '-shm'];
/** What follows the name of a file: the process that makes it, and the parts of a database. */
const PART = new RegExp(`^\\.(\\d+)\\.part(?:${ENDS.join('|')})$`);

const isRunning = (id: number): boolean => {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** Removes what is left of a file by processes that were killed while they made it. */
const removeLeft = (file: string): void => {
  const name = basename(file);
  for (const each of readdirSync(dirname(file)).filter((other) => other.startsWith(name))) {
    const id = Number(PART.exec(each.slice(name.length))?.[1] ?? process.pid);
    if (!isRunning(id)) rmSync(join(dirname(file), each), { force: true });
  }
};

/** Runs work on a file, which has a name of this process until the work renames it; where that fails, nothing is left. */
export const withPartialFile = async <T>(file: string, work: (part: string) => T | Promise<T>): Promise<T> => {
  try {
    removeLeft(file);
  } catch {
    // What is wrong with the folder shows when the file is made.
  }
  const part = `${file}.${process.pid}.part`;
  try {
    return await work(part);
  } finally {
    for (const each of ENDS.map((end) => part + end)) if (existsSync(each)) rmSync(each);
  }
};
