import type { Given } from '../commands/run.ts';
import type { Catalogue } from '../model/catalogue.ts';
import { isServer, locationOf } from '../settings/database-url.ts';
import type { Link } from './link.ts';
import type { Options } from './options.ts';
import { type Teller, transfer } from './transfer.ts';
import type { Sum } from './verify.ts';

// Loaded here, because a transfer may need only the one driver.
export const openLink = async (url: string, catalogue: Catalogue, isSource: boolean): Promise<Link> => {
  if (isServer(url)) return (await import('./postgres-link.ts')).openPostgresLink(url, catalogue);
  return (await import('./sqlite-link.ts')).openSqliteLink(locationOf(url), catalogue, isSource);
};

/**
 * Opens both databases, transfers, and closes them.
 *
 * @returns the sums of both databases, which are equal
 * @throws CommandError or DatabaseError where it fails, or the result differs; messages contain no password
 */
export const move = async (
  { from, to, replace }: Options,
  teller: Teller & Pick<Given, 'catalogue'>,
): Promise<readonly Sum[]> => {
  const { catalogue, note, say } = teller;
  const links: Link[] = [];
  const opened = async (url: string, isSource: boolean): Promise<Link> => {
    const link = await openLink(url, catalogue, isSource);
    links.push(link);
    return link;
  };
  try {
    const source = await opened(from, true);
    const target = await opened(to, false);
    note(say('transfer-begun', { source: source.name, target: target.name }));
    return await transfer(source, target, catalogue, replace, teller);
  } finally {
    for (const link of links) await link.close();
  }
};
