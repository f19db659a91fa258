import { z } from 'zod';
import { isAddress, isTlsKnown, TLS_PARAMETERS } from '../../store/postgres/connection/addresses.ts';

export const isServer = isAddress;

/** @returns the path that a `sqlite:` URL names, or `:memory:` */
export function readLocation(url: string): string {
  return url.replace(/^sqlite:(?:\/\/)?/, '');
}

export function isInMemory(url: string): boolean {
  return readLocation(url) === ':memory:';
}

/** A path that SQLite itself would take for a database without a name, or for an address of its own, is none, nor are two lines. */
const FILE = /^sqlite:(?:\/\/)?(?::memory:$|(?!:|file:|\/\/)[^\p{Cc}]+$)/u;

/** A `/`, `?` or `#` ends the part with user and password, so what follows up to the sign before the host is no path: it would be shown. */
const CUT_PASSWORD = /^postgres(?:ql)?:\/\/[^/?#]*[/?#].*@/s;

export const databaseUrl = z
  .string()
  .refine((url) => !CUT_PASSWORD.test(url), {
    error:
      'user and password must be percent-encoded: %2F for /, %3F for ?, %23 for #, %40 for @, there and behind the host',
    abort: true,
  })
  .refine(isTlsKnown, {
    error: `each of its parameters about TLS must be one of ${TLS_PARAMETERS.join(', ')}`,
    abort: true,
  })
  .refine(
    (url) => FILE.test(url) || isServer(url),
    'must be "sqlite:<path>", "sqlite::memory:" or "postgres://<user>:<password>@<host>:<port>/<database>"',
  );
