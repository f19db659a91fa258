/** `database`: it does not respond. `lists`: too many long lists are being read already. */
type Reason = 'database' | 'lists';

/** A store cannot do its work at the moment, and may later. */
export class Unavailable extends Error {
  readonly code = 'unavailable';
  readonly reason: Reason;

  /** @param options.cause for the log */
  constructor(reason: Reason, options: { readonly cause?: unknown } = {}) {
    super(`unavailable: ${reason}`, options);
    this.reason = reason;
  }
}

export const unavailable = (cause: unknown): Unavailable => new Unavailable('database', { cause });

export const tooManyLists = (): Unavailable => new Unavailable('lists');
