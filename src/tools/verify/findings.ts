import type { CommandText } from '../../gateway/texts/shown-text.ts';
import { changeAt } from '../../store/change-set.ts';
import { statement } from '../../store/sql/statement.ts';
import { LOCK_CHANGE, writeChange } from '../../store/sql/system-tables.ts';
import type { Values } from '../commands/command-error.ts';
import type { RawDatabase } from '../raw-database/raw-database.ts';

/** Something that is wrong in a database. */
export interface Finding {
  readonly text: CommandText;
  readonly values: Values;
}

/**
 * Runs work in a transaction that waits for the current writer, blocks the next, and takes a change number, which invalidates
 * lists cached by clients and the service.
 *
 * @param least the number is not below this one
 */
export const inChange = <T>(database: RawDatabase, work: () => Promise<T>, least = 0): Promise<T> =>
  database.transaction(async () => {
    const [[last = 0] = []] = await database.rows<[number]>(statement(LOCK_CHANGE));
    await database.rows(statement(writeChange, [Math.max(last + 1, least, changeAt(Date.now()))]));
    return await work();
  });
