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
  {
    mappingFile: file = 'upstream.json',
    authorization,
    listTimeout,
    clientShare,
    report = () => {},
  }: UpstreamOptions = {},
): Promise<Store> => {
  const mapping = readMapping(await contentOf(file), catalogue);
  let secret = authorization;
  const settings = { listTimeout, clientShare, authorization: () => secret };
  const { items, api, close } = upstreamOf(url, mapping, settings);
  const clients = await openSqlite(mapping.clients, []);
  for (const line of await differencesIn(api, mapping)) report(line);
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
