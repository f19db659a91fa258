import type { Catalogue, Collection } from '../../gateway/model/catalogue.ts';
import { namingSetting } from '../../store/database-error.ts';
import { type CommandContext, DONE, FOUND } from '../commands/run.ts';
import { checkDatabaseExists } from '../commands/with-store.ts';
import { openRawDatabase, type RawDatabase } from '../raw-database/raw-database.ts';
import { checkWhole } from '../raw-database/tables.ts';
import { renewTerms, renewTotals, termsFindings, totalsFindings } from './derived.ts';
import { type Finding, inChange } from './findings.ts';
import { keptFindings } from './kept.ts';
import { ownFindings } from './own.ts';
import { foldedFindings, renewFolded } from './rows.ts';

/** What follows from the items of a collection is made anew, also while other processes write. */
const renewals = { 'verify-folded': renewFolded, 'verify-totals': renewTotals, 'verify-words': renewTerms } as const;

const canRepair = (findings: readonly Finding[]): boolean =>
  findings.some(({ text }) => text === 'verify-change' || text in renewals);

const repair = async (database: RawDatabase, catalogue: Catalogue, found: readonly Finding[]): Promise<void> => {
  for (const [text, renew] of Object.entries(renewals)) {
    for (const collection of catalogue) {
      const isWrong = found.some((each) => each.text === text && each.values.table === collection.name);
      if (isWrong) await renew(database, collection);
    }
  }
  const change = found.find(({ text }) => text === 'verify-change');
  if (change) await inChange(database, async () => {}, Number(change.values.last) + 1);
};

/** Opens the database for some work, and closes it. */
const linked = async <T>(
  { config, catalogue }: CommandContext,
  mayWrite: boolean,
  work: (database: RawDatabase) => Promise<T>,
): Promise<T> => {
  await using database = await namingSetting('DATABASE_URL', () =>
    openRawDatabase(config.DATABASE_URL, catalogue, !mayWrite, config.OTHER_COLLECTIONS),
  );
  await checkWhole(database, catalogue);
  return await work(database);
};

/** Checks a whole database in one snapshot, also while other processes write. */
const inspect = async (
  database: RawDatabase,
  { catalogue, print, say, progress }: CommandContext,
): Promise<readonly Finding[]> => {
  // Outside of the snapshot: an error would end it, and the index of terms is compared by a statement that may write.
  const own = await ownFindings(database);
  if (!own) print(say('verify-no-amcheck'));
  // A damaged file cannot be checked further.
  if (own?.some(({ text }) => text === 'verify-own')) return own;
  const isKnown = ({ name }: Collection): boolean =>
    own?.some(({ text, values }) => text === 'verify-words' && values.table === name) ?? false;
  const words: Finding[] = [];
  for (const each of catalogue.filter((each) => !isKnown(each))) words.push(...(await termsFindings(database, each)));
  return database.snapshot(async () => {
    const found = [...(own ?? []), ...words, ...(await keptFindings(database, catalogue))];
    for (const collection of catalogue) {
      const { name: table } = collection;
      found.push(
        ...(await foldedFindings(database, collection, (rows) => progress.show(say('reading', { table, rows })))),
        ...(await totalsFindings(database, collection)),
      );
    }
    return found;
  });
};

const inspected = (context: CommandContext): Promise<readonly Finding[]> =>
  linked(context, false, async (database) => {
    const { say, print, progress } = context;
    const findings = await inspect(database, context);
    progress.end();
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
