import { type Reason, Unavailable, unavailable } from '../../gateway/port/unavailable.ts';

/** An error on its way to another process. */
export interface SerializedError {
  readonly message: string;
  readonly stack: string | undefined;
  /** Where the database cannot do its work. */
  readonly reason: Reason | undefined;
}

export const serializeError = (error: unknown): SerializedError => {
  const reason = error instanceof Unavailable ? error.reason : undefined;
  const cause = error instanceof Unavailable && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return { message: String(cause), stack: undefined, reason };
  return { message: cause.message, stack: cause.stack, reason };
};

export const deserializeError = ({ message, stack, reason }: SerializedError): Error => {
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return reason === undefined ? error : unavailable(error, reason);
};
