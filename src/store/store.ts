import type { Items } from '../gateway/port/port.ts';
import type { MaybePromise } from '../util/maybe-promise.ts';
import type { ApiKeyStore, HookStore } from './clients.ts';

export interface CommonOptions {
  /** Milliseconds that one long list may take, 900,000. */
  readonly listTimeout?: number | undefined;
  /** The part of all long lists, and of all reads that wait, that one client may have; 1, all of them. */
  readonly clientShare?: number | undefined;
  readonly onCommit?: ((writes: number, milliseconds: number) => void) | undefined;
  readonly report?: ((line: string) => void) | undefined;
}

export interface Store extends Items {
  readonly apiKeys: ApiKeyStore;
  readonly hooks: HookStore;
  /** Forgets some deletions from before a change, few enough to hold up nobody. */
  readonly forgetDeletions: (before: number) => MaybePromise<void>;
  readonly size: () => MaybePromise<{ readonly bytes: number; readonly walBytes?: number | undefined }>;
  readonly close: () => MaybePromise<void>;
}

/** A database cannot be used; the message names it and says why. Its content is left untouched. */
export class DatabaseError extends Error {}

export async function nameSettingInErrors<T>(setting: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof DatabaseError ? new DatabaseError(`${setting}: ${error.message}`, { cause: error }) : error;
  }
}
