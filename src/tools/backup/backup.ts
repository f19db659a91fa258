import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describeCause } from '../../gateway/port/unavailable.ts';
import { listSuperfluous, nameCopy } from '../../host/settings/copies.ts';
import { copyDatabase, explainRights } from '../../store/sqlite/connection.ts';
import { moveInto } from '../../util/move-into.ts';
import { CommandError } from '../commands/command-error.ts';
import { checkReplaceable, withPartialFile } from '../commands/files.ts';
import { type CommandContext, DONE, FOUND, runInterruptibly } from '../commands/run.ts';
import { checkHeader, findDatabaseFile, isSameFile, verify } from '../verify/verify.ts';

const MIB = 1_048_576;

/** Copies the database into a file, or into one more of a folder, or thins such a folder out. @returns the exit code */
export async function backUp(context: CommandContext): Promise<number> {
  const [target = ''] = context.operands;
  if (context.flags.has('daily')) return addCopy(target, context);
  if (context.flags.has('thin')) {
    checkFolder(target);
    thinOut(target, context);
  } else await copyInto(target, context);
  return DONE;
}

function checkFolder(folder: string): void {
  if (!existsSync(folder)) throw new CommandError('folder-missing', { folder });
}

/** @throws CommandError if it cannot be done; then there is no such file, or the one of before */
async function copyInto(file: string, { flags, config, say, progress, print }: CommandContext): Promise<void> {
  const refuseExisting = (): void => {
    if (!flags.has('replace') && existsSync(file)) throw new CommandError('file-exists', { file });
  };
  const database = findDatabaseFile(config, 'server-backup');
  checkHeader(database);
  if (isSameFile(file, database)) throw new CommandError('file-same', { file });
  checkFolder(dirname(file));
  refuseExisting();
  checkReplaceable(file);
  await runInterruptibly((signal) =>
    withPartialFile(file, async (part) => {
      const onStep = (done: number): void => {
        signal.throwIfAborted();
        progress.show(say('copying', { percent: Math.floor(100 * done) }));
      };
      await copyDatabase(database, part, onStep).catch((error: unknown) => {
        const reason = describeCause(explainRights(database, error));
        throw new CommandError('copy-failed', { file: database, copy: file, reason }, error);
      });
      refuseExisting();
      moveInto(part, file);
    }),
  );
  progress.end();
  print(say('copied', { file, size: `${Math.ceil(statSync(file).size / MIB).toLocaleString('en')} MiB` }));
}

/** Makes one more copy in a folder, verifies it, and only then deletes those that are not needed any more. */
async function addCopy(folder: string, context: CommandContext): Promise<number> {
  const { config, say, print } = context;
  const file = join(folder, nameCopy(new Date()));
  await copyInto(file, context);
  const code = verify({ ...context, flags: new Set(), config: { ...config, DATABASE_URL: `sqlite:${file}` } });
  if (code === DONE) {
    thinOut(folder, context);
    return DONE;
  }
  renameSync(file, `${file}.unsound`);
  print(say('copy-unsound', { file: `${file}.unsound` }));
  return FOUND;
}

function thinOut(folder: string, { say, print }: CommandContext): void {
  for (const file of listSuperfluous(readdirSync(folder)).map((name) => join(folder, name))) {
    rmSync(file);
    print(say('copy-deleted', { file }));
  }
}
