import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { commandError } from '../commands/command-error.ts';
import { checkReplaceable } from '../commands/replaceable.ts';
import { type CommandContext, DONE } from '../commands/run.ts';
import { MARKER } from '../store/sql/system-tables.ts';
import { copyDatabase, hasSchemaObject, readUnlocked } from '../store/sqlite/connection/connection.ts';
import { namingRights } from '../store/sqlite/connection/rights.ts';
import { messageOf } from '../store/unavailable.ts';
import { checkHeader, databaseFile, isSameFile } from './check.ts';
import { moveInto, withPartialFile } from './files.ts';

const MIB = 1_048_576;

const sizeIn = (file: string): string => `${Math.ceil(statSync(file).size / MIB).toLocaleString('en')} MiB`;

const refuseExisting = (file: string): void => {
  if (existsSync(file)) throw commandError('file-exists', { file });
};

/**
 * Copies the database into a file. @returns the exit code
 *
 * @throws CommandError where it cannot be done; then there is no such file, or the one of before
 */
export const backUp = async ({ operands, flags, config, say, progress, print }: CommandContext): Promise<number> => {
  const [file = ''] = operands;
  const isFree = flags.has('replace') ? () => {} : () => refuseExisting(file);
  const database = databaseFile(config, 'server-backup');
  checkHeader(database);
  if (isSameFile(file, database)) throw commandError('file-same', { file });
  const folder = dirname(file);
  if (!existsSync(folder)) throw commandError('folder-missing', { folder });
  isFree();
  checkReplaceable(file);
  await withPartialFile(file, async (part) => {
    const onStep = (done: number) => progress.show(say('copying', { percent: Math.floor(100 * done) }));
    await copyDatabase(database, part, onStep).catch((error: unknown) => {
      throw commandError(
        'copy-failed',
        { file: database, copy: file, reason: messageOf(namingRights(database, error)) },
        error,
      );
    });
    if (readUnlocked(part, (copied) => hasSchemaObject(copied, MARKER))) {
      throw commandError('file-unfinished', { file: database });
    }
    isFree();
    moveInto(part, file);
  });
  progress.end();
  print(say('copied', { file, size: sizeIn(file) }));
  return DONE;
};
