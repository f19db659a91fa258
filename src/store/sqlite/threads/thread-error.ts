import { type Reason, Unavailable, unavailable } from '../../../gateway/port/unavailable.ts';
import { toUnavailable } from '../connection/errors.ts';

/** An error on its way out of a thread. */
export interface ThreadError {
  readonly message: string;
  /** Where the database cannot do its work. */
  readonly reason: Reason | undefined;
}

export const toThreadError = (error: unknown): ThreadError => {
  const known = toUnavailable(error);
  const message = error instanceof Error ? error.message : String(error);
  return { message, reason: known instanceof Unavailable ? known.reason : undefined };
};

export const fromThreadError = ({ message, reason }: ThreadError): Error =>
  reason === undefined ? new Error(message) : unavailable(new Error(message), reason);
