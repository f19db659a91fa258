import { openStore, storeOptions } from '../open-store.ts';
import { isInMemory } from '../settings/database-url.ts';
import type { Store } from '../store/port.ts';
import { commandError } from './command-error.ts';
import type { Given } from './run.ts';

/**
 * Opens the database for some work, also while services use it, and closes it.
 *
 * @throws CommandError where it is in memory
 */
export const withStore = async <T>(
  { catalogue, config, note }: Pick<Given, 'catalogue' | 'config' | 'note'>,
  work: (store: Store) => Promise<T>,
): Promise<T> => {
  if (isInMemory(config.DATABASE_URL)) throw commandError('in-memory', {});
  // The threads of a store, which may be all that is waited for, keep no process alive.
  const alive = setInterval(() => {}, 60_000);
  try {
    const store = await openStore(config.DATABASE_URL, catalogue, {
      ...storeOptions(config),
      readUrl: undefined,
      report: note,
    });
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  } finally {
    clearInterval(alive);
  }
};
