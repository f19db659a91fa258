/** What goes wrong between a database server and its client, by SQLSTATE (PostgreSQL's appendix A). */
import { DatabaseError } from '../database-error.ts';
import { Unavailable } from '../unavailable.ts';

/** The code of an error that the server reported; Node's own codes look otherwise. */
const stateOf = (error: unknown): string | undefined => {
  if (!(error instanceof Error) || !('code' in error) || !('severity' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
};

/** @returns whether the server itself reported the error, so that the connection may be sound */
export const isReported = (error: unknown): boolean => stateOf(error) !== undefined;

/**
 * Connection, resources, operator's intervention, system, damage; and single states: read-only, idle too long in a
 * transaction, lock not to be had, no right, no such database or (on a replica that lags behind) table or column.
 */
const OUT_OF_SERVICE = /^(?:08|28|40|53|57|58|XX00[12]|25006|25P03|55P03|42501|3D000|42P01|42703)/;

/** A fault in our own code says so by its type; whatever else is not the server's report is the network's. */
const isOurs = (error: unknown): boolean =>
  [Unavailable, DatabaseError, TypeError, RangeError, ReferenceError].some((type) => error instanceof type);

/** @returns whether the database cannot do its work: gone, full, overloaded, too slow */
export const isOutOfService = (error: unknown): boolean => {
  const state = stateOf(error);
  return state === undefined ? !isOurs(error) : OUT_OF_SERVICE.test(state);
};

/** @returns whether the server ended the connection, or was never heard of again */
export const isLost = (error: unknown): boolean => {
  const state = stateOf(error);
  return state === undefined ? !isOurs(error) : /^(?:08|57P0[1-5])/.test(state);
};

/** @returns whether a transaction lost a race and may win the next: serialization failure, deadlock */
const isRaced = (error: unknown): boolean => /^40(?:001|P01)$/.test(stateOf(error) ?? '');

/** @returns whether a name of a prepared statement is missing, or there already: a pooler has changed the server's connection */
export const isUnprepared = (error: unknown): boolean => /^(?:26000|42P05)$/.test(stateOf(error) ?? '');

/** @returns whether a pooler gives a connection for one statement only (pgbouncer's words: the state is any broken protocol's) */
export const isStatementPooled = (error: unknown): boolean =>
  stateOf(error) === '08P01' && error instanceof Error && error.message.includes('statement pooling mode');

/** @returns whether the same work may succeed on the next try */
export const isTransient = (error: unknown): boolean => isRaced(error) || isLost(error) || isUnprepared(error);

/** @returns whether a commit that failed so has surely written nothing (40003: the server itself does not know) */
export const isRolledBack = (error: unknown): boolean => /^(?:23|40(?!003))/.test(stateOf(error) ?? '');

/** @returns whether the connections lead to a server that is none for writing any more */
export const isDemoted = (error: unknown): boolean => stateOf(error) === '25006';

/** @returns whether somebody else has just made the same: `IF NOT EXISTS` does not keep two from trying at once */
export const isDuplicate = (error: unknown): boolean => /^(?:23505|42P07|42710|XX000)$/.test(stateOf(error) ?? '');

/** More is asked for than may wait: a limit of our own, which another server does not lift. */
export class OverloadError extends Error {}

/** What the server reported, also where that is the cause of what is told. */
const causeOf = (error: unknown): unknown => (error instanceof Unavailable ? error.cause : error);

/** @returns whether the disk is full */
export const isDiskFull = (error: unknown): boolean => stateOf(causeOf(error)) === '53100';

/** @returns whether time was up, of a statement or of waiting for a connection (the pool's words): others may have their answers */
export const isSlow = (error: unknown): boolean => {
  const cause = causeOf(error);
  if (stateOf(cause) === '57014') return true;
  return cause instanceof Error && cause.message === 'timeout exceeded when trying to connect';
};
