import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { encodeChange } from '../../gateway/http/exchange.ts';
import { changeAt } from '../../store/change-set.ts';
import { insertInto, quote, sqlite, statement } from '../../store/sql/statement.ts';
import { CHANGE, hooks, listGapValues, readChange, tombstones, writeChange } from '../../store/sql/system-tables.ts';
import { type Connection, connect, isBusy, isUnavailable, readUnlocked } from '../../store/sqlite/connection.ts';
import { readOwner } from '../../store/sqlite/schema.ts';
import { moveInto } from '../../util/move-into.ts';
import { CommandError } from '../commands/command-error.ts';
import { withPartialFile } from '../commands/files.ts';
import { type CommandContext, DONE, runInterruptibly } from '../commands/run.ts';
import { checkHeader, findDamage, findDatabaseFile, isSameFile, withDatabase } from '../verify/verify.ts';

const READ_CHANGE = statement(readChange);
/** Change numbers at least that nothing has after a restore. */
const LOST = 2;
const MOVE_HOOKS = `UPDATE ${quote(hooks.name)} SET "state" = json_remove(json_set("state", '$.position', ?), '$.batch'), "until" = 0`;

/** Puts a copy in the place of the database, which is as it was if that cannot be done. @returns the exit code */
export async function restore({ operands, config, say, progress, print }: CommandContext): Promise<number> {
  const [copy = ''] = operands;
  const database = resolve(findDatabaseFile(config, 'server-restore'));
  checkHeader(copy);
  if (isSameFile(copy, database)) throw new CommandError('file-same', { file: copy });
  if (existsSync(`${copy}-shm`)) throw new CommandError('file-with-index', { file: copy, index: `${copy}-shm` });
  mkdirSync(dirname(database), { recursive: true });
  const replacedFile = `${database}.replaced-${new Date().toISOString().replaceAll(/[-:]/g, '')}`;
  const { change, release } = lockDatabase(database);
  const replace = (part: string): void => {
    progress.show(say('checking', { file: copy }));
    for (const end of ['', '-wal']) if (existsSync(copy + end)) copyFileSync(copy + end, part + end);
    withDatabase(part, copy, (connection) => {
      const [damage] = findDamage(connection);
      if (damage) {
        const reason = damage.values.reason ?? say(damage.text, damage.values);
        throw new CommandError('file-damaged', { file: copy, reason });
      }
      raiseChange(connection, change);
    });
    const before = statSync(database, { throwIfNoEntry: false });
    if (before) copyRights(part, before);
    const isKept = before !== undefined || existsSync(`${database}-wal`);
    setAside(database, replacedFile);
    moveInto(part, database);
    print(say('restored', { file: database, copy }));
    if (isKept) print(say('set-aside', { file: replacedFile }));
  };
  try {
    // Nothing is awaited: an interrupted restore is finished.
    await runInterruptibly(() => withPartialFile(database, replace));
  } finally {
    release();
  }
  return DONE;
}

/**
 * Locks a database that nobody has open, and folds its log into it. Every process holds a shared lock on a database while it has
 * it open; one that has just opened it and waits will find that it was moved, and will not write. Its last change number is 0 if
 * it is too damaged to tell.
 */
function lockDatabase(file: string): { readonly change: number; readonly release: () => void } {
  const free = { change: 0, release: () => {} };
  if (!existsSync(file)) return free;
  try {
    if (readUnlocked(file, readOwner) === 'another program') throw new CommandError('file-foreign', { file });
  } catch (error) {
    // SQLite would fold a log even into a file that is no database.
    if (isUnavailable(error)) return free;
    throw error;
  }
  const connection = connect(file);
  try {
    connection.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE; COMMIT');
    const change = connection.hasSchemaObject(CHANGE) ? connection.number(READ_CHANGE) : 0;
    return { change, release: () => connection.close() };
  } catch (error) {
    connection.close();
    if (isBusy(error)) throw new CommandError('database-in-use', { file }, error);
    if (!isUnavailable(error)) throw error;
    return free;
  }
}

/**
 * Clients know the change numbers assigned since the copy was made, as entity tags and as positions: the next write takes a
 * number later than any that the replaced database had, and later than the clock; those in between are a gap, so that
 * positions of what is lost are gone, those of hooks among them.
 */
function raiseChange(connection: Connection, replaced: number): void {
  const change = connection.number(READ_CHANGE);
  const raised = Math.max(change + LOST, replaced + LOST, changeAt(Date.now()));
  connection.run(writeChange, [raised]);
  connection.run(insertInto(sqlite, tombstones), listGapValues(change, raised));
  if (connection.hasSchemaObject(hooks.name)) connection.run(MOVE_HOOKS, [encodeChange(raised - 1)]);
}

/** Keeps the owner and permissions of the database. */
function copyRights(part: string, { mode, uid, gid }: Stats): void {
  chmodSync(part, mode);
  try {
    chownSync(part, uid, gid);
  } catch {
    // Only the superuser may change the owner.
  }
}

/**
 * Keeps a database under another name, with its log if that could not be folded in. The file has both names then, so that there
 * is always one in its place; not every file system supports that.
 */
function setAside(file: string, name: string): void {
  if (existsSync(`${file}-wal`)) renameSync(`${file}-wal`, `${name}-wal`);
  for (const end of ['-shm', '-journal']) rmSync(file + end, { force: true });
  if (!existsSync(file)) return;
  try {
    linkSync(file, name);
  } catch {
    renameSync(file, name);
  }
}
