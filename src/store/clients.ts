/** What a store keeps of clients: their keys, and what is left of their quotas. */
import type { MaybePromise } from '../util/maybe-promise.ts';

/** A client's key. Of the key itself only its hash is stored. Times are milliseconds since 1970. */
export interface StoredApiKey {
  readonly id: string;
  /** What people call it. */
  readonly name: string;
  /** SHA-256, in hexadecimal digits. */
  readonly hash: string;
  readonly scopes: readonly string[];
  readonly created: number;
  /** `undefined` where the key does not expire. */
  readonly expires: number | undefined;
}

/** The keys of clients, the same for all processes that share the database. */
export interface ApiKeyStore {
  /** Oldest first. */
  readonly all: () => MaybePromise<readonly StoredApiKey[]>;
  readonly add: (key: StoredApiKey) => MaybePromise<void>;
  /** @returns whether there was such a key */
  readonly remove: (id: string) => MaybePromise<boolean>;
}

/** A part of what a client may ask for in a window of time. */
export interface QuotaRequest {
  readonly client: string;
  /** Its number, greater for each later one. */
  readonly window: number;
  /** Of the whole window, for all processes together. */
  readonly quota: number;
  readonly count: number;
}

/** @returns how much of what was wanted is granted, and how much of the quota is left for others */
export type TakeQuota = (wanted: QuotaRequest) => MaybePromise<{ readonly granted: number; readonly left: number }>;
