/** The messages between workers and their primary: plain data, by structured clone. */

import type { Intent, Outcome } from '../../gateway/port/port.ts';
import type { Reason } from '../../gateway/port/unavailable.ts';
import type { Family } from '../metrics/family.ts';
import type { SerializedError } from './serialized-error.ts';

/** The result of a request, or its error. */
export type Result<T> = { readonly value: T } | { readonly fault: SerializedError };

export type FromWorker =
  /** It accepts connections: at this origin, and each tree at this address, by language tag. */
  | { readonly kind: 'serving'; readonly origin: string; readonly trees: ReadonlyMap<string, string> }
  | { readonly kind: 'write'; readonly id: number; readonly intent: Intent }
  | { readonly kind: 'ready'; readonly id: number }
  /** It waits for all others. */
  | { readonly kind: 'together'; readonly id: number }
  /** An import waits for a place, or is over, or its client has gone away. */
  | { readonly kind: 'import'; readonly id: number; readonly client: string | undefined }
  | { readonly kind: 'import-over'; readonly id: number }
  /** Without an address where nobody counts it. */
  | { readonly kind: 'opened' | 'closed'; readonly address: string | undefined }
  | { readonly kind: 'measured'; readonly families: readonly Family[] };

export type ToWorker =
  | { readonly kind: 'written'; readonly id: number; readonly settled: Result<Outcome> }
  | { readonly kind: 'ready'; readonly id: number; readonly isReady: boolean }
  /** All others wait, too. */
  | { readonly kind: 'together'; readonly id: number }
  | { readonly kind: 'import-place'; readonly id: number; readonly refused: Reason | undefined }
  /** Close a connection, of this address if there is one. */
  | { readonly kind: 'make-room'; readonly address: string | undefined }
  /** Tell what you have measured. */
  | { readonly kind: 'measure' }
  /** Read secrets and keys again. */
  | { readonly kind: 'reload' }
  | { readonly kind: 'stop' };

/** @returns sends the messages of one turn of the event loop together, in their order: each piece costs two system calls */
export const batched = <M>(send: (messages: readonly M[]) => void): ((message: M) => void) => {
  let waiting: M[] = [];
  const flush = (): void => {
    const messages = waiting;
    waiting = [];
    send(messages);
  };
  return (message) => {
    if (waiting.length === 0) setImmediate(flush);
    waiting.push(message);
  };
};
