import type { MaybePromise } from '../util/maybe-promise.ts';

/** A client's key, of which only the hash is stored. Times are milliseconds since 1970. */
export interface StoredApiKey {
  readonly id: string;
  readonly name: string;
  /** SHA-256, in hexadecimal digits. */
  readonly hash: string;
  readonly scopes: readonly string[];
  readonly created: number;
  readonly expires: number | undefined;
}

export interface ApiKeyStore {
  /** Oldest first. */
  readonly all: () => MaybePromise<readonly StoredApiKey[]>;
  readonly add: (key: StoredApiKey) => MaybePromise<void>;
  readonly remove: (id: string) => MaybePromise<boolean>;
}

export interface HookBatch {
  readonly id: string;
  readonly body: string;
  readonly position: string;
}

export interface HookState {
  readonly position: string;
  readonly batch?: HookBatch | undefined;
  /** Tries in a row that failed, when the first of them was, and why the last one did. */
  readonly failures: number;
  readonly since?: number | undefined;
  readonly fault?: string | undefined;
  readonly next: number;
  readonly isSuspended: boolean;
}

/** An address to which the changes of a list are sent. Times are milliseconds since 1970. */
export interface StoredHook {
  readonly id: string;
  readonly url: string;
  /** The list with its filters, in the words of a language: path and query. */
  readonly list: string;
  readonly language: string;
  readonly collection: string;
  /** `whsec_` and its bytes in Base64. */
  readonly secret: string;
  readonly created: number;
  readonly state: HookState;
}

/** The hooks of all processes that share the database, of which one at a time has each of them. */
export interface HookStore {
  /** Oldest first. */
  readonly all: () => MaybePromise<readonly StoredHook[]>;
  readonly count: () => MaybePromise<number>;
  readonly add: (hook: StoredHook) => MaybePromise<void>;
  readonly remove: (id: string) => MaybePromise<boolean>;
  /** Takes it until a time, unless another holder has it. @returns the hook as it is now, if it was taken */
  readonly take: (id: string, holder: string, now: number, until: number) => MaybePromise<StoredHook | undefined>;
  /** Saves a new state if the old one is still there. @returns whether it was */
  readonly save: (id: string, from: HookState, to: HookState) => MaybePromise<boolean>;
}
