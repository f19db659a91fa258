import { z } from 'zod';
import { addressesOf, isTlsKnown, TLS_PARAMETERS } from '../../store/postgres/connection/addresses.ts';

/** Whether a URL names a PostgreSQL server, which it does where it is well formed. */
export const isServer = (url: string): boolean => addressesOf(url) !== undefined;

const UPSTREAM = 'upstream+';

/** Whether a URL names an API that has the items. */
export const isUpstream = (url: string): boolean =>
  /^upstream\+https?:\/\/[^\s?#]+$/.test(url) && URL.canParse(url.slice(UPSTREAM.length));

/** @returns the address of the API that an `upstream+` URL names */
export const apiOf = (url: string): string => url.slice(UPSTREAM.length);

/** @returns the path that a `sqlite:` URL names, or `:memory:` */
export const locationOf = (url: string): string => url.replace(/^sqlite:(?:\/\/)?/, '');

export const isInMemory = (url: string): boolean => locationOf(url) === ':memory:';

/** What SQLite itself would take for a database without a name, or for an address of its own, is refused, and a second line. */
const isFile = (url: string): boolean => /^sqlite:(?:\/\/)?(?::memory:$|(?!:|file:|\/\/)[^\p{Cc}]+$)/u.test(url);

const withKnownTls = (url: z.ZodString) =>
  url.refine(isTlsKnown, {
    error: `each of its parameters about TLS must be one of ${TLS_PARAMETERS.join(', ')}`,
    abort: true,
  });

export const databaseUrl = withKnownTls(z.string()).refine(
  (url) => isFile(url) || isServer(url) || isUpstream(url),
  'must be "sqlite:<path>", "sqlite::memory:", "postgres://<user>:<password>@<host>:<port>/<database>" or "upstream+https://<host>/<path>"',
);

export const serverUrl = withKnownTls(z.string()).refine(isServer, { error: 'must be "postgres://…"', abort: true });
