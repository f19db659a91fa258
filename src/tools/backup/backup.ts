import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf } from '../../gateway/port/unavailable.ts';
import { copyName, superfluous } from '../../host/settings/copies.ts';
import { copyDatabase, namingRights } from '../../store/sqlite/connection.ts';
import { moveInto } from '../../util/move-into.ts';
import { commandError } from '../commands/command-error.ts';
import { checkReplaceable, withPartialFile } from '../commands/replaceable.ts';
import { type CommandContext, DONE, FOUND, interruptible } from '../commands/run.ts';
import { checkHeader, databaseFile, isSameFile, verify } from '../verify/verify.ts';

const MIB = 1_048_576;

const sizeIn = (file: string): string => `${Math.ceil(statSync(file).size / MIB).toLocaleString('en')} MiB`;

const refuseExisting = (file: string): void => {
  if (existsSync(file)) throw commandError('file-exists', { file });
};

const checkFolder = (folder: string): void => {
  if (!existsSync(folder)) throw commandError('folder-missing', { folder });
};

/** @throws CommandError where it cannot be done; then there is no such file, or the one of before */
const copyInto = async (file: string, { flags, config, say, progress, print }: CommandContext): Promise<void> => {
  const isFree = flags.has('replace') ? () => {} : () => refuseExisting(file);
  const database = databaseFile(config, 'server-backup');
  checkHeader(database);
  if (isSameFile(file, database)) throw commandError('file-same', { file });
  checkFolder(dirname(file));
  isFree();
  checkReplaceable(file);
  const copy = async (part: string, signal: AbortSignal): Promise<void> => {
    const onStep = (done: number): void => {
      signal.throwIfAborted();
      progress.show(say('copying', { percent: Math.floor(100 * done) }));
    };
    await copyDatabase(database, part, onStep).catch((error: unknown) => {
      const reason = messageOf(namingRights(database, error));
      throw commandError('copy-failed', { file: database, copy: file, reason }, error);
    });
    isFree();
    moveInto(part, file);
  };
  await interruptible((signal) => withPartialFile(file, (part) => copy(part, signal)));
  progress.end();
  print(say('copied', { file, size: sizeIn(file) }));
};

const thinOut = (folder: string, { say, print }: CommandContext): void => {
  for (const file of superfluous(readdirSync(folder)).map((name) => join(folder, name))) {
    rmSync(file);
    print(say('copy-deleted', { file }));
  }
};

/** Makes one more copy in a folder, verifies it, and only then deletes those that are not needed any more. */
const addTo = async (folder: string, context: CommandContext): Promise<number> => {
  const { config, say, print } = context;
  const file = join(folder, copyName(new Date()));
  await copyInto(file, context);
  const code = verify({ ...context, flags: new Set(), config: { ...config, DATABASE_URL: `sqlite:${file}` } });
  if (code === DONE) {
    thinOut(folder, context);
    return DONE;
  }
  renameSync(file, `${file}.unsound`);
  print(say('copy-unsound', { file: `${file}.unsound` }));
  return FOUND;
};

/**
 * Copies the database into a file, or into one more of a folder, or thins such a folder out. @returns the exit code
 *
 * @throws CommandError where it cannot be done
 */
export const backUp = async (context: CommandContext): Promise<number> => {
  const [target = ''] = context.operands;
  if (context.flags.has('thin')) {
    checkFolder(target);
    thinOut(target, context);
    return DONE;
  }
  if (context.flags.has('daily')) return addTo(target, context);
  await copyInto(target, context);
  return DONE;
};
