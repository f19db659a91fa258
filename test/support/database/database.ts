import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Catalogue } from '../../../src/gateway/model/catalogue.ts';
import { openStore, type StoreOptions } from '../../../src/host/service/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { catalogue } from '../cars/catalogue.ts';
import { temporaryFolder, type WhenOver } from '../process/folder.ts';

export interface NewDatabase {
  readonly url: string;
  /** Takes it away, once nobody has it open. */
  readonly drop: () => Promise<void>;
}

/** Whether the suites that know no store run on a server this time: each runs once in memory and once there. */
export const onServer = process.env.TEST_STORE === 'postgres';

/**
 * @returns of rows that are tested in each of several places, those of the place with this number: where each write takes a
 * commit on a server, each row is tested in one place, by turns
 */
export const sharedOut = <T>(rows: readonly T[], place: number, places: number): readonly T[] =>
  onServer ? rows.filter((_, row) => row % places === place) : rows;

/** `TEST_RUNS=20` hunts for longer. */
const FACTOR = Number(process.env.TEST_RUNS || 1);

/** @returns how often a property is tried: less on a server, where each write takes a commit and memory has shown the rest */
export const runsOf = (runs: number, runsOnServer = runs / 5): number => FACTOR * (onServer ? runsOnServer : runs);

/** @param isPrepared whether it may have the service's tables already, which saves most of the time of a first start */
export const newDatabase = async (isPrepared: boolean): Promise<NewDatabase> => {
  if (!onServer) return { url: 'sqlite::memory:', drop: async () => {} };
  const { createDatabase } = await import('./create-database.ts');
  return createDatabase(isPrepared);
};

/** @returns a new database with the tables of a catalogue; the first one on a server is made, the others are its copies */
export const databaseFor = async (catalogue: Catalogue): Promise<NewDatabase> => {
  if (!onServer) return newDatabase(false);
  const { createDatabaseFor } = await import('./create-database.ts');
  return createDatabaseFor(catalogue);
};

const lasting = async (created: Promise<NewDatabase>, whenOver: WhenOver = onTestFinished): Promise<string> => {
  const { url, drop } = await created;
  whenOver(drop);
  return url;
};

/** @returns the address of a new database for the service's own catalogue, gone when the test that asked for it is over */
export const preparedDatabase = (whenOver?: WhenOver): Promise<string> => lasting(newDatabase(true), whenOver);

/** The same, without a table. */
export const emptyDatabase = (): Promise<string> => lasting(newDatabase(false));

/** @returns the address of a new database that other processes can reach, too: a file, or one on the server */
export const sharedDatabase = async (isPrepared = true): Promise<string> => {
  if (!onServer) return `sqlite:${join(temporaryFolder(), 'catalogue.db')}`;
  return isPrepared ? preparedDatabase() : emptyDatabase();
};

/** Opens a store for a test, which is closed when that is over. */
export const openForTest = async (location: string, options: StoreOptions = {}): Promise<Store> => {
  const store = await openStore(location, catalogue, options);
  onTestFinished(async () => store.close());
  return store;
};
