/** Errors of a database server and of the connection to it, by SQLSTATE (PostgreSQL's appendix A). */

import { Unavailable, unavailable } from '../../../gateway/port/unavailable.ts';
import { DatabaseError } from '../../store.ts';

/** The SQLSTATE of an error that the server reported. Node's own errors have a `code` too, but no `severity`. */
const sqlStateOf = (error: unknown): string | undefined => {
  if (!(error instanceof Error) || !('code' in error) || !('severity' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
};

/** @returns whether the server reported the error, so that the connection may be sound */
export const isReported = (error: unknown): boolean => sqlStateOf(error) !== undefined;

/**
 * Classes: connection, resources, operator intervention, system, damage. Single states: read-only, idle too long in a
 * transaction, lock not available, no privilege, no such database, table or column, and a prepared statement that is missing or
 * exists already, because a pooler has changed the server's connection.
 */
const OUT_OF_SERVICE = /^(?:08|26000|28|40|53|57|58|XX00[12]|25006|25P03|55P03|42501|3D000|42P0[15]|42703)/;

/** Our own errors are recognised by their types. All others that the server did not report come from the network. */
const isOurs = (error: unknown): boolean =>
  [Unavailable, DatabaseError, TypeError, RangeError, ReferenceError].some((type) => error instanceof type);

/** @returns whether the database cannot do its work: gone, full, overloaded, too slow */
export const isOutOfService = (error: unknown): boolean => {
  const state = sqlStateOf(error);
  return state === undefined ? !isOurs(error) : OUT_OF_SERVICE.test(state);
};

/** @returns whether the connection was lost */
const isLost = (error: unknown): boolean => {
  const state = sqlStateOf(error);
  return state === undefined ? !isOurs(error) : /^(?:08|57P0[1-5])/.test(state);
};

/** @returns whether a transaction lost a race and may win the next: serialization failure, deadlock */
const isRaced = (error: unknown): boolean => /^40(?:001|P01)$/.test(sqlStateOf(error) ?? '');

/** @returns whether the same work may succeed on the next try */
export const isTransient = (error: unknown): boolean => isRaced(error) || isLost(error);

/**
 * @returns whether a commit has certainly written nothing, because of its values or of other transactions (40003: the server does
 * not know): some of its writes may succeed
 */
export const isRefused = (error: unknown): boolean => /^(?:22|23|40(?!003)|54|P0)/.test(sqlStateOf(error) ?? '');

/** @returns whether the server cannot be written to any more */
export const isDemoted = (error: unknown): boolean => sqlStateOf(error) === '25006';

/** @returns whether another process has just created the same: `IF NOT EXISTS` does not prevent that */
export const isDuplicate = (error: unknown): boolean => /^(?:23505|42P07|42710|XX000)$/.test(sqlStateOf(error) ?? '');

/** @returns whether a lock could not be had in time, or not without a deadlock */
export const isLocked = (error: unknown): boolean => /^(?:55P03|40P01)$/.test(sqlStateOf(error) ?? '');

/** What the driver, Node.js and the server say, and what an operator can do. */
const EXPLANATIONS: readonly (readonly [told: RegExp, explained: string])[] = [
  [/client password must be a/, 'the server wants a password, and the URL has none'],
  [
    /^(?:UNABLE_TO_|SELF_SIGNED_CERT_|DEPTH_ZERO_)/,
    'its certificate is of no authority that is trusted here: sslrootcert=<file> names one of your own',
  ],
  [/^CERT_HAS_EXPIRED$/, 'its certificate has expired'],
  [
    /^(?:26000|42P05)$/,
    'a pooler in transaction mode stands before PostgreSQL, and loses prepared statements: DATABASE_PREPARE=off',
  ],
  [/does not support SSL/, 'sslmode asks for TLS, which the server does not offer'],
];

/** @returns the same error, in words of ours where its own do not say what to do */
export const explained = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  const told = ['code' in error ? String(error.code) : '', error.message];
  const [, words] = EXPLANATIONS.find(([pattern]) => told.some((each) => pattern.test(each))) ?? [];
  return words === undefined ? error : new Error(words, { cause: error });
};

/** Too many requests wait: a limit of our own, so that another server would not help. */
export class OverloadError extends Error {}

/** The server's error, also where `Unavailable` wraps it. */
const causeOf = (error: unknown): unknown => (error instanceof Unavailable ? error.cause : error);

/** @returns whether the disk is full */
export const isDiskFull = (error: unknown): boolean => sqlStateOf(causeOf(error)) === '53100';

/** @returns the error of a database that cannot do its work; every other error as it is */
export const toUnavailable = (error: unknown): unknown => (isOutOfService(error) ? asUnavailable(error) : error);

export const asUnavailable = (error: unknown): Unavailable =>
  unavailable(explained(error), isDiskFull(error) ? 'full' : isDemoted(error) ? 'read-only' : undefined);
