import { lstatSync, type Stats } from 'node:fs';
import { commandError } from './command-error.ts';

/** What else is wrong with a name shows when it is used. */
const statsOf = (file: string): Stats | undefined => {
  try {
    return lstatSync(file);
  } catch {
    return undefined;
  }
};

/**
 * A file appears by being renamed, which would put it in the place of a device, or of a link such as `/dev/stdout`.
 *
 * @throws CommandError where something other than a file has the name
 */
export const checkReplaceable = (file: string): void => {
  if (statsOf(file)?.isFile() === false) throw commandError('file-unusable', { file, reason: 'not a regular file' });
};
