import { Unavailable, unavailable } from '../../unavailable.ts';
import { isUnavailable } from '../connection/connection.ts';

/** An error on its way out of a thread. */
export interface Fault {
  readonly message: string;
  readonly isUnavailable: boolean;
}

export const faultOf = (error: unknown): Fault => ({
  message: error instanceof Error ? error.message : String(error),
  isUnavailable: error instanceof Unavailable || isUnavailable(error),
});

export const errorOf = ({ message, isUnavailable }: Fault): Error =>
  isUnavailable ? unavailable(new Error(message)) : new Error(message);
