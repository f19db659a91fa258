import { Unavailable, unavailable } from '../../unavailable.ts';
import { isUnavailable } from '../connection/connection.ts';

/** An error on its way out of a thread. */
export interface ThreadError {
  readonly message: string;
  readonly isUnavailable: boolean;
}

export const toThreadError = (error: unknown): ThreadError => ({
  message: error instanceof Error ? error.message : String(error),
  isUnavailable: error instanceof Unavailable || isUnavailable(error),
});

export const fromThreadError = ({ message, isUnavailable }: ThreadError): Error =>
  isUnavailable ? unavailable(new Error(message)) : new Error(message);
