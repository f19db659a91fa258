/** The database did not do its work, or as many long lists are being read as there may be. */
type Reason = 'database' | 'lists';

/** What every store throws where it cannot do its work now, and may later. */
export class Unavailable extends Error {
  readonly code = 'unavailable';
  readonly reason: Reason;

  /** @param options.cause what is to be logged */
  constructor(reason: Reason, options: { readonly cause?: unknown } = {}) {
    super(`unavailable: ${reason}`, options);
    this.reason = reason;
  }
}

export const unavailable = (cause: unknown): Unavailable => new Unavailable('database', { cause });

export const tooManyLists = (): Unavailable => new Unavailable('lists');
