import { z } from 'zod';
import { addressesOf } from '../store/postgres/connection/addresses.ts';

/** Whether a URL names a PostgreSQL server, which it does where it is well formed. */
export const isServer = (url: string): boolean => addressesOf(url) !== undefined;

/** @returns the path that a `sqlite:` URL names, or `:memory:` */
export const locationOf = (url: string): string => url.replace(/^sqlite:(?:\/\/)?/, '');

export const isInMemory = (url: string): boolean => locationOf(url) === ':memory:';

/** What SQLite itself would take for a database without a name, or for an address of its own, is refused. */
const isFile = (url: string): boolean => /^sqlite:(?:\/\/)?(?::memory:$|(?!:|file:|\/\/).)/.test(url);

export const databaseUrl = z
  .string()
  .refine(
    (url) => isFile(url) || isServer(url),
    'must be "sqlite:<path>", "sqlite::memory:" or "postgres://<user>:<password>@<host>:<port>/<database>"',
  );
