import type { CommandContext } from '../commands/run.ts';
import { openRawDatabase } from '../raw-database/open.ts';
import type { RawDatabase } from '../raw-database/raw-database.ts';
import type { Sum } from './compare.ts';
import type { Options } from './options.ts';
import { checkSource, type Reporter, transfer } from './transfer.ts';

/**
 * Opens both databases, transfers, and closes them.
 *
 * @returns the sums of both databases, which are equal
 * @throws CommandError or DatabaseError where it fails, or the result differs; messages contain no password
 */
export const move = async (
  { from, to, replace }: Options,
  reporter: Reporter & Pick<CommandContext, 'catalogue'>,
): Promise<readonly Sum[]> => {
  const { catalogue, note, say } = reporter;
  const databases: RawDatabase[] = [];
  const opened = async (url: string, isSource: boolean): Promise<RawDatabase> => {
    const database = await openRawDatabase(url, catalogue, isSource);
    databases.push(database);
    return database;
  };
  try {
    const source = await opened(from, true);
    // Before the target is opened, which creates a file.
    await checkSource(source, catalogue);
    const target = await opened(to, false);
    note(say('transfer-begun', { source: source.name, target: target.name }));
    return await transfer(source, target, catalogue, replace, reporter);
  } finally {
    for (const database of databases) await database.close();
  }
};
