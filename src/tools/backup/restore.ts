import { chmodSync, chownSync, copyFileSync, existsSync, mkdirSync, type Stats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { inDigits } from '../../gateway/http/respond.ts';
import { changeAt } from '../../store/change-set.ts';
import { insertInto, sqlite } from '../../store/sql/dialects.ts';
import { quote } from '../../store/sql/statement.ts';
import { hooks, pauseValues, readChange, tombstones, writeChange } from '../../store/sql/system-tables.ts';
import { type Connection, hasSchemaObject } from '../../store/sqlite/connection/connection.ts';
import { moveInto } from '../../util/move-into.ts';
import { commandError } from '../commands/command-error.ts';
import { interruptible } from '../commands/interruptible.ts';
import { withPartialFile } from '../commands/replaceable.ts';
import { type CommandContext, DONE } from '../commands/run.ts';
import { checkHeader, databaseFile, withDatabase } from '../verify/database-file.ts';
import { findDamage } from '../verify/findings.ts';
import { takeOver } from './exclusive.ts';
import { isSameFile, walFile, walIndexFile } from './files.ts';

/** Change numbers at least that nothing has after a restore. */
const LOST = 2;
const MOVE_HOOKS = `UPDATE ${quote(hooks.name)} SET "state" = json_remove(json_set("state", '$.position', ?), '$.batch'), "until" = 0`;

const statsOf = (file: string): Stats | undefined => statSync(file, { throwIfNoEntry: false });

/** @throws CommandError where the copy is not a complete database, or may be in use */
const checkCopy = (copy: string, database: string): void => {
  checkHeader(copy);
  if (isSameFile(copy, database)) throw commandError('file-same', { file: copy });
  if (existsSync(walIndexFile(copy))) throw commandError('file-with-index', { file: copy, index: walIndexFile(copy) });
};

/**
 * Clients know the change numbers assigned since the copy was made, as entity tags and as positions: the next write takes a number
 * later than any that the replaced database had, and later than the clock; those in between are a pause, so that positions of what
 * is lost are gone, those of hooks among them.
 */
const raiseChange = (connection: Connection, replaced: number): void => {
  const [change] = connection.row<[number]>(readChange, []) ?? [0];
  const raised = Math.max(change + LOST, replaced + LOST, changeAt(Date.now()));
  connection.run(writeChange, [raised]);
  connection.run(insertInto(sqlite, tombstones), pauseValues(change, raised));
  if (hasSchemaObject(connection, hooks.name)) connection.run(MOVE_HOOKS, [inDigits(raised - 1)]);
};

/** Keeps the owner and permissions of the database. */
const takeRights = (part: string, of: Stats | undefined): void => {
  if (!of) return;
  chmodSync(part, of.mode);
  try {
    chownSync(part, of.uid, of.gid);
  } catch {
    // Only the superuser may change the owner.
  }
};

/** @returns the time in a form that file names allow */
const nowInNames = (): string => new Date().toISOString().replaceAll(/[-:]/g, '');

/**
 * Puts a copy in the place of the database. @returns the exit code
 *
 * @throws CommandError where it cannot be done; then the database is as it was
 */
export const restore = async ({ operands, config, say, progress, print }: CommandContext): Promise<number> => {
  const [copy = ''] = operands;
  const database = resolve(databaseFile(config, 'server-restore'));
  checkCopy(copy, database);
  mkdirSync(dirname(database), { recursive: true });
  const replaced = `${database}.replaced-${nowInNames()}`;
  const { change, keepAs, release } = takeOver(database);
  try {
    const replace = (part: string): void => {
      progress.show(say('checking', { file: copy }));
      copyFileSync(copy, part);
      if (existsSync(walFile(copy))) copyFileSync(walFile(copy), walFile(part));
      withDatabase(part, copy, (connection) => {
        const [damage] = findDamage(connection);
        if (damage) {
          const reason = damage.values.reason ?? say(damage.text, damage.values);
          throw commandError('file-damaged', { file: copy, reason });
        }
        raiseChange(connection, change);
      });
      takeRights(part, statsOf(database));
      const isKept = keepAs(replaced);
      moveInto(part, database);
      print(say('restored', { file: database, copy }));
      if (isKept) print(say('set-aside', { file: replaced }));
    };
    // Nothing is awaited: an interrupted restore is finished.
    await interruptible(() => withPartialFile(database, replace));
  } finally {
    release();
  }
  return DONE;
};
