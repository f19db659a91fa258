import type { Refusal } from '../../util/concurrency-limiter.ts';
import type { Outcome } from './port.ts';

/**
 * `database`: it does not respond. `lists`: too many long lists are being read. `reads`, `imports`: too many slow reads or
 * imports are waiting, or this one has waited too long. `files`: the disk takes no temporary file. `client`: it has its share.
 * `full`, `read-only`: it cannot be written to, because its disk is full, or for another reason, but reads go on.
 */
export type Reason = 'database' | 'full' | 'read-only' | 'lists' | 'reads' | 'imports' | 'files' | 'client';

/** A store cannot do its work at the moment, and may later. */
export class Unavailable extends Error {
  readonly code = 'unavailable';
  readonly reason: Reason;

  constructor(reason: Reason, options: { readonly cause?: unknown } = {}) {
    super(`unavailable: ${reason}`, options);
    this.reason = reason;
  }
}

export const unavailable = (cause: unknown, reason: Reason = 'database'): Unavailable =>
  new Unavailable(reason, { cause });

/** A write has begun, and it is not known whether it was done. */
export class OutcomeUnknown extends Error {
  readonly code = 'outcome-unknown';
  /** Settles if the outcome becomes known after all. */
  readonly outcome: Promise<Outcome> | undefined;

  constructor({ outcome, cause }: { readonly outcome?: Promise<Outcome>; readonly cause?: unknown }) {
    super('it is not known whether this was written', { cause });
    this.outcome = outcome;
  }
}

export function describeCause(error: unknown): string {
  const cause = error instanceof Unavailable ? (error.cause ?? error) : error;
  if (!(cause instanceof Error)) return String(cause);
  // Where several addresses of a host were tried, the error of all of them says nothing itself.
  return cause.message || String((cause as NodeJS.ErrnoException).code ?? cause.name);
}

/** Ends a read whose client has gone away. Nobody reads it, so it has no cause to log. */
export const abandoned = (): Unavailable => new Unavailable('database');

export const refuseAs =
  (reason: Reason) =>
  (refusal: Refusal): Unavailable => {
    if (refusal === 'aborted') return abandoned();
    return new Unavailable(refusal === 'client' ? 'client' : reason);
  };
