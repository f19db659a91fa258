import { existsSync } from 'node:fs';
import { commandError } from '../commands/command-error.ts';
import { DONE, FOUND, type Given } from '../commands/run.ts';
import { isInMemory, isServer, locationOf } from '../settings/database-url.ts';
import type { Link } from '../transfer/link.ts';
import { openLink } from '../transfer/move.ts';
import { checkTables, tablesOf } from '../transfer/tables.ts';
import type { Finding } from './finding.ts';
import { inspect } from './inspect.ts';

const check = (url: string): void => {
  if (isServer(url)) return;
  if (isInMemory(url)) throw commandError('in-memory', {});
  const file = locationOf(url);
  if (!existsSync(file)) throw commandError('file-missing', { file });
};

/** Opens the database for some work, and closes it. */
const linked = async <T>(
  { config, catalogue }: Given,
  mayWrite: boolean,
  work: (link: Link) => Promise<T>,
): Promise<T> => {
  const link = await openLink(config.DATABASE_URL, catalogue, !mayWrite);
  try {
    await link.check();
    await checkTables(link, tablesOf(catalogue));
    return await work(link);
  } finally {
    await link.close();
  }
};

const inspected = (given: Given): Promise<readonly Finding[]> =>
  linked(given, false, async (link) => {
    const { say, print, progress, config, catalogue } = given;
    const onRows = (table: string, rows: number) => progress.show(say('reading', { table, rows }));
    const { findings, isChecked } = await inspect(link, catalogue, config.DATABASE_URL, onRows);
    progress.end();
    if (!isChecked) print(say('verify-no-amcheck'));
    for (const { text, values } of findings) print(say(text, values));
    if (findings.length === 0) print(say('verify-sound', { database: link.name }));
    return findings;
  });

const repair = (given: Given, findings: readonly Finding[]): Promise<void> =>
  linked(given, true, async (link) => {
    given.print(given.say('repair-begun'));
    for (const finding of findings) await finding.repair?.(link);
  });

/** Reports what is wrong with the database, and repairs derived data. @returns the exit code */
export const verify = async (given: Given): Promise<number> => {
  const { say, print, config, flags } = given;
  check(config.DATABASE_URL);
  const found = await inspected(given);
  const canRepair = (findings: readonly Finding[]): boolean => findings.some((finding) => finding.repair);
  if (found.length === 0) return DONE;
  if (!flags.has('repair') || !canRepair(found)) {
    print(say(canRepair(found) ? 'repair-hint' : 'repair-impossible'));
    return FOUND;
  }
  await repair(given, found);
  const left = await inspected(given);
  if (left.length === 0) return DONE;
  print(say('repair-impossible'));
  return FOUND;
};
