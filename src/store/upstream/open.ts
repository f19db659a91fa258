/** The service before an API: what is kept of clients is in a database of its own. */
import { readFile } from 'node:fs/promises';
import type { Catalogue } from '../../gateway/model/catalogue.ts';
import { messageOf } from '../../gateway/port/unavailable.ts';
import { DatabaseError } from '../database-error.ts';
import { openSqlite } from '../sqlite/store.ts';
import type { CommonOptions, Store } from '../store.ts';
import { differencesIn } from './check.ts';
import { readMapping } from './mapping/mapping.ts';
import { upstreamOf } from './upstream.ts';

export interface UpstreamOptions extends CommonOptions {
  /** The file with the mapping. */
  readonly mappingFile?: string | undefined;
  /** The value of `Authorization` of every request to the API. */
  readonly authorization?: string | undefined;
}

const contentOf = async (file: string): Promise<unknown> => {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new DatabaseError(`${file}: ${messageOf(error)}`);
  }
};

/**
 * @param url of the API
 * @throws DatabaseError where the mapping cannot be used. An API that does not respond is reported, and asked again by each request
 */
export const openUpstream = async (
  url: string,
  catalogue: Catalogue,
  options: UpstreamOptions = {},
): Promise<Store> => {
  const mapping = readMapping(await contentOf(options.mappingFile ?? 'upstream.json'), catalogue);
  let secret = options.authorization;
  const { items, api, close } = upstreamOf(url, mapping, { ...options, authorization: () => secret });
  const clients = await openSqlite(mapping.clients, []);
  for (const line of await differencesIn(api, mapping)) options.report?.(line);
  return {
    ...clients,
    ...items,
    changeAuthorization: (changed) => {
      secret = changed;
    },
    close: async () => {
      close();
      await clients.close();
    },
  };
};
