import { namingSetting } from '../../store/database-error.ts';
import { checkDatabaseExists } from '../commands/existing-database.ts';
import { type CommandContext, DONE, FOUND } from '../commands/run.ts';
import { openRawDatabase, type RawDatabase } from '../raw-database/raw-database.ts';
import { checkWhole } from '../raw-database/tables.ts';
import type { Finding } from './findings.ts';
import { canRepair, inspect, repair } from './inspect.ts';

/** Opens the database for some work, and closes it. */
const linked = async <T>(
  { config, catalogue }: CommandContext,
  mayWrite: boolean,
  work: (database: RawDatabase) => Promise<T>,
): Promise<T> => {
  await using database = await namingSetting('DATABASE_URL', () =>
    openRawDatabase(config.DATABASE_URL, catalogue, !mayWrite, config.OTHER_COLLECTIONS),
  );
  // To repair one that is half filled would make it look like a whole one.
  await checkWhole(database, catalogue);
  return await work(database);
};

const inspected = (context: CommandContext): Promise<readonly Finding[]> =>
  linked(context, false, async (database) => {
    const { say, print, progress, catalogue } = context;
    const onRows = (table: string, rows: number) => progress.show(say('reading', { table, rows }));
    const { findings, isChecked } = await inspect(database, catalogue, onRows);
    progress.end();
    if (!isChecked) print(say('verify-no-amcheck'));
    for (const { text, values } of findings) print(say(text, values));
    if (findings.length === 0) print(say('verify-sound', { database: database.name }));
    return findings;
  });

/** Reports what is wrong with the database, and repairs derived data. @returns the exit code */
export const verify = async (context: CommandContext): Promise<number> => {
  const { say, print, config, catalogue, flags } = context;
  checkDatabaseExists(config);
  const found = await inspected(context);
  if (found.length === 0) return DONE;
  if (!flags.has('repair') || !canRepair(found)) {
    print(say(canRepair(found) ? 'repair-hint' : 'repair-impossible'));
    return FOUND;
  }
  print(say('repair-begun'));
  await linked(context, true, (database) => repair(database, catalogue, found));
  const left = await inspected(context);
  if (left.length === 0) return DONE;
  print(say('repair-impossible'));
  return FOUND;
};
