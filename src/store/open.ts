import type { Catalogue } from '../model/catalogue.ts';
import type { Store } from './port.ts';

/**
 * Opens the database that a URL names.
 *
 * @param url `sqlite:<path>` or `sqlite::memory:`
 * @throws DatabaseError where it cannot be used
 */
export const openStore = async (url: string, catalogue: Catalogue): Promise<Store> => {
  // Loaded here, because a process needs only the one driver.
  const { openSqlite } = await import('./sqlite/store.ts');
  return openSqlite(url.replace(/^sqlite:(?:\/\/)?/, ''), catalogue);
};
