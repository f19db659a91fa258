import { DatabaseError } from '../../store/database-error.ts';
import { migrations } from '../../store/sql/system-tables.ts';
import { type Connection, inTransaction, pragma, waitingForLock } from '../../store/sqlite/connection/connection.ts';
import { checkDatabase } from '../../store/sqlite/schema/schema.ts';
import { makeSearchIndex } from '../../store/sqlite/schema/search-index.ts';
import { takeChange } from '../../store/sqlite/writes/writes.ts';
import { commandError } from '../commands/command-error.ts';
import { type CommandContext, DONE, FOUND } from '../commands/run.ts';
import { checkHeader, databaseFile, withDatabase } from './database-file.ts';
import { findDamage, findWrongIndexes } from './findings.ts';

/** @throws CommandError or DatabaseError if the database is another catalogue's, or an earlier version wrote it last */
function checkCatalogue(connection: Connection, file: string, { catalogue, config }: CommandContext): void {
  if (pragma(connection, 'user_version') < migrations.length) throw commandError('database-old', { file });
  try {
    checkDatabase(connection, catalogue, config.OTHER_COLLECTIONS);
  } catch (error) {
    throw error instanceof DatabaseError ? new DatabaseError(`${file}: ${error.message}`) : error;
  }
}

/** Reports what is wrong with the database of a file, and makes wrong indexes of words anew. @returns the exit code */
export function verify(context: CommandContext): number {
  const { say, print, catalogue, config, flags } = context;
  const file = databaseFile(config, 'server-verify');
  checkHeader(file);
  return withDatabase(file, file, (connection) => {
    checkCatalogue(connection, file, context);
    const damage = findDamage(connection);
    for (const { text, values } of damage) print(say(text, values));
    if (damage.length > 0) {
      print(say('repair-impossible'));
      return FOUND;
    }
    const wrong = findWrongIndexes(connection, catalogue);
    for (const { name } of wrong) print(say('verify-words', { table: name }));
    if (wrong.length > 0 && !flags.has('repair')) {
      print(say('repair-hint'));
      return FOUND;
    }
    for (const collection of wrong) {
      print(say('repair-begun', { table: collection.name }));
      waitingForLock(connection, () =>
        inTransaction(connection, () => {
          makeSearchIndex(connection, collection);
          // Clients and services keep lists by the change number.
          takeChange(connection);
        }),
      );
    }
    print(say('verify-sound', { database: `sqlite:${file}` }));
    return DONE;
  });
}
