/** Errors of a database server and of the connection to it, by SQLSTATE (PostgreSQL's appendix A). */

import { OutcomeUnknown, Unavailable, unavailable } from '../../../gateway/port/unavailable.ts';
import { DatabaseError } from '../../store.ts';

/** @returns the SQLSTATE of an error that the server reported. Node's own errors have a `code` too, but no `severity`. */
function readState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('severity' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** @returns whether an error has one of the SQLSTATEs; an error that the server did not report comes from the network unless its type is ours */
function hasState(error: unknown, states: RegExp, ofNetwork = false): boolean {
  const state = readState(error);
  if (state !== undefined) return states.test(state);
  const isOurs = [Unavailable, OutcomeUnknown, DatabaseError, TypeError, RangeError, ReferenceError].some(
    (type) => error instanceof type,
  );
  return ofNetwork && !isOurs;
}

export const isReported = (error: unknown): boolean => readState(error) !== undefined;

/** 26000 and 42P05 come from a pooler that has changed the server's connection: prepared statements are missing, or exist already. */
const OUT_OF_SERVICE = /^(?:08|26000|28|40|53|57|58|XX00[12]|25006|25P03|55P03|42501|3D000|42P0[15]|42703)/;

/** @returns whether the database cannot do its work: gone, full, overloaded, too slow */
export const isOutOfService = (error: unknown): boolean => hasState(error, OUT_OF_SERVICE, true);

/** @returns whether the same work may succeed on the next try: the connection was lost, or a race (serialization failure, deadlock) */
export const isTransient = (error: unknown): boolean => hasState(error, /^(?:08|57P0[1-5]|40001|40P01)/, true);

/** @returns whether a commit has certainly written nothing, and some of its writes may succeed (40003: the server does not know) */
export const isRefused = (error: unknown): boolean => hasState(error, /^(?:22|23|40(?!003)|54|P0)/);

export const isDemoted = (error: unknown): boolean => hasState(error, /^25006/);

export const isLocked = (error: unknown): boolean => hasState(error, /^(?:55P03|40P01)/);

export const isDiskFull = (error: unknown): boolean =>
  hasState(error instanceof Unavailable ? error.cause : error, /^53100/);

const EXPLANATIONS: readonly (readonly [pattern: RegExp, explanation: string])[] = [
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

/** @returns the same error, in words of ours if its own do not say what to do */
export function explain(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const texts = ['code' in error ? String(error.code) : '', error.message];
  const [, explanation] = EXPLANATIONS.find(([pattern]) => texts.some((text) => pattern.test(text))) ?? [];
  return explanation === undefined ? error : new Error(explanation, { cause: error });
}

export function toUnavailable(error: unknown): unknown {
  if (!isOutOfService(error)) return error;
  return unavailable(explain(error), isDiskFull(error) ? 'full' : isDemoted(error) ? 'read-only' : undefined);
}
