import { Unavailable, unavailable } from '../store/unavailable.ts';

/** An error on its way to another process. */
export interface SerializedError {
  readonly message: string;
  readonly stack: string | undefined;
  readonly isUnavailable: boolean;
}

export const serializeError = (error: unknown): SerializedError => {
  const isUnavailable = error instanceof Unavailable;
  const reason = isUnavailable && error.cause instanceof Error ? error.cause : error;
  if (!(reason instanceof Error)) return { message: String(reason), stack: undefined, isUnavailable };
  return { message: reason.message, stack: reason.stack, isUnavailable };
};

export const deserializeError = ({ message, stack, isUnavailable }: SerializedError): Error => {
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return isUnavailable ? unavailable(error) : error;
};
